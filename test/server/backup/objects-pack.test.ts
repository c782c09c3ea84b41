import { randomBytes } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { piecesOf } from "../../../src/server/backup/chunks.ts";
import { ObjectsPack, objectsFolder } from "../../../src/server/backup/objects-pack.ts";
import { packedFiles } from "../../../src/server/backup/packed-files.ts";

let folder: string;
let trackers: string;
const open: { close(): void }[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "graticule-pack-"));
  trackers = objectsFolder(folder, "graticule", "DeviceTracker");
  mkdirSync(trackers, { recursive: true });
});
afterEach(() => {
  for (const one of open.splice(0)) one.close();
  rmSync(folder, { recursive: true, force: true });
});

const idOf = (n: number) => n.toString(16).padStart(64, "0");

/** An object as workerd has it open, with a log that was never written back. */
function object(n: number): DatabaseSync {
  const database = new DatabaseSync(join(trackers, `${idOf(n)}.sqlite`));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE state (n INTEGER)");
  open.push(database);
  return database;
}

/** Until no file was touched just now. */
const settled = () => sleep(80);

const packAt = (changes?: ConstructorParameters<typeof ObjectsPack>[3]) => {
  const pack = new ObjectsPack(join(folder, "objects.sqlite"), folder, "graticule", changes);
  open.push(pack);
  return pack;
};

/** The largest number in each packed object. */
function packed(): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { file, bytes } of packedFiles(join(folder, "objects.sqlite"))) {
    const path = join(folder, "read.sqlite");
    writeFileSync(path, bytes);
    const database = new DatabaseSync(path);
    found[Number.parseInt(file, 16)] = Number(database.prepare("SELECT max(n) AS n FROM state").get()?.n);
    database.close();
    for (const more of ["", "-wal", "-shm"]) rmSync(path + more, { force: true });
  }
  return found;
}

it("what a paused server had written, and nothing later, is in the pack, also what is only in the logs", async () => {
  const [one, two] = [object(1), object(2)];
  one.exec("INSERT INTO state VALUES (1)");
  two.exec("INSERT INTO state VALUES (1)");
  const pack = packAt();
  await settled();
  pack.catchUp();
  one.exec("INSERT INTO state VALUES (2)");
  object(3).exec("INSERT INTO state VALUES (7)");
  // In the midst of a change: as after a power failure, it did not happen.
  two.exec("BEGIN; INSERT INTO state VALUES (9)");
  pack.freeze();
  two.exec("COMMIT");
  one.exec("INSERT INTO state VALUES (3)");
  pack.thaw();
  expect(packed()).toEqual({ 1: 2, 2: 1, 3: 7 });
  await settled();
  pack.catchUp();
  expect(packed()).toEqual({ 1: 3, 2: 9, 3: 7 });
});

it("an object that is being written is read during the pause, one that is locked before it", async () => {
  const one = object(1);
  const pack = packAt();
  one.exec("PRAGMA locking_mode = EXCLUSIVE; INSERT INTO state VALUES (2)");
  expect(pack.catchUp()).toBe(0);
  await settled();
  expect(pack.catchUp()).toBe(1);
  one.exec("INSERT INTO state VALUES (3)");
  expect(pack.catchUp()).toBe(0);
  pack.freeze();
  pack.thaw();
  expect(packed()).toEqual({ 1: 3 });
});

it("a log that a crash left is not recovered in place: the server that opens it finds no other process there", async () => {
  const path = join(trackers, `${idOf(2)}.sqlite`);
  const one = object(1);
  one.exec("INSERT INTO state VALUES (4)");
  for (const more of ["", "-wal"]) copyFileSync(join(trackers, `${idOf(1)}.sqlite${more}`), path + more);
  await settled();
  const pack = packAt();
  expect(pack.catchUp()).toBe(2);
  expect(packed()).toEqual({ 1: 4, 2: 4 });
  expect(readdirSync(trackers).filter((file) => file.startsWith(idOf(2)) && file.endsWith("-shm"))).toEqual([]);
});

