import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { BoundedCache } from "../../../../src/core/geo/bounded-cache.ts";
import { memorySource, type TileSource, UnreadableObject } from "../../../../src/core/geo/builds/tile-source.ts";
import { unpaced } from "../../../../src/core/geo/pace.ts";
import { DISTRICT_MAGIC, DISTRICT_VERSION } from "../../../../src/core/routing/graph/district.ts";
import { MANIFEST_MAGIC, MANIFEST_VERSION, Manifest } from "../../../../src/core/routing/graph/manifest.ts";
import { districtKey, MANIFEST_KEY } from "../../../../src/core/routing/graph/pack.ts";
import type { TimeWindow } from "../../../../src/core/routing/graph/traffic.ts";
import { writeDistrict, writeManifest } from "../../../../src/core/routing/graph/write-manifest.ts";
import { Router } from "../../../../src/core/routing/route/router.ts";
import { unpacedContext } from "../../../../src/core/routing/store/query-context.ts";
import { RoadStore } from "../../../../src/core/routing/store/road-store.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import { bundleBits, isBundled } from "../../../../src/importer/layers/roads/overlay/bundles.ts";
import { metricsOf, type PackBits } from "../../../../src/importer/layers/roads/overlay/cell-cliques.ts";
import { districtCount, districtOfTile } from "../../../../src/importer/layers/roads/overlay/districts.ts";
import type { Division } from "../../../../src/importer/layers/roads/partition/division.ts";
import { deflatedObject } from "../../../../src/importer/layers/roads/write/deflated-object.ts";
import { districtContents, manifestContent } from "../../../../src/importer/layers/roads/write/manifest-content.ts";
import { GridsWriter } from "../../../../src/importer/layers/roads/write/tile-grid.ts";
import { samples } from "../../../support/night.ts";
import { compare, pointMaker } from "../search/compare.ts";
import { randomTown, seeded } from "./random-town.ts";
import { buildRoads } from "./road-build.ts";

/** Cells of the grid that an import makes: 0.001° from 90° south and 180° west. */
const COLUMNS = 360_001;
const gridCell = (row: number, column: number) => (row + 90_000) * COLUMNS + column + 180_000;

interface Tables {
  division: Division;
  /** By mode, level from 1 and parent. */
  bits: PackBits[][][];
  windows: TimeWindow[];
  /** Tiles with roads in cells of the grid, ascending. */
  roads: [row: number, column: number, tiles: number[]][];
}

/** Any nested division of up to five levels above the search cells, with any bits and roads anywhere. */
const anyTables: fc.Arbitrary<Tables> = fc
  .record({
    seed: fc.integer({ min: 1, max: 1e6 }),
    levels: fc.integer({ min: 2, max: 6 }),
    windows: fc.integer({ min: 0, max: 2 }),
    row: fc.integer({ min: -90_000, max: 89_000 }),
    column: fc.integer({ min: -180_000, max: 179_000 }),
    spread: fc.integer({ min: 1, max: 400 }),
  })
  .map(({ seed, levels, windows, row, column, spread }) => {
    const random = seeded(seed);
    const below = (most: number) => Math.floor(random() * most);
    // From the top down: every cell has one to three cells inside.
    const parentOf: Int32Array[] = [new Int32Array(0)];
    let above = 1;
    for (let level = levels - 1; level >= 1; level--) {
      const parents: number[] = [];
      for (let parent = 0; parent < above; parent++) {
        for (let i = 1 + below(3); i > 0; i--) parents.push(parent);
      }
      parentOf[level] = Int32Array.from(parents);
      above = parents.length;
    }
    const cellCounts = [0, ...parentOf.slice(1).map(({ length }) => length)];
    const cellOf = [new Int32Array(0), Int32Array.from({ length: above }, (_, tile) => tile)];
    for (let level = 2; level < levels; level++) {
      cellOf[level] = cellOf[level - 1].map((cell) => parentOf[level - 1][cell]);
    }
    const none = new Int32Array(0);
    const division = { levels, cellCounts, cellOf, parentOf, nodeAt: none, placeOf: none };
    const bits = [0, 1, 2, 3].map(() =>
      Array.from({ length: levels - 1 }, (_, i) =>
        Array.from({ length: cellCounts[i + 2] ?? 1 }, () => ({ avoid: below(16), traffic: below(4) })),
      ),
    );
    const found = new Map<number, [row: number, column: number, tiles: number[]]>();
    for (let i = 0; i < 60; i++) {
      const [y, x] = [row + below(spread), column + below(spread)];
      const tiles = [...new Set([below(above), below(above)])].sort((a, b) => a - b);
      found.set(gridCell(y, x), [y, x, tiles]);
    }
    const roads = [...found].sort(([a], [b]) => a - b).map(([, road]) => road);
    const times = Array.from({ length: windows }, (_, i) => ({ days: 31, from: 60 * i, until: 60 * i + 30 }));
    return { division: { ...division, searchStart: none, tileStart: none }, bits, windows: times, roads };
  });

