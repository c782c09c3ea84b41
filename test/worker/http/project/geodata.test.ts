import { beforeAll, describe, expect, it } from "vitest";
import { call, get, makeWorld, post, put, type World, withGeodata } from "../../../support/world.ts";

/**
 * The demo world: Meridale, Montana, and North Meridale, Alberta, on both sides of 49° N.
 *
 *       T9Y   Alberta      (49.010, −111.200)      airport QMZ
 *     ─────────────── 49° N ───────────────
 *      59999  Montana      (48.990, −111.200)
 */
const SOUTH = "48.99,-111.2";
const NORTH = "49.01,-111.2";

let world: World;
const ask = async (path: string) => (await get(path, world.keys.testPublishable)).body;

beforeAll(async () => {
  await withGeodata("world");
  await withGeodata("demo");
  world = await makeWorld({
    geodata: true,
    settings: { rateLimits: { context: 1000, track: 1000, searchPlaces: 1000, patchSettings: 100 } },
  });
}, 240_000);

describe("GET /v1/context", () => {
  it("tells country, state and postal code of the United States", async () => {
    const { context, meta, ...repeated } = await ask(`/v1/context?coordinates=${SOUTH}`);
    expect(meta).toEqual({ code: 200 });
    expect(context).toMatchObject({
      geofences: [],
      country: {
        code: "US",
        name: "United States",
        flag: "🇺🇸",
        type: "country",
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      },
      state: { code: "MT", name: "Montana", type: "state" },
      postalCode: { code: "59999", type: "postalCode" },
    });
    expect(repeated).toEqual(context);
  });

  it("tells what lies beyond the border", async () => {
    const { context } = await ask(`/v1/context?coordinates=${NORTH}`);
    expect(context).toMatchObject({
      country: { code: "CA", flag: "🇨🇦" },
      state: { code: "AB" },
      postalCode: { code: "T9Y" },
    });
  });

  it.each([
    ["Berlin", "52.5163,13.3777", "DE"],
    ["Fiji, beyond the 180th meridian", "-16.8,-179.9", "FJ"],
    ["Lesotho, inside South Africa", "-29.5,28.3", "LS"],
    ["Vatican City, inside Rome", "41.9029,12.4534", "VA"],
    ["the South Pole", "-90,0", "AQ"],
  ])("knows %s before anything is imported there", async (_, coordinates, code) => {
    expect((await ask(`/v1/context?coordinates=${coordinates}`)).context.country.code).toBe(code);
  });

  it("tells nothing on the high seas", async () => {
    expect((await ask("/v1/context?coordinates=0,-30")).context).toEqual({ live: false, geofences: [] });
  });

  it("tells the place, with the project's own id and metadata of its chain", async () => {
    const { places } = await ask(`/v1/search/places?near=${SOUTH}&chains=gridline-grocers&radius=10000&limit=1`);
    const [longitude, latitude] = places[0].location.coordinates;
    const own = await makeWorld({
      geodata: true,
      settings: {
        places: {
          chainMappings: { "gridline-grocers": "G7" },
          chainMetadata: { "gridline-grocers": { tier: 2 } },
          placeFilters: { chain: ["gridline-grocers"], category: [] },
        },
      },
    });
    const { body } = await get(`/v1/context?coordinates=${latitude},${longitude}`, own.keys.testPublishable);
    expect(body.context.place).toEqual({
      _id: places[0]._id,
      name: "Gridline Grocers",
      chain: { name: "Gridline Grocers", slug: "gridline-grocers", externalId: "G7", metadata: { tier: 2 } },
      categories: expect.arrayContaining(["shopping-retail"]),
      location: { type: "Point", coordinates: [longitude, latitude] },
      address: expect.objectContaining({
        formattedAddress: expect.stringMatching(/^Gridline Grocers, .* USA$/),
        countryCode: "US",
        stateCode: "MT",
        city: "Meridale",
      }),
    });
  });

  it("leaves out the kinds of region and the places a project has switched off", async () => {
    const own = await makeWorld({
      geodata: true,
      settings: {
        tracking: { regions: { country: true, state: false, dma: false, postalCode: false }, places: false },
      },
    });
    const { body } = await get(`/v1/context?coordinates=${SOUTH}`, own.keys.testPublishable);
    expect(Object.keys(body.context).sort()).toEqual(["country", "geofences", "live"]);
  });
});

