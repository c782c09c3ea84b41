import { expect } from "vitest";
import { call, control, get, type Json, makeWorld, post, put } from "../../../support/world.ts";
import { CORNER, EXPECTED_ANSWERS } from "./conformance-geo-answers.ts";

/**
 * Real answers in which every field of the specification stands: somebody in a town of the demo world with all that a user may have.
 * "expected NAME" is what the last answers of that name must show, from what was sent.
 */
export async function answersOfTheSpecification(): Promise<ReadonlyMap<string, readonly Json[]>> {
  const answers = new Map<string, Json[]>();
  const note = (name: string, body: Json) => {
    answers.set(name, [...(answers.get(name) ?? []), body]);
    return body;
  };
  const rateLimits = Object.fromEntries(["searchPlaces", "upsertGeofence"].map((name) => [name, 1000]));
  const { testSecret: secret } = (
    await makeWorld({ geodata: true, settings: { tracking: { fraud: true }, rateLimits } })
  ).keys;
  const ask = async (name: string, path: string) => note(name, (await get(path, secret)).body);

  const near = "48.99,-111.2";
  const categories = "categories=food-beverage,shopping-retail";
  const found = await get(`/v1/search/places?near=${near}&radius=10000&limit=100&${categories}`, secret);
  const shop = found.body.places.find(({ chain }: Json) => chain);
  const { slug } = shop.chain;
  const [longitude, latitude] = shop.location.coordinates;
  const mappings = { chainMappings: { [slug]: "shop-77" }, chainMetadata: { [slug]: { open: true } } };
  await call("PATCH", "/v1/settings", { key: secret, json: mappings });
  await ask("searchPlaces", `/v1/search/places?near=${near}&radius=10000&limit=1&chains=${slug}`);

  const fence = {
    description: "Shop",
    type: "circle",
    coordinates: [longitude, latitude],
    radius: 200,
    metadata: { a: 1 },
  };
  const { geofence } = (await put("/v1/geofences/shops/1", secret, fence)).body;
  const beacon = {
    ...{
      description: "Door",
      type: "ibeacon",
      uuid: "aaaaaaaa-0000-4000-8000-000000000001",
      major: "1",
      minor: "2",
      enabled: true,
      tag: "doors",
    },
    externalId: "1",
    coordinates: [longitude, latitude],
    metadata: { floor: 1 },
  };
  note("beacon", (await post("/v1/beacons", secret, beacon)).body);
  const eddystone = { ...beacon, type: "eddystone", uid: "bb", instance: "01", externalId: "2" };
  note("eddystone", (await post("/v1/beacons", secret, eddystone)).body);
  const trip = {
    externalId: "order",
    userId: "ann",
    destinationGeofenceTag: "shops",
    destinationGeofenceExternalId: "1",
  };
  const update = {
    deviceId: "phone",
    userId: "ann",
    latitude,
    longitude,
    accuracy: 5,
    foreground: true,
    stopped: true,
    description: "Ann",
    metadata: { vip: true },
    deviceType: "iOS",
    tripOptions: trip,
    beacons: [{ type: "ibeacon", uuid: "aaaaaaaa-0000-4000-8000-000000000001", major: "1", minor: "2" }],
  };
  // A user with a county's market area is in a place where it is known.
  note(
    "track",
    (await post("/v1/track", secret, { ...update, deviceId: "far", userId: "bea", latitude: 40.7, longitude: -73.95 }))
      .body,
  );
  const entered = (await post("/v1/track", secret, update)).body;
  note("track", entered);
  note("event", { events: entered.events });
  const { user } = (await get("/v1/users/phone", secret)).body;
  await put(`/v1/users/${user._id}/segments`, secret, { segments: [{ description: "VIP", externalId: "1" }] });
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const headers = { "x-forwarded-for": "203.0.113.9" };
  const updatedAt = new Date().toISOString();
  const suspect = { ...{ mocked: true, compromised: true, sharing: true, verified: true }, accuracy: 7, updatedAt };
  const json = { ...update, ...suspect, tripOptions: null };
  note("track", (await call("POST", "/v1/track", { key: secret, json, headers })).body);

  const here = `${latitude},${longitude}`;
  await ask("context", "/v1/context?coordinates=40.7,-73.95");
  await ask("context", `/v1/context?coordinates=${here}`);
  await ask("searchGeofences", `/v1/search/geofences?near=${here}`);
  const point = { type: "Point", coordinates: [longitude, latitude] };
  const sent = { point, geofence, beacon, eddystone, user, updatedAt };
  for (const [name, body] of Object.entries(expectedAnswers(sent))) note(`expected ${name}`, body);
  const house = (await get(`/v1/geocode/reverse?coordinates=${near}&layers=address`, secret)).body.addresses[0];
  const whole = `${house.number} ${house.street}, ${house.city}, ${house.stateCode} ${house.postalCode}`;
  await ask("reverseGeocode", `/v1/geocode/reverse?coordinates=${near}&layers=address`);
  await ask("forwardGeocode", `/v1/geocode/forward?query=${encodeURIComponent(whole)}`);
  await ask("autocomplete", `/v1/search/autocomplete?query=${encodeURIComponent(whole.slice(0, 9))}&near=${near}`);
  const name = encodeURIComponent(shop.name.slice(0, 6));
  await ask("autocompletePlace", `/v1/search/autocomplete?query=${name}&near=${near}&layers=place`);
  // As from a connection in Montana, as far as Cloudflare tells.
  const asked = { method: "GET", path: "/v1/geocode/ip", headers: { ...headers, authorization: secret } };
  note("ipGeocode", (await control<{ body: Json }>("fetchFrom", { country: "US", ...asked })).body);
  const parts = { city: house.city, stateCode: house.stateCode, postalCode: house.postalCode, countryCode: "US" };
  const address = new URLSearchParams({ ...parts, number: house.number, street: house.street });
  await ask("validateAddress", `/v1/addresses/validate?${address}`);

  const [west, east] = ["48.985,-111.23", "49.015,-111.17"];
  await ask("distance", `/v1/route/distance?origin=${west}&destination=${east}&modes=car&geometry=polyline5`);
  const matrix = await ask("matrix", `/v1/route/matrix?origins=${west}&destinations=${east}|${near}&mode=car`);
  for (const cell of (matrix.matrix as Json[][]).flat()) note("cell", cell);
  await ask("directions", `/v1/route/directions?locations=${west}|${east}`);
  await ask("directions", `/v1/route/directions?locations=${CORNER}`);
  await ask("optimize", `/v1/route/optimize?locations=${west}|${near}|${east}&geometry=polyline6`);
  const path = [0, 1, 2, 3].map((i) => ({ coordinates: `48.99,${-111.2 + i * 0.0005}`, accuracy: 5 }));
  note("match", (await post("/v1/route/match", secret, { path, roadAttributes: "speedLimit,names,roadClass" })).body);
  note("expected autocompletePlace", { addresses: [{ placeLabel: shop.name }] });
  for (const [expectedName, body] of Object.entries(EXPECTED_ANSWERS)) note(`expected ${expectedName}`, body);
  return answers;
}