/** The packs of a parent that are in no bundle, as they come in their object; their lengths are their places + 1. */
const packsAbove = ({ avoid, traffic }: PackBits, windows: readonly TimeWindow[]) => [
  ...metricsOf({ avoid, traffic: windows.length > 0 ? traffic : 0 }),
];

function objectsOf({ division, bits, windows, roads }: Tables): Map<string, Uint8Array> {
  const west = new Float64Array(districtCount(division)).fill(Number.POSITIVE_INFINITY);
  for (const [, column, tiles] of roads) {
    for (const tile of tiles) {
      const district = districtOfTile(division, tile);
      west[district] = Math.min(west[district], column);
    }
  }
  const writer = new GridsWriter(west, (tile) => districtOfTile(division, tile));
  for (const [row, column, tiles] of roads) writer.add(gridCell(row, column), tiles);
  const grids = writer.finish();
  const packs = bits.map((ofMode) =>
    ofMode.flatMap((parents, i) =>
      isBundled(division, i + 1) ? [] : parents.flatMap((own) => packsAbove(own, windows).map((_, place) => place + 1)),
    ),
  );
  const manifest = writeManifest(manifestContent(division, bits, packs, windows, grids, []));
  const objects = new Map([[MANIFEST_KEY, deflatedObject(MANIFEST_MAGIC, MANIFEST_VERSION, manifest)]]);
  let district = 0;
  for (const content of districtContents(division, grids)) {
    const payload = writeDistrict(content);
    objects.set(districtKey(district++), deflatedObject(DISTRICT_MAGIC, DISTRICT_VERSION, payload));
  }
  return objects;
}

