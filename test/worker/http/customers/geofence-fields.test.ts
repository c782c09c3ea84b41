import { beforeAll, describe, expect, it } from "vitest";
import { call, get, type Json, post, type World } from "../../../support/world.ts";
import { openWorld } from "../conformance/open-world.ts";

/** Every field of a geofence and its bounds: what is taken and comes back, and what is refused by name. */

const CIRCLE = { description: "Here", type: "circle", coordinates: [-73.98, 40.7], radius: 100 };
const POLYGON = { ...CIRCLE, type: "polygon", radius: undefined };

/** A closed ring of `positions` positions around (0, 0). */
function ringOf(positions: number): number[][] {
  const ring = Array.from({ length: positions - 1 }, (_, i) => {
    const angle = (i * 2 * Math.PI) / (positions - 1);
    return [Math.cos(angle) / 100, Math.sin(angle) / 100];
  });
  return [...ring, ring[0]];
}

const keysOf = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`key${i}`, i]));
const SQUARE = ringOf(5);
const RING_RULE =
  "Expected [longitude, latitude] for a circle or one closed ring of 4 to 2000 [longitude, latitude] for a polygon.";
const HOURS_RULE = 'Invalid operatingHours. Expected {"Mon": ';
/** The schema library's own sentences, which tell a caller nothing. */
const LIBRARY_WORDS = /Too (big|small)|must match|expected \w+ to|received|Unrecognized/;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
const make = (body: Json) => post("/v1/geofences", world.keys.testSecret, body);

describe("a geofence keeps", () => {
  it.each<[string, Json, Json?]>([
    ["a description of 1024 characters", { description: "d".repeat(1024) }],
    ["a number as its description", { description: 7 }, { description: "7" }],
    ["the smallest radius", { radius: 10 }, { geometryRadius: 10 }],
    ["the largest radius", { radius: 10_000 }, { geometryRadius: 10_000 }],
    ["a radius as text", { radius: "12.5" }, { geometryRadius: 12.5 }],
    ["coordinates as text", { coordinates: "[-73.98, 40.7]" }, { geometryCenter: { coordinates: [-73.98, 40.7] } }],
    ["the corners of the world", { coordinates: [-180, -90] }, { geometryCenter: { coordinates: [-180, -90] } }],
    ["a tag and an externalId of 256 characters", { tag: "t".repeat(256), externalId: "e".repeat(256) }],
    ["16 keys of metadata", { metadata: keysOf(16) }],
    ["metadata of all three types", { metadata: { text: "x", number: 1.5, flag: false, empty: "" } }],
    ["metadata as JSON text", { metadata: '{"a":1}' }, { metadata: { a: 1 } }],
    ["no metadata key that is null", { metadata: { a: 1, b: null } }, { metadata: { a: 1 } }],
    ["enabled: false", { enabled: false }],
    ["a dwell threshold of 0", { dwellThreshold: 0 }],
    ["a dwell threshold of a week", { dwellThreshold: 10_080 }],
    ["a fraction of a minute", { dwellThreshold: 0.5 }],
    ["stop detection on", { stopDetection: true }],
    ["stop detection off", { stopDetection: false }],
    ["a trip's threshold of 0", { tripApproachingThreshold: 0 }],
    ["a trip's threshold of a day", { tripApproachingThreshold: 1440 }],
    ["hours of a working day", { operatingHours: { Mon: [["11:00", "14:00"]], Sun: [] } }],
    [
      "hours past midnight and to midnight",
      { operatingHours: { Fri: [["22:00", "02:00"]], Sat: [["00:00", "24:00"]] } },
    ],
    [
      "hours as JSON text",
      { operatingHours: '{"Tue":[["09:00","10:00"]]}' },
      { operatingHours: { Tue: [["09:00", "10:00"]] } },
    ],
    ["a disableAfter in the past", { disableAfter: "2020-01-01T00:00:00.000Z" }],
    [
      "a disableAfter with an offset",
      { disableAfter: "2036-01-01T02:00:00+02:00" },
      { disableAfter: "2036-01-01T00:00:00.000Z" },
    ],
    ["a deleteAfter", { deleteAfter: "2036-01-01T00:00:00.000Z" }],
    ["user ids", { userIds: ["ann", "bob"] }],
    ["user ids as JSON text", { userIds: '["ann"]' }, { userIds: ["ann"] }],
    ["1000 user ids", { userIds: Array.from({ length: 1000 }, (_, i) => `u${i}`) }],
    ["addresses", { ip: ["192.0.2.1"] }],
    ["a travel mode", { mode: "foot" }],
  ])("%s", async (_, fields, expected = fields) => {
    const { radius: _r, coordinates: _c, ...shown } = expected;
    const made = await make({ ...CIRCLE, ...fields });
    expect([made.status, made.body.meta]).toEqual([200, { code: 200 }]);
    expect(made.body.geofence).toMatchObject(shown);
    const read = await get(`/v1/geofences/${made.body.geofence._id}`, world.keys.testSecret);
    expect(read.body).toEqual(made.body);
  });

  it.each([4, 5, 2000])("a ring of %i positions", async (positions) => {
    const ring = ringOf(positions);
    const { status, body } = await make({ ...POLYGON, coordinates: ring });
    expect(status).toBe(200);
    expect(body.geofence.geometry.coordinates).toEqual([ring]);
  });

  it("nothing of fields that are null or unknown", async () => {
    const { body } = await make({
      ...CIRCLE,
      metadata: null,
      tag: null,
      deleteAfter: null,
      colour: "red",
      _id: "mine",
    });
    expect(Object.keys(body.geofence).sort()).toEqual(
      ["_id", "createdAt", "description", "enabled", "geometry", "geometryCenter", "geometryRadius", "live", "type"]
        .concat("updatedAt")
        .sort(),
    );
    expect(body.geofence._id).not.toBe("mine");
  });

  it("an empty tag of a form as none", async () => {
    const form = { ...CIRCLE, coordinates: "[-73.98,40.7]", radius: "100", tag: "", externalId: "" };
    const { status, body } = await call("POST", "/v1/geofences", { key: world.keys.testSecret, form });
    expect(status).toBe(200);
    expect(body.geofence).not.toHaveProperty("tag");
  });
});

