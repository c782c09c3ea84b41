import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { historyKey } from "../../../src/server/backup/continuous/history.ts";
import { orAnotherMoment } from "../../../src/server/backup/continuous/moments.ts";
import { BackupRounds } from "../../../src/server/backup/continuous/rounds.ts";
import { lastBackup } from "../../../src/server/backup/last-backup.ts";
import { objectsFolder } from "../../../src/server/backup/objects-pack.ts";
import { type BackupPlace, openPlace } from "../../../src/server/backup/place.ts";
import { readBackup } from "../../../src/server/backup/read-backup.ts";
import type { LocalPlace } from "../../../src/server/backup/take-local.ts";
import { localDatabasePath } from "../../../src/server/data/local-database.ts";

const MINUTE = 60_000;
let folder: string;
let state: string;
let now: number;
const open: BackupRounds[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "graticule-damaged-"));
  state = join(folder, "state");
  now = Date.UTC(2026, 10, 26, 12);
  database("first", "CREATE TABLE d1_migrations (id INTEGER, name TEXT); CREATE TABLE probe (n INTEGER)");
});
afterEach(() => {
  for (const one of open.splice(0)) one.close();
  rmSync(folder, { recursive: true, force: true });
});

function database(id: string, text: string): void {
  const path = localDatabasePath(state, id);
  mkdirSync(dirname(path), { recursive: true });
  const opened = new DatabaseSync(path);
  opened.exec(`PRAGMA journal_mode = WAL; ${text}`);
  opened.close();
}

const local = (): LocalPlace => ({ state, worker: "graticule", databaseId: "first", bucket: "geodata" });

function rounds(place: BackupPlace, more: { local?: () => LocalPlace; state?: string } = {}): BackupRounds {
  const made = new BackupRounds({
    ...{ state, place, everyMs: MINUTE, work: join(folder, `work-${open.length}`), now: () => now, local },
    openBucket: () => openLocalBucket(state, "geodata"),
    ...more,
  });
  open.push(made);
  return made;
}

async function round(of: BackupRounds, ms = MINUTE): Promise<string | undefined> {
  now += ms;
  await of.round();
  return of.last.error;
}

async function rows(place: BackupPlace, key?: string): Promise<Record<string, number>> {
  const work = mkdtempSync(join(folder, "restored-"));
  const { manifest, fileOf } = await readBackup(place, work, key);
  return Object.fromEntries(
    Object.entries({ DB: manifest.database, ...manifest.further }).map(([binding, part]) => {
      const opened = new DatabaseSync(fileOf(part), { readOnly: true });
      const n = Number(opened.prepare("SELECT count(*) AS n FROM probe").get()?.n);
      opened.close();
      return [binding, n];
    }),
  );
}

const insert = (id = "first") => database(id, "INSERT INTO probe VALUES (1)");

it("a damaged Durable Object stays in backups as it was, is named, and stops no backup", async () => {
  const trackers = objectsFolder(state, "graticule", "DeviceTracker");
  mkdirSync(trackers, { recursive: true });
  const [good, bad] = [1, 2].map((n) => join(trackers, `${n.toString(16).padStart(64, "0")}.sqlite`));
  for (const path of [good, bad]) {
    const object = new DatabaseSync(path);
    object.exec("CREATE TABLE state (n)");
    object.close();
  }
  const place = openPlace(join(folder, "place"));
  const backups = rounds(place);
  expect(await round(backups)).toBeUndefined();
  writeFileSync(bad, "no database at all, but text that is long enough to be looked at".repeat(20));
  expect(await round(backups)).toBeUndefined();
  expect(lastBackup(state)?.damaged).toEqual([`DeviceTracker/${"2".padStart(64, "0")}`]);
  const { manifest } = await readBackup(place, mkdtempSync(join(folder, "restored-")));
  expect(manifest.objects?.counts).toEqual({ DeviceTracker: 2 });
  rmSync(bad);
  expect(await round(backups)).toBeUndefined();
  expect(lastBackup(state)).not.toHaveProperty("damaged");
});

it("a restore that replaces the state is seen, as is a database that is added", async () => {
  const place = openPlace(join(folder, "place"));
  let further: Record<string, string> | undefined;
  const backups = rounds(place, { local: () => ({ ...local(), ...(further && { further }) }) });
  insert();
  expect(await round(backups)).toBeUndefined();
  const path = localDatabasePath(state, "first");
  for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
  database("first", "CREATE TABLE d1_migrations (id INTEGER, name TEXT); CREATE TABLE probe (n INTEGER)");
  for (let n = 0; n < 5; n++) insert();
  expect(await round(backups)).toBeUndefined();
  expect(await rows(place)).toEqual({ DB: 5 });
  database(
    "second",
    "CREATE TABLE d1_migrations (id INTEGER, name TEXT); CREATE TABLE probe (n INTEGER); INSERT INTO probe VALUES (1), (2)",
  );
  further = { DB_2: "second" };
  expect(await round(backups)).toBeUndefined();
  expect(await rows(place)).toEqual({ DB: 5, DB_2: 2 });
});

it("old moments that are damaged do not stop new ones, nor the removal of others", async () => {
  const place = openPlace(join(folder, "place"));
  let backups = rounds(place);
  const moments: number[] = [];
  for (let n = 0; n < 4; n++) {
    insert();
    expect(await round(backups)).toBeUndefined();
    moments.push(now);
  }
  await place.put(historyKey(moments[1]), Buffer.from('{"half":'));
  // The list of chunks of another moment is corrupt.
  const lists = await place.get(historyKey(moments[2]));
  const { sha256 } = JSON.parse(Buffer.from(lists!).toString()).database;
  await place.put(`chunks/${sha256.slice(0, 2)}/${sha256}`, Buffer.from("damaged"));
  backups.close();
  backups = rounds(place);
  insert();
  expect(await round(backups)).toBeUndefined();
  expect(await rows(place)).toEqual({ DB: 5 });
  // All of these are removed but the last of the hour.
  expect(await round(backups, 5 * 60 * MINUTE)).toBeUndefined();
  const kept = [...(await place.sizes("history/")).keys()];
  expect(kept).toHaveLength(2);
  for (const key of kept) expect(await rows(place, key)).toEqual({ DB: 5 });
});

