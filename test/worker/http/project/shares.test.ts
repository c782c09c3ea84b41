import { beforeEach, describe, expect, it } from "vitest";
import { hashKey } from "../../../../src/core/auth/key.ts";
import {
  call,
  control,
  del,
  eventually,
  get,
  type Json,
  makeWorld,
  post,
  put,
  sql,
  untilLimited,
  type World,
} from "../../../support/world.ts";

/** A link to one trip: everything the person who has it learns, and everything that ends it. */
const AT = { latitude: 40.7, longitude: -73.98 };
const SHARES = "/v1/trips/order-1/shares";
const MINUTE = 60_000;

let world: World;
let key: string;

beforeEach(async () => {
  world = await makeWorld({ settings: { rateLimits: { track: 1000, shareTrip: 1000 } } });
  key = world.keys.testSecret;
  const fence = { description: "Ann's home", type: "circle", coordinates: [-73.98, 40.75], radius: 100 };
  await put("/v1/geofences/door/home", key, fence);
  const destination = { destinationGeofenceTag: "door", destinationGeofenceExternalId: "home" };
  const trip = { externalId: "order-1", userId: "ann", metadata: { box: "secret" }, ...destination };
  expect((await post("/v1/trips", key, trip)).status).toBe(200);
});

const walk = async (latitude: number) => {
  const update = { deviceId: "phone", userId: "ann", ...AT, latitude, accuracy: 5, foreground: true };
  expect((await post("/v1/track", key, update)).status).toBe(200);
};
const share = async (json: Json = {}) => {
  const { status, body } = await post(SHARES, key, json);
  expect([status, body.meta]).toEqual([200, { code: 200 }]);
  return body.share;
};
const opened = (token: string) => get(`/v1/shares/${token}`);
/** Asks until the trip is shown at this latitude: positions reach the database behind the answer. */
const openedAt = (token: string, latitude: number) =>
  eventually(
    () => opened(token),
    ({ body }) => body.share?.location?.coordinates[1] === latitude,
  );

