import { strFromU8, unzipSync } from "fflate";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { eventually, get, type Json, makeWorld, post, put, type World } from "../../../support/world.ts";

/** One user's everything, as the user may ask for it; and nothing of anybody else. */
const START = Date.now() - 3_600_000;
let world: World;
let key: string;

const update = (minute: number, more: Json = {}) => ({
  ...{
    deviceId: "phone",
    userId: "ann",
    latitude: 40.7 + minute / 1000,
    longitude: -73.98,
    accuracy: 5,
    altitude: 12.5,
  },
  foreground: true,
  description: "Ann <عَنْ>",
  updatedAt: new Date(START + minute * 60_000).toISOString(),
  ...more,
});
const download = async (name: string, query = "", by = key) => {
  const answer = await fetch(`${inject("baseUrl")}/v1/users/${name}/export${query}`, {
    headers: { authorization: by },
  });
  return { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) };
};
const files = async (name: string, query = "") => {
  const { status, bytes } = await download(name, query);
  expect(status).toBe(200);
  return Object.fromEntries(Object.entries(unzipSync(bytes)).map(([path, data]) => [path, strFromU8(data)]));
};
const rows = (text: string): Json[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

beforeEach(async () => {
  world = await makeWorld({ settings: { rateLimits: { track: 1000 } } });
  key = world.keys.testSecret;
  const fence = { description: "Door", type: "circle", coordinates: [-73.98, 40.7], radius: 100 };
  await put("/v1/geofences/door/1", key, fence);
  const replays = [0, 1, 2, 30].map((minute) => update(minute, { tripOptions: { externalId: "order-1" } }));
  expect((await post("/v1/track/replay", key, { replays })).status).toBe(200);
  expect((await post("/v1/track", key, update(31, { deviceId: "tablet" }))).status).toBe(200);
  expect((await post("/v1/track", key, update(31, { deviceId: "other", userId: "bob" }))).status).toBe(200);
  await eventually(
    () => get("/v1/trips/order-1/route", key),
    ({ body }) => body.route?.locations.length === 4,
  );
});

describe("a user's export", () => {
  it("is a ZIP with a folder per record: user, updates, way, events, trips with their locations", async () => {
    const all = await files("ann");
    expect(Object.keys(all).sort()).toEqual(
      [1, 2].flatMap((i) =>
        ["events.csv", "events.ndjson", "trips.ndjson", "updates.csv", "updates.ndjson", "user.json", "way.gpx"].map(
          (file) => `record-${i}/${file}`,
        ),
      ),
    );
    const phone = JSON.parse(all["record-1/user.json"]).deviceId === "phone" ? "record-1" : "record-2";
    expect(JSON.parse(all[`${phone}/user.json`])).toMatchObject({ userId: "ann", description: "Ann <عَنْ>" });
    expect(rows(all[`${phone}/updates.ndjson`]).map(({ at, accuracy, counted }) => [at, accuracy, counted])).toEqual(
      [0, 1, 2, 30].map((minute) => [update(minute).updatedAt, 5, true]),
    );
    const updates = all[`${phone}/updates.csv`].trim().split("\r\n");
    expect(updates[0]).toMatch(/^at,receivedAt,latitude,longitude,accuracy/);
    expect(updates.slice(1).map((row) => row.split(",")[0])).toEqual(
      [0, 1, 2, 30].map((minute) => update(minute).updatedAt),
    );
    expect(all[`${phone}/events.csv`].trim().split("\r\n")).toHaveLength(
      1 + rows(all[`${phone}/events.ndjson`]).length,
    );
    const events = rows(all[`${phone}/events.ndjson`]).map(({ type }) => type);
    expect(events).toEqual(
      expect.arrayContaining(["user.entered_geofence", "user.exited_geofence", "user.started_trip"]),
    );
    const [trip] = rows(all[`${phone}/trips.ndjson`]);
    expect([trip.externalId, (trip.locations as Json[]).length]).toEqual(["order-1", 4]);
    expect(JSON.stringify(all)).not.toContain("bob");
    const { headers } = await download("ann");
    expect([headers.get("content-type"), headers.get("cache-control")]).toEqual(["application/zip", "no-store"]);
    expect(headers.get("content-disposition")).toMatch(
      /^attachment; filename="graticule-user-[0-9a-f]{24}-[\d-]+\.zip"$/,
    );
  });

  it("is a way as GPX, a track per record, cut where the device was silent", async () => {
    const { headers, bytes } = await download("phone", "?format=gpx");
    const text = strFromU8(bytes);
    expect(headers.get("content-type")).toBe("application/gpx+xml");
    expect(text.match(/<trkpt lat="40\.7\d*" lon="-73\.98"><ele>12\.5<\/ele><time>/g)).toHaveLength(4);
    expect([text.match(/<trk>/g)?.length, text.match(/<trkseg>/g)?.length]).toEqual([1, 2]);
    expect(text).toContain("<name>Ann &lt;عَنْ&gt;</name>");
    expect(strFromU8((await download("ann", "?format=gpx")).bytes).match(/<trk>/g)).toHaveLength(2);
  });

  it("is of a time, where one is given, both ends included", async () => {
    const query = `?from=${update(1).updatedAt}&to=${update(2).updatedAt}`;
    const all = await files("phone", query);
    expect(rows(all["record-1/updates.ndjson"])).toHaveLength(2);
    for (const { createdAt } of rows(all["record-1/events.ndjson"])) {
      expect([createdAt, String(createdAt) >= String(update(1).updatedAt)]).toEqual([createdAt, true]);
    }
    const text = strFromU8((await download("phone", `${query}&format=gpx`)).bytes);
    expect(text.match(/<trkpt/g)).toHaveLength(2);
  });

  it("is of the caller's scope, for a secret key, and of somebody who is there", async () => {
    expect((await download("ann", "", world.keys.liveSecret)).status).toBe(404);
    expect((await download("ann", "", world.keys.testPublishable)).status).toBe(403);
    expect((await download("nobody")).status).toBe(404);
    expect((await get("/v1/users/ann/export?format=pdf", key)).body.meta).toMatchObject({ code: 400, param: "format" });
    const backwards = await get("/v1/users/ann/export?from=2026-02-02&to=2026-02-01", key);
    expect(backwards.body.meta).toMatchObject({ code: 400, param: "from" });
    expect((await get("/v1/users/ann/export?to=never", key)).body.meta.param).toBe("to");
  });
});
