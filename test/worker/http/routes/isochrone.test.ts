import { beforeAll, describe, expect, it } from "vitest";
import { ringContains } from "../../../../src/core/geo/shapes/polygon.ts";
import { get, type Json, makeWorld, type World, withGeodata } from "../../../support/world.ts";

/** In the middle of the demo world's town. */
const TOWN = "48.985,-111.23";
let world: World;
const ask = (query: string) => get(`/v1/route/isochrone?origin=${TOWN}&${query}`, world.keys.testPublishable);

beforeAll(async () => {
  await withGeodata("demo");
  world = await makeWorld({ settings: { rateLimits: { isochrone: 1000 } } });
});

describe("GET /v1/route/isochrone", () => {
  it("answers GeoJSON, the largest area first, each around the origin and within the one before", async () => {
    const { status, body } = await ask("mode=car&minutes=1,3,2");
    expect([status, body.type, body.meta.code]).toEqual([200, "FeatureCollection", 200]);
    const features: Json[] = body.features;
    expect(features.map(({ properties }) => (properties as Json).minutes)).toEqual([3, 2, 1]);
    const areas = features.map(({ properties }) => (properties as Json).area as number);
    expect(areas).toEqual([...areas].sort((a, b) => b - a));
    expect(areas[2]).toBeGreaterThan(10_000);
    for (const { geometry } of body.features) {
      expect(geometry.type).toBe("MultiPolygon");
      for (const ring of geometry.coordinates.flat()) expect(ring[0]).toEqual(ring[ring.length - 1]);
      const [latitude, longitude] = TOWN.split(",").map(Number);
      expect(geometry.coordinates.some(([outline]: never[][]) => ringContains(outline, latitude, longitude))).toBe(
        true,
      );
    }
  });

  it("takes metres in place of minutes, and every mode of travel", async () => {
    for (const mode of ["car", "truck", "foot", "bike", "motorbike"]) {
      const { body } = await ask(`mode=${mode}&metres=500&departureTime=2026-11-23T08:00:00Z&avoid=highways`);
      expect(body.features).toHaveLength(1);
      expect(body.features[0].properties).toMatchObject({ mode, metres: 500 });
    }
  });

  it("has no area where there are no roads", async () => {
    const { status, body } = await get(
      "/v1/route/isochrone?origin=-60,-120&mode=car&minutes=5",
      world.keys.testPublishable,
    );
    expect([status, body.features]).toEqual([200, []]);
  });

  it.each([
    ["mode=car", "minutes"],
    ["mode=car&minutes=5&metres=100", "metres"],
    ["mode=car&minutes=0", "minutes"],
    ["mode=car&minutes=61", "minutes"],
    ["mode=car&minutes=1,2,3,4,5,6", "minutes"],
    ["mode=car&minutes=5,x", "minutes"],
    ["mode=car&minutes=5,,6", "minutes"],
    ["mode=car&metres=49", "metres"],
    ["mode=car&metres=100001", "metres"],
    ["mode=plane&minutes=5", "mode"],
    ["minutes=5", "mode"],
    ["mode=car&minutes=5&denoise=2", "denoise"],
    ["mode=car&minutes=5&generalise=-1", "generalise"],
    ["mode=car&minutes=5&avoid=rain", "avoid"],
    ["mode=car&minutes=5&departureTime=soon", "departureTime"],
  ])("refuses %s", async (query, param) => {
    const { status, body } = await ask(query);
    expect([status, body.meta.param]).toEqual([400, param]);
  });
});
