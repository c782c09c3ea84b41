import polyline from "@mapbox/polyline";
import { beforeAll, describe, expect, it } from "vitest";
import { call, get, makeWorld, type World, withGeodata } from "../../../support/world.ts";

/** Two points of the demo world, at the border of 49° N. */
const WEST = "48.985,-111.23";
const EAST = "49.015,-111.17";

let world: World;
/** A drive from west to east, its line as [latitude, longitude]. */
let drive: [number, number][];
const match = (body: Record<string, unknown>) =>
  call("POST", "/v1/route/match", { key: world.keys.testPublishable, json: body });
const pathOf = (line: [number, number][]) => line.map((pair) => ({ coordinates: pair.join() }));
const metresApart = (a: [number, number], b: [number, number]) =>
  Math.hypot((a[0] - b[0]) * 111_195, (a[1] - b[1]) * 111_195 * Math.cos((a[0] * Math.PI) / 180));

/** Points every `metres` along a line. */
function along(line: [number, number][], metres: number): [number, number][] {
  const points = [line[0]];
  let left = metres;
  for (let i = 1; i < line.length; i++) {
    let [from, to] = [line[i - 1], line[i]];
    let length = metresApart(from, to);
    while (length >= left) {
      const share = left / length;
      from = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
      points.push(from);
      length -= left;
      left = metres;
      to = line[i];
    }
    left -= length;
  }
  return points;
}

beforeAll(async () => {
  await withGeodata("demo");
  world = await makeWorld({ settings: { rateLimits: { match: 1000, distance: 1000 } } });
  const { body } = await get(
    `/v1/route/distance?origin=${WEST}&destination=${EAST}&modes=car&geometry=polyline6`,
    world.keys.testPublishable,
  );
  drive = along(polyline.decode(body.routes.car.geometry.polyline, 6) as [number, number][], 60);
});

describe("POST /v1/route/match", () => {
  it("finds the drive again, point by point", async () => {
    const { status, body } = await match({ path: pathOf(drive), units: "metric" });
    expect(status).toBe(200);
    expect(body.matchedPath.map((point: { originalIndex: number }) => point.originalIndex)).toEqual(
      drive.map((_, i) => i),
    );
    for (const { latitude, longitude, originalIndex } of body.matchedPath) {
      expect(metresApart([latitude, longitude], drive[originalIndex])).toBeLessThan(2);
    }
    expect(Math.abs(body.distance.value - (drive.length - 1) * 60)).toBeLessThan(drive.length);
    expect(body.distance.text).toMatch(/ km$/);
    expect(polyline.decode(body.geometry.polyline, 6).length).toBeGreaterThan(10);
    expect(body).not.toHaveProperty("roadAttributes");
  });

  it("tells what the roads are like, from one end to the other without a gap", async () => {
    const { body } = await match({
      path: pathOf(drive),
      roadAttributes: "names, roadClass,speedLimit",
      geometry: "linestring",
    });
    const parts = body.roadAttributes;
    expect(body.geometry.type).toBe("LineString");
    const places = parts.flatMap(({ originalIndex }: { originalIndex?: number }) => originalIndex ?? []);
    expect(places).toEqual(drive.map((_, i) => i));
    for (const [i, part] of parts.entries()) {
      expect([
        "motorway",
        "trunk",
        "primary",
        "secondary",
        "tertiary",
        "residential",
        "unclassified",
        "service_other",
      ]).toContain(part.roadClass);
      expect(Array.isArray(part.names)).toBe(true);
      if (part.speedLimit) expect(part.speedLimit.text).toBe(`${part.speedLimit.value} mph`);
      if (i > 0) expect(part.startLocation.latitude).toBeCloseTo(parts[i - 1].endLocation.latitude, 5);
    }
    expect(parts.some(({ speedLimit }: { speedLimit?: unknown }) => speedLimit)).toBe(true);
    const onlyNames = (await match({ path: pathOf(drive), roadAttributes: "names" })).body.roadAttributes;
    expect(onlyNames[0]).not.toHaveProperty("roadClass");
  });

  it("tells lengths and speeds in the units asked for", async () => {
    const metric = (await match({ path: pathOf(drive), roadAttributes: "speedLimit", units: "metric" })).body;
    const imperial = (await match({ path: pathOf(drive), roadAttributes: "speedLimit" })).body;
    expect(imperial.distance.value).toBeCloseTo(metric.distance.value * 3.28084, 0);
    const limit = metric.roadAttributes.find(({ speedLimit }: { speedLimit?: unknown }) => speedLimit).speedLimit;
    expect(limit.text).toBe(`${limit.value} km/h`);
  });

  it("takes the times and accuracies that devices send, nulls included", async () => {
    const path = pathOf(drive).map((point, i) => ({
      ...point,
      createdAt: i % 3 === 0 ? null : new Date(1.7e12 + i * 5000).toISOString(),
      accuracy: i % 2 === 0 ? null : 0,
    }));
    const { status, body } = await match({ path, mode: "car" });
    expect(status).toBe(200);
    expect(body.matchedPath).toHaveLength(drive.length);
  });

  it("drops a point that is far from every road and keeps the rest", async () => {
    const path = pathOf(drive.slice(0, 8));
    path[4] = { coordinates: "49.4,-111.2" };
    const { body } = await match({ path });
    expect(body.matchedPath.map((point: { originalIndex: number }) => point.originalIndex)).toEqual([
      0, 1, 2, 3, 5, 6, 7,
    ]);
  });

  it("answers an empty path where there are no roads", async () => {
    const { status, body } = await match({
      path: [{ coordinates: "10,10" }, { coordinates: "10,10.001" }],
      roadAttributes: "names",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      matchedPath: [],
      roadAttributes: [],
      geometry: { polyline: "" },
      distance: { value: 0 },
    });
  });

  it("takes 2 to 1,000 points and names what is wrong", async () => {
    const thousand = Array.from({ length: 1000 }, (_, i) => pathOf(drive)[i % drive.length]);
    expect((await match({ path: thousand })).status).toBe(200);
    for (const path of [undefined, [], pathOf(drive.slice(0, 1)), [...thousand, thousand[0]], "x"]) {
      const { status, body } = await match({ path });
      expect([status, body.meta.param]).toEqual([400, "path"]);
    }
    const bad = await match({ path: [...pathOf(drive.slice(0, 2)), { coordinates: "91,0" }] });
    expect([bad.status, bad.body.meta.param]).toEqual([400, "path[2][coordinates]"]);
    const attribute = await match({ path: pathOf(drive), roadAttributes: "surface" });
    expect([attribute.status, attribute.body.meta.param]).toEqual([400, "roadAttributes"]);
  });
});
