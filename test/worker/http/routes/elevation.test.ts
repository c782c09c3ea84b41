import { beforeAll, describe, expect, it } from "vitest";
import { get, makeWorld, type World } from "../../../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await makeWorld({ settings: { rateLimits: { elevation: 1000 } } });
});
const asked = (query: string) => get(`/v1/elevation?${query}`, world.keys.testPublishable);

describe("GET /v1/elevation", () => {
  it("has no elevation where none are imported, for points and for a path", async () => {
    const { status, body } = await asked("coordinates=-60.1,-30.2|-60.2,-30.3");
    expect(status).toBe(200);
    expect(body.elevations).toEqual([
      { latitude: -60.1, longitude: -30.2 },
      { latitude: -60.2, longitude: -30.3 },
    ]);
    const { profile } = (await asked("path=-60.1,-30.2|-60.2,-30.2&samples=3")).body;
    expect(Object.keys(profile)).toEqual(["distance", "samples"]);
    expect(profile.distance).toBeCloseTo(11_119.5, 0);
    expect(profile.samples.map(({ latitude }: { latitude: number }) => latitude)).toEqual([-60.1, -60.15, -60.2]);
    expect(profile.samples.map(({ distance }: { distance: number }) => Math.round(distance))).toEqual([
      0, 5560, 11_120,
    ]);
    expect((await asked("path=-60.1,-30.2|-60.2,-30.2")).body.profile.samples).toHaveLength(100);
  });

  it("reads an encoded path, with 6 decimals unless geometry says 5", async () => {
    // Google's example: 38.5,-120.2|40.7,-120.95|43.252,-126.453 with 5 decimals; 3.85,-12.02 with 6.
    const line = encodeURIComponent("_p~iF~ps|U_ulLnnqC");
    const { profile } = (await asked(`path=${line}&samples=2`)).body;
    expect(profile.samples[0]).toMatchObject({ latitude: 3.85, longitude: -12.02 });
    const five = (await asked(`path=${line}&samples=2&geometry=polyline5`)).body;
    expect(five.profile.samples[0]).toMatchObject({ latitude: 38.5, longitude: -120.2 });
  });

  it.each([
    ["samples=10", "coordinates"],
    ["coordinates=1,2&path=1,2|1,3", "path"],
    ["coordinates=91,2", "coordinates"],
    [`coordinates=${Array(513).fill("1,2").join("|")}`, "coordinates"],
    ["path=1,2", "path"],
    ["path=1,2|x,3", "path"],
    ["path=abc", "path"],
    ["path=1,2|9,2", "path"],
    ["path=1,2|1,2.1&samples=1", "samples"],
    ["path=1,2|1,2.1&samples=513", "samples"],
    ["path=1,2|1,2.1&geometry=linestring", "geometry"],
  ])("rejects %.40s with 400 for %s", async (query, param) => {
    const { status, body } = await asked(query);
    expect([status, body.meta.param]).toEqual([400, param]);
  });
});

describe("maps with layers=terrain", () => {
  const map = (path: string) => get(path, world.keys.testPublishable);

  it("are the same where no elevations are imported, and their links and layers have the hills", async () => {
    const still = "/maps/static?width=100&height=100&zoom=9&center=-30.2,-60.1&format=svg";
    const [plain, hills] = await Promise.all([map(still), map(`${still}&layers=terrain`)]);
    expect([plain.status, hills.status, hills.body]).toEqual([200, 200, plain.body]);
    const style = (await map("/maps/styles/radar-dark-v1?layers=terrain")).body;
    expect(style.sources.basemap.tiles[0]).toContain("layers=terrain");
    expect(style.layers.map(({ id }: { id: string }) => id)).toContain("contour-label");
    const { tiles, vector_layers } = (await map("/maps/tiles.json?layers=terrain")).body;
    expect([tiles[0].includes("layers=terrain"), vector_layers.map(({ id }: { id: string }) => id)]).toEqual([
      true,
      expect.arrayContaining(["hillshade", "contour"]),
    ]);
    expect((await map("/maps/raster/white/tiles.json?layers=terrain")).body.tiles[0]).toContain("layers=terrain");
    expect((await map("/maps/tiles.json")).body.tiles[0]).not.toContain("layers");
  });

  it.each([
    "/maps/static?width=100&height=100&zoom=9&center=1,2",
    "/maps/tiles/9/1/2.mvt?",
    "/maps/raster/white/9/1/2.png?",
  ])("rejects other layers: %s", async (path) => {
    const { status, body } = await map(`${path}&layers=terrain,snow`);
    expect([status, body.meta.param]).toEqual([400, "layers"]);
  });
});
