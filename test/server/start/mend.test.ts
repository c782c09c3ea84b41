import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ROOT, workerName } from "../../../src/server/base/wrangler.ts";
import { objectId } from "../../../src/server/data/local-database.ts";
import { checkFiles } from "../../../src/server/doctor/file-checks.ts";
import { DamageWatch } from "../../../src/server/start/damage-watch.ts";
import { HOLDS } from "../../../src/server/state/integrity.ts";
import { mendState } from "../../../src/server/state/mend.ts";

let state: string;
let told: Record<string, string>[];
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "graticule-mend-"));
  told = [];
  vi.spyOn(console, "error").mockImplementation((line) => void told.push(JSON.parse(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(state, { recursive: true, force: true });
});

const classes = [
  ...readFileSync(join(ROOT, "wrangler.toml"), "utf8").matchAll(/^(\w+) = \{ type = "durable-object"/gm),
].map(([, name]) => name);
const folderOf = (name: string) => join(state, "v3/do", `${workerName()}-${name}`);

/** The file of an object, as workerd leaves it when it is stopped. @param alarm [ns] */
function object(className: string, name: string, alarm?: bigint): string {
  const id = objectId(`${workerName()}-${className}`, name);
  const path = join(folderOf(className), `${id}.sqlite`);
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(
    "PRAGMA synchronous = OFF; BEGIN; CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT); CREATE INDEX t ON row (text)",
  );
  const insert = database.prepare("INSERT INTO row (text) VALUES (?)");
  for (let i = 0; i < 300; i++) insert.run(`${i} ${"x".repeat(90)}`);
  database.exec("COMMIT");
  if (alarm !== undefined) {
    database.exec("CREATE TABLE _cf_METADATA (key INTEGER PRIMARY KEY, value BLOB)");
    database.prepare("INSERT INTO _cf_METADATA VALUES (1, ?)").run(alarm);
  }
  database.close();
  return path;
}

const HARM: Record<string, (path: string) => void> = {
  empty: (path) => truncateSync(path, 0),
  "without its header": (path) => writeFileSync(path, readFileSync(path).fill(7, 0, 100)),
  "cut short": (path) => truncateSync(path, 5000),
  "random in the middle": (path) => writeFileSync(path, readFileSync(path).fill(7, 4096)),
  "a folder": (path) => {
    rmSync(path);
    mkdirSync(path);
  },
};

describe("a start", () => {
  it("knows what each class of wrangler.toml holds", () => {
    expect(classes.length).toBeGreaterThan(9);
    expect(Object.keys(HOLDS).sort()).toEqual([...classes].sort());
  });

  it.each(Object.keys(HARM))("sets objects of all classes aside that are %s, and leaves the others", (harm) => {
    const whole = classes.map((name) => object(name, "whole"));
    const bytes = whole.map((path) => readFileSync(path).toString("latin1"));
    for (const name of classes) HARM[harm](object(name, "damaged"));
    expect(checkFiles(state).objects.filter(({ state: found }) => found === "wrong")).toHaveLength(classes.length);
    mendState(state);
    expect(whole.map((path) => readFileSync(path).toString("latin1"))).toEqual(bytes);
    // An empty one is as good as new; of trackers there are too many to read them all.
    const expected =
      harm === "empty" ? [] : classes.filter((name) => harm !== "random in the middle" || name !== "DeviceTracker");
    expect(told.map((line) => line.class).sort()).toEqual([...expected].sort());
    for (const line of told) {
      expect(line).toMatchObject({
        what: "damaged",
        holds: HOLDS[line.class],
        todo: expect.stringContaining("npm start"),
      });
      expect(existsSync(line.setAside)).toBe(true);
      expect(readdirSync(folderOf(line.class)).filter((file) => /^[0-9a-f]{64}\.sqlite$/.test(file))).toHaveLength(1);
    }
  });
});

describe("the alarms of a class", () => {
  const alarms = (path: string) => {
    const database = new DatabaseSync(path, { readOnly: true, readBigInts: true });
    const rows = database.prepare("SELECT actor_id AS id, scheduled_time AS at FROM _cf_ALARM").all();
    database.close();
    return Object.fromEntries(rows.map(({ id, at }) => [id, at]));
  };

  it.each([...Object.keys(HARM), "missing"])("that are %s are made again of what the objects know", (harm) => {
    const ids = ["one", "two"].map((name, i) => {
      object("DeviceTracker", name, 1_796_093_135_295_000_001n + BigInt(i));
      return objectId(`${workerName()}-DeviceTracker`, name);
    });
    object("DeviceTracker", "three");
    const path = join(folderOf("DeviceTracker"), "metadata.sqlite");
    if (harm !== "missing") {
      writeFileSync(path, readFileSync(object("AlertWatch", "any")));
      HARM[harm](path);
      expect(checkFiles(state).objects).toContainEqual(
        expect.objectContaining({ check: "list of alarms", state: "wrong" }),
      );
    }
    mendState(state);
    const expected = { [ids[0]]: 1_796_093_135_295_000_001n, [ids[1]]: 1_796_093_135_295_000_002n };
    expect(alarms(path)).toEqual(expected);
    if (harm !== "missing") expect(told).toMatchObject([{ file: path, done: expect.stringContaining("2 alarms") }]);
    told = [];
    mendState(state);
    expect(told).toEqual([]);
  });

  it("of a cache are removed with it", () => {
    const folder = join(state, "v3/cache/miniflare-CacheObject");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "metadata.sqlite"), "x".repeat(9000));
    mendState(state);
    expect([existsSync(folder), told]).toEqual([false, [expect.objectContaining({ holds: "a cache" })]]);
  });
});

it("the doctor says that a file is in place of the folder of a state", () => {
  writeFileSync(join(state, "v3"), "x");
  expect(checkFiles(state).databases).toMatchObject([
    { state: "wrong", said: expect.stringContaining("it is a file") },
  ]);
});

it("stacks of workerd about damage are one line a minute, and a database is read again after ten seconds at most", () => {
  let now = 0;
  const watch = new DamageWatch(state, () => now);
  const stack = "e = workerd/util/sqlite.c++:910: failed: SQLite failed; malformed: SQLITE_CORRUPT\nstack: workerd@1";
  expect([stack, stack, "SQLITE_CORRUPT", "a line"].map((line) => watch.hears(line))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(told).toMatchObject([{ what: "damaged", todo: expect.stringContaining("npm run doctor") }]);
  expect(watch.isOfDatabase()).toBe(false);
  now = 59_000;
  watch.hears(stack);
  expect(told).toHaveLength(1);
  now = 61_000;
  watch.hears(stack);
  expect(told).toHaveLength(2);
});