it("a commit that the pause divided is in the next moment, though no file changes any more", async () => {
  const files = () => readdirSync(trackers).map((file) => [file, readFileSync(join(trackers, file))] as const);
  const one = object(1);
  one.exec("INSERT INTO state VALUES (1)");
  const index = files().filter(([file]) => file.endsWith("-shm"));
  one.exec("INSERT INTO state VALUES (2)");
  const after = files();
  one.close();
  open.splice(0);
  for (const [file, bytes] of [...after, ...index]) writeFileSync(join(trackers, file), bytes);
  let reported: string[] | undefined;
  const pack = packAt((where) => ({ take: () => (where === trackers ? reported : []) }));
  await settled();
  pack.freeze();
  pack.thaw();
  expect(packed()).toEqual({ 1: 1 });
  reported = [];
  for (const [file, bytes] of after) if (file.endsWith("-shm")) writeFileSync(join(trackers, file), bytes);
  pack.freeze();
  pack.thaw();
  expect(packed()).toEqual({ 1: 2 });
});

it("a change that was reported before a moment failed is in the next one", async () => {
  const one = object(1);
  one.exec("INSERT INTO state VALUES (1)");
  let reported: string[] | undefined;
  const pack = packAt((where) => ({
    take() {
      if (where !== trackers) return [];
      const some = reported;
      reported = [];
      return some;
    },
  }));
  await settled();
  pack.catchUp();
  one.exec("INSERT INTO state VALUES (2)");
  reported = [idOf(1)];
  // The moment fails after this, so that nothing is thawed.
  pack.freeze();
  await settled();
  pack.catchUp();
  expect(packed()).toEqual({ 1: 2 });
});

it("a pack can be opened again where one failed, and forgets objects that are gone", async () => {
  object(1).exec("INSERT INTO state VALUES (1)");
  object(2).exec("INSERT INTO state VALUES (1)");
  await settled();
  packAt().catchUp();
  const pack = packAt();
  pack.catchUp();
  for (const one of open.splice(0, 2)) one.close();
  rmSync(join(trackers, `${idOf(2)}.sqlite`));
  expect(existsSync(join(trackers, `${idOf(2)}.sqlite`))).toBe(false);
  pack.freeze();
  pack.thaw();
  expect(packed()).toEqual({ 1: 1 });
});

/** Rows of 1 kB that do not deflate. */
function rows(database: DatabaseSync, first: number, last: number): void {
  const insert = database.prepare("INSERT INTO body VALUES (?, ?)");
  database.exec("BEGIN");
  for (let n = first; n <= last; n++) insert.run(n, randomBytes(1000));
  database.exec("COMMIT");
}

