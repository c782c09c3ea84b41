import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openLocalBucket } from "../../../../src/importer/publish/local-bucket.ts";
import { commandOf } from "../../../../src/server/backup/geodata.ts";
import { formatManifest, MANIFEST_KEY, parseManifest, partKey } from "../../../../src/server/backup/manifest.ts";
import { type BackupPlace, openPlace } from "../../../../src/server/backup/place.ts";
import { readBackup } from "../../../../src/server/backup/read-backup.ts";
import { restoreLocal } from "../../../../src/server/backup/restore-local.ts";
import { writeRows } from "../../../../src/server/backup/restore-remote.ts";
import { takeLocal } from "../../../../src/server/backup/take-local.ts";
import { loadSql } from "../../../../src/server/backup/take-remote.ts";
import { aboutDatabase, writeBackup } from "../../../../src/server/backup/write-backup.ts";
import { databaseConfig, workerName } from "../../../../src/server/base/wrangler.ts";
import { query } from "../../../../src/server/data/database.ts";
import { localDatabasePath, openLocalDatabase } from "../../../../src/server/data/local-database.ts";
import { geodataBucketName } from "../../../../src/server/geodata/geodata-bucket.ts";
import { createProject } from "../../../../src/server/project/projects.ts";
import { refuseHalfRestored } from "../../../../src/server/state/half-restored.ts";
import { lockState } from "../../../../src/server/state/lock.ts";
import { scratchFolder } from "../scratch.ts";
import { startS3 } from "./s3-server.ts";

const folder = scratchFolder();
const of = (state: string) => ({
  state,
  worker: workerName(),
  databaseId: databaseConfig().id,
  bucket: geodataBucketName(),
});
const DEVICE = `${workerName()}-DeviceTracker/${"ab".repeat(32)}.sqlite`;
let number = 0;
const fresh = () => {
  const path = join(folder, String(number++));
  mkdirSync(path);
  return path;
};

/** A state as a server leaves it: a project, a Durable Object, an icon. */
const state = fresh();
let s3: Awaited<ReturnType<typeof startS3>>;
const environment = () => ({ AWS_ACCESS_KEY_ID: "me", AWS_SECRET_ACCESS_KEY: "secret", AWS_ENDPOINT_URL: s3.endpoint });

beforeAll(async () => {
  s3 = await startS3("vault");
  const database = openLocalDatabase(state);
  await createProject(database, "it's\nmine");
  database.close();
  mkdirSync(join(state, "v3/do", `${workerName()}-DeviceTracker`), { recursive: true });
  const tracker = new DatabaseSync(join(state, "v3/do", DEVICE));
  tracker.exec("PRAGMA journal_mode = WAL; CREATE TABLE state (doc TEXT); INSERT INTO state VALUES ('here')");
  tracker.close();
  const bucket = openLocalBucket(state, geodataBucketName());
  await bucket.put("custom/3/icons/dot", Buffer.from("a red dot"));
  bucket.close();
});
afterAll(() => s3.stop());

/** Takes a state and writes it there. */
async function backUp(place: BackupPlace, from = state) {
  const { madeAt, database, objects, counts, uploads } = await takeLocal(of(from), fresh());
  const geodata = { whole: false, objects: 0, builds: [] };
  return writeBackup(
    { from: "local", madeAt, worker: workerName(), database, objects: { path: objects, counts }, uploads, geodata },
    place,
  );
}

const restore = async (place: BackupPlace, to: string, force = false) => {
  const work = fresh();
  await restoreLocal(await readBackup(place, work), place, { ...of(to), force, work });
};

async function heldIn(place: string) {
  const database = openLocalDatabase(place);
  const names = await query(database, "SELECT name FROM project");
  database.close();
  const bucket = openLocalBucket(place, geodataBucketName());
  const icon = await bucket.get("custom/3/icons/dot");
  bucket.close();
  const tracker = new DatabaseSync(join(place, "v3/do", DEVICE), { readOnly: true });
  const docs = tracker.prepare("SELECT doc FROM state").all();
  tracker.close();
  return {
    names: names.map(({ name }) => name),
    icon: Buffer.from(icon?.bytes ?? []).toString(),
    docs: docs.map(({ doc }) => doc),
  };
}
const HELD = { names: ["it's\nmine"], icon: "a red dot", docs: ["here"] };

