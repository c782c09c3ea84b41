import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { ImageReader } from "../../../src/server/backup/committed-log.ts";
import { seededRandom } from "../../bench/support/random.ts";

/** A copy of a database and its log, as after a power failure, recovered by SQLite. */
function recovered(path: string): Uint8Array {
  const copy = `${path}.copy`;
  for (const more of ["", "-wal", "-shm"]) rmSync(copy + more, { force: true });
  for (const more of ["", "-wal"]) if (existsSync(path + more)) copyFileSync(path + more, copy + more);
  const database = new DatabaseSync(copy);
  const bytes = database.serialize();
  database.close();
  return bytes;
}

/** One change of a database that another process may be making. */
function change(database: DatabaseSync, random: () => number): void {
  const some = () => Math.floor(random() * 2000);
  const pick = random();
  if (pick < 0.5) {
    database.exec("BEGIN");
    for (let n = 0; n < 1 + some() / 100; n++)
      database.prepare("INSERT OR REPLACE INTO body VALUES (?, ?)").run(some(), new Uint8Array(some()).fill(some()));
    database.exec(random() < 0.1 ? "ROLLBACK" : "COMMIT");
  } else if (pick < 0.7) database.prepare("DELETE FROM body WHERE n < ? AND n > ?").run(some(), some() / 2);
  else if (pick < 0.8) database.exec("PRAGMA wal_checkpoint(PASSIVE)");
  else if (pick < 0.85) database.exec("PRAGMA wal_checkpoint(RESTART)");
  else if (pick < 0.9) database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  else if (pick < 0.93) database.exec("VACUUM");
  else if (pick < 0.96) database.exec("PRAGMA incremental_vacuum(20)");
  else database.exec(`CREATE TABLE more${some()}_${some()} (n)`);
}

const folderOf = () => {
  const folder = mkdtempSync(join(tmpdir(), "graticule-image-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

it.each([
  ["512", 1],
  ["4096", 2],
  ["4096", 3],
  ["65536", 4],
])(
  "the image of a database in use is what SQLite recovers from a copy, at each of 60 steps (pages of %s bytes, seed %i)",
  (pageSize, seed) => {
    const random = seededRandom(seed);
    const path = join(folderOf(), "one.sqlite");
    const database = new DatabaseSync(path, { timeout: 0 });
    database.exec(
      `PRAGMA page_size = ${pageSize}; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 50; CREATE TABLE body (n INTEGER PRIMARY KEY, bytes BLOB)`,
    );
    const reader = new ImageReader();
    let [images, logs, settled] = [0, 0, 0];
    for (let step = 0; step < 60; step++) {
      change(database, random);
      // A change that is not committed yet is not in it.
      const isOpen = random() < 0.2;
      if (isOpen)
        database.exec(
          "PRAGMA cache_size = 2; BEGIN; INSERT OR REPLACE INTO body SELECT n, randomblob(3000) FROM body LIMIT 40",
        );
      if (random() < 0.3) reader.reset();
      const image = reader.read(path);
      if (image) {
        images++;
        settled += image.isChanging ? 0 : 1;
        logs += statSync(`${path}-wal`).size > 0 ? 1 : 0;
        expect(Buffer.compare(image.bytes, recovered(path)), `step ${step}`).toBe(0);
      }
      if (isOpen) database.exec("ROLLBACK");
    }
    database.close();
    // SQLite makes the index when the log is first used.
    expect([images, logs > 20, settled > 20]).toEqual([60, true, true]);
    expect(reader.read(path)).toBeUndefined();
  },
);

it("without an index of its log, or with that of another, there is no image", () => {
  const folder = folderOf();
  const [path, other] = [join(folder, "one.sqlite"), join(folder, "other.sqlite")];
  const databases = [path, other].map((one, at) => {
    const database = new DatabaseSync(one);
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE body (n)");
    for (let n = 0; n < 10 + at; n++) database.exec(`INSERT INTO body VALUES (${n})`);
    return database;
  });
  const copy = join(folder, "copy.sqlite");
  const copied = (index: string | undefined) => {
    for (const more of ["", "-wal"]) copyFileSync(path + more, copy + more);
    rmSync(`${copy}-shm`, { force: true });
    if (index) copyFileSync(`${index}-shm`, `${copy}-shm`);
    return new ImageReader().read(copy);
  };
  expect(copied(path)).toBeDefined();
  expect(copied(other)).toBeUndefined();
  expect(copied(undefined)).toBeUndefined();
  for (const database of databases) database.close();
});
