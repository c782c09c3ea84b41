import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { databaseConfig } from "../../../../src/server/base/wrangler.ts";
import { localDatabasePath } from "../../../../src/server/data/local-database.ts";
import { type PlatformWorker, startPlatform } from "../../../bench/worker.ts";

/** A Worker of its own, whose database another process can lock. */
let platform: PlatformWorker;
let database: DatabaseSync;
beforeAll(async () => {
  platform = await startPlatform({});
  database = new DatabaseSync(localDatabasePath(platform.state, databaseConfig().id), { timeout: 5000 });
});
afterAll(async () => {
  database.close();
  await platform.stop();
});

async function ask(method: string, path: string, key: string, json?: unknown) {
  const response = await fetch(platform.url + path, {
    method,
    headers: { authorization: key },
    body: json === undefined ? undefined : JSON.stringify(json),
  });
  return { status: response.status, wait: response.headers.get("retry-after"), body: await response.json() };
}

const FENCE = { description: "Here", type: "circle", coordinates: [13, 52], radius: 100 };
const REVERSE = "/v1/geocode/reverse?coordinates=52,13";

it("an object that cannot read the database while it is locked answers 503 too, and its event is not lost", async () => {
  const { liveSecret: key } = platform.keys;
  expect((await ask("GET", "/v1/geofences", key)).status).toBe(200);
  expect((await ask("PUT", "/v1/geofences/shops/live", key, FENCE)).status).toBe(200);
  database.exec("BEGIN IMMEDIATE");
  const context = await ask("GET", "/v1/context?coordinates=52,13", key);
  const track = await ask("POST", "/v1/track", key, { deviceId: "d", latitude: 52, longitude: 13, accuracy: 5 });
  database.exec("ROLLBACK");
  for (const { status, wait, body } of [context, track]) {
    if (status === 200) continue;
    expect([status, wait, body.meta.code]).toEqual([503, "2", 503]);
  }
  const later = await ask("POST", "/v1/track", key, { deviceId: "d", latitude: 52, longitude: 13, accuracy: 5 });
  expect(later.status).toBe(200);
  const events = [...(track.status === 200 ? track.body.events : []), ...later.body.events];
  expect(events.map(({ type }: { type: string }) => type)).toContain("user.entered_geofence");
});

it("while the database is locked, what needs it says 503 and when to come again, the rest goes on, and nothing is restarted", async () => {
  const { testPublishable, testSecret, livePublishable } = platform.keys;
  expect((await ask("GET", REVERSE, testPublishable)).status).toBe(200);
  expect((await ask("GET", "/v1/geofences", testSecret)).status).toBe(200);

  database.exec("BEGIN IMMEDIATE");
  for (const [method, path, body] of [
    ["GET", "/v1/geofences"],
    ["PUT", "/v1/geofences/shops/one", FENCE],
    ["GET", "/v1/users"],
    ["PATCH", "/v1/settings", { nearbyChains: [] }],
  ] as const) {
    const { status, wait, body: answer } = await ask(method, path, testSecret, body);
    expect([path, status, wait]).toEqual([path, 503, "2"]);
    expect(answer.meta).toEqual({ code: 503, message: expect.stringContaining("database") });
  }
  // A key this machine has not seen cannot be looked up.
  expect((await ask("GET", REVERSE, livePublishable)).status).toBe(503);
  // One that it has seen goes on being believed, for geodata only.
  await sleep(8_500);
  expect((await ask("GET", REVERSE, testPublishable)).status).toBe(200);
  expect((await ask("GET", "/v1/config", testPublishable)).status).toBe(503);
  database.exec("ROLLBACK");

  expect((await ask("GET", "/v1/config", testPublishable)).status).toBe(200);
  expect((await ask("PUT", "/v1/geofences/shops/one", testSecret, FENCE)).status).toBe(200);
  expect((await ask("GET", REVERSE, livePublishable)).status).toBe(200);

  database.exec("UPDATE api_key SET revoked_at = 1");
  await sleep(8_500);
  expect((await ask("GET", REVERSE, testPublishable)).status).toBe(401);
});

it("another program that writes for most of a second, as a command may, is waited for, and nothing is stored twice", async () => {
  database.exec("UPDATE api_key SET revoked_at = NULL");
  const { livePublishable, liveSecret } = platform.keys;
  for (const lock of ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"]) {
    const trip = { externalId: lock, userId: "somebody" };
    const hook = { url: "https://hooks.example.com/x", description: lock };
    database.exec(lock);
    const answers = [
      ask("GET", "/v1/config", livePublishable),
      ask("GET", "/v1/users", liveSecret),
      ask("GET", "/v1/context?coordinates=52,13", livePublishable),
      ask("PUT", `/v1/geofences/locked/${lock.slice(6)}`, liveSecret, FENCE),
      ask("POST", "/v1/trips", liveSecret, trip),
      ask("POST", "/v1/webhooks", liveSecret, hook),
      ask("POST", "/v1/track", livePublishable, { deviceId: lock, latitude: 52, longitude: 13, accuracy: 5 }),
      ask("POST", "/v1/events", liveSecret, { name: "bought", deviceId: lock }),
      ask("PATCH", "/v1/settings", liveSecret, { nearbyChains: [] }),
    ];
    await sleep(700);
    database.exec("ROLLBACK");
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { trips } = (await ask("GET", "/v1/trips", liveSecret)).body;
    const { webhooks } = (await ask("GET", "/v1/webhooks", liveSecret)).body;
    expect(trips.filter((one: typeof trip) => one.externalId === lock)).toHaveLength(1);
    expect(webhooks.filter((one: typeof hook) => one.description === lock)).toHaveLength(1);
  }
});