describe("a geofence is refused with", () => {
  const circleCases: [string, Json, string, string][] = [
    ["no description", { description: undefined }, "description", "description: Required."],
    ["an empty description", { description: "" }, "description", "description: Invalid description."],
    ["a description of 1025 characters", { description: "d".repeat(1025) }, "description", "1 to 1024 characters"],
    ["no type", { type: null }, "type", "type: Required."],
    [
      "a type nobody knows",
      { type: "square" },
      "type",
      "type: Invalid type. Valid values: circle, polygon, isochrone.",
    ],
    ["an isochrone where there is no road data", { type: "isochrone", mode: "car", radius: 10 }, "type", "road data"],
    ["no coordinates", { coordinates: undefined }, "coordinates", "coordinates: Required."],
    ["coordinates that are no list", { coordinates: { lat: 1 } }, "coordinates", RING_RULE],
    ["coordinates that are text", { coordinates: "40.7,-73.98" }, "coordinates", RING_RULE],
    ["one coordinate", { coordinates: [1] }, "coordinates", RING_RULE],
    ["three coordinates", { coordinates: [1, 2, 3] }, "coordinates", RING_RULE],
    ["latitude first", { coordinates: [40.7, -93.98] }, "coordinates", RING_RULE],
    ["a longitude beyond the edge", { coordinates: [180.001, 0] }, "coordinates", RING_RULE],
    ["words for numbers", { coordinates: ["west", "north"] }, "coordinates", RING_RULE],
    ["null for a number", { coordinates: [null, 0] }, "coordinates", RING_RULE],
    ["no radius", { radius: undefined }, "radius", "radius: Required."],
    ["a radius below 10 m", { radius: 9.99 }, "radius", "radius: Invalid radius. Valid range: [10, 10000]."],
    ["a radius above 10 km", { radius: 10_000.01 }, "radius", "radius: Invalid radius. Valid range: [10, 10000]."],
    ["a radius that is no number", { radius: "wide" }, "radius", "radius: Invalid radius."],
    ["17 keys of metadata", { metadata: keysOf(17) }, "metadata", "up to 16 keys"],
    ["nested metadata", { metadata: { deep: { a: 1 } } }, "metadata[deep]", "strings, booleans or numbers"],
    ["metadata that is a list", { metadata: [1] }, "metadata", "metadata: Invalid metadata."],
    ["metadata that is no JSON", { metadata: "{broken" }, "metadata", "metadata: Invalid metadata."],
    ["a metadata key of 257 characters", { metadata: { ["k".repeat(257)]: 1 } }, "metadata", "1 to 256 characters"],
    ["enabled neither true nor false", { enabled: "perhaps" }, "enabled", "Valid values: true, false."],
    ["stopDetection neither true nor false", { stopDetection: 2 }, "stopDetection", "Valid values: true, false."],
    ["a negative dwell threshold", { dwellThreshold: -1 }, "dwellThreshold", "Valid range: [0, 10080]."],
    ["a dwell threshold above a week", { dwellThreshold: 10_081 }, "dwellThreshold", "Valid range: [0, 10080]."],
    ["a speed limit of 0", { speedLimit: 0 }, "speedLimit", "Valid range: [1, 300]."],
    ["a negative trip's threshold", { tripApproachingThreshold: -1 }, "tripApproachingThreshold", "[0, 1440]"],
    ["a trip's threshold above a day", { tripApproachingThreshold: 1441 }, "tripApproachingThreshold", "[0, 1440]"],
    ["a day nobody knows", { operatingHours: { Monday: [] } }, "operatingHours", HOURS_RULE],
    ["a time nobody knows", { operatingHours: { Mon: [["9:00", "25:00"]] } }, "operatingHours", HOURS_RULE],
    ["a span of one time", { operatingHours: { Mon: [["09:00"]] } }, "operatingHours", HOURS_RULE],
    [
      "eleven spans on a day",
      { operatingHours: { Mon: Array(11).fill(["09:00", "10:00"]) } },
      "operatingHours",
      "10 spans",
    ],
    ["hours that are no dictionary", { operatingHours: "always" }, "operatingHours", HOURS_RULE],
    ["a disableAfter that is no time", { disableAfter: "tomorrow" }, "disableAfter", "ISO 8601"],
    ["a disableAfter on no day", { disableAfter: "2030-02-30T00:00:00Z" }, "disableAfter", "ISO 8601"],
    ["a deleteAfter in the past", { deleteAfter: "2020-01-01T00:00:00Z" }, "deleteAfter", "Must be in the future."],
    ["user ids that are no list", { userIds: { a: 1 } }, "userIds", "userIds: Invalid userIds."],
    ["1001 user ids", { userIds: Array.from({ length: 1001 }, () => "u") }, "userIds", "userIds: Invalid userIds."],
    ["a user id that is no text", { userIds: [{}] }, "userIds", "userIds[0]: Invalid userIds."],
    ["101 addresses", { ip: Array(101).fill("192.0.2.1") }, "ip", "up to 100 IP addresses"],
    ["an address of 65 characters", { ip: ["1".repeat(65)] }, "ip", "ip[0]: Invalid ip."],
    [
      "a metadata text of 4097 characters",
      { metadata: { a: "x".repeat(4097) } },
      "metadata[a]",
      "up to 4096 characters",
    ],
    ["a travel mode nobody knows", { mode: "boat" }, "mode", "Valid values: car, truck, foot, bike."],
    ["an externalId without a tag", { externalId: "1" }, "tag", "tag: Required."],
    ["a tag of 257 characters", { tag: "t".repeat(257) }, "tag", "1 to 256 characters"],
  ];
  const gap = [...SQUARE.slice(0, -1), [9, 9]];
  const polygonCases: [string, Json, string, string][] = [
    ["a ring of 3 positions", { coordinates: ringOf(4).slice(1) }, "coordinates", RING_RULE],
    ["a ring of 2001 positions", { coordinates: ringOf(2001) }, "coordinates", RING_RULE],
    [
      "a ring that is not closed",
      { coordinates: gap },
      "coordinates",
      "first and last position of a ring must be equal",
    ],
    [
      "a line for a ring",
      {
        coordinates: [
          [0, 0],
          [1, 1],
          [0, 0],
          [0, 0],
        ],
      },
      "coordinates",
      "three different positions",
    ],
    [
      "a ring that goes through itself",
      {
        coordinates: [
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 1],
          [0, 0],
        ],
      },
      "coordinates",
      "crosses itself at [0.500000, 0.500000], where its edges 1 and 3 meet",
    ],
    [
      "a ring around a pole",
      {
        coordinates: [
          [0, 80],
          [120, 80],
          [-120, 80],
          [0, 80],
        ],
      },
      "coordinates",
      "around a pole",
    ],
    [
      "a position out of range",
      {
        coordinates: [
          [0, 0],
          [1, 0],
          [1, 91],
          [0, 0],
        ],
      },
      "coordinates",
      RING_RULE,
    ],
    ["a polygon with a hole", { coordinates: [SQUARE, SQUARE] }, "coordinates", "A polygon with 1 hole"],
    ["a single position", { coordinates: [0, 0] }, "coordinates", RING_RULE],
  ];
  it.each([
    ...circleCases.map(([title, fields, param, message]) => [title, { ...CIRCLE, ...fields }, param, message] as const),
    ...polygonCases.map(
      ([title, fields, param, message]) => [title, { ...POLYGON, ...fields }, param, message] as const,
    ),
  ])("%s", async (_, body, param, message) => {
    const answer = await make(body);
    expect(answer.status).toBe(400);
    expect(answer.body.meta.message).toContain(message);
    expect(answer.body.meta.message).not.toMatch(LIBRARY_WORDS);
    expect(answer.body).toEqual({
      meta: {
        code: 400,
        param: expect.stringMatching(new RegExp(`^${param.replace(/[[\]]/g, "\\$&")}`)),
        message: expect.any(String),
      },
    });
  });
});
