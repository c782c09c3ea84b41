import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { buildKey } from "../../../src/core/geo/builds/manifest.ts";
import { distance } from "../../../src/core/geo/distance.ts";
import { LAYERS } from "../../../src/core/geocoding/search/search.ts";
import { fold } from "../../../src/core/geocoding/words/normalise.ts";
import {
  CITY_CELLS_KEY,
  cityCell,
  cityCellsAround,
  cityKey,
  encodeCities,
  NearCities,
  type PointCity,
} from "../../../src/core/regions/near-cities.ts";
import { random } from "../../../src/demo/world/random.ts";
import { worldCityPoints } from "../../../src/importer/layers/regions/world-cities.ts";
import { worldRegions } from "../../../src/importer/layers/regions/world-regions.ts";
import { worldCities } from "../../../src/importer/world/cities.ts";
import { addressesAt } from "../../../src/worker/answers/geocode/reverse.ts";
import { type Geodata, openGeodata } from "../../../src/worker/geodata/live.ts";
import { samples } from "../../support/night.ts";
import { keptLayer } from "../../support/worlds/kept-layers.ts";
import { FakeBucket } from "../../worker/geodata/fake-bucket.ts";
import { EXTRACTS } from "./extract-harness.ts";

const draw = random("near cities");

describe("cities of cells", () => {
  it.each([
    [51.1, 13.9],
    [-17.8, 179.9],
    [79.2, 15],
    [0, 0],
  ])("around %d, %d: the strongest is the one that a plain search over all of them finds", (latitude, longitude) => {
    const wrap = (degrees: number) => ((degrees + 540) % 360) - 180;
    const somewhere = (reach: number) => ({
      latitude: Math.round(1000 * (latitude + draw.between(-reach, reach))) / 1000,
      longitude: Math.round(1000 * wrap(longitude + draw.between(-reach, reach))) / 1000,
    });
    const cities = Array.from({ length: 400 }, (_, i): PointCity => {
      const population = Math.round(2 ** draw.between(8, 24));
      return { ...somewhere(2), name: `city ${i}`, country: draw.pick(["DE", "CZ"]), population };
    });
    const tiles = new Map(
      [...Map.groupBy(cities, cityCell)].map(([cell, own]) => [cell, new NearCities(encodeCities(own))] as const),
    );
    for (let i = 0; i < 60; i++) {
      const [point, country] = [somewhere(2), draw.pick(["DE", "CZ"])];
      const strengthOf = (city: PointCity) => {
        const people = 2 ** (Math.round(8 * Math.log2(Math.max(500, city.population))) / 8);
        return people ** 0.3 / (distance(city, point) + 1000);
      };
      const [expected] = cities
        .filter((city) => city.country === country && distance(city, point) <= 30_000)
        .sort((a, b) => strengthOf(b) - strengthOf(a));
      const [found] = cityCellsAround(point)
        .flatMap((cell) => tiles.get(cell)?.strongest(point, country) ?? [])
        .sort((a, b) => b.strength - a.strength);
      expect(found?.name).toBe(expected?.name);
    }
  });
});

let base: Geodata;
const leftOut: string[] = [];
/** A world base of its own bucket, because a bucket's list is kept for some seconds. */
const worldOf = async (id: string, layers: Record<string, number>, damaged: readonly string[] = []) => {
  const bucket = new FakeBucket();
  for (const layer of [worldRegions, worldCityPoints])
    for (const [key, bytes] of (await keptLayer(layer)).objects)
      bucket.put(buildKey(id, key), damaged.includes(key) ? bytes.slice(0, 9) : bytes);
  const build = { name: "world", id, areas: [[-180, -90, 180, 90]], sources: [], previous: [] };
  bucket.put("live.json", JSON.stringify({ version: 1, builds: [{ ...build, layers }] }));
  return openGeodata(bucket, { now: 0, waitUntil: undefined, leftOut: (what) => void leftOut.push(what) });
};
const at = (latitude: number, longitude: number, geodata = base) =>
  addressesAt(geodata, { latitude, longitude }, new Set(LAYERS), "en", 0);

beforeAll(async () => {
  base = await worldOf("cities-base", { regions: 1, cities: 1 });
}, 180_000);

