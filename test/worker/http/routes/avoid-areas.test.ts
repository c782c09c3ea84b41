import { beforeAll, describe, expect, it } from "vitest";
import { get, type Json, makeWorld, post, put, type World, withGeodata } from "../../../support/world.ts";

/** Along the streets of the demo world, a river between east and west. */
const WEST = "48.985,-111.23";
const EAST = "49.015,-111.17";
const MIDDLE = "48.99,-111.2";

const box = (west: number, south: number, east: number, north: number) => ({
  type: "Polygon",
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});
/** From south of the town to north of it: whoever goes from west to east goes through. */
const WALL = box(-111.212, 48.5, -111.21, 49.5);
/** Around a place halfway on the quickest way from west to east. */
let BLOCK: ReturnType<typeof box>;

let world: World;
const ask = (path: string, query: Record<string, unknown>) => {
  const texts = Object.entries(query).map(([name, value]) => [
    name,
    typeof value === "object" ? JSON.stringify(value) : String(value),
  ]);
  return get(`/v1/route/${path}?${new URLSearchParams(texts)}`, world.keys.testPublishable);
};
const distance = (query: Json) =>
  ask("distance", { origin: WEST, destination: EAST, modes: "car", units: "metric", ...query });

beforeAll(async () => {
  await withGeodata("demo");
  const rates = {
    distance: 1000,
    matrix: 1000,
    directions: 1000,
    optimize: 1000,
    isochrone: 1000,
    upsertGeofence: 1000,
  };
  world = await makeWorld({ settings: { rateLimits: rates } });
  const { testSecret } = world.keys;
  const { coordinates: line } = (await distance({ geometry: "linestring" })).body.routes.car.geometry;
  const [x, y] = line[Math.floor(line.length / 2)];
  BLOCK = box(x - 0.001, y - 0.0007, x + 0.001, y + 0.0007);
  for (const [tag, externalId, { coordinates }] of [
    ["closed", "wall", WALL],
    ["works", "block", BLOCK],
  ] as const) {
    const { status } = await put(`/v1/geofences/${tag}/${externalId}`, testSecret, {
      description: "closed",
      type: "polygon",
      coordinates,
    });
    expect(status).toBe(200);
  }
});

