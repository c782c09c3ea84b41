import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, inject, it } from "vitest";
import { call, control, del, eventually, get, type Json, makeWorld, post, put, sql } from "../../../support/world.ts";

/**
 * Whoever asks to be deleted or exported is found by each of their names, whichever door their data came in by. The stores are searched as
 * files: every table of every database and Durable Object, and every object of the buckets.
 */

const STATE = join(process.env.GRATICULE_TEST_RUN as string, "state");
/** No file that was written last before the tests began has a name they made [ms]. */
const BEGAN = Date.now() - 1_000;
const HERE = { latitude: 12, longitude: 34, accuracy: 5, foreground: true };
const NAMES =
  "track trackReplay logConversion createTrip updateTrip deleteUser upsertGeofence listEvents exportUser ingestOwnTracks ingestTraccar ingestOverland shareTrip";

/** Where a text is: "graticule-DeviceTracker/state.doc" … Databases that disappear meanwhile have nothing. */
function storesWith(text: string): string[] {
  const found = new Set<string>();
  const needle = Buffer.from(text);
  const holds = (value: unknown) =>
    typeof value === "string"
      ? value.includes(text)
      : value instanceof Uint8Array && Buffer.from(value).includes(needle);
  for (const entry of readdirSync(STATE, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /-(wal|shm)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const room = entry.parentPath.split(sep).at(-1);
    try {
      // Bytes of new files first: reading all rows of all files of a long run takes seconds.
      if (![path, `${path}-wal`].some((one) => isNew(one) && readFileSync(one).includes(needle))) continue;
      if (entry.name.endsWith(".sqlite")) for (const place of placesIn(path, holds)) found.add(`${room}/${place}`);
      else found.add(`${room}/object`);
    } catch (error) {
      if (!/ENOENT|unable to open|no such table|malformed/.test(String(error))) throw error;
    }
  }
  return [...found].sort();
}

const isNew = (path: string) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= BEGAN;

function placesIn(path: string, holds: (value: unknown) => boolean): string[] {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return tables.flatMap(({ name }) => {
      const all = database.prepare(`SELECT * FROM "${name}"`);
      all.setReadBigInts(true);
      return all
        .all()
        .flatMap((row) =>
          Object.entries(row).flatMap(([column, value]) => (holds(value) ? [`${name}.${column}`] : [])),
        );
    });
  } finally {
    database.close();
  }
}

async function fastWorld(settings: Json = {}) {
  const rateLimits = Object.fromEntries(NAMES.split(" ").map((name) => [name, 1000]));
  const world = await makeWorld({ settings: { rateLimits, ...settings } });
  const { testPublishable: key, testSecret: secret } = world.keys;
  const fence = { description: "Home", type: "circle", coordinates: [34, 12], radius: 100 };
  await put("/v1/geofences/home/one", secret, fence);
  return { scope: world.id * 2, key, secret };
}
type Town = Awaited<ReturnType<typeof fastWorld>>;

let count = 0;
const newName = (what: string) => `${what}-${process.pid}-${++count}`;