it("a very large object is read after the pause, as it was then, and another file in its place as well", () => {
  const found = () => {
    writeFileSync(join(folder, "read.sqlite"), [...packedFiles(join(folder, "objects.sqlite"))][0].bytes);
    const read = new DatabaseSync(join(folder, "read.sqlite"));
    const row = read.prepare("SELECT count(*) AS rows, total(length(bytes)) AS bytes FROM body").get();
    const check = read.prepare("PRAGMA integrity_check").get();
    read.close();
    return { ...row, ...check };
  };
  let one = object(1);
  one.exec("CREATE TABLE body (n INTEGER PRIMARY KEY, bytes BLOB); PRAGMA wal_autocheckpoint = 100");
  rows(one, 1, 10_000);
  const pack = packAt(() => ({ take: () => undefined }));
  for (const checkpoint of ["PASSIVE", "TRUNCATE", "RESTART", "FULL"]) {
    const before = one.prepare("SELECT count(*) AS rows, total(length(bytes)) AS bytes FROM body").get();
    pack.freeze();
    one.exec("DELETE FROM body WHERE n % 9 = 4; UPDATE body SET bytes = zeroblob(900) WHERE n % 7 = 3");
    one.exec(`PRAGMA wal_checkpoint(${checkpoint})`);
    rows(one, 20_000, 20_100);
    pack.thaw();
    expect(found()).toEqual({ ...before, integrity_check: "ok" });
    // The next moment begins with a log that is written back.
    one.exec("DELETE FROM body WHERE n > 19999; PRAGMA wal_checkpoint(PASSIVE)");
  }
  open.splice(open.indexOf(one), 1)[0].close();
  for (const more of ["", "-wal", "-shm"]) rmSync(join(trackers, `${idOf(1)}.sqlite${more}`), { force: true });
  one = object(1);
  one.exec("CREATE TABLE body (n INTEGER PRIMARY KEY, bytes BLOB)");
  rows(one, 1, 9000);
  pack.freeze();
  pack.thaw();
  expect(found()).toMatchObject({ rows: 9000, integrity_check: "ok" });
  rows(one, 9001, 9005);
  // A commit that is under way ends the pause; it is tried again.
  one.exec("BEGIN; DELETE FROM body WHERE n > 9003");
  expect(() => pack.freeze()).toThrow("locked");
  one.exec("COMMIT");
  pack.freeze();
  pack.thaw();
  expect(found()).toMatchObject({ rows: 9003, integrity_check: "ok" });
});

it("of a large object that grows, shrinks and becomes small, what is packed is what it holds, and only changed pieces are written", async () => {
  const one = object(1);
  one.exec("CREATE TABLE body (n INTEGER PRIMARY KEY, bytes BLOB); PRAGMA wal_autocheckpoint = 100");
  const pack = packAt(() => ({ take: () => undefined }));
  const path = join(folder, "objects.sqlite");
  let before: Buffer[] = [];
  /** Chunks of the pack that are not as they were. */
  const written = () => {
    const chunks = [...piecesOf(readFileSync(path))].map((chunk) => Buffer.from(chunk));
    const changed = chunks.filter((chunk, at) => !before[at]?.equals(chunk)).length;
    before = chunks;
    return changed;
  };
  const expectPacked = () => {
    pack.freeze();
    pack.thaw();
    const found = [...packedFiles(path, "DeviceTracker", idOf(1))];
    expect(found).toHaveLength(1);
    const { size } = one
      .prepare("SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size")
      .get()!;
    expect(found[0].bytes.length).toBe(size);
    writeFileSync(join(folder, "read.sqlite"), found[0].bytes);
    const read = new DatabaseSync(join(folder, "read.sqlite"));
    const all = "SELECT n, bytes FROM body ORDER BY n";
    expect(read.prepare(all).all()).toEqual(one.prepare(all).all());
    expect(read.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    read.close();
  };
  rows(one, 1, 8000);
  expectPacked();
  expect(written()).toBeGreaterThan(28);
  rows(one, 8001, 8010);
  expectPacked();
  expect(written()).toBeLessThan(10);
  one.exec("DELETE FROM body WHERE n % 5000 = 7");
  expectPacked();
  expect(written()).toBeLessThan(10);
  for (const left of [5000, 10]) {
    one.exec(`DELETE FROM body WHERE n > ${left}; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)`);
    expectPacked();
  }
  rows(one, 11, 3000);
  expectPacked();
  expect(pack.counts()).toEqual({ DeviceTracker: 1 });
  open.splice(open.indexOf(one), 1)[0].close();
  for (const more of ["", "-wal", "-shm"]) rmSync(join(trackers, `${idOf(1)}.sqlite${more}`), { force: true });
  pack.freeze();
  expect([...packedFiles(path)]).toEqual([]);
  object(1).exec("CREATE TABLE body (n INTEGER PRIMARY KEY, bytes BLOB)");
  rows(open.at(-1) as DatabaseSync, 1, 500);
  await settled();
  pack.catchUp();
  expect([...packedFiles(path)][0].bytes.length).toBeGreaterThan(500_000);
});
