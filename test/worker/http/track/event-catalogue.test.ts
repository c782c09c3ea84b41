import { beforeAll, expect, it } from "vitest";
import { CAMPAIGN_EVENT_TYPES, EVENT_TYPES } from "../../../../src/core/tracking/types/event.ts";
import { DRIVE_SETTINGS, driveThrough } from "../../../support/fast-drive.ts";
import { readExamples, WRITES_EXAMPLES, writeExamples } from "../../../support/reference-examples.ts";
import { call, eventually, get, type Json, makeWorld, post, put, withGeodata } from "../../../support/world.ts";

/** A walk that makes an event of every type, for the catalogue and the reference. */

const seen = new Map<string, { event: Json; user: Json }>();

beforeAll(async () => {
  await withGeodata("world");
  await withGeodata("demo");
  const rateLimits = Object.fromEntries(
    ["track", "searchPlaces", "createTrip", "updateTrip"].map((name) => [name, 1000]),
  );
  const settings = { tracking: { fraud: true }, rateLimits };
  const { testSecret: secret } = (await makeWorld({ geodata: true, settings })).keys;
  const found = await get(
    "/v1/search/places?near=48.99,-111.2&radius=10000&limit=100&categories=food-beverage,shopping-retail",
    secret,
  );
  const place = found.body.places.find(({ chain }: Json) => chain) as Json & {
    chain: Json;
    location: { coordinates: number[] };
  };
  const [longitude, latitude] = place.location.coordinates;
  const shop = { latitude, longitude };
  const away = { latitude: 48.95, longitude: -111.4 };
  const nearChains = { nearbyChains: [place.chain.slug] };
  const patched = await call("PATCH", "/v1/settings", { key: secret, json: nearChains });
  expect([patched.status, patched.body.meta]).toEqual([200, { code: 200 }]);
  const fence = (description: string, at: typeof shop, more: Json = {}) => ({
    description,
    type: "circle",
    coordinates: [at.longitude, at.latitude],
    radius: 150,
    metadata: { floor: 1 },
    ...more,
  });
  await put("/v1/geofences/shop/1", secret, fence("Shop", shop, { dwellThreshold: 1, tripApproachingThreshold: 10 }));
  const other = { latitude: latitude + 0.02, longitude: longitude + 0.02 };
  await put("/v1/geofences/shop/2", secret, fence("The other shop", other));
  const beacon = {
    description: "Door",
    type: "ibeacon",
    uuid: "aaaaaaaa-0000-4000-8000-000000000001",
    major: "1",
    minor: "2",
    enabled: true,
    tag: "doors",
    externalId: "1",
  };
  await post("/v1/beacons", secret, { ...beacon, coordinates: [longitude, latitude] });

  let minute = 0;
  const begin = Date.now() - 60 * 60_000;
  const go = async (at: typeof shop, more: Json = {}, device = "phone", userId = "ann") => {
    minute += 2;
    const update = { deviceId: device, userId, ...at, accuracy: 5, foreground: true, stopped: true };
    const updatedAt = new Date(begin + minute * 60_000).toISOString();
    const { status, body } = await post("/v1/track", secret, { ...update, updatedAt, ...more });
    expect([status, body.meta]).toEqual([200, { code: 200 }]);
    for (const event of body.events as Json[])
      if (!seen.has(String(event.type))) seen.set(String(event.type), { event, user: body.user });
  };
  const trip = (externalId: string, destination = "1") => ({
    tripOptions: {
      externalId,
      destinationGeofenceTag: "shop",
      destinationGeofenceExternalId: destination,
      approachingThreshold: 3,
      orders: [{ id: "coffee", guid: "1a2b", handoffMode: "curbside", fireBeforeMinutes: 5 }],
    },
  });
  await go(away);
  await go(away, trip("order-1"));
  await go({ latitude: latitude + 0.003, longitude }, trip("order-1"));
  await go(shop, { ...trip("order-1"), beacons: [beacon] });
  await go(shop, { beacons: [] });
  const ended = await call("PATCH", "/v1/trips/order-1/update", { key: secret, json: { status: "completed" } });
  for (const event of ended.body.events ?? [])
    seen.set(event.type, { event, user: ended.body.user ?? seen.get("user.started_trip")?.user });
  await go(away);
  await go(away, trip("order-2"));
  await go(other, trip("order-2"));
  await go({ latitude: 0, longitude: -30 });
  await go(shop, { mocked: true });
  await engage();
  await settle();
  const near = (await makeWorld({ settings: { rateLimits: { track: 1000, listEvents: 1000 } } })).keys.testSecret;
  expect(
    (await post("/v1/meetings", near, { name: "Couriers", users: { userTags: ["courier"] }, radius: 100 })).status,
  ).toBe(200);
  for (const [userId, userTags, east] of [
    ["ben", undefined, 0],
    ["eve", "courier", 0.0005],
    ["eve", "courier", 0.1],
  ] as const) {
    const at = { latitude: 48.2, longitude: 16.37 + east, accuracy: 5 };
    const { status, body } = await post("/v1/track", near, {
      deviceId: `phone-${userId}`,
      userId,
      userTags,
      metadata: { team: 1 },
      ...at,
    });
    expect([status, body.meta]).toEqual([200, { code: 200 }]);
    const types = ["user.met_user", "user.parted_from_user"].slice(0, east === 0 ? 0 : east > 0.01 ? 2 : 1);
    for (const type of types) {
      const list = () => get(`/v1/events?types=${type}&userId=eve`, near);
      const found = await eventually(list, (answer) => answer.body.events?.length > 0);
      seen.set(type, { event: found.body.events[0], user: body.user });
    }
  }
  const watched = await makeWorld({ geodata: true, settings: { tracking: DRIVE_SETTINGS } });
  const { events, user } = await driveThrough(watched.keys.testSecret, "van", "delivery");
  for (const event of events) if (!seen.has(String(event.type))) seen.set(String(event.type), { event, user });
}, 240_000);