/** What may name a person, by the door it came in by. Each returns what its export must contain. */
const DOORS: Record<string, (town: Town, name: string) => Promise<string[]>> = {
  async "a position"({ key }, name) {
    const device = newName("phone");
    const { body } = await post("/v1/track", key, { ...HERE, deviceId: device, userId: name, metadata: { m: "seen" } });
    return [body.user._id, device];
  },
  async "an update that is sent again with its Idempotency-Key"({ key }, name) {
    const json = { ...HERE, deviceId: newName("phone"), userId: name };
    const headers = { "idempotency-key": newName("once") };
    return [(await call("POST", "/v1/track", { key, json, headers })).body.user._id];
  },
  async "positions of a phone that was offline"({ key }, name) {
    const at = (ago: number) => new Date(Date.now() - ago).toISOString();
    const one = { ...HERE, deviceId: newName("phone"), userId: name };
    const replays = [60_000, 30_000].map((ago) => ({ ...one, updatedAt: at(ago) }));
    const { body } = await post("/v1/track/replay", key, { replays });
    expect(body.meta.code).toBe(200);
    return [one.deviceId];
  },
  async "a conversion of a device without a location"({ key }, name) {
    const { body } = await post("/v1/events", key, { name: "bought", deviceId: newName("phone"), userId: name });
    return [body.event._id, body.event.user.deviceId];
  },
  async "a conversion of a device that was located without a userId"({ key }, name) {
    const deviceId = newName("phone");
    await post("/v1/track", key, { ...HERE, deviceId });
    const { body } = await post("/v1/events", key, { name: "bought", deviceId, userId: name });
    return [body.event._id];
  },
  async "a conversion of somebody else's device"({ key }, name) {
    const deviceId = newName("phone");
    await post("/v1/track", key, { ...HERE, deviceId, userId: newName("owner") });
    const { body } = await post("/v1/events", key, { name: "bought", deviceId, userId: name });
    return [body.event._id];
  },
  async "conversions before and after the first location"({ key }, name) {
    const one = { deviceId: newName("phone"), userId: name };
    const first = await post("/v1/events", key, { name: "opened", ...one });
    await post("/v1/track", key, { ...HERE, ...one });
    const second = await post("/v1/events", key, { name: "bought", ...one });
    return [first.body.event._id, second.body.event._id];
  },
  async "a trip that waits for its user"({ secret }, name) {
    const { body } = await post("/v1/trips", secret, { externalId: newName("trip"), userId: name });
    return [body.trip._id];
  },
  async "a trip on its way, with a link"({ key, secret }, name) {
    const externalId = newName("trip");
    const one = { ...HERE, deviceId: newName("phone"), userId: name, tripOptions: { externalId } };
    await post("/v1/track", key, one);
    await eventually(
      () => get(`/v1/trips/${externalId}`, secret),
      ({ status }) => status === 200,
    );
    expect((await post(`/v1/trips/${externalId}/shares`, secret, { minutes: 5 })).status).toBe(200);
    return [externalId];
  },
  async OwnTracks({ key }, name) {
    const json = { _type: "location", lat: 12, lon: 34, acc: 5, tst: Math.floor(Date.now() / 1000) };
    const path = `/v1/ingest/owntracks?u=${name}&d=phone`;
    expect((await call("POST", path, { json, key })).status).toBe(200);
    return [`${name}/phone`];
  },
  async Traccar({ key }, name) {
    const device = newName("phone");
    const fields = { id: device, lat: "12", lon: "34", accuracy: "5", timestamp: `${Math.floor(Date.now() / 1000)}` };
    const path = `/v1/ingest/traccar?userId=${name}&publishableKey=${key}`;
    expect((await call("POST", path, { form: fields })).status).toBe(200);
    return [device];
  },
  async "an event that waits for its webhook"({ key, secret }, name) {
    const { status } = await post("/v1/webhooks", secret, { url: "https://hooks.example.com/x" });
    expect(status).toBe(200);
    const { body } = await post("/v1/events", key, { name: "bought", deviceId: newName("phone"), userId: name });
    return [body.event._id];
  },
  async "segments and fraud flags"({ key, secret }, name) {
    await post("/v1/track", key, { ...HERE, deviceId: newName("phone"), userId: name });
    await eventually(
      () => get(`/v1/users/${name}`, secret),
      ({ status }) => status === 200,
    );
    const segments = [{ description: "Gold", externalId: "gold" }];
    expect((await put(`/v1/users/${name}/segments`, secret, { segments })).status).toBe(200);
    const rule = { all: [{ visits: { geofenceTags: ["home"], atLeast: 1, days: 7 } }] };
    await post("/v1/segments", secret, { externalId: "home", description: "Home", rule });
    await post("/v1/track", key, { ...HERE, deviceId: newName("phone"), userId: name });
    return ["gold"];
  },
  async "a message of a campaign"({ key, secret }, name) {
    const content = { title: { text: "Hello", color: "#112233" }, body: { text: "Coffee" } };
    const trigger = { event: "user.entered_geofence", geofenceTags: ["home"] };
    const campaign = { name: "Spring", type: "inAppMessage", content, trigger, limits: { perUser: 1 } };
    expect((await post("/v1/campaigns", secret, campaign)).status).toBe(200);
    const { body } = await post("/v1/track", key, { ...HERE, deviceId: newName("phone"), userId: name });
    expect(body.inAppMessages).toHaveLength(1);
    return ["campaign.sent"];
  },
};

async function exported(name: string, key: string): Promise<string> {
  const headers = { authorization: key };
  const answer = await fetch(`${inject("baseUrl")}/v1/users/${name}/export`, { headers });
  expect(answer.status).toBe(200);
  const files = Object.values(unzipSync(new Uint8Array(await answer.arrayBuffer())));
  return files.map((file) => strFromU8(file)).join("\n");
}