describe("a point without an import", () => {
  it.each([
    ["Paris", 48.857, 2.352, "Paris", "Île-de-France"],
    ["its suburb Créteil", 48.79, 2.455, "Créteil", "Île-de-France"],
    ["London", 51.507, -0.128, "London", "England"],
    ["Shibuya", 35.66, 139.7, "Tokyo", "Tokyo"],
    ["Ajaccio, on an island", 41.92, 8.735, "Ajaccio", "Corsica"],
    ["Aosta, a region of one province", 45.737, 7.32, "Aosta", "Aosta Valley"],
    ["Nairobi", -1.29, 36.82, "Nairobi", "Nairobi"],
    ["Suva, beside the 180th meridian", -18.14, 178.44, "Suva", "Central"],
    ["Tromsø, in the north", 69.65, 18.96, "Tromsø", "Troms"],
    ["Denver", 39.74, -104.99, "Denver", "Colorado"],
  ])("in %s has its city, inferred, and its state", async (_, latitude, longitude, city, state) => {
    const [first] = await at(latitude, longitude);
    expect(first).toMatchObject({ layer: "locality", city, inferred: ["city"], confidence: "fallback" });
    expect(first.state).toBe(state);
  });

  it("on the sea or far from every city has none", async () => {
    for (const [latitude, longitude] of [
      [30, -40],
      [25, 10],
      [-75, 0],
    ])
      expect((await at(latitude, longitude)).map(({ city }) => city).filter(Boolean)).toEqual([]);
  });

  it("has no city across a border, however near", async () => {
    // Windsor in Canada is opposite Detroit, Ciudad Juárez opposite El Paso.
    const cities = [
      [42.304, -83.02],
      [42.333, -83.05],
      [31.735, -106.478],
      [31.768, -106.48],
    ];
    const found = await Promise.all(
      cities.map(async ([latitude, longitude]) => (await at(latitude, longitude))[0].city),
    );
    expect(found).toEqual(["Windsor", "Detroit", "Juárez", "El Paso"]);
  });

  it("near a city of more than 20,000 people has that city, or one within 30 km", async () => {
    const large = worldCities().filter(({ population }) => population >= 20_000);
    let own = 0;
    const count = samples(200, 2000);
    for (let i = 0; i < count; i++) {
      const city = draw.pick(large);
      const list = await at(city.latitude + draw.between(-0.01, 0.01), city.longitude + draw.between(-0.01, 0.01));
      if (list.some((one) => one.layer === "locality" && one.city === city.name)) own++;
    }
    expect(own / count).toBeGreaterThan(0.85);
  });

  it("in a world base of before has neither a city nor an error", async () => {
    const [first] = await at(48.857, 2.352, await worldOf("cities-before", { regions: 1 }));
    expect([first.layer, first.city, first.inferred]).toEqual(["state", undefined, undefined]);
  });

  it("has no city, and says what is left out, if an object of cities is lost", async () => {
    const lost = [CITY_CELLS_KEY, ...cityCellsAround({ latitude: 48.857, longitude: 2.352 }).map(cityKey)];
    const damaged = await worldOf("cities-lost", { regions: 1, cities: 1 }, lost);
    expect((await at(48.857, 2.352, damaged))[0].layer).toBe("state");
    expect(leftOut).toContain("cities");
  });
});

const PLACES = join(EXTRACTS, "natural-earth/populated-places.geojson.gz");
describe.skipIf(!existsSync(PLACES))("the places of Natural Earth (skipped: no data)", () => {
  it("are in the state, and in the city, that it names", async () => {
    const { features } = JSON.parse(gunzipSync(readFileSync(PLACES)).toString());
    const counts = { places: 0, city: 0, hasState: 0 };
    for (const { properties: one } of features.filter((_: unknown, i: number) => i % 20 === 3)) {
      if (!(one.pop_max > 20_000)) continue;
      const list = await at(one.latitude, one.longitude);
      const names = [one.name, one.nameascii, one.name_en, one.name_de, one.name_es, one.name_fr]
        .filter(Boolean)
        .map(fold);
      counts.places++;
      if (list.some(({ state }) => state !== undefined)) counts.hasState++;
      if (list.some(({ city = "" }) => names.includes(fold(city)))) counts.city++;
    }
    expect(counts.places).toBeGreaterThan(100);
    expect(counts.hasState / counts.places).toBeGreaterThan(0.96);
    expect(counts.city / counts.places).toBeGreaterThan(0.8);
  });
});