describe("tables in two levels", () => {
  it("tell what the tables told that they were made of", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(anyTables, async (tables) => {
        const { division, bits, windows, roads } = tables;
        const { levels, cellCounts, cellOf, parentOf } = division;
        const objects = objectsOf(tables);
        const store = (await RoadStore.open(memorySource(objects), new BoundedCache(1e6)))!;
        const manifest = await Manifest.read(objects.get(MANIFEST_KEY)!);
        expect([store.manifest.levels, store.manifest.tileCount]).toEqual([levels, cellCounts[1]]);
        expect(store.manifest.windows).toEqual(windows);
        await store.districts.open(cellOf[1]);
        for (const tile of cellOf[1]) {
          expect([...store.districts.cellsOf(tile)].slice(1)).toEqual(cellOf.slice(1).map((cells) => cells[tile]));
        }
        for (let level = 1; level < levels; level++) {
          for (let parent = 0; parent < (cellCounts[level + 1] ?? 1); parent++) {
            const children = [...parentOf[level].keys()].filter((cell) => parentOf[level][cell] === parent);
            const [first, end] = (await store.districts.childrenOf(level, parent))!;
            expect(Array.from({ length: end - first }, (_, i) => first + i)).toEqual(children);
            const { districtLevel } = manifest;
            const isWithin = level < districtLevel;
            expect(manifest.isBundled(level)).toBe(isWithin || (level === districtLevel && level + 1 < levels));
            for (let mode = 0; mode < 4; mode++) {
              const own = isWithin ? bundleBits(division, bits[mode]) : bits[mode][level - 1];
              const { avoid, traffic } = own[isWithin ? manifest.districtOf(level + 1, parent) : parent];
              // What changes a pack changes the bundle it is in.
              expect([
                avoid & bits[mode][level - 1][parent].avoid,
                traffic & bits[mode][level - 1][parent].traffic,
              ]).toEqual([bits[mode][level - 1][parent].avoid, bits[mode][level - 1][parent].traffic]);
              expect(manifest.packMetric({ mode, avoid: 15 }, level, parent)).toEqual({ mode, avoid, bucket: 0 });
              if (!manifest.isBundled(level)) {
                let offset = 0;
                for (const [place, metric] of packsAbove(bits[mode][level - 1][parent], windows).entries()) {
                  const range = { offset, length: place + 1 };
                  expect(manifest.packRange({ mode, ...metric }, level, parent)).toEqual(range);
                  offset += place + 1;
                }
              }
              windows.forEach((_, i) => {
                const bucket = (traffic >> i) & 1 ? i + 1 : 0;
                expect(manifest.packMetric({ mode, avoid: 0, bucket: i + 1 }, level, parent).bucket).toBe(bucket);
              });
            }
          }
          for (const cell of new Set(cellOf[level])) {
            expect(await store.districts.firstTileOf(level, cell)).toBe(cellOf[level].indexOf(cell));
          }
        }
        for (const [row, column, tiles] of roads) {
          const [y, x] = [(row + 0.5) * 1000, (column + 0.5) * 1000];
          await store.districts.openNear(y, x, 1, 1);
          // In short gaps along a row the roads beside them count.
          const beside = roads.filter((road) => road[0] === row && Math.abs(road[1] - column) <= 3);
          const near = store.districts.tilesNear(y, x, 1, 1);
          for (const tile of tiles) expect(near).toContain(tile);
          for (const tile of near) expect(beside.flatMap((road) => road[2])).toContain(tile);
          const wide = store.districts.tilesNear(y, x, 1e7, 1e7);
          for (const tile of tiles) expect(wide).toContain(tile);
        }
      }),
      { numRuns: samples(40, 100) },
    );
  });

  it("are little to read before the first answer, however large the country", () => {
    // 24 million directed edges: 400 districts of 64 tiles each, 9 in a cell of the next level.
    const [districts, tilesIn, lower] = [400, 64, 8];
    const tiles = districts * tilesIn;
    const steps = (length: number, size: number) => Int32Array.from({ length }, (_, i) => Math.floor(i / size));
    const none = new Int32Array(0);
    const parentOf = [none, steps(tiles, tilesIn / lower), steps(districts * lower, lower), steps(districts, 9)];
    parentOf.push(new Int32Array(Math.ceil(districts / 9)));
    const cellOf = [
      none,
      steps(tiles, 1),
      steps(tiles, tilesIn / lower),
      steps(tiles, tilesIn),
      steps(tiles, tilesIn * 9),
    ];
    const cellCounts = [0, tiles, districts * lower, districts, Math.ceil(districts / 9)];
    const division = { levels: 5, cellCounts, cellOf, parentOf, nodeAt: none, placeOf: none };
    const random = seeded(3);
    const roads: Tables["roads"] = [];
    // Three districts in a row, each a third of a degree wide, each tile a square of it, with roads in two cells of three.
    const [shown, perTile] = [3, 40];
    const wide = Math.sqrt(tilesIn) * perTile;
    for (let row = 0; row < wide; row++) {
      for (let column = 0; column < wide * shown; column++) {
        if (random() < 1 / 3) continue;
        const inDistrict = Math.floor(row / perTile) * 8 + Math.floor((column % wide) / perTile);
        roads.push([row, column, [Math.floor(column / wide) * tilesIn + inDistrict]]);
      }
    }
    const bits = [0, 1, 2, 3].map(() =>
      [1, 2, 3, 4].map((level) => Array.from({ length: cellCounts[level + 1] ?? 1 }, () => ({ avoid: 3, traffic: 0 }))),
    );
    const objects = objectsOf({
      division: { ...division, searchStart: none, tileStart: none },
      bits,
      windows: [],
      roads,
    });
    // Where districts lie is told by up to 24,000 runs of a grid, of up to four bytes each once deflated; here there are fewer.
    expect(objects.get(MANIFEST_KEY)!.length).toBeLessThan(5_000);
    for (let district = 0; district < shown; district++) {
      expect(objects.get(districtKey(district))!.length).toBeLessThan(30_000);
    }
  });
});

/** Says which objects were read, and can lose some. */
class LossySource implements TileSource {
  readonly lost = new Set<string>();
  readonly #objects: ReadonlyMap<string, Uint8Array>;

  constructor(objects: ReadonlyMap<string, Uint8Array>) {
    this.#objects = objects;
  }