describe.each(["a folder", "a bucket behind S3"])("a backup in %s", (kind) => {
  let place: BackupPlace;
  beforeEach(() => {
    place = kind === "a folder" ? openPlace(fresh()) : openPlace(`s3://vault/nightly-${number++}/a`, environment());
  });

  it("holds the database, devices and icons, which an empty place then has", async () => {
    const manifest = await backUp(place);
    expect([manifest.database.rows.project, manifest.objects?.counts, manifest.uploads.length]).toEqual([
      1,
      { DeviceTracker: 1 },
      1,
    ]);
    const to = fresh();
    await restore(place, to);
    expect(await heldIn(to)).toEqual(HELD);
  });

  it("made again sends only what has changed, and keeps nothing that no manifest names", async () => {
    await backUp(place);
    const { database } = await backUp(place);
    const parts = await place.sizes("parts/");
    expect(parts.size).toBe(3);
    expect(parts.get(partKey(database.sha256))).toBe(database.bytes);
  });

  it("is refused when a part is damaged or missing, before anything is written", async () => {
    const { objects } = await backUp(place);
    const key = partKey(objects?.sha256 ?? "");
    const bytes = await place.get(key);
    const to = fresh();
    await place.put(key, Buffer.from(bytes ?? []).fill(0, 100, 101));
    await expect(restore(place, to)).rejects.toThrow(`is damaged: ${key} is corrupt`);
    await place.delete([key]);
    await expect(restore(place, to)).rejects.toThrow(`is damaged: ${key} is missing`);
    await place.delete([MANIFEST_KEY]);
    await expect(restore(place, to)).rejects.toThrow("contains an unfinished backup");
    expect(existsSync(localDatabasePath(to, databaseConfig().id))).toBe(false);
  });
});

it("a backup into a bucket that was broken off goes on with what is not there yet", async () => {
  const place = openPlace("s3://vault/broken", environment());
  s3.failAfterWrites(2);
  await expect(backUp(place)).rejects.toThrow(/rejects these credentials/);
  s3.failAfterWrites(Number.POSITIVE_INFINITY);
  await expect(restore(place, fresh())).rejects.toThrow("an unfinished backup");
  const before = s3.written.length;
  await backUp(place);
  // The icon and the manifest: database and devices had arrived. (The pack's bytes are the same, as nothing has moved.)
  expect(s3.written.slice(before).map((key) => key.replace(/[0-9a-f]{64}/, "…"))).toEqual([
    "broken/parts/…",
    "broken/backup.json",
  ]);
});

describe("a place for a restore", () => {
  it("that is used is refused, unless it is forced, and then has what the backup has", async () => {
    const place = openPlace(fresh());
    await backUp(place);
    const used = fresh();
    const database = openLocalDatabase(used);
    await createProject(database, "other");
    database.close();
    await expect(restore(place, used)).rejects.toThrow(/is in use: it contains projects.*--force/);
    await restore(place, used, true);
    expect(await heldIn(used)).toEqual(HELD);
  });

  it("on which a server runs is refused", async () => {
    const place = openPlace(fresh());
    await backUp(place);
    const to = fresh();
    const unlock = lockState(to);
    await expect(restore(place, to, true)).rejects.toThrow(/^A server is already using/);
    unlock();
  });

  it("in which a restore was interrupted starts no server until it is run again", async () => {
    const place = openPlace(fresh());
    const { objects } = await backUp(place);
    const to = fresh();
    const whole = await readBackup(place, fresh());
    writeFileSync(place.pathOf?.(partKey(objects?.sha256 ?? "")) ?? "", "no database");
    await expect(restoreLocal(whole, place, { ...of(to), force: false, work: fresh() })).rejects.toThrow();
    expect(() => refuseHalfRestored(to)).toThrow(/was interrupted. Rerun it: npm run restore/);
    await backUp(place);
    await restore(place, to);
    expect(() => refuseHalfRestored(to)).not.toThrow();
    expect(await heldIn(to)).toEqual(HELD);
  });
});

describe("a manifest", () => {
  it("of a newer program, or with a migration that is not known here, is refused by name", async () => {
    const place = openPlace(fresh());
    const manifest = await backUp(place);
    const newer = formatManifest({ ...manifest, version: 5 as 4, program: "9.1.0" });
    expect(() => parseManifest(newer, "here")).toThrow(
      /created by Graticule 9\.1\.0 \(backup version 5\).*supports backup version 4/,
    );
    const migrations = [...manifest.migrations, "0999_future.sql"];
    await place.put(MANIFEST_KEY, Buffer.from(formatManifest({ ...manifest, migrations, program: "9.1.0" })));
    await expect(readBackup(place, fresh())).rejects.toThrow(/9\.1\.0.*migrations: 0999_future\.sql\. Install 9\.1\.0/);
  });

  it("is damaged when a word in it was changed", async () => {
    const place = openPlace(fresh());
    const text = formatManifest(await backUp(place));
    expect(() => parseManifest(text.replace('"local"', '"deployment"'), "here")).toThrow(/does not match its checksum/);
    expect(() => parseManifest("{", "here")).toThrow(/does not match its checksum/);
  });
});