describe("an anonymous update", () => {
  it("enters no region of regionIds again, and exits those of the other side", async () => {
    const { testPublishable: key } = world.keys;
    const send = async (latitude: number, held: object) => {
      const update = { anonymous: true, deviceId: "anonymous", latitude, longitude: -111.2, accuracy: 5, ...held };
      const { user, events } = (await post("/v1/track", key, update)).body;
      const types = events.map(
        ({ type, region }: { type: string; region?: { code: string } }) => `${type.slice(5)} ${region?.code}`,
      );
      const { country, state, postalCode } = user;
      return { types, regionIds: [country, state, postalCode].map(({ _id }) => _id) };
    };
    const first = await send(48.99, {});
    const entered = ["entered_region_country US", "entered_region_state MT", "entered_region_postal_code 59999"];
    expect(first.types).toEqual(entered);
    const { regionIds } = first;
    expect((await send(48.99, { regionIds })).types).toEqual([]);
    const exited = ["exited_region_country US", "exited_region_state MT", "exited_region_postal_code 59999"];
    expect((await send(49.01, { regionIds })).types).toEqual([
      ...exited,
      ...["entered_region_country CA", "entered_region_state AB", "entered_region_postal_code T9Y"],
    ]);
    expect((await send(48.99, { regionIds: [regionIds[0]] })).types).toEqual(entered.slice(1));
  });

  it("exits a place by placeId, and does not enter it again", async () => {
    const { testPublishable: key } = world.keys;
    const { places } = await ask(`/v1/search/places?near=${SOUTH}&chains=gridline-grocers&radius=10000&limit=1`);
    const [longitude, latitude] = places[0].location.coordinates;
    const send = async (held: object, away = 0) => {
      const update = { anonymous: true, deviceId: "anonymous", accuracy: 5, stopped: true, longitude, ...held };
      const { events } = (await post("/v1/track", key, { ...update, latitude: latitude + away })).body;
      return events.filter(({ place }: { place?: object }) => place).map(({ type }: { type: string }) => type);
    };
    const placeId = places[0]._id;
    expect(await send({})).toEqual(["user.entered_place"]);
    expect(await send({ placeId })).toEqual([]);
    expect(await send({ placeId }, 1)).toEqual(["user.exited_place"]);
  });
});

describe("a verified update", () => {
  const verify = async (key: string, latitude: number, more: object = {}) => {
    const update = { deviceId: `at-${latitude}`, latitude, longitude: -111.2, accuracy: 5, verified: true, ...more };
    return (await post("/v1/track", key, update)).body;
  };

  it("says how far the border of its country and state is, and which were expected", async () => {
    const { testPublishable: key } = world.keys;
    const { user, passed } = await verify(key, 48.99, { expectedCountryCode: "US", expectedStateCode: "CA" });
    const none = { allowed: true, inExclusionZone: false, inBufferZone: false };
    expect(passed).toBe(false);
    expect(user.country).toMatchObject({ code: "US", ...none, expected: true, passed: true });
    expect(user.state).toMatchObject({ code: "MT", ...none, expected: false, passed: false });
    // 0.01° of latitude.
    for (const { distanceToBorder } of [user.country, user.state]) {
      expect(distanceToBorder).toBeGreaterThan(1050);
      expect(distanceToBorder).toBeLessThan(1170);
    }
    const atBorder = await verify(key, 48.99999, { deviceId: "one-metre" });
    expect(atBorder.user.country).toMatchObject({ distanceToBorder: 1, inBufferZone: true, passed: true });
    expect(atBorder.user.state).toMatchObject({ distanceToBorder: 1, inBufferZone: true, passed: true });
    const farther = (await verify(key, 48.97)).user.country.distanceToBorder;
    expect(farther).toBeGreaterThan(2 * user.country.distanceToBorder);
  });

  it.each([
    ["El Paso, near the Rio Grande", 31.8, -106.43, 0, 5000],
    ["Galveston, at the sea", 29.27, -94.82, 100_000, 250_000],
    ["Honolulu", 21.3, -157.86, 250_000, 250_000],
    ["Vancouver, at English Bay", 49.287, -123.143, 20_000, 45_000],
  ])("has the land border of %s", async (_, latitude, longitude, from, to) => {
    const more = { longitude, deviceId: `at ${longitude}` };
    const { user } = await verify(world.keys.testPublishable, latitude, more);
    for (const { distanceToBorder } of [user.country, user.state]) {
      expect(distanceToBorder).toBeGreaterThanOrEqual(from);
      expect(distanceToBorder).toBeLessThanOrEqual(to);
    }
  });

  it("fails near a border and in a zone that the project excludes", async () => {
    const own = await makeWorld({ geodata: true, settings: { rateLimits: { track: 1000 } } });
    const { testPublishable: key, testSecret } = own.keys;
    const set = (verified: object) => call("PATCH", "/v1/settings", { key: testSecret, json: { verified } });
    expect((await set({ borderBuffer: 2000 })).body.verified).toEqual({ borderBuffer: 2000, exclusionTags: [] });
    const near = await verify(key, 48.99);
    expect([near.passed, near.failureReasons]).toEqual([false, ["country_in_buffer_zone", "state_in_buffer_zone"]]);
    expect(near.user.country).toMatchObject({
      inBufferZone: true,
      inExclusionZone: false,
      passed: false,
      expected: true,
    });
    expect((await verify(key, 48.97)).passed).toBe(true);
    await set({ exclusionTags: ["casino"] });
    const fence = { description: "Casino", type: "circle", coordinates: [-111.2, 48.97], radius: 100 };
    await put("/v1/geofences/casino/1", testSecret, fence);
    const inside = await verify(key, 48.97, { foreground: true, stopped: true });
    expect(inside.failureReasons).toEqual(["country_in_exclusion_zone", "state_in_exclusion_zone"]);
    expect(inside.user.state).toMatchObject({ inBufferZone: false, inExclusionZone: true, passed: false });
    expect((await set({ borderBuffer: -1 })).body.meta.param).toBe("verified[borderBuffer]");
    expect((await set({ exclusionTags: [] })).body.verified).toEqual({ borderBuffer: 2000, exclusionTags: [] });
  });
});

