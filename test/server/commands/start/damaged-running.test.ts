import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LIVE_KEY } from "../../../../src/core/geo/builds/manifest.ts";
import { localBucketPath } from "../../../../src/importer/publish/local-bucket.ts";
import { databaseConfig, workerName } from "../../../../src/server/base/wrangler.ts";
import { localDatabasePath, objectId } from "../../../../src/server/data/local-database.ts";
import { geodataBucketName } from "../../../../src/server/geodata/geodata-bucket.ts";
import { publishWorlds } from "../../../support/worlds/kept-worlds.ts";
import { anyPort } from "../dev-process.ts";
import { scratchFolder } from "../scratch.ts";
import { type Running, startProcess } from "./start-process.ts";

/** A server whose files are damaged while it runs, before it first opens them, and afterwards. */
const state = join(scratchFolder(), "state");
let port: number;
let server: Running;
beforeAll(async () => {
  port = await anyPort();
  await publishWorlds(["world"], state);
  server = await startProcess(state, port);
}, 300_000);
afterAll(async () => {
  server?.process.kill("SIGTERM");
  await server?.left;
});

async function ask(method: string, path: string, json?: unknown) {
  const { testSecret } = JSON.parse(readFileSync(join(state, "keys.json"), "utf8"));
  const headers = { authorization: testSecret, "content-type": "application/json" };
  const body = json === undefined ? undefined : JSON.stringify(json);
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body });
  return { status: response.status, body: await response.json() };
}
const track = (deviceId: string) =>
  ask("POST", "/v1/track", { deviceId, userId: deviceId, latitude: 48.85, longitude: 2.35, accuracy: 5 });
const damaged = () =>
  server
    .said()
    .split("\n")
    .filter((line) => line.includes('"what":"damaged"'))
    .map((line) => JSON.parse(line));

/** Of the first project's test environment. */
const SCOPE = 2;

it("objects of other classes than trackers begin anew at their first call, too", async () => {
  for (const [className, name] of [
    ["DatabaseWriter", "0"],
    ["GeofenceIndex", SCOPE],
    ["CampaignIndex", SCOPE],
    ["GeocodeJobs", SCOPE],
    ["AlertWatch", "deployment"],
  ]) {
    const key = `${workerName()}-${className}`;
    const path = join(state, "v3/do", key, `${objectId(key, String(name))}.sqlite`);
    mkdirSync(dirname(path), { recursive: true });
    for (const more of ["", "-wal", "-shm"]) rmSync(path + more, { force: true });
    writeFileSync(path, "no database ".repeat(700));
  }
  const shop = { description: "Shop", type: "circle", coordinates: [2.35, 48.85], radius: 100 };
  expect((await ask("PUT", "/v1/geofences/shop/1", shop)).status).toBe(200);
  expect((await track("one")).status).toBe(200);
  await expect.poll(async () => (await ask("GET", "/v1/users")).body.users?.length, { timeout: 20_000 }).toBe(1);
  expect((await ask("GET", "/v1/geocode/jobs")).status).toBe(200);
  const classes = () => damaged().flatMap((line) => line.class ?? []);
  expect(classes()).toEqual(expect.arrayContaining(["DatabaseWriter", "GeofenceIndex", "GeocodeJobs"]));
  expect(new Set(classes()).size).toBe(classes().length);
  // In place of workerd's stacks there is one line.
  expect(server.said()).not.toMatch(/sqlite\.c\+\+/);
  expect(damaged().filter(({ todo }) => todo.includes("npm run doctor"))).toHaveLength(1);
});

it("requests that need damaged pages of the database are 503, and one line names the file", async () => {
  const path = localDatabasePath(state, databaseConfig().id);
  const kept = new DatabaseSync(path, { timeout: 5000 });
  kept.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  writeFileSync(path, readFileSync(path).fill(7, 8192), { flag: "r+" });
  // Another connection's change makes workerd read the pages again.
  kept.exec("PRAGMA user_version = 7");
  kept.close();
  for (const asked of ["/v1/users", "/v1/geofences", "/v1/users"]) {
    const { status, body } = await ask("GET", asked);
    expect([asked, status, body.meta.message]).toEqual([asked, 503, expect.stringContaining("database is damaged")]);
  }
  const lines = damaged().filter(({ file }) => file === path);
  expect(lines).toMatchObject([{ todo: expect.stringContaining("npm run restore") }]);
  expect(server.said()).not.toMatch(/sqlite\.c\+\+|Failed query/);
});

it("a damaged list of live imports is 503", async () => {
  const bucket = geodataBucketName();
  const list = new DatabaseSync(localBucketPath(state, bucket), { readOnly: true });
  const { blob } = list.prepare("SELECT blob_id AS blob FROM _mf_objects WHERE key = ?").get(LIVE_KEY) as {
    blob: string;
  };
  list.close();
  const path = join(state, "v3/r2", bucket, "blobs", blob);
  const cut = readFileSync(path).subarray(0, 100);
  // Not in place: it is a link to the world that all tests share.
  rmSync(path);
  writeFileSync(path, cut);
  await expect.poll(async () => (await ask("GET", "/v1/geodata")).status, { timeout: 20_000 }).toBe(503);
});

it("a start makes damaged lists of alarms again, without which workerd ends", async () => {
  // The database of the tests before is damaged.
  const fresh = join(scratchFolder(), "state");
  await publishWorlds(["world"], fresh);
  const kinds = [`do/${workerName()}-DeviceTracker`, "d1/miniflare-D1DatabaseObject", "r2/miniflare-R2BucketObject"];
  const files = [...kinds, "cache/miniflare-CacheObject"].map((kind) => join(fresh, "v3", kind, "metadata.sqlite"));
  for (const file of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "no database ".repeat(700));
  }
  const other = await startProcess(fresh, await anyPort());
  other.process.kill("SIGTERM");
  await other.left;
  for (const file of files) expect(other.said()).toContain(`"what":"damaged","file":"${file}"`);
});
