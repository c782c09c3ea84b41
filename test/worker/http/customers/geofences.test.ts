import { beforeAll, describe, expect, it } from "vitest";
import { haversine } from "../../../../src/core/geo/distance.ts";
import { call, del, eventually, get, type Json, post, put, sleep, type World } from "../../../support/world.ts";
import { openWorld, plant } from "../conformance/open-world.ts";

const HARBOUR = [-73.9867, 40.7039];
const circle = (extra: Json = {}) => ({
  description: "Harbour",
  type: "circle",
  coordinates: HARBOUR,
  radius: 150,
  ...extra,
});
/** A square block of about 200 m, drawn counter-clockwise and closed. */
const BLOCK = [
  [-73.99, 40.7],
  [-73.988, 40.7],
  [-73.988, 40.702],
  [-73.99, 40.702],
  [-73.99, 40.7],
];
const polygon = (extra: Json = {}) => ({ description: "Block", type: "polygon", coordinates: BLOCK, ...extra });
const DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

describe("making and changing geofences", () => {
  let world: World;
  let key: string;
  beforeAll(async () => {
    world = await openWorld();
    key = world.keys.testSecret;
  });

  it("makes a circle and shows all of it", async () => {
    const { status, body } = await post("/v1/geofences", key, circle({ tag: "port", externalId: "a" }));
    expect(status).toBe(200);
    expect(body).toEqual({
      meta: { code: 200 },
      geofence: {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        createdAt: expect.stringMatching(DATE),
        updatedAt: body.geofence.createdAt,
        live: false,
        tag: "port",
        externalId: "a",
        description: "Harbour",
        type: "circle",
        geometryCenter: { type: "Point", coordinates: HARBOUR },
        geometryRadius: 150,
        geometry: { type: "Polygon", coordinates: [expect.any(Array)] },
        enabled: true,
      },
    });
    const [ring] = body.geofence.geometry.coordinates as [number, number][][];
    expect(ring[0]).toEqual(ring.at(-1));
    for (const [longitude, latitude] of ring) {
      expect(haversine(HARBOUR[1], HARBOUR[0], latitude, longitude)).toBeCloseTo(150, 3);
    }
    expect((await get(`/v1/geofences/${body.geofence._id}`, key)).body).toEqual(body);
    expect((await get("/v1/geofences/port/a", key)).body).toEqual(body);
  });

  it("makes a polygon and gives its ring back as it came", async () => {
    const { body } = await post("/v1/geofences", key, polygon());
    expect(body.geofence).toMatchObject({
      type: "polygon",
      geometry: { type: "Polygon", coordinates: [BLOCK] },
    });
    const [longitude, latitude] = body.geofence.geometryCenter.coordinates;
    expect([longitude, latitude]).toEqual([expect.closeTo(-73.989, 6), expect.closeTo(40.701, 6)]);
    const farthest = Math.max(...BLOCK.map(([lon, lat]) => haversine(latitude, longitude, lat, lon)));
    expect(body.geofence.geometryRadius).toBeGreaterThanOrEqual(farthest);
    expect(body.geofence.geometryRadius).toBeLessThan(farthest * 1.01);
  });

  it("takes a polygon as GeoJSON nests it", async () => {
    const { body } = await post("/v1/geofences", key, polygon({ coordinates: [BLOCK] }));
    expect(body.geofence.geometry.coordinates).toEqual([BLOCK]);
  });

  it("takes every field from a form, structures as JSON text and the rest as text", async () => {
    const { status, body } = await call("PUT", "/v1/geofences/form/1", {
      key,
      form: {
        description: "From a form",
        type: "circle",
        coordinates: JSON.stringify(HARBOUR),
        radius: "99.5",
        metadata: '{"floor":3,"open":true,"name":"A"}',
        enabled: "false",
        dwellThreshold: "5",
        stopDetection: "true",
        tripApproachingThreshold: "7",
        speedLimit: "30",
        operatingHours: '{"Mon":[["09:00","17:30"]]}',
        disableAfter: "2036-01-01T00:00:00Z",
        deleteAfter: "2037-01-01T00:00:00+01:00",
        userIds: '["ann","bob"]',
      },
    });
    expect(status).toBe(200);
    expect(body.geofence).toMatchObject({
      tag: "form",
      externalId: "1",
      geometryRadius: 99.5,
      geometryCenter: { coordinates: HARBOUR },
      metadata: { floor: 3, open: true, name: "A" },
      enabled: false,
      dwellThreshold: 5,
      stopDetection: true,
      tripApproachingThreshold: 7,
      speedLimit: 30,
      operatingHours: { Mon: [["09:00", "17:30"]] },
      disableAfter: "2036-01-01T00:00:00.000Z",
      deleteAfter: "2036-12-31T23:00:00.000Z",
      userIds: ["ann", "bob"],
    });
    expect((await get("/v1/geofences/form/1", key)).body).toEqual(body);
  });

  it("takes coordinates and metadata in the brackets of a form", async () => {
    const { status, body } = await call("POST", "/v1/geofences", {
      key,
      form: {
        description: "Brackets",
        type: "circle",
        "coordinates[0]": "-74.0",
        "coordinates[1]": "40.70",
        radius: "50",
        "metadata[floor]": "3",
        "metadata[open]": "true",
        "userIds[]": "ann",
      },
    });
    expect([status, body.meta]).toEqual([200, { code: 200 }]);
    expect(body.geofence).toMatchObject({
      geometryCenter: { coordinates: [-74, 40.7] },
      metadata: { floor: 3, open: true },
      userIds: ["ann"],
    });
  });

  it("replaces by tag and externalId: the id and the time of making stay, all else is new", async () => {
    const first = (await put("/v1/geofences/shop/1", key, circle({ metadata: { a: 1 }, dwellThreshold: 5 }))).body;
    await sleep(2);
    const second = (await put("/v1/geofences/shop/1", key, polygon())).body;
    expect(second.geofence).toMatchObject({
      _id: first.geofence._id,
      createdAt: first.geofence.createdAt,
      type: "polygon",
      description: "Block",
    });
    expect(second.geofence.updatedAt > first.geofence.updatedAt).toBe(true);
    expect(second.geofence).not.toHaveProperty("metadata");
    expect(second.geofence).not.toHaveProperty("dwellThreshold");
    expect((await get("/v1/geofences?tag=shop", key)).body.geofences).toEqual([second.geofence]);
  });

  it("replaces by id, and may give another tag and externalId that are free", async () => {
    const made = (await post("/v1/geofences", key, circle({ tag: "move", externalId: "1" }))).body.geofence;
    await post("/v1/geofences", key, circle({ tag: "move", externalId: "taken" }));
    const moved = await put(`/v1/geofences/${made._id}`, key, circle({ tag: "move", externalId: "2", radius: 20 }));
    expect(moved.body.geofence).toMatchObject({ _id: made._id, externalId: "2", geometryRadius: 20 });
    expect((await get("/v1/geofences/move/1", key)).status).toBe(404);
    const clash = await put(`/v1/geofences/${made._id}`, key, circle({ tag: "move", externalId: "taken" }));
    expect([clash.status, clash.body.meta.code]).toEqual([409, 409]);
    expect((await get(`/v1/geofences/${made._id}`, key)).body.geofence.externalId).toBe("2");
    expect((await put("/v1/geofences/nobody", key, circle())).status).toBe(404);
  });

  it("refuses to make a second geofence with the same tag and externalId, and changes nothing", async () => {
    const made = (await post("/v1/geofences", key, circle({ tag: "only", externalId: "1" }))).body.geofence;
    const again = await post("/v1/geofences", key, polygon({ tag: "only", externalId: "1" }));
    expect(again.status).toBe(409);
    expect(again.body).toEqual({ meta: { code: 409, message: expect.stringContaining("PUT") } });
    expect((await get("/v1/geofences/only/1", key)).body.geofence).toEqual(made);
  });

  it("lets many geofences share a tag, or have none at all", async () => {
    for (let i = 0; i < 2; i++) {
      expect((await post("/v1/geofences", key, circle({ tag: "many" }))).status).toBe(200);
      expect((await post("/v1/geofences", key, circle())).status).toBe(200);
    }
    expect((await get("/v1/geofences?tag=many", key)).body.geofences).toHaveLength(2);
  });

  it("finds tags and ids with any characters in them", async () => {
    const path = `/v1/geofences/${encodeURIComponent("a/b ä?")}/${encodeURIComponent("1%2F#2")}`;
    const made = await put(path, key, circle());
    expect(made.body.geofence).toMatchObject({ tag: "a/b ä?", externalId: "1%2F#2" });
    expect((await get(path, key)).body).toEqual(made.body);
    expect((await del(path, key)).status).toBe(200);
  });

  it("finds a geofence whose externalId is a word of our own paths", async () => {
    const made = await put("/v1/geofences/zone/users", key, circle());
    expect(made.body.geofence).toMatchObject({ tag: "zone", externalId: "users" });
    expect((await get("/v1/geofences/zone/users", key)).body).toEqual(made.body);
    const nobody = { meta: { code: 200, hasMore: false }, users: [] };
    expect((await get("/v1/geofences/zone/users/users", key)).body).toEqual(nobody);
    // Where an id and a pair could be meant, it is the id.
    const { _id } = made.body.geofence;
    await put(`/v1/geofences/${_id}/users`, key, circle());
    expect((await get(`/v1/geofences/${_id}/users`, key)).body).toEqual(nobody);
    expect((await del("/v1/geofences/zone/users", key)).status).toBe(200);
    expect((await get("/v1/geofences/zone/users", key)).status).toBe(404);
  });

  it.each(["tag", "externalId"])("refuses dots as %s, as no path can hold them", async (param) => {
    for (const dots of [".", ".."]) {
      const { status, body } = await post("/v1/geofences", key, circle({ tag: "a", externalId: "b", [param]: dots }));
      expect([status, body.meta.param, body.meta.message]).toEqual([
        400,
        param,
        expect.stringContaining('"." nor ".."'),
      ]);
    }
    expect((await post("/v1/geofences", key, circle({ tag: "dots", externalId: "b", [param]: "..." }))).status).toBe(
      200,
    );
  });

  it("deletes by id and by pair, once", async () => {
    const byId = (await post("/v1/geofences", key, circle())).body.geofence;
    await put("/v1/geofences/gone/1", key, circle());
    for (const path of [`/v1/geofences/${byId._id}`, "/v1/geofences/gone/1"]) {
      expect((await del(path, key)).body).toEqual({ meta: { code: 200 } });
      expect((await del(path, key)).body).toEqual({ meta: { code: 404, message: "Geofence not found." } });
      expect((await get(path, key)).status).toBe(404);
      expect((await get(`${path}/users`, key)).status).toBe(404);
    }
  });

  it("forgets a geofence whose deleteAfter has passed, and its tag and externalId are free again", async () => {
    const soon = new Date(Date.now() + 3_000).toISOString();
    const first = (await put("/v1/geofences/brief/1", key, circle({ deleteAfter: soon }))).body.geofence;
    const other = (await post("/v1/geofences", key, circle())).body.geofence;
    await eventually(
      () => get("/v1/geofences/brief/1", key),
      ({ status }) => status === 404,
    );
    expect((await get(`/v1/geofences/${first._id}`, key)).status).toBe(404);
    expect((await get("/v1/geofences?tag=brief", key)).body.geofences).toEqual([]);
    expect((await del("/v1/geofences/brief/1", key)).status).toBe(404);
    const renamed = await put(`/v1/geofences/${other._id}`, key, circle({ tag: "brief", externalId: "1" }));
    expect(renamed.status).toBe(200);
    expect((await del("/v1/geofences/brief/1", key)).status).toBe(200);

    const again = new Date(Date.now() + 3_000).toISOString();
    await put("/v1/geofences/brief/2", key, circle({ deleteAfter: again }));
    await sleep(Date.parse(again) + 50 - Date.now());
    const anew = await post("/v1/geofences", key, circle({ tag: "brief", externalId: "2" }));
    expect(anew.status).toBe(200);
  });

  it("makes an upsert of an expired geofence a new one", async () => {
    const soon = new Date(Date.now() + 3_000).toISOString();
    const first = (await put("/v1/geofences/brief/3", key, circle({ deleteAfter: soon }))).body.geofence;
    await sleep(Date.parse(soon) + 50 - Date.now());
    const second = (await put("/v1/geofences/brief/3", key, circle())).body.geofence;
    expect(second._id).not.toBe(first._id);
    expect(second.createdAt).toBe(second.updatedAt);
  });
});