describe("GET /v1/search/places", () => {
  it("keeps to groups and to countries, by the names that SDKs use", async () => {
    const found = async (query: string) =>
      (await ask(`/v1/search/places?near=49,-111.2&radius=900&limit=100&${query}`)).places as { _id: string }[];
    const all = await found("categories=food-beverage");
    expect(await found("groups=food-beverage")).toEqual(all);
    expect(await found("groups=food-beverage,travel-transportation&categories=food-beverage")).toEqual(all);
    expect(await found("groups=travel-transportation&categories=cafe")).toEqual([]);
    const cafes = await found("categories=cafe");
    const south = await found("categories=cafe&country=US");
    const north = await found("categories=cafe&countryCodes=CA");
    expect([south.length > 0, north.length > 0, cafes.length < 100]).toEqual([true, true, true]);
    expect(south.length + north.length).toBe(cafes.length);
    expect(await found("categories=food-beverage&country=US,CA")).toEqual(all);
    expect(await found("categories=cafe&country=US&limit=1")).toEqual(south.slice(0, 1));
    expect(await found("categories=food-beverage&country=FR")).toEqual([]);
  });

  it("compares chain metadata in double quotes, as the native SDKs send it", async () => {
    const own = await makeWorld({ geodata: true });
    const json = { chainMetadata: { "gridline-grocers": { region: "north", open: true, tier: 2 } } };
    await call("PATCH", "/v1/settings", { key: own.keys.testSecret, json });
    const found = async (filter: string) => {
      const query = `near=${SOUTH}&radius=10000&chains=gridline-grocers&${filter}`;
      return (await get(`/v1/search/places?${query}`, own.keys.testPublishable)).body.places.length;
    };
    for (const filter of ["region]=north", 'region]="north"', 'open]="true"', "open]=true", 'tier]="2"'])
      expect([filter, (await found(`chainMetadata[${filter}`)) > 0]).toEqual([filter, true]);
    for (const filter of ['region]="south"', 'region]="north', 'open]="false"', 'region]="']) {
      expect([filter, await found(`chainMetadata[${filter}`)]).toEqual([filter, 0]);
    }
  });

  const names = async (query: string) =>
    (await ask(`/v1/search/places?${query}`)).places.map(({ name }: { name: string }) => name);

  it("finds chains and categories, nearest first, within radius and limit", async () => {
    const { places } = await ask(`/v1/search/places?near=${SOUTH}&categories=food-beverage&radius=2000&limit=50`);
    expect(places.length).toBeGreaterThan(10);
    const away = places.map(({ location: { coordinates } }: { location: { coordinates: number[] } }) =>
      Math.hypot(coordinates[1] - 48.99, (coordinates[0] + 111.2) * Math.cos((48.99 * Math.PI) / 180)),
    );
    expect(away).toEqual([...away].sort((a, b) => a - b));
    for (const { categories } of places) expect(categories).toContain("food-beverage");
    expect(await names(`near=${SOUTH}&categories=food-beverage&radius=2000&limit=3`)).toHaveLength(3);
    expect(await names(`near=${SOUTH}&categories=food-beverage&radius=1`)).toEqual([]);
    expect(new Set(await names(`near=${SOUTH}&chains=gridline-grocers, azimuth-mobile&radius=10000`))).toEqual(
      new Set(["Gridline Grocers", "Azimuth Mobile"]),
    );
    expect(await names(`near=${SOUTH}&chains=gridline-grocers&categories=food-beverage&radius=10000`)).toEqual([]);
  });

  it("returns a kind of place in a town from a forward query that requests places, and only then", async () => {
    const layersOf = async (more = "") =>
      (await ask(`/v1/geocode/forward?query=cafe%20Meridale${more}`)).addresses.map(
        ({ layer }: { layer: string }) => layer,
      );
    expect((await layersOf("&layers=place,locality"))[0]).toBe("place");
    expect(await layersOf()).not.toContain("place");
  });

  it("finds an airport by its code and needs nothing else for it", async () => {
    const { places } = await ask("/v1/search/places?iataCode=QMZ");
    expect(places).toEqual([
      expect.objectContaining({
        name: "Meridale International Airport",
        categories: expect.arrayContaining(["airport"]),
      }),
    ]);
    expect(await ask("/v1/search/places?iataCode=qmz")).toMatchObject({ places });
    expect((await ask("/v1/search/places?iataCode=XXX")).places).toEqual([]);
  });

  it.each([
    ["near=1,2", "chains", "chains: Required. Set at least one of chains, categories, groups and iataCode."],
    ["categories=cafe", "near", "near: Required."],
    ["near=1,2&categories=cafe&radius=0", "radius", "radius: Invalid radius. Valid range: [1, 10000]."],
    ["near=1,2&categories=cafe&limit=101", "limit", expect.stringContaining("Valid range: [1, 100].")],
    ["iataCode=QMZA", "iataCode", "iataCode: Invalid iataCode. Expected a 3-letter airport code."],
  ])("refuses %s", async (query, param, message) => {
    expect((await ask(`/v1/search/places?${query}`)).meta).toEqual({ code: 400, param, message });
  });

  it("takes mapped ids for chains and filters by their metadata, with inferred types", async () => {
    const own = await makeWorld({ geodata: true });
    const settings = {
      chainMappings: { "gridline-grocers": "G7" },
      chainMetadata: { "gridline-grocers": { tier: 2, open: true }, "azimuth-mobile": { tier: 1 } },
    };
    const patched = await call("PATCH", "/v1/settings", { key: own.keys.testSecret, json: settings });
    expect(patched.body).toMatchObject({ meta: { code: 200 }, ...settings, placeFilters: { chain: [], category: [] } });
    expect((await get("/v1/settings", own.keys.testSecret)).body).toEqual(patched.body);
    const search = async (query: string) =>
      (await get(`/v1/search/places?near=${SOUTH}&radius=10000&limit=100&${query}`, own.keys.testPublishable)).body
        .places;
    const mapped = await search("chains=G7");
    expect(mapped.length).toBeGreaterThan(1);
    expect(mapped[0].chain).toEqual({
      name: "Gridline Grocers",
      slug: "gridline-grocers",
      externalId: "G7",
      metadata: { tier: 2, open: true },
    });
    const both = "chains=G7,azimuth-mobile";
    expect(await search(`${both}&chainMetadata[tier]=2`)).toEqual(mapped);
    expect(await search(`${both}&chainMetadata[open]=true&chainMetadata[tier]=2`)).toEqual(mapped);
    expect(await search(`${both}&chainMetadata[tier]=3`)).toEqual([]);
    const cleared = await call("PATCH", "/v1/settings", {
      key: own.keys.testSecret,
      json: { chainMappings: { "gridline-grocers": null } },
    });
    expect(cleared.body.chainMappings).toEqual({});
    expect(cleared.body.chainMetadata).toEqual(settings.chainMetadata);
  });
});