/** The shop of the demo world that is the nearest of a chain. */
const SHOP = {
  name: "Azimuth Mobile",
  chain: { name: "Azimuth Mobile", slug: "azimuth-mobile", externalId: "shop-77", metadata: { open: true } },
  categories: ["shopping-retail", "electronics", "mobile-phone-shop"],
};

/** What the answers of users, events, places, geofences and beacons must show. */
function expectedAnswers({ point, geofence, beacon, eddystone, user, updatedAt }: Record<string, Json | string>) {
  const { _id, createdAt } = user as Json;
  const place = { ...SHOP, location: point };
  const fence = { tag: "shops", externalId: "1", description: "Shop", metadata: { a: 1 } };
  const regions = {
    country: { code: "US", name: "United States", flag: "🇺🇸" },
    state: { code: "MT", name: "Montana" },
    postalCode: { code: "59999", name: "59999" },
  };
  const label = ({ coordinates, ...rest }: Json) => rest;
  const event = {
    _id: expect.stringMatching(/^[0-9a-f]{32}$/),
    createdAt,
    live: false,
    location: point,
    user: { _id, userId: "ann", deviceId: "phone", metadata: { vip: true } },
    locationAccuracy: 5,
    confidence: 3,
  };
  const regionEvents = ["country", "state", "postal_code"].map((kind) => ({
    ...event,
    type: `user.entered_region_${kind}`,
  }));
  return {
    track: {
      user: {
        _id,
        live: false,
        userId: "ann",
        deviceId: "phone",
        description: "Ann",
        metadata: { vip: true },
        location: point,
        locationAccuracy: 7,
        foreground: true,
        stopped: true,
        deviceType: "iOS",
        createdAt,
        updatedAt,
        geofences: [fence],
        trip: TRIP,
        ...regions,
        place: place,
        beacons: [label(beacon as Json)],
        ip: "203.0.113.9",
        segments: [{ description: "VIP", externalId: "1" }],
        topChains: [{ name: SHOP.chain.name, slug: SHOP.chain.slug, externalId: "shop-77" }],
        fraud: {
          verified: true,
          passed: false,
          bypassed: false,
          blocked: false,
          mocked: true,
          jumped: false,
          compromised: true,
          inaccurate: false,
          proxy: false,
          sharing: true,
          lastMockedAt: updatedAt,
          lastJumpedAt: null,
          lastCompromisedAt: updatedAt,
          lastInaccurateAt: null,
          lastProxyAt: null,
          lastSharingAt: updatedAt,
        },
      },
    },
    event: {
      events: [
        ...regionEvents,
        { ...event, type: "user.entered_geofence", geofence: fence },
        { ...event, type: "user.entered_place", place: place },
        { ...event, type: "user.entered_beacon" },
      ],
    },
    searchPlaces: { places: [place] },
    searchGeofences: {
      geofences: [
        {
          ...fence,
          live: false,
          geometryCenter: point,
          geometry: { type: "Polygon" },
          _id: (geofence as Json)._id,
          createdAt: (geofence as Json).createdAt,
        },
      ],
    },
    context: {
      context: { ...regions, geofences: [fence], place: place },
    },
    beacon: { beacon: { ...(beacon as Json), geometry: point } },
    eddystone: { beacon: eddystone as Json },
  };
}

const TRIP = { externalId: "order", status: "started", destinationGeofenceTag: "shops" };
