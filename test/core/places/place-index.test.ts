import { beforeAll, describe, expect, it } from "vitest";
import { decodeEach, memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { cellAt } from "../../../src/core/geo/cells/cells.ts";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { destination } from "../../../src/core/geo/distance.ts";
import { CATEGORIES, CATEGORY_SLUGS } from "../../../src/core/places/categories.ts";
import { AIRPORTS_KEY, DIRECTORY_RESOLUTION, directoryKey } from "../../../src/core/places/directory.ts";
import { packPlaces } from "../../../src/core/places/pack.ts";
import { type Place, placeKey, placeSourceOf } from "../../../src/core/places/place.ts";
import { nearInAll, PlaceIndex } from "../../../src/core/places/place-index.ts";
import { type PlaceRecord, PlaceTile } from "../../../src/core/places/tile.ts";
import { demoBounds, demoWorld } from "../../../src/demo/world/demo-world.ts";
import { random } from "../../../src/demo/world/random.ts";
import { isNight, samples } from "../../support/night.ts";
import { nearByBruteForce } from "./brute-force.ts";
import { compare, probes } from "./compare.ts";
import { countingSource, type ImportedPlaces, importPlaces } from "./import-places.ts";

/** Records scattered so densely that tiles are split, some as large as a national park. */
function scattered(count: number, around: Coordinate, seed: number): PlaceRecord[] {
  const draw = random("scattered", seed);
  return Array.from({ length: count }, (_, i) => {
    const far = draw.next() ** 3 * 40_000;
    const chain = draw.chance(0.3) ? { slug: `chain-${draw.below(20)}`, name: `Chain` } : undefined;
    return {
      key: placeKey("node", i + 1),
      name: `Place number ${i}`,
      chain,
      categories: [draw.below(CATEGORIES.length)],
      location: destination(around, draw.between(0, 360), far),
      footprint: draw.chance(0.02) ? Math.round(draw.between(100, 9000)) : Math.round(draw.between(15, 60)),
    };
  });
}

function packed(records: readonly PlaceRecord[]): { objects: Map<string, Uint8Array>; places: Place[] } {
  const objects = new Map([...packPlaces(records, [])].map(({ key, bytes }) => [key, bytes]));
  const places = [...objects].flatMap(([key, bytes]) => {
    if (!key.startsWith("places/tile/")) return [];
    const tile = new PlaceTile(bytes);
    return Array.from({ length: tile.home }, (_, i) => tile.place(i));
  });
  return { objects, places };
}

describe("places of the demo world", () => {
  let demo: ImportedPlaces;
  let index: PlaceIndex;
  beforeAll(async () => {
    demo = await importPlaces(demoWorld());
    index = new PlaceIndex(decodeEach(memorySource(demo.objects)));
  });

  it("are found as by looking at every one of them", async () => {
    const count = samples(80, 200);
    const { found, at } = await compare(demo, count);
    expect(found).toBeGreaterThan(5 * count);
    expect(at).toBeGreaterThan(count / 4);
  });

  it("cover every category of the table", () => {
    const there = new Set(demo.places.flatMap(({ categories }) => categories));
    expect([...CATEGORY_SLUGS].filter((slug) => !there.has(slug))).toEqual([]);
    expect(demo.counts.places).toBe(demo.places.length);
    expect(demo.places.length).toBeGreaterThan(800);
  });

  it("have chains with several branches, and ids that lead back to their elements", () => {
    const branches = new Map<string, number>();
    for (const { chain } of demo.places) if (chain) branches.set(chain.slug, (branches.get(chain.slug) ?? 0) + 1);
    expect([...branches.values()].filter((count) => count > 2).length).toBeGreaterThan(8);
    expect(branches.has("mercator-and-daughters")).toBe(true);
    const ids = new Set(demo.places.map(({ id }) => id));
    expect(ids.size).toBe(demo.places.length);
    for (const { id } of demo.places) {
      expect(id).toMatch(/^[0-9a-f]{24}$/);
      expect(placeSourceOf(id)?.id).toBeGreaterThan(1_000_000);
    }
  });

  it("keep their ids and bytes from import to import", async () => {
    const again = await importPlaces(demoWorld());
    expect([...again.objects]).toEqual([...demo.objects]);
  });

  it.runIf(isNight)("keep their ids when the world grows", async () => {
    const larger = new Map((await importPlaces(demoWorld({ size: 2 }))).places.map((place) => [place.id, place.name]));
    for (const { id, name } of demo.places) expect(larger.get(id)).toBe(name);
  });

  it("know their airport by its code, in any case", async () => {
    for (const code of ["QMZ", "qmz"]) {
      const airports = await index.airports(code);
      expect(airports.map(({ name, categories }) => ({ name, categories }))).toEqual([
        { name: "Meridale International Airport", categories: ["travel-transportation", "airport"] },
      ]);
    }
    expect(await index.airports("ZZZ")).toEqual([]);
    expect(await index.airports("QMZX")).toEqual([]);
  });

  it("know that one on the runway is at the airport", async () => {
    const [airport] = await index.airports("QMZ");
    const runway = destination(airport.location, 90, 300);
    expect((await index.at(runway))?.name).toBe("Meridale International Airport");
  });

  it("omit places that a project filters out", async () => {
    const [airport] = await index.airports("QMZ");
    const other = await index.at(airport.location, ({ categories }) => !categories.includes("airport"));
    expect(other?.categories ?? []).not.toContain("airport");
  });

  it("are found in at most two reads, one directory and one tile", async () => {
    const [west, south, east, north] = demoBounds();
    const draw = random("reads");
    for (let i = 0; i < samples(60, 200); i++) {
      const source = countingSource(demo.objects);
      await new PlaceIndex(decodeEach(source)).at({
        latitude: draw.between(south, north),
        longitude: draw.between(west, east),
      });
      expect(source.reads).toBeLessThanOrEqual(2);
    }
  });
});

describe("an index of places", () => {
  const cities: [string, Coordinate][] = [
    ["in the middle latitudes", { latitude: 40.7, longitude: -74 }],
    ["on the equator", { latitude: 0.01, longitude: 30 }],
    ["across the 180th meridian", { latitude: -16.5, longitude: 179.95 }],
    ["near the pole", { latitude: 89.8, longitude: 10 }],
  ];
  for (const [where, around] of cities) {
    it(`answers as brute force ${where}`, async () => {
      const world = packed(scattered(2000, around, 1));
      const { found } = await compare(world, samples(40, 100));
      expect(found).toBeGreaterThan(samples(60, 200));
    });
  }

  it("splits crowded cells, and still returns the same as brute force with few reads", async () => {
    const world = packed(scattered(samples(9_000, 15_000), { latitude: 49, longitude: -111.2 }, 2));
    const tiles = [...world.objects.keys()].filter((key) => key.startsWith("places/tile/"));
    expect(tiles.length).toBeGreaterThan(8);
    await compare(world, samples(12, 40));
    for (const point of probes(world.places, samples(8, 20), 3)) {
      const source = countingSource(world.objects);
      await new PlaceIndex(decodeEach(source)).at(point);
      expect(source.reads).toBeLessThanOrEqual(2);
      const wide = countingSource(world.objects);
      await new PlaceIndex(decodeEach(wide)).near(point, { radius: 10_000, limit: 100, categories: ["zoo"] });
      expect(wide.reads).toBeLessThanOrEqual(110);
    }
  });

  it("is the same bytes in whatever order the places come", () => {
    const records = scattered(2000, { latitude: 10, longitude: 10 }, 4);
    const backwards = [...records].reverse();
    expect([...packPlaces(backwards, [])]).toEqual([...packPlaces(records, [])]);
  });

  it("of nothing returns nothing", async () => {
    const index = new PlaceIndex(decodeEach(memorySource(packed([]).objects)));
    expect(await index.at({ latitude: 0, longitude: 0 })).toBeUndefined();
    expect(await index.near({ latitude: 0, longitude: 0 }, { radius: 1000, limit: 10 })).toEqual([]);
    expect(await index.airports("JFK")).toEqual([]);
  });

  it("prefers the shop to the mall around it, and the park to a kiosk beyond its edge", async () => {
    const here = { latitude: 49, longitude: -111 };
    const record = (id: number, name: string, at: Coordinate, footprint: number): PlaceRecord => ({
      key: placeKey("node", id),
      name,
      categories: [0],
      location: at,
      footprint,
    });
    const mall = packed([record(1, "mall", here, 120), record(2, "shop", destination(here, 90, 40), 15)]);
    const inMall = new PlaceIndex(decodeEach(memorySource(mall.objects)));
    expect((await inMall.at(destination(here, 90, 45)))?.name).toBe("shop");
    expect((await inMall.at(destination(here, 270, 45)))?.name).toBe("mall");
    const park = packed([record(1, "park", here, 400), record(2, "kiosk", destination(here, 0, 460), 15)]);
    const inPark = new PlaceIndex(decodeEach(memorySource(park.objects)));
    expect((await inPark.at(destination(here, 0, 390)))?.name).toBe("park");
    expect((await inPark.at(destination(here, 0, 450)))?.name).toBe("kiosk");
    expect(await inPark.at(destination(here, 90, 476))).toBeUndefined();
    expect((await inPark.at(destination(here, 90, 474)))?.name).toBe("park");
  });

  it("gives a place that two builds hold once", async () => {
    const records = scattered(300, { latitude: 49, longitude: -111.2 }, 5);
    const west = packed(records.slice(0, 200));
    const east = packed(records.slice(100));
    const indexes = [west, east].map(({ objects }) => new PlaceIndex(decodeEach(memorySource(objects))));
    const point = { latitude: 49, longitude: -111.2 };
    const both = await nearInAll(indexes, point, { radius: 5000, limit: 50 });
    expect(both).toEqual(nearByBruteForce(packed(records).places, point, { radius: 5000, limit: 50 }));
  });

  it("rejects unknown versions", async () => {
    const here = { latitude: 0.1, longitude: 0.1 };
    const { objects } = packed(scattered(10, here, 6));
    const asks: [key: string, ask: (index: PlaceIndex) => Promise<unknown>][] = [
      [directoryKey(cellAt(here, DIRECTORY_RESOLUTION)), (index) => index.at(here)],
      [
        [...objects.keys()].find((key) => key.startsWith("places/tile/"))!,
        (index) => index.near(here, { radius: 10_000, limit: 10 }),
      ],
      [AIRPORTS_KEY, (index) => index.airports("JFK")],
    ];
    for (const [key, ask] of asks) {
      const newer = objects.get(key)!.slice();
      newer[4]++;
      await expect(
        ask(new PlaceIndex(decodeEach(memorySource(new Map(objects).set(key, newer))))),
        key,
      ).rejects.toThrow(/version [234]/);
      await expect(
        ask(new PlaceIndex(decodeEach(memorySource(new Map(objects).set(key, newer.subarray(4)))))),
        key,
      ).rejects.toThrow(/not a/);
    }
  });

  it("rejects a tile that is cut short, and reads one whose offset is not a multiple of four", () => {
    const { objects } = packed(scattered(10, { latitude: 0, longitude: 0 }, 6));
    const [, tile] = [...objects].find(([key]) => key.startsWith("places/tile/"))!;
    expect(() => new PlaceTile(tile.subarray(0, 40))).toThrow(/cut short/);
    const unaligned = new Uint8Array(tile.length + 1);
    unaligned.set(tile, 1);
    expect(new PlaceTile(unaligned.subarray(1)).place(0)).toEqual(new PlaceTile(tile).place(0));
  });
});