it("two processes of one state do not write into one place, and the second goes on when the first has ended", async () => {
  const place = openPlace(join(folder, "place"));
  const [first, second] = [rounds(place), rounds(place)];
  expect(await round(first)).toBeUndefined();
  expect(await round(second)).toMatch(/Another process already backs up/);
  expect(await round(rounds(openPlace(join(folder, "other"))))).toBeUndefined();
  first.close();
  expect(await round(second)).toBeUndefined();
});

it("a state that cannot be read, or a place that is no folder, is tried again", async () => {
  const where = join(folder, "place");
  const place = openPlace(where);
  const backups = rounds(place);
  insert();
  expect(await round(backups)).toBeUndefined();
  rmSync(where, { recursive: true });
  writeFileSync(where, "");
  expect(await round(backups)).toMatch(/was emptied/);
  expect(await round(backups)).toMatch(/is a file, not a folder/);
  expect(lastBackup(state)).toMatchObject({ at: expect.any(String), since: expect.any(String) });
  rmSync(where);
  expect(await round(backups)).toBeUndefined();
  expect(await rows(place)).toEqual({ DB: 1 });
  const path = localDatabasePath(state, "first");
  for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
  expect(await round(backups)).toMatch(/is empty/);
  database("first", "CREATE TABLE d1_migrations (id INTEGER, name TEXT); CREATE TABLE probe (n INTEGER)");
  expect(await round(backups)).toBeUndefined();
  expect(await rows(place)).toEqual({ DB: 0 });
});

it("an identity that cannot be read for now does not become another server's", async () => {
  const place = openPlace(join(folder, "place"));
  const backups = rounds(place);
  expect(await round(backups)).toBeUndefined();
  const file = join(state, "backup-identity.json");
  // A folder in its place: it is there, but cannot be read.
  renameSync(file, `${file}.aside`);
  mkdirSync(file);
  expect(await round(backups)).toMatch(/EISDIR/);
  rmSync(file, { recursive: true });
  renameSync(`${file}.aside`, file);
  expect(await round(backups)).toBeUndefined();
});

it("a moment counts although old ones cannot be removed", async () => {
  const inner = openPlace(join(folder, "place"));
  let denies = true;
  const place: BackupPlace = {
    where: inner.where,
    sizes: (prefix) => inner.sizes(prefix),
    get: (key) => inner.get(key),
    read: (key) => inner.read(key),
    put: (key, bytes) => inner.put(key, bytes),
    putFile: (key, path) => inner.putFile(key, path),
    delete: async (keys) => {
      if (denies) throw new Error("AccessDenied");
      await inner.delete(keys);
    },
  };
  const backups = rounds(place);
  for (let n = 0; n < 3; n++) {
    insert();
    await round(backups);
  }
  expect(await round(backups, 5 * 60 * MINUTE)).toBe("AccessDenied");
  expect(lastBackup(state)?.at).toBe(new Date(now).toISOString());
  denies = false;
  expect(await round(backups)).toBeUndefined();
  expect((await place.sizes("history/")).size).toBe(3);
  expect(await rows(place)).toEqual({ DB: 3 });
});

it("a folder whose disk is not mounted gets no backup, also after a restart, until it is there again", async () => {
  const place = openPlace(join(folder, "place"));
  let isOnSystemDisk = false;
  const onDisk: BackupPlace = Object.assign(place, { isOnSystemDisk: () => isOnSystemDisk });
  expect(await round(rounds(onDisk))).toBeUndefined();
  open.splice(0)[0].close();
  isOnSystemDisk = true;
  const again = rounds(onDisk);
  for (let n = 0; n < 2; n++) expect(await round(again)).toMatch(/The disk of .*place is not mounted: .* Mount it/);
  isOnSystemDisk = false;
  insert();
  expect(await round(again)).toBeUndefined();
  expect(await rows(place)).toEqual({ DB: 1 });
  // A folder that never was on a disk of its own.
  isOnSystemDisk = true;
  const other = openPlace(join(folder, "other"));
  const onSystem = rounds(Object.assign(other, { isOnSystemDisk: () => isOnSystemDisk }));
  for (let n = 0; n < 2; n++) expect(await round(onSystem)).toBeUndefined();
});

it("a backup whose newest manifest is damaged or gone says how to restore its moments", async () => {
  const place = openPlace(join(folder, "place"));
  const made = rounds(place);
  for (let n = 0; n < 2; n++) expect(await round(made)).toBeUndefined();
  const ways: [string, () => void][] = [
    [
      "is damaged: backup.json does not match its checksum.",
      () => writeFileSync(join(folder, "place/backup.json"), "{"),
    ],
    ["contains an unfinished backup without backup.json.", () => rmSync(join(folder, "place/backup.json"))],
  ];
  for (const [said, damage] of ways) {
    damage();
    const error = await readBackup(place, folder).catch((one) => orAnotherMoment(place, one));
    expect((error as Error).message).toBe(
      `${place.where} ${said} Its 2 moments are listed by --list and restored by --at.`,
    );
  }
  const empty = openPlace(join(folder, "empty"));
  const none = await readBackup(empty, folder).catch((one) => orAnotherMoment(empty, one));
  expect((none as Error).message).toBe(`${empty.where} contains no backup.`);
});
