import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ObjectsPack, objectsFolder, packedFiles } from "../../../src/server/backup/objects-pack.ts";

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

it("what a paused server had written, and nothing later, is in the pack, also what is only in the logs", () => {
  const [one, two] = [object(1), object(2)];
  one.exec("INSERT INTO state VALUES (1)");
  two.exec("INSERT INTO state VALUES (1)");
  const pack = packAt();
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
  pack.catchUp();
  expect(packed()).toEqual({ 1: 3, 2: 9, 3: 7 });
});

it("an object that the server has locked does not fail a backup: it is read during the pause", () => {
  const one = object(1);
  one.exec("INSERT INTO state VALUES (1)");
  const pack = packAt();
  one.exec("PRAGMA locking_mode = EXCLUSIVE; INSERT INTO state VALUES (2)");
  expect(pack.catchUp()).toBe(0);
  pack.freeze();
  pack.thaw();
  expect(packed()).toEqual({ 1: 2 });
});

it("a change that was reported before a moment failed is in the next one", () => {
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
  pack.catchUp();
  one.exec("INSERT INTO state VALUES (2)");
  reported = [idOf(1)];
  // The moment fails after this, so that nothing is thawed.
  pack.freeze();
  pack.catchUp();
  expect(packed()).toEqual({ 1: 2 });
});

it("a pack can be opened again where one failed, and forgets objects that are gone", () => {
  object(1).exec("INSERT INTO state VALUES (1)");
  object(2).exec("INSERT INTO state VALUES (1)");
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