describe("POST /v1/track", () => {
  const track = async (deviceId: string, at: string, more = {}) => {
    const [latitude, longitude] = at.split(",").map(Number);
    return (
      await post("/v1/track", world.keys.testPublishable, { deviceId, latitude, longitude, accuracy: 5, ...more })
    ).body;
  };
  const types = ({ events }: { events: { type: string }[] }) => events.map(({ type }) => type);

  it("enters the regions it comes to and leaves those it was in", async () => {
    const first = await track("traveller", SOUTH);
    expect(types(first)).toEqual([
      "user.entered_region_country",
      "user.entered_region_state",
      "user.entered_region_postal_code",
    ]);
    expect(first.user).toMatchObject({ country: { code: "US" }, state: { code: "MT" }, postalCode: { code: "59999" } });
    expect(types(await track("traveller", SOUTH))).toEqual([]);
    const abroad = await track("traveller", NORTH);
    expect(types(abroad).sort()).toEqual(
      ["country", "state", "postal_code"]
        .flatMap((kind) => [`user.entered_region_${kind}`, `user.exited_region_${kind}`])
        .sort(),
    );
    expect(abroad.events[0].region).toMatchObject({ code: expect.any(String), _id: expect.any(String) });
    expect(abroad.user.country.code).toBe("CA");
  });

  it("enters a place when it stops there, and not when it drives by", async () => {
    const { places } = await ask(`/v1/search/places?near=${SOUTH}&categories=food-beverage&limit=1&radius=10000`);
    const at = [...places[0].location.coordinates].reverse().join();
    const passing = await track("guest", at, { stopped: false, foreground: false });
    expect(types(passing)).not.toContain("user.entered_place");
    const stopped = await track("guest", at, { stopped: true });
    expect(types(stopped)).toContain("user.entered_place");
    expect(stopped.user.place.name).toBe(
      stopped.events.find(({ type }: { type: string }) => type === "user.entered_place").place.name,
    );
    const left = await track("guest", NORTH, { stopped: false });
    expect(types(left)).toContain("user.exited_place");
  });

  it("leaves the place, and the regions it had, when it is far out at sea, where nothing was imported", async () => {
    const { places } = await ask(`/v1/search/places?near=${SOUTH}&categories=food-beverage&limit=1&radius=10000`);
    const at = [...places[0].location.coordinates].reverse().join();
    const there = await track("sailor", at, { stopped: true });
    expect(there.user.place._id).toBe(places[0]._id);
    const far = await track("sailor", "38,-140", { stopped: false });
    expect(types(far).sort()).toEqual([
      "user.exited_place",
      "user.exited_region_country",
      "user.exited_region_postal_code",
      "user.exited_region_state",
    ]);
    for (const kind of ["place", "country", "state", "postalCode"]) expect(far.user).not.toHaveProperty(kind);
  });

  it("tells that a chain the project watches is near", async () => {
    const own = await makeWorld({ geodata: true, settings: { nearbyChains: ["gridline-grocers"] } });
    const { places } = await ask(`/v1/search/places?near=${SOUTH}&chains=gridline-grocers&limit=1&radius=10000`);
    const [longitude, latitude] = places[0].location.coordinates;
    const { body } = await post("/v1/track", own.keys.testPublishable, {
      deviceId: "d",
      latitude: latitude + 0.003,
      longitude,
      accuracy: 5,
    });
    expect(types(body)).toContain("user.nearby_place_chain");
  });
});