describe("areas to be avoided", () => {
  it("are gone around by distance, matrix and directions alike", async () => {
    const free = (await distance({})).body.routes.car;
    const { snapped, ...car } = (await distance({ avoidPolygons: BLOCK })).body.routes.car;
    expect(snapped).toHaveLength(2);
    expect(car.duration.value).toBeGreaterThan(free.duration.value);
    const wanted = { units: "metric", avoidPolygons: { type: "Feature", properties: {}, geometry: BLOCK } };
    const { matrix } = (await ask("matrix", { origins: WEST, destinations: EAST, mode: "car", ...wanted })).body;
    expect(matrix[0][0]).toEqual({ ...car, originIndex: 0, destinationIndex: 0 });
    const { routes } = (await ask("directions", { locations: `${WEST}|${EAST}`, geometry: "linestring", ...wanted }))
      .body;
    expect(routes[0].duration).toEqual(car.duration);
    const [[[west, south], , [east, north]]] = BLOCK.coordinates;
    const inside = ([x, y]: number[]) => x > west && x < east && y > south && y < north;
    expect(routes[0].geometry.coordinates.filter(inside)).toEqual([]);
    const order = await ask("optimize", { locations: `${WEST}|${EAST}`, ...wanted });
    expect(order.body.route.duration).toEqual(car.duration);
  });

  it("may be geofences, by tag or by name", async () => {
    const drawn = (await distance({ avoidPolygons: [BLOCK] })).body.routes.car;
    expect((await distance({ avoidGeofences: "works" })).body.routes.car).toEqual(drawn);
    expect((await distance({ avoidGeofences: "works:block" })).body.routes.car).toEqual(drawn);
    expect((await distance({ avoidGeofences: "no-such-tag" })).body.routes.car).toEqual(
      (await distance({})).body.routes.car,
    );
  });

  it("are said to be why there is no way, by every endpoint as it can", async () => {
    const none = (await distance({ avoidGeofences: "closed" })).body;
    expect(none.routes).not.toHaveProperty("car");
    expect(none.unavailable[0]).toMatchObject({ mode: "car", message: expect.stringContaining("areas to be avoided") });
    const wall = { avoidPolygons: WALL };
    const directions = (await ask("directions", { locations: `${WEST}|${EAST}`, ...wall })).body;
    expect([directions.routes, directions.unavailable]).toEqual([[], expect.stringContaining("areas to be avoided")]);
    const { matrix } = (await ask("matrix", { origins: WEST, destinations: `${EAST}|${WEST}`, mode: "car", ...wall }))
      .body;
    const reason = expect.stringContaining("areas to be avoided");
    expect(matrix[0][0]).toEqual({ originIndex: 0, destinationIndex: 0, onlyThroughAreas: true, reason });
    expect(matrix[0][1]).not.toHaveProperty("reason");
    const order = (await ask("optimize", { locations: `${WEST}|${MIDDLE}|${EAST}`, ...wall })).body;
    expect([order.route, order.unavailable]).toEqual([undefined, expect.stringContaining("areas to be avoided")]);
  });

  it("end what can be reached", async () => {
    const area = async (query: Json) => {
      const { body } = await ask("isochrone", { origin: WEST, mode: "car", minutes: 10, ...query });
      return body.features[0].properties.area as number;
    };
    expect(await area({ avoidPolygons: WALL })).toBeLessThan((await area({})) * 0.8);
  });

  it("keep a fleet out, and what lies behind them is unreachable", async () => {
    const at = (text: string) => text.split(",").map(Number).reverse();
    const fleet = {
      vehicles: [{ id: 1, start: at(WEST), end: at(WEST) }],
      jobs: [
        { id: 1, location: at(EAST) },
        { id: 2, location: [-111.225, 48.986] },
      ],
      options: { x: 0 },
    };
    const { testPublishable } = world.keys;
    expect((await post("/v1/route/optimize", testPublishable, fleet)).body.unassigned).toEqual([]);
    const { body } = await post("/v1/route/optimize", testPublishable, { ...fleet, avoidPolygons: WALL });
    expect(body.unassigned).toMatchObject([{ id: 1, reason: "unreachable" }]);
    expect(body.routes[0].steps.map(({ type }: Json) => type)).toEqual(["start", "job", "end"]);
  });

  it("let whoever starts in one leave it", async () => {
    const { car } = (await distance({ avoidPolygons: box(-111.235, 48.98, -111.225, 48.99) })).body.routes;
    expect(car.duration.value).toBeGreaterThan(0);
  });

  it.each([
    ["a text", "hello"],
    ["a point", { type: "Point", coordinates: [0, 0] }],
    [
      "an open ring",
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
          ],
        ],
      },
    ],
    [
      "a position off the earth",
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 91],
            [0, 0],
          ],
        ],
      },
    ],
    [
      "a bow tie",
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 1],
            [1, 0],
            [0, 1],
            [0, 0],
          ],
        ],
      },
    ],
    ["eleven polygons", Array.from({ length: 11 }, (_, i) => box(i, 0, i + 0.5, 1))],
    ["nothing at all", []],
    ["a bare number", 7],
    ["rings that are none", { type: "Polygon", coordinates: [7] }],
    ["no rings", { type: "MultiPolygon", coordinates: [[]] }],
  ])("%s is refused as avoidPolygons", async (_, avoidPolygons) => {
    for (const [path, rest] of [
      ["distance", { origin: WEST, destination: EAST, modes: "car" }],
      ["matrix", { origins: WEST, destinations: EAST, mode: "car" }],
      ["directions", { locations: `${WEST}|${EAST}` }],
      ["optimize", { locations: `${WEST}|${EAST}` }],
      ["isochrone", { origin: WEST, mode: "car", minutes: 5 }],
    ] as const) {
      const { status, body } = await ask(path, { ...rest, avoidPolygons });
      expect([path, status, body.meta.param]).toEqual([path, 400, "avoidPolygons"]);
    }
  });

  it("must be there where they are named, and be few", async () => {
    const missing = await distance({ avoidGeofences: "works:other" });
    expect([missing.status, missing.body.meta.param]).toEqual([400, "avoidGeofences"]);
    const many = await distance({ avoidGeofences: Array.from({ length: 21 }, (_, i) => `tag${i}`).join() });
    expect([many.status, many.body.meta.param]).toEqual([400, "avoidGeofences"]);
  });
});