it("an older database is brought forward by the restore", async () => {
  const old = fresh();
  const path = localDatabasePath(old, databaseConfig().id);
  mkdirSync(join(path, ".."), { recursive: true });
  const { migrations } = databaseConfig();
  const sqlite = new DatabaseSync(path);
  sqlite.exec(
    "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)",
  );
  for (const name of ["0001_foundation.sql", "0002_tracking.sql"]) {
    sqlite.exec(readFileSync(join(migrations, name), "utf8"));
    sqlite.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(name);
  }
  sqlite.exec("INSERT INTO project (name, created_at) VALUES ('old', 0)");
  sqlite.close();
  const place = openPlace(fresh());
  expect((await backUp(place, old)).migrations).toEqual(["0001_foundation.sql", "0002_tracking.sql"]);
  const to = fresh();
  await restore(place, to);
  const database = openLocalDatabase(to);
  expect(await query(database, "SELECT name, (SELECT count(*) FROM passkey) AS passkeys FROM project")).toEqual([
    { name: "old", passkeys: 0 },
  ]);
  database.close();
});

it("the rows of a database become statements of less than 100 kB that fill an empty one, and an export becomes a database", async () => {
  const path = localDatabasePath(state, databaseConfig().id);
  const copy = join(fresh(), "copy.sqlite");
  const sqlite = new DatabaseSync(path);
  sqlite.exec(`VACUUM INTO '${copy}'`);
  sqlite.close();
  const filled = new DatabaseSync(copy);
  const long = "o'clock ü\n".repeat(1500);
  for (let n = 0; n < 20; n++)
    filled.prepare("INSERT INTO event VALUES (3, ?, 'a', 'u', ?, ?)").run(`${n}`, 2n ** 60n, long);
  filled.close();
  const text = join(fresh(), "rows.sql");
  await writeRows(copy, text);
  const statements = readFileSync(text, "utf8").split(/;\n(?=INSERT|DELETE|PRAGMA|$)/);
  expect(Math.max(...statements.map((statement) => Buffer.byteLength(statement)))).toBeLessThan(100_000);
  const empty = fresh();
  openLocalDatabase(empty).close();
  const target = new DatabaseSync(localDatabasePath(empty, databaseConfig().id));
  target.exec(`BEGIN; ${readFileSync(text, "utf8")} COMMIT`);
  target.close();
  expect(aboutDatabase(localDatabasePath(empty, databaseConfig().id)).rows).toEqual(aboutDatabase(copy).rows);
  const exported = join(fresh(), "export.sql");
  writeFileSync(exported, "PRAGMA defer_foreign_keys=TRUE;\nCREATE TABLE a (b TEXT);\nINSERT INTO a VALUES('x;y');");
  const made = join(fresh(), "made.sqlite");
  loadSql(exported, made);
  const read = new DatabaseSync(made, { readOnly: true });
  expect(read.prepare("SELECT b FROM a").all()).toEqual([{ b: "x;y" }]);
  read.close();
});

it("an import is told as the command that makes it again", () => {
  const files = { addresses: ["/data/de berlin.csv"], places: "/data/shops.csv" };
  const command = commandOf({
    version: 1,
    name: "town",
    extracts: ["/data/town.osm.pbf"],
    files,
    layers: ["roads", "places"],
    attribution: "Bob's",
  });
  expect(command).toBe(
    "npm run import -- /data/town.osm.pbf '/data/de berlin.csv' --name town --layers roads,places --places /data/shops.csv --attribution 'Bob'\\''s'",
  );
});

it.each([
  ["s3://", /is not a valid s3:\/\/BUCKET/],
  ["s3://vault/a b", /is not a valid s3:\/\/BUCKET/],
  ["s3://vault/a", /needs its credentials in the environment/],
])("%s as a place is a sentence", (target, sentence) => {
  expect(() => openPlace(target, {})).toThrow(sentence);
});