describe("PATCH /v1/settings", () => {
  it.each([
    [{ tracking: { dwellThreshold: -1 } }, "tracking[dwellThreshold]"],
    [{ tracking: { places: "maybe" } }, "tracking[places]"],
    [{ chainMappings: { a: 5.5, b: {} } }, "chainMappings[b]"],
    [{ placeFilters: { chain: "x" } }, "placeFilters[chain]"],
    [{ nearbyChains: "x" }, "nearbyChains"],
  ])("refuses %j by name and changes nothing", async (json, param) => {
    const before = (await get("/v1/settings", world.keys.testSecret)).body;
    const answer = await call("PATCH", "/v1/settings", { key: world.keys.testSecret, json });
    expect(answer.body.meta).toMatchObject({ code: 400, param });
    expect((await get("/v1/settings", world.keys.testSecret)).body).toEqual(before);
  });

  it("switches what track does", async () => {
    const own = await makeWorld({ geodata: true });
    const patched = await call("PATCH", "/v1/settings", {
      key: own.keys.testSecret,
      json: { tracking: { regions: { state: false, postalCode: false }, places: false } },
    });
    expect(patched.body.tracking.regions).toEqual({ country: true, state: false, dma: true, postalCode: false });
    const { body } = await post("/v1/track", own.keys.testPublishable, {
      deviceId: "d",
      latitude: 48.99,
      longitude: -111.2,
      accuracy: 5,
    });
    expect(types(body)).toEqual(["user.entered_region_country"]);
  });
});

const types = ({ events }: { events: { type: string }[] }) => events.map(({ type }) => type);
