import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLocalDatabase } from "../../../src/server/data/local-database.ts";
import { createProject, type ProjectKeys } from "../../../src/server/project/projects.ts";
import { openWorker } from "../../../src/server/start/open-worker.ts";
import { buildWorker } from "../../bench/worker.ts";
import { controlScript, evictBy } from "../../support/worker-under-test.ts";
import { eventually } from "../../support/world.ts";

/** As on Cloudflare: trackers share no isolate, so that none gathers writes or shares geofences. */
let state: string;
let keys: ProjectKeys;
let url: string;
let worker: Awaited<ReturnType<typeof openWorker>>;
let project: number;
const CONTROL = "control";

beforeAll(async () => {
  state = mkdtempSync(join(tmpdir(), "graticule-separate-"));
  const database = openLocalDatabase(state);
  ({ id: project, keys } = await createProject(database, "separate"));
  database.close();
  const beside = { name: CONTROL, script: await controlScript() };
  worker = await openWorker({ bundle: (await buildWorker()).folder, state, beside, log: () => {} });
  await worker.miniflare.ready;
  url = await worker.urlOf(worker.name);
});

afterAll(async () => {
  await worker?.miniflare.dispose();
  rmSync(state, { recursive: true, force: true });
});

async function ask(method: string, path: string, body?: object) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: keys.testSecret, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of many endpoints
  return (await response.json()) as any;
}

const track = (deviceId: string, latitude: number, more: object = {}) =>
  ask("POST", "/v1/track", { deviceId, latitude, longitude: 11, accuracy: 5, foreground: true, ...more });
/** One that was silent for ten seconds is gone already. */
const evict = async (deviceId: string) =>
  evictBy(await worker.urlOf(CONTROL), "DEVICE_TRACKER", `${project * 2}:${deviceId}`).catch(() => {});
const fence = (id: string, latitude: number, radius = 200) =>
  ask("PUT", `/v1/geofences/store/${id}`, { description: id, type: "circle", coordinates: [11, latitude], radius });
/** The isolate that changed a geofence knows it at once. */
const HEARD_MS = 300;

describe("trackers in isolates of their own", { timeout: 90_000 }, () => {
  it("return positions that their callers hand over, and lists have them", async () => {
    const devices = Array.from({ length: 5 }, (_, i) => `moving-${i}`);
    for (let round = 0; round < 4; round++) {
      const answers = await Promise.all(devices.map((device) => track(device, 48 + round / 1000)));
      for (const answer of answers) expect(Object.keys(answer)).not.toContain("position");
      await new Promise((wake) => setTimeout(wake, 1_100));
    }
    const { users } = await eventually(
      () => ask("GET", "/v1/users"),
      (body) =>
        body.users.every((user: { location: { coordinates: number[] } }) => user.location.coordinates[1] === 48.003),
      5_000,
    );
    expect(
      users
        .map((user: { deviceId: string; location: { coordinates: number[] } }) => [
          user.deviceId,
          user.location.coordinates[1],
        ])
        .sort(),
    ).toEqual(devices.map((device) => [device, 48.003]));
  });

  it("keep their geofences when others change, and hear of changes to their own, after each eviction", async () => {
    await fence("home", 48.5);
    await new Promise((wake) => setTimeout(wake, HEARD_MS));
    expect((await track("still", 48.5)).events.map(({ type }: { type: string }) => type)).toContain(
      "user.entered_geofence",
    );
    await new Promise((wake) => setTimeout(wake, 1_100));
    // Stationary: the neighborhood is kept on disk.
    await track("still", 48.5);
    // Another geofence changes: nothing near the device.
    await fence("elsewhere", 20);
    await new Promise((wake) => setTimeout(wake, HEARD_MS));
    for (let i = 0; i < 3; i++) {
      await evict("still");
      const { events, user } = await track("still", 48.5 + i / 1e5);
      expect([i, events, user.geofences?.length]).toEqual([i, [], 1]);
      await new Promise((wake) => setTimeout(wake, 1_100));
    }
    // Its own geofence moves away.
    await fence("home", 49.5);
    await new Promise((wake) => setTimeout(wake, HEARD_MS));
    await evict("still");
    const types = [];
    for (let i = 0; i < 3; i++) {
      types.push(...(await track("still", 48.5 + i / 1e5)).events.map(({ type }: { type: string }) => type));
      await new Promise((wake) => setTimeout(wake, 1_100));
    }
    expect(types).toContain("user.exited_geofence");
  });
});