  async read(key: string, range?: { offset: number; length: number }): Promise<Uint8Array | undefined> {
    if (this.lost.has(key)) throw new UnreadableObject(key, "its checksum is another");
    return memorySource(this.#objects).read(key, range);
  }
}

/** Does an object tell of a district: its tables, or a bundle? */
const isOf = (key: string, district: number) =>
  /^roads\/(districts|bundles)\//.test(key) && key.endsWith(`/${district}`);

describe("a town of many districts", () => {
  // Districts of at most 100 junctions, in cells of at most 300.
  const sizes = [8, 24, 48, 100, 300];
  let town: Awaited<ReturnType<typeof buildRoads>>;
  beforeAll(async () => {
    town = await buildRoads(buildGraph(randomTown(samples(32, 40), 7)), sizes);
  }, 180_000);

  it("has the routes that Dijkstra finds", { timeout: 120_000 }, async () => {
    const { manifest } = town.router.store;
    expect([manifest.levels, manifest.districtLevel]).toEqual([5, 3]);
    expect(manifest.districtCount).toBeGreaterThan(10);
    const { wrong, brokenSums } = await compare(town.router, town.build, 1, 7);
    expect(wrong).toEqual([]);
    expect(brokenSums).toEqual([]);
  });

  it("answers the same when numbers begin anew all the time", async () => {
    const restless = new Router((await RoadStore.open(town.source, new BoundedCache(1e7), "", 0))!);
    const point = pointMaker(town.build, 4);
    const places = Array.from({ length: 12 }, point);
    expect(restless.store.numbering(0)).toBe(restless.store.numbering(0));
    for (let i = 1; i < places.length; i++) {
      const pair = [places[i - 1], places[i]];
      const leg = (await restless.route(pair, { mode: "car" }))?.legs[0];
      expect(leg?.weight).toBe((await town.router.route(pair, { mode: "car" }))?.legs[0].weight);
      expect(restless.store.numbering(0).count).toBe(0);
    }
    const cells = await Promise.all([1, 2].map(() => restless.matrix(places, places, { mode: "bike" })));
    expect(cells[0]).toEqual(await town.router.matrix(places, places, { mode: "bike" }));
    expect(cells[1]).toEqual(cells[0]);
  });

  it("leads through districts whose packs are at hand, but no more their tables", async () => {
    const cache = new BoundedCache(1e9);
    const router = (await Router.open(town.source, cache))!;
    const point = pointMaker(town.build, 11);
    for (let i = 0; i < 20; i++) {
      const pair = [point(), point()];
      const first = await router.forQuery(unpacedContext()).route(pair, { mode: "car" });
      for (let district = 0; district < town.router.store.manifest.districtCount; district++)
        cache.delete(districtKey(district));
      const second = await router.forQuery(unpacedContext()).route(pair, { mode: "car" });
      expect(second?.legs).toEqual(first?.legs);
    }
  });

  it("loses the roads of a district whose tables cannot be read, and no others", { timeout: 60_000 }, async () => {
    const point = pointMaker(town.build, 9);
    const pairs = Array.from({ length: 15 }, () => [point(), point()]);
    const { manifest } = town.router.store;
    for (const number of [0, manifest.districtCount >> 1]) {
      const source = new LossySource(town.objects);
      for (const key of town.objects.keys()) if (isOf(key, number)) source.lost.add(key);
      const missed: string[] = [];
      const router = (await Router.open(source))!;
      let found = 0;
      for (const pair of pairs) {
        const asked = router.forQuery({ pace: unpaced(), missed: (key) => missed.push(key) });
        const whole = (await town.router.route(pair, { mode: "car" }))?.legs[0];
        const leg = (await asked.route(pair, { mode: "car" }))?.legs[0];
        for (const { view } of leg?.edges ?? []) expect(manifest.districtOf(1, view.tile.index)).not.toBe(number);
        if (leg) found++;
        if (leg) expect(leg.weight).toBeGreaterThanOrEqual(whole!.weight);
        const avoided = whole?.edges.every(({ view }) => manifest.districtOf(1, view.tile.index) !== number);
        // An end may be hidden: what cannot be read may hold a nearer road.
        if (avoided && leg) expect(leg.weight).toBe(whole?.weight);
      }
      expect(found).toBeGreaterThan(pairs.length / 2);
      expect(missed).toContain(districtKey(number));
    }
  });

  it("has the tables of a district twice: where its bundle cannot be read, its roads stay, and no route changes", async () => {
    const point = pointMaker(town.build, 12);
    const pairs = Array.from({ length: 12 }, () => [point(), point()]);
    const source = new LossySource(town.objects);
    for (const number of [0, town.router.store.manifest.districtCount >> 1])
      for (const key of town.objects.keys()) if (isOf(key, number) && key !== districtKey(number)) source.lost.add(key);
    const missed: string[] = [];
    const router = (await Router.open(source))!;
    for (const pair of pairs) {
      const asked = router.forQuery({ pace: unpaced(), missed: (key) => missed.push(key) });
      const whole = (await town.router.route(pair, { mode: "car" }))?.legs[0];
      expect((await asked.route(pair, { mode: "car" }))?.legs[0].weight).toBe(whole?.weight);
    }
    expect(missed.some((key) => source.lost.has(key))).toBe(true);
    expect(missed.filter((key) => !source.lost.has(key))).toEqual([]);
  });

  it("is read district by district, as it is needed", async () => {
    const { source } = town;
    const read: string[] = [];
    const noting: TileSource = {
      read: (key, range) => {
        read.push(key);
        return source.read(key, range);
      },
    };
    const router = (await Router.open(noting))!;
    const point = pointMaker(town.build, 2);
    await router.distance(point(), point(), { mode: "car" });
    expect(read.filter((key) => key === MANIFEST_KEY)).toHaveLength(1);
    // Its tables come with the cliques that a search needs there.
    expect(read.filter((key) => key.startsWith("roads/districts/"))).toEqual([]);
    const bundles = read.filter((key) => key.startsWith("roads/bundles/0/0/"));
    expect(bundles.length).toBeLessThan(town.router.store.manifest.districtCount);
    expect(new Set(bundles).size).toBe(bundles.length);
  });
});