describe("a link to a trip", () => {
  it("shows it without a key: status, position, ETA, destination, and nothing of who makes it", async () => {
    const { token, url, ...made } = await share();
    expect(made).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      tripId: expect.stringMatching(/^[0-9a-f]{24}$/),
      state: "active",
      show: ["location", "eta", "destination"],
      createdAt: expect.stringMatching(/Z$/),
      expiresAt: expect.stringMatching(/Z$/),
    });
    expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(24 * 60 * MINUTE);
    expect(token).toMatch(/^shr_[0-9a-f]{40}$/);
    expect(url).toMatch(new RegExp(`^http://[^/]+/share/#${token}$`));
    expect((await opened(token)).body.share).toMatchObject({ status: "pending", mode: "car" });
    await walk(40.7);
    await walk(40.71);
    const { body, headers } = await openedAt(token, 40.71);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(body.share).toMatchObject({
      status: "started",
      location: { type: "Point", coordinates: [-73.98, 40.71] },
      locationAccuracy: 5,
      eta: { duration: expect.any(Number), distance: expect.any(Number), arrivesAt: expect.stringMatching(/Z$/) },
      destination: { location: { type: "Point", coordinates: [-73.98, 40.75] } },
    });
    expect(body.share.route).toBeUndefined();
    expect(JSON.stringify(body)).not.toMatch(/ann|Ann|phone|secret|order-1|door|home/);
  });

  it("shows only what it was made for", async () => {
    const { token } = await share({ show: "route", minutes: 5 });
    await walk(40.7);
    await walk(40.71);
    const { body } = await eventually(
      () => opened(token),
      ({ body }) => body.share?.route?.coordinates.length === 2,
    );
    expect(body.share.route.coordinates).toEqual([
      [-73.98, 40.7],
      [-73.98, 40.71],
    ]);
    expect(body.share.show).toEqual(["route"]);
    for (const field of ["location", "locatedAt", "locationAccuracy", "eta", "destination", "scheduledArrivalAt"]) {
      expect([field, body.share[field]]).toEqual([field, undefined]);
    }
  });

  it("says that the trip has ended, without a position", async () => {
    const { token } = await share({ show: ["location", "eta", "destination", "route"] });
    await walk(40.7);
    await walk(40.71);
    await openedAt(token, 40.71);
    const ended = await call("PATCH", "/v1/trips/order-1/update", { key, json: { status: "completed" } });
    expect(ended.status).toBe(200);
    const { body } = await eventually(
      () => opened(token),
      ({ body }) => body.share?.status === "completed",
    );
    expect(body.share).toMatchObject({ status: "completed", endedAt: expect.stringMatching(/Z$/) });
    for (const field of ["location", "locatedAt", "eta", "route"]) {
      expect([field, body.share[field]]).toEqual([field, undefined]);
    }
    const again = await post(SHARES, key, {});
    expect([again.status, again.body.meta.message]).toEqual([409, "The trip is completed: it can't be shared."]);
  });

  it("is kept as a hash only", async () => {
    const { token } = await share();
    const rows = await sql<{ hash: string }>("SELECT * FROM trip_share WHERE scope = ?", world.id * 2);
    expect(rows.map(({ hash }) => hash)).toEqual([await hashKey(token)]);
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
  });

  it("that nobody made is unknown", async () => {
    for (const token of [`shr_${"0".repeat(40)}`, "x", "shr_", "..", "%00"]) {
      const { status, body } = await opened(encodeURIComponent(token));
      expect([token, status, typeof body.meta.message]).toEqual([token, 404, "string"]);
    }
  });

  it("ends when it is ended, and says so", async () => {
    const { token, _id } = await share();
    const other = await share();
    expect((await del(`/v1/shares/${_id}`, key)).status).toBe(200);
    const gone = await opened(token);
    expect([gone.status, gone.body.meta.message]).toEqual([410, "This link was revoked."]);
    expect((await opened(other.token)).status).toBe(200);
    const [, first] = (await get(SHARES, key)).body.shares;
    expect(first).toMatchObject({ _id, state: "revoked", revokedAt: expect.stringMatching(/Z$/) });
    expect((await del(`/v1/shares/${_id}`, key)).status).toBe(200);
    expect((await get(SHARES, key)).body.shares[1].revokedAt).toBe(first.revokedAt);
    expect((await del("/v1/shares/nobody", key)).status).toBe(404);
  });

  it("ends at its time, and says so; a month later it is unknown", async () => {
    const { token } = await share({ minutes: 1 });
    await sql("UPDATE trip_share SET expires_at = ? WHERE scope = ?", Date.now() - 1, world.id * 2);
    const gone = await opened(token);
    expect([gone.status, gone.body.meta.message]).toEqual([410, "This link has expired. Ask for a new one."]);
    expect((await get(SHARES, key)).body.shares[0].state).toBe("expired");
    // Not the clock: trips of other tests would be over in a month.
    await sql("UPDATE trip_share SET expires_at = ? WHERE scope = ?", Date.now() - 29 * 24 * 60 * MINUTE, world.id * 2);
    await control("scheduled", { now: Date.now() });
    expect((await opened(token)).status).toBe(410);
    await sql("UPDATE trip_share SET expires_at = 1 WHERE scope = ?", world.id * 2);
    await control("scheduled", { now: Date.now() });
    expect((await opened(token)).status).toBe(404);
  });

  it("ends with its trip and with its user", async () => {
    const first = await share();
    expect((await del("/v1/trips/order-1", key)).status).toBe(200);
    expect((await opened(first.token)).status).toBe(404);
    expect(await sql("SELECT * FROM trip_share WHERE scope = ?", world.id * 2)).toEqual([]);

    await post("/v1/trips", key, { externalId: "order-1", userId: "ann" });
    await walk(40.7);
    const second = await share();
    await openedAt(second.token, 40.7);
    expect((await del("/v1/users/ann", key)).status).toBe(200);
    expect((await opened(second.token)).status).toBe(404);
    expect(await sql("SELECT * FROM trip_share WHERE scope = ?", world.id * 2)).toEqual([]);
  });

  it("shows nothing while its project is disabled, nor in a country that it does not serve", async () => {
    const { token } = await share();
    const settings = JSON.stringify({ blockedCountries: ["FR"] });
    await sql("UPDATE project SET settings = ? WHERE id = ?", settings, world.id);
    // Other tests use the same address, which may be at its limit.
    const from = (country: string) =>
      eventually(
        () => control<{ status: number }>("fetchFrom", { country, method: "GET", path: `/v1/shares/${token}` }),
        ({ status }) => status !== 429,
      );
    expect([(await from("FR")).status, (await from("DE")).status]).toEqual([451, 200]);
    await sql("UPDATE project SET disabled = 1 WHERE id = ?", world.id);
    expect((await opened(token)).status).toBe(402);
  });

  it.each([
    [{ minutes: 0 }, "minutes", "Valid range: [1, 43200]."],
    [{ minutes: 43_201 }, "minutes", "Valid range: [1, 43200]."],
    [{ minutes: 1.5 }, "minutes", "Integers only."],
    [{ expiresAt: "2020-01-01" }, "expiresAt", "Must be in the future."],
    [{ expiresAt: "2099-01-01" }, "expiresAt", "At most 30 days from now."],
    [{ minutes: 5, expiresAt: "2099-01-01" }, "expiresAt", "not both"],
    [{ show: ["speed"] }, "show", "Valid values: location, eta, destination, route."],
    [{ show: "" }, "show", "Valid values"],
  ])("is not made of %j", async (json, param, rule) => {
    const { status, body } = await post(SHARES, key, json);
    expect([status, body.meta]).toEqual([
      400,
      { code: 400, param: expect.stringMatching(new RegExp(`^${param}`)), message: expect.stringContaining(rule) },
    ]);
  });

  it("lasts until expiresAt, to 30 days", async () => {
    const expiresAt = new Date(Date.now() + 29 * 24 * 60 * MINUTE).toISOString();
    expect((await share({ expiresAt })).expiresAt).toBe(expiresAt);
    expect((await share({ minutes: 43_200 })).state).toBe("active");
    const listed = await get(`${SHARES}?limit=1`, key);
    expect([listed.body.meta.hasMore, listed.body.shares.length, listed.body.shares[0].token]).toEqual([
      ...[true, 1, undefined],
    ]);
  });

  it("is made, listed and ended in its own scope only, by a secret key", async () => {
    const { _id } = await share();
    const { livePublishable: _, testPublishable, liveSecret } = world.keys;
    expect((await post(SHARES, liveSecret, {})).status).toBe(404);
    expect((await get(SHARES, liveSecret)).status).toBe(404);
    expect((await del(`/v1/shares/${_id}`, liveSecret)).status).toBe(404);
    expect((await get(SHARES, key)).body.shares[0].state).toBe("active");
    expect((await post(SHARES, testPublishable, {})).status).toBe(403);
    expect((await post("/v1/trips/none/shares", key, {})).status).toBe(404);
  });

  it("may be asked for by one address ten times a second", async () => {
    const headers = { "x-forwarded-for": "203.0.113.77" };
    const answers = await untilLimited(() =>
      Promise.all(Array.from({ length: 15 }, () => call("GET", "/v1/shares/x", { headers }))),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(statuses).toContain(404);
  });
});
