import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { formatLiveList, LIVE_KEY } from "../../../src/core/geo/builds/manifest.ts";
import { readLiveList } from "../../../src/importer/publish/live-list.ts";
import { localBucketPath, openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { objectsFolder } from "../../../src/server/backup/objects-pack.ts";
import { packedFiles } from "../../../src/server/backup/packed-files.ts";
import { takeLocal } from "../../../src/server/backup/take-local.ts";
import { localDatabasePath } from "../../../src/server/data/local-database.ts";
import { checkFiles } from "../../../src/server/doctor/file-checks.ts";
import { geodataBucketName } from "../../../src/server/geodata/geodata-bucket.ts";
import { remakeLiveList } from "../../../src/server/state/remake-live-list.ts";

let folder: string;
let state: string;
const bucket = geodataBucketName();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "graticule-lacks-"));
  state = join(folder, "state");
  database(localDatabasePath(state, "first"));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function database(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  const opened = new DatabaseSync(path);
  opened.exec("BEGIN; CREATE TABLE probe (text TEXT); CREATE INDEX one ON probe (text)");
  for (let i = 0; i < 200; i++) opened.prepare("INSERT INTO probe VALUES (?)").run(`${i} ${"x".repeat(90)}`);
  opened.exec("COMMIT");
  opened.close();
  return path;
}
const idOf = (n: number) => n.toString(16).padStart(64, "0");
const tracker = (n: number) => database(join(objectsFolder(state, "graticule", "DeviceTracker"), `${idOf(n)}.sqlite`));
const taken = (work: string) => {
  mkdirSync(join(folder, work));
  return takeLocal({ state, worker: "graticule", databaseId: "first", bucket }, join(folder, work));
};
const packed = (path: string) => [...packedFiles(path)].map(({ file }) => Number.parseInt(file, 16)).sort();
/** Files that are touched just now are looked at again. */
const settled = () => new Promise((wake) => setTimeout(wake, 100));

it("a single backup has all whole objects and uploads, and names those whose files are damaged", async () => {
  const harm: [said: string, (path: string) => void][] = [
    ["it is cut short", (path) => truncateSync(path, 5000)],
    ["it is empty", (path) => truncateSync(path, 0)],
    ["it is no SQLite database any more", (path) => writeFileSync(path, "text ".repeat(9000))],
    ["its pages are damaged", (path) => writeFileSync(path, readFileSync(path).fill(7, 4096))],
    ["it is a folder", (path) => void [rmSync(path), mkdirSync(path)]],
  ];
  const files = harm.map((_, i) => tracker(i + 1));
  tracker(9);
  const store = openLocalBucket(state, bucket);
  for (const name of ["whole", "cut"]) await store.put(`custom/icons/${name}`, Buffer.from(`${name} icon`));
  store.close();
  await settled();
  const before = await taken("before");
  expect([packed(before.objects), before.damaged, before.uploads.length]).toEqual([[1, 2, 3, 4, 5, 9], [], 2]);
  harm.forEach(([, damage], i) => void damage(files[i]));
  truncateSync(blobOf("custom/icons/cut"), 3);
  await settled();
  const after = await taken("after");
  expect(packed(after.objects)).toEqual([9]);
  expect(after.uploads.map(({ key }) => key)).toEqual(["custom/icons/whole"]);
  expect(after.damaged).toMatchObject([
    ...harm.map(([said], i) => ({ path: files[i], damage: expect.stringContaining(said) })),
    { path: blobOf("custom/icons/cut"), damage: "it is cut short: 3 of 8 bytes" },
  ]);
  for (const { holds } of after.damaged) expect(holds).toMatch(/history|upload/);
});

function blobOf(key: string): string {
  const list = new DatabaseSync(localBucketPath(state, bucket), { readOnly: true });
  const row = list.prepare("SELECT blob_id FROM _mf_objects WHERE key = ?").get(key);
  list.close();
  return join(state, "v3/r2", bucket, "blobs", String(row?.blob_id));
}

it.each([
  ["cut", (path: string) => truncateSync(path, 30)],
  ["empty", (path: string) => truncateSync(path, 0)],
  ["missing", (path: string) => rmSync(path)],
])(
  "a list of live imports that is %s is named, left out of backups, and made again of the builds",
  async (_, damage) => {
    const store = openLocalBucket(state, bucket);
    const built = (id: string, name: string) => {
      const manifest = { id, name, version: 1, bounds: [0, 0, 1, 1], inputs: [], sources: [], layers: {} };
      return store.put(`builds/${id}/manifest.json`, Buffer.from(JSON.stringify(manifest)));
    };
    for (const [id, name] of [
      ["b", "berlin"],
      ["w", "world"],
      ["a", "berlin"],
    ]) {
      await built(id, name);
      await settled();
    }
    await store.put("builds/x/manifest.json", Buffer.from("{"));
    await store.put(LIVE_KEY, Buffer.from(formatLiveList([])));
    expect((await taken("whole")).live).toBeDefined();
    damage(blobOf(LIVE_KEY));
    const found = await taken("lacking");
    expect([found.live, found.damaged]).toEqual([undefined, [expect.objectContaining({ path: blobOf(LIVE_KEY) })]]);
    expect(checkFiles(state).objects).toMatchObject([{ check: "list of live geodata", state: "wrong" }]);
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    await remakeLiveList(state);
    const { builds } = (await readLiveList(store)).list;
    expect(builds.map(({ name, id, previous }) => [name, id, previous])).toEqual([
      ["berlin", "a", ["b"]],
      ["world", "w", []],
    ]);
    expect(JSON.parse(said.mock.calls[0][0])).toMatchObject({ what: "damaged", unreadable: ["x"] });
    await remakeLiveList(state);
    expect(said).toHaveBeenCalledTimes(1);
    store.close();
  },
);
