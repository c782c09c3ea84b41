import { beforeAll, describe, expect, it } from "vitest";
import { memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { withNeighbours } from "../../../src/core/geo/cells/cell-neighbourhood.ts";
import { cellAt } from "../../../src/core/geo/cells/cells.ts";
import type { Region } from "../../../src/core/regions/region.ts";
import { RegionIndex, tileKey, tilesFrom, WORLD_TILES } from "../../../src/core/regions/region-index.ts";
import { worldRegions } from "../../../src/importer/layers/regions/world-regions.ts";
import { baseShapes } from "../../../src/importer/world/base.ts";
import { worldCities } from "../../../src/importer/world/cities.ts";
import { samples } from "../../support/night.ts";
import { type KeptLayer, keptLayer } from "../../support/worlds/kept-layers.ts";
import { BruteForce, label, testPoints } from "./brute-force.ts";

let built: KeptLayer;
let index: RegionIndex;

beforeAll(async () => {
  built = await keptLayer(worldRegions);
  index = new RegionIndex([], tilesFrom(memorySource(built.objects)));
}, 180_000);

const codesAt = async (latitude: number, longitude: number) => {
  const { country, state, county } = await index.regionsAt({ latitude, longitude });
  return [country?.code, state?.code, county?.name].filter(Boolean).join(" ");
};

describe("the world base", () => {
  it.each([
    ["Paris", 48.8566, 2.3522, "FR IDF"],
    ["Brooklyn", 40.6782, -73.9442, "US NY Kings County"],
    ["New Orleans", 29.9511, -90.0715, "US LA Orleans Parish"],
    ["Anchorage", 61.2181, -149.9003, "US AK Anchorage"],
    ["Honolulu", 21.3069, -157.8583, "US HI Honolulu County"],
    ["San Juan, a territory", 18.4, -66.06, "PR PR San Juan"],
    ["Vancouver", 49.2827, -123.1207, "CA BC"],
    ["Halifax, a harbour", 44.6488, -63.5752, "CA NS"],
    ["Blaine, north of Seattle, south of the border", 48.9937, -122.7471, "US WA Whatcom County"],
    ["White Rock, on the other side", 49.0253, -122.8026, "CA BC"],
    ["Maseru, in a country within a country", -29.31, 27.48, "LS A"],
    ["San Marino", 43.9424, 12.4578, "SM 03"],
    ["St Peter's Basilica", 41.9022, 12.4533, "VA"],
    ["Castel Sant'Angelo, outside the Vatican's walls", 41.9031, 12.4663, "IT 62"],
    ["Suva, west of the 180th meridian", -18.1416, 178.4419, "FJ C"],
    ["Lakeba, east of it", -18.21, -178.79, "FJ E"],
    ["Uelen, the east of Russia in the west", 66.1594, -169.8092, "RU CHU"],
    ["Anadyr", 64.7337, 177.5089, "RU CHU"],
    ["Waitangi on the Chatham Islands", -43.9535, -176.5597, "NZ"],
    ["Kaliningrad, apart from the rest of Russia", 54.7104, 20.4522, "RU KGD"],
    ["Cayenne, drawn with France", 4.9224, -52.3135, "GF"],
    ["Flying Fish Cove", -10.4217, 105.678, "CX"],
    ["Pristina", 42.6629, 21.1655, "XK"],
    ["the south pole", -90, 0, "AQ"],
    ["the south pole from the other side", -90, 180, "AQ"],
    ["the north pole", 90, 45, ""],
    ["the Gulf of Guinea", 0, 0, ""],
    ["the middle of the Pacific, on the 180th meridian", 30, 180, ""],
    ["the Atlantic, 100 km off New York", 40, -72.5, ""],
  ])("knows %s", async (_, latitude, longitude, codes) => {
    expect(await codesAt(latitude, longitude)).toBe(codes);
  });

  /** As the API asks: of the tile of the point and those around it, the nearest. */
  const toBorder = async (latitude: number, longitude: number, code: string) => {
    const read = tilesFrom(memorySource(built.objects));
    const point = { latitude, longitude };
    const cells = withNeighbours(cellAt(point, WORLD_TILES));
    const tiles = await Promise.all(cells.map((cell) => read(tileKey(cell))));
    const isIt = (region: Region) => region.kind === "country" && region.code === code;
    return Math.min(...tiles.map((tile) => tile?.nearestBorder(point, isIt)?.distance ?? 999_000));
  };

  it.each([
    ["the Vatican", 41.9029, 12.4534, "VA", 0, 800],
    ["St Peter's Square, before the Vatican", 41.9022, 12.46, "IT", 0, 800],
    ["San Marino", 43.9424, 12.4578, "SM", 500, 6000],
    ["Rimini, toward San Marino", 43.97, 12.5, "IT", 100, 6000],
    ["Maseru", -29.31, 27.48, "LS", 0, 6000],
    ["Ladybrand, toward Lesotho", -29.2, 27.45, "ZA", 0, 15_000],
    ["Monaco", 43.7384, 7.4246, "MC", 0, 2000],
    ["Beausoleil, above Monaco", 43.745, 7.42, "FR", 0, 2000],
    ["Gibraltar", 36.14, -5.353, "GI", 0, 4000],
    ["La Línea, before Gibraltar", 36.165, -5.348, "ES", 0, 4000],
    ["Ceuta", 35.88, -5.31, "ES", 0, 6000],
    ["Woodlands, at the causeway", 1.44, 103.79, "SG", 0, 3000],
    ["Vaduz", 47.14, 9.52, "LI", 0, 5000],
    ["Reykjavik, on an island", 64.14, -21.9, "IS", 250_000, 999_000],
    ["Palermo, on an island", 38.11, 13.36, "IT", 250_000, 999_000],
    ["Valletta", 35.9, 14.51, "MT", 250_000, 999_000],
    ["Rome, 3 km from the Vatican", 41.9, 12.49, "IT", 1500, 4500],
  ])("measures to land borders, also of enclaves: %s", async (_, latitude, longitude, code, least, most) => {
    const metres = await toBorder(latitude, longitude, code);
    expect([metres >= least && metres <= most, metres]).toEqual([true, metres]);
  });

  it("names country, flag, state and county in full", async () => {
    expect(await index.regionsAt({ latitude: 40.6782, longitude: -73.9442 })).toEqual({
      country: { code: "US", name: "United States", flag: "🇺🇸" },
      state: { code: "NY", name: "New York" },
      county: { code: "36047", name: "Kings County" },
    });
  });

  it("agrees with a count over all edges at thousands of points, half of them at borders", async () => {
    const shapes = baseShapes();
    const simple = new BruteForce(shapes);
    const wrong: string[] = [];
    for (const point of testPoints(shapes, samples(2_500, 20_000), 2026)) {
      const got = (await index.allRegionsAt(point)).map(label).sort().join();
      const expected = simple.regionsAt(point).join();
      if (got !== expected) wrong.push(`${point.latitude},${point.longitude}: ${got} instead of ${expected}`);
    }
    expect(wrong).toEqual([]);
  });

  it("puts the cities of GeoNames into the country and state GeoNames knows them in", async () => {
    let countries = 0;
    let states = 0;
    let inStates = 0;
    const cities = worldCities();
    expect(cities.length).toBeGreaterThan(120_000);
    // By day one in twelve.
    const asked = cities.filter((_, i) => i % samples(12, 1) === 0);
    for (const city of asked) {
      const { country, state } = await index.regionsAt(city);
      if (country?.code === city.country) countries++;
      // Telangana is younger than the atlas.
      if (!city.state || city.country === "IN") continue;
      inStates++;
      if (state?.code === city.state) states++;
    }
    expect(countries / asked.length).toBeGreaterThan(0.995);
    expect(states / inStates).toBeGreaterThan(0.997);
  });

  it("has counts of its regions and the names of its sources", () => {
    expect(built.counts).toMatchObject({ county: 3231 });
    expect(built.counts.state).toBeGreaterThan(3900);
    expect(built.counts.country).toBeGreaterThan(235);
    expect(built.sources.map(({ name }) => name)).toContain("Natural Earth");
  });

  it("has tiles that load immediately: none above 100 kB, all together below 5 MB", () => {
    const sizes = [...built.objects.values()].map((bytes) => bytes.length);
    expect(Math.max(...sizes)).toBeLessThan(100_000);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(5_000_000);
  });
});
