import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { random as streamOf } from "../../../src/demo/world/random.ts";
import { databaseConfig, workerName } from "../../../src/server/base/wrangler.ts";
import { localDatabasePath, openLocalDatabase } from "../../../src/server/data/local-database.ts";
import { checkFiles } from "../../../src/server/doctor/file-checks.ts";
import { damageOf, explained, refuseDamaged } from "../../../src/server/state/integrity.ts";
import { setAside } from "../../../src/server/state/set-aside.ts";

const folder = mkdtempSync(join(tmpdir(), "integrity-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A database of some 60 pages, all in its file. */
function written(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(
    "PRAGMA journal_mode = WAL; CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT); CREATE INDEX t ON row (text)",
  );
  const insert = database.prepare("INSERT INTO row (text) VALUES (?)");
  for (let i = 0; i < 900; i++) insert.run(`${i} ${"x".repeat(90)}`);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return path;
}
const intact = written(join(folder, "intact.sqlite"));
const size = readFileSync(intact).length;

let made = 0;
function damagedCopy(damage: (path: string) => void): string {
  const path = join(folder, `copy-${made++}.sqlite`);
  copyFileSync(intact, path);
  damage(path);
  return path;
}

describe("a SQLite file", () => {
  it("that is whole is not damaged, nor one whose newest pages are still in its log", () => {
    expect([damageOf(intact, false), damageOf(intact, true)]).toEqual([undefined, undefined]);
    const path = damagedCopy(() => {});
    const open = new DatabaseSync(path);
    open.exec("BEGIN; INSERT INTO row (text) VALUES ('one more'); COMMIT");
    expect([damageOf(path, false), damageOf(path, true)]).toEqual([undefined, undefined]);
    open.close();
  });

  it.each([
    ["is gone", (path: string) => rmSync(path), "it is missing"],
    ["is empty", (path: string) => truncateSync(path, 0), "it is empty"],
    [
      "has another beginning",
      (path: string) => writeFileSync(path, "not a database ".repeat(500)),
      "it is no SQLite database any more",
    ],
    [
      "has its first page overwritten with zeros",
      (path: string) => writeFileSync(path, Buffer.alloc(size)),
      "it is no SQLite database any more",
    ],
    [
      "lacks its last byte",
      (path: string) => truncateSync(path, size - 1),
      /^it is cut short: [\d,]+ of [\d,]+ bytes$/,
    ],
    ["has one page", (path: string) => truncateSync(path, 4096), /^it is cut short/],
  ])("that %s is found without reading it", (_, damage, said) => {
    const found = damageOf(damagedCopy(damage), false);
    if (typeof said === "string") expect(found).toBe(said);
    else expect(found).toMatch(said);
  });

  it("whose pages are overwritten is found as SQLite finds it, and never breaks the check: 60 random damages", () => {
    const { next: random } = streamOf("damages", 53);
    let found = 0;
    for (let i = 0; i < 60; i++) {
      const path = damagedCopy((copy) => {
        const bytes = readFileSync(copy);
        const from = 100 + Math.floor(random() * (size - 200));
        bytes.fill(Math.floor(random() * 256), from, Math.min(size, from + 1 + Math.floor(random() * 6000)));
        writeFileSync(copy, bytes);
      });
      let expected = true;
      const database = new DatabaseSync(path, { readOnly: true });
      try {
        const [row] = database.prepare("PRAGMA quick_check(1)").all();
        expected = row.quick_check === "ok";
      } catch {
        expected = false;
      }
      database.close();
      expect([i, damageOf(path, true) === undefined]).toEqual([i, expected]);
      if (!expected) found++;
    }
    expect(found).toBeGreaterThan(20);
  });
});

describe("a state", () => {
  const stateWith = () => {
    const state = mkdtempSync(join(folder, "state-"));
    openLocalDatabase(state).close();
    const path = localDatabasePath(state, databaseConfig().id);
    const database = new DatabaseSync(path);
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    const id = "ab".repeat(32);
    const tracker = written(join(state, "v3/do", `${workerName()}-DeviceTracker`, `${id}.sqlite`));
    return { state, path, tracker, id };
  };

  it("that is new, or whole, starts", () => {
    refuseDamaged(mkdtempSync(join(folder, "state-")));
    const { state } = stateWith();
    refuseDamaged(state);
    expect(checkFiles(state)).toMatchObject({ databases: [{ state: "ok" }], objects: [{ state: "ok" }] });
  });

  it("without its database, but with devices, does not begin anew: the error names the file, what it holds and what to do", () => {
    const { state, path } = stateWith();
    rmSync(path);
    expect(() => refuseDamaged(state)).toThrow(`${path}: it is missing. It holds projects, keys, users`);
    expect(() => refuseDamaged(state)).toThrow("npm run restore");
  });

  it("with a damaged page in its database is explained in place of SQLite's error, and found by the doctor", () => {
    const { state, path } = stateWith();
    const bytes = readFileSync(path);
    bytes.fill(7, 4096, 12_000);
    writeFileSync(path, bytes);
    const error = Object.assign(new Error("database disk image is malformed"), { errcode: 11 });
    expect(String(explained(error, state))).toContain(`${path}: its pages are damaged`);
    expect(explained(new Error("other"), state)).toEqual(new Error("other"));
    expect(checkFiles(state).databases).toMatchObject([{ state: "wrong", said: expect.stringContaining(path) }]);
  });

  it("sets a damaged tracker aside with its log, and leaves a whole one, another folder and a strange name alone", () => {
    const { state, tracker, id } = stateWith();
    const of = { worker: workerName(), className: "DeviceTracker", id };
    expect(setAside(state, of, 0)).toBeUndefined();
    truncateSync(tracker, 5000);
    writeFileSync(`${tracker}-shm`, "left over");
    expect(checkFiles(state).objects).toMatchObject([{ state: "wrong", said: expect.stringContaining("one device") }]);
    for (const strange of ["../../../keys", "AB".repeat(32), ""])
      expect(setAside(state, { ...of, id: strange }, 0)).toBeUndefined();
    expect(setAside(state, { ...of, className: "../d1" }, 0)).toBeUndefined();
    const found = setAside(state, of, 0);
    expect(found).toMatchObject({ damage: expect.stringMatching(/^it is cut short/) });
    expect(readFileSync(found!.to)).toHaveLength(5000);
    expect(readFileSync(`${found!.to}-shm`, "utf8")).toBe("left over");
    expect(setAside(state, of, 0)).toBeUndefined();
  });
});