/** A user with a home and a place of work, which it leaves for a journey. */
async function settle(): Promise<void> {
  const settings = { tracking: { insights: true }, rateLimits: { track: 1000 } };
  const { testSecret: secret } = (await makeWorld({ settings })).keys;
  const home = { latitude: 51.5, longitude: -0.1 };
  const at = (east: number) => ({ latitude: home.latitude, longitude: home.longitude + east });
  const DAY = 24 * 3600_000;
  // A Monday at midnight, almost two weeks ago: 1970-01-05 was one.
  const monday = Math.floor((Date.now() - 4 * DAY - 7 * DAY) / (7 * DAY)) * 7 * DAY + 4 * DAY;
  const send = async (days: number, hours: number, place: Json, more: Json = {}) => {
    const updatedAt = new Date(monday + days * DAY + hours * 3600_000).toISOString();
    const update = { deviceId: "phone", userId: "eve", ...place, accuracy: 10, updatedAt, ...more };
    const { body } = await post("/v1/track", secret, update);
    expect(body.meta).toEqual({ code: 200 });
    for (const event of body.events as Json[])
      if (!seen.has(String(event.type))) seen.set(String(event.type), { event, user: body.user });
  };
  for (let day = 0; day < 4; day++) {
    await send(day, 8, home, { stopped: true });
    await send(day, 8.2, at(0.03));
    await send(day, 8.5, at(0.06), { stopped: true });
    await send(day, 17, at(0.06), { stopped: true });
    await send(day, 17.2, at(0.03));
    await send(day, 18, home, { stopped: true });
  }
  await send(4, 12, at(10));
  await send(4, 20, home, { stopped: true });
}

/** A user that gets the message of a campaign, and is in the holdout of others. */
async function engage(): Promise<void> {
  const { testSecret: secret } = (await makeWorld({ settings: { rateLimits: { createCampaign: 1000 } } })).keys;
  const circle = { description: "Store", type: "circle", coordinates: [-8.6, 41.1], radius: 100 };
  await put("/v1/geofences/store/1", secret, circle);
  const content = { title: { text: "Hello" }, body: { text: "Coffee is ready" } };
  const campaign = { name: "Welcome", type: "inAppMessage", content, trigger: { geofenceTags: ["store"] } };
  await post("/v1/campaigns", secret, campaign);
  // Of ten, at least one has this user in its holdout, almost certainly.
  for (let i = 0; i < 10; i++) await post("/v1/campaigns", secret, { ...campaign, holdout: 0.9 });
  const { body } = await post("/v1/track", secret, { deviceId: "phone", latitude: 41.1, longitude: -8.6, accuracy: 5 });
  const { body: listed } = await eventually(
    () => get("/v1/events", secret),
    (answer) => answer.body.events.length === 12,
  );
  for (const event of listed.events as Json[])
    if (String(event.type).startsWith("campaign.")) seen.set(String(event.type), { event, user: body.user });
}

it("a walk through the demo world makes an event of every type", () => {
  const types = [...seen.keys()];
  // Market areas are told where an operator has given a table of them.
  const expected = [...EVENT_TYPES, ...CAMPAIGN_EVENT_TYPES].filter((type) => !type.includes("_dma"));
  expect(expected.filter((type) => !types.includes(type))).toEqual([]);
  if (WRITES_EXAMPLES) writeExamples("events", { ...readExamples("events"), ...Object.fromEntries(seen) });
});

it("the catalogue shows of each event the fields that it has", () => {
  if (WRITES_EXAMPLES) return;
  const shown = readExamples("events") as Record<string, { event: Json }>;
  for (const [type, { event }] of seen)
    expect([type, Object.keys(shown[type]?.event ?? {}).sort()]).toEqual([type, Object.keys(event).sort()]);
});