describe("GET /v1/geofences", () => {
  const at = (hour: number) => Date.UTC(2026, 0, 1, hour);
  const iso = (hour: number) => encodeURIComponent(new Date(at(hour)).toISOString());
  let key: string;
  const ids = async (query: string) =>
    (await get(`/v1/geofences${query}`, key)).body.geofences.map(({ _id }: { _id: string }) => _id);

  beforeAll(async () => {
    const world = await openWorld();
    key = world.keys.testSecret;
    await plant(world, [
      { id: "g1", ...circle({ tag: "a", externalId: "1", metadata: { n: 1, s: "1", b: true } }), createdAt: at(1) },
      { id: "g2", ...circle({ tag: "a", externalId: "2", metadata: { n: 2 } }), createdAt: at(2), updatedAt: at(9) },
      { id: "g3", ...polygon({ tag: "b", externalId: "1", enabled: false }), createdAt: at(3) },
      { id: "g4", ...circle({ metadata: { n: "1", "odd.key": "x" } }), createdAt: at(4) },
      { id: "g5", ...circle({ deleteAfter: new Date(at(6)).toISOString() }), createdAt: at(5) },
    ]);
  });

  it.each([
    ["", ["g4", "g3", "g2", "g1"]],
    ["?tag=a", ["g2", "g1"]],
    ["?externalId=1", ["g3", "g1"]],
    ["?tag=a&externalId=1", ["g1"]],
    [`?createdAfter=${iso(2)}`, ["g4", "g3"]],
    [`?createdBefore=${iso(2)}`, ["g1"]],
    [`?createdAfter=${iso(1)}&createdBefore=${iso(4)}`, ["g3", "g2"]],
    [`?updatedAfter=${iso(4)}`, ["g2"]],
    [`?updatedBefore=${iso(4)}`, ["g3", "g1"]],
    ["?metadata[n]=1", ["g1"]],
    ["?metadata[s]=one", []],
    ["?metadata[b]=true", ["g1"]],
    ["?metadata[n]=2&tag=a", ["g2"]],
    ["?metadata[odd.key]=x", ["g4"]],
    ["?metadata=[object Object]", ["g4", "g3", "g2", "g1"]],
    ["?tag=&colour=red", ["g4", "g3", "g2", "g1"]],
    ["?tag=nobody", []],
  ])("lists %s newest first", async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  it("gives pages with hasMore, to be read on by createdBefore", async () => {
    const first = (await get("/v1/geofences?limit=3", key)).body;
    expect(first.meta).toEqual({ code: 200, hasMore: true });
    expect(first.geofences).toHaveLength(3);
    const before = encodeURIComponent(first.geofences[2].createdAt);
    const second = (await get(`/v1/geofences?limit=3&createdBefore=${before}`, key)).body;
    expect(second.meta).toEqual({ code: 200, hasMore: false });
    expect(second.geofences.map(({ _id }: { _id: string }) => _id)).toEqual(["g1"]);
    expect((await get("/v1/geofences?limit=4", key)).body.meta.hasMore).toBe(false);
  });

  it.each(["0", "1001", "2.5", "x"])("refuses limit=%s", async (limit) => {
    const { status, body } = await get(`/v1/geofences?limit=${limit}`, key);
    expect([status, body.meta.param]).toEqual([400, "limit"]);
  });
});

describe("users inside a geofence", () => {
  it("are listed while they are in it, newest update first", async () => {
    const world = await openWorld();
    const { testSecret: key, testPublishable } = world.keys;
    const { _id } = (await put("/v1/geofences/port/1", key, circle())).body.geofence;
    const move = (deviceId: string, north = 0) =>
      post("/v1/track", testPublishable, {
        deviceId,
        latitude: HARBOUR[1] + north,
        longitude: HARBOUR[0],
        accuracy: 5,
        foreground: true,
      });
    const inside = async (path: string) => (await get(path, key)).body;
    const devices = (body: { users: { deviceId: string }[] }) => body.users.map(({ deviceId }) => deviceId);
    for (const device of ["first", "second"]) await move(device);
    await move("elsewhere", 1);
    const full = await eventually(
      () => inside("/v1/geofences/port/1/users"),
      ({ users }) => users.length === 2,
    );
    expect(full.meta).toEqual({ code: 200, hasMore: false });
    expect(devices(full)).toEqual(["second", "first"]);
    expect(await inside(`/v1/geofences/${_id}/users`)).toEqual(full);
    const page = await inside("/v1/geofences/port/1/users?limit=1");
    expect([page.meta.hasMore, devices(page)]).toEqual([true, ["second"]]);
    await move("second", 1);
    const left = await eventually(
      () => inside("/v1/geofences/port/1/users"),
      ({ users }) => users.length === 1,
    );
    expect(devices(left)).toEqual(["first"]);
  });
});