describe("a person who is named by", () => {
  it.each(Object.keys(DOORS))("%s is exported whole, and deleted everywhere", async (door) => {
    const town = await fastWorld();
    const name = newName("person");
    const parts = await DOORS[door](town, name);
    const text = await eventually(
      () => exported(name, town.secret).catch(() => ""),
      (all) => parts.every((part) => all.includes(part)),
    );
    expect(parts.filter((part) => !text.includes(part))).toEqual([]);
    expect(storesWith(name)).not.toEqual([]);
    expect((await del(`/v1/users/${name}`, town.secret)).status).toBe(200);
    await eventually(
      async () => storesWith(name),
      (left) => left.length === 0,
    );
    expect(storesWith(name)).toEqual([]);
    expect((await del(`/v1/users/${name}`, town.secret)).status).toBe(404);
  });

  it("all of these at once is deleted by one call, and nobody else is", async () => {
    const town = await fastWorld();
    const [name, other] = [newName("person"), newName("other")];
    for (const door of Object.values(DOORS).slice(0, 9)) {
      await door(town, name);
      await door(town, other);
    }
    await eventually(
      async () => storesWith(other),
      (places) => places.some((place) => place.endsWith("event.doc")),
    );
    // What a tracker holds changes as it writes to the database.
    const stored = () => storesWith(other).filter((place) => place.includes("D1DatabaseObject"));
    const before = stored();
    expect((await del(`/v1/users/${name}`, town.secret)).status).toBe(200);
    await eventually(
      async () => storesWith(name),
      (left) => left.length === 0,
    );
    expect(storesWith(name)).toEqual([]);
    expect(stored()).toEqual(before);
    expect((await del(`/v1/users/${other}`, town.secret)).status).toBe(200);
  });
});

describe("a user that has only conversions", () => {
  async function buyer() {
    const town = await fastWorld();
    const one = { deviceId: newName("phone"), userId: newName("buyer") };
    const { event } = (await post("/v1/events", town.key, { name: "bought", ...one })).body;
    const events = (name: string) => get(`/v1/events?userId=${name}`, town.secret);
    await eventually(
      () => events(one.userId),
      ({ body }) => body.events.length === 1,
    );
    return { ...town, ...one, id: event.user._id as string, event, events };
  }

  it.each(["id", "userId", "deviceId"] as const)("is listed, exported and deleted by its %s", async (by) => {
    const one = await buyer();
    expect((await one.events(one[by])).body.events).toMatchObject([{ _id: one.event._id }]);
    expect(await exported(one[by], one.secret)).toContain(one.event._id);
    expect((await del(`/v1/users/${one[by]}`, one.secret)).status).toBe(200);
    expect(storesWith(one.id)).toEqual([]);
    // Who comes back is somebody new.
    const again = await post("/v1/events", one.key, { name: "bought", deviceId: one.deviceId, userId: one.userId });
    expect(again.body.event.user._id).not.toBe(one.id);
  });

  it("is not found by its device in another project or environment", async () => {
    const [one, other] = [await buyer(), await fastWorld()];
    expect((await del(`/v1/users/${one.deviceId}`, other.secret)).status).toBe(404);
    expect((await one.events(one.deviceId)).body.events).toHaveLength(1);
  });

  it("keeps its other users when one of a device is deleted, with events that are not in the database yet", async () => {
    const one = await buyer();
    const other = newName("buyer");
    const buys = () => post("/v1/events", one.key, { name: "bought", deviceId: one.deviceId, userId: other });
    const { event } = (await buys()).body;
    expect((await del(`/v1/users/${one.userId}`, one.secret)).status).toBe(200);
    expect((await buys()).body.event.user._id).toBe(event.user._id);
  });

  it("expires with its last conversion as users do, and not before", async () => {
    const one = await buyer();
    const aged = (days: number) =>
      sql("UPDATE unlocated_user SET day = ? WHERE id = ?", Math.floor(Date.now() / 86_400_000) - days, one.id);
    await aged(364);
    await control("scheduled", { now: Date.now() });
    expect(storesWith(one.id)).not.toEqual([]);
    await aged(367);
    await control("scheduled", { now: Date.now() });
    expect(storesWith(one.id)).toEqual([]);
  });

  it("that was located since does not expire with its first conversions", async () => {
    const one = await buyer();
    await post("/v1/track", one.key, { ...HERE, deviceId: one.deviceId, userId: one.userId });
    await eventually(
      () => get(`/v1/users/${one.id}`, one.secret),
      ({ status }) => status === 200,
    );
    await sql("UPDATE unlocated_user SET day = 1 WHERE id = ?", one.id);
    await control("scheduled", { now: Date.now() });
    expect(await sql("SELECT id FROM unlocated_user WHERE id = ?", one.id)).toEqual([]);
    expect((await get(`/v1/users/${one.userId}`, one.secret)).status).toBe(200);
    expect((await one.events(one.userId)).body.events.length).toBeGreaterThan(0);
  });
});
