import { describe, expect, it } from "vitest";
import { BoundedCache } from "../../../../src/core/geo/bounded-cache.ts";
import { memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import { Heap } from "../../../../src/core/routing/graph/heap.ts";
import { MANIFEST_KEY, tileKey, UNREACHABLE } from "../../../../src/core/routing/graph/pack.ts";
import { NoRoad, Router } from "../../../../src/core/routing/route/router.ts";
import { snap } from "../../../../src/core/routing/store/snap.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import { cliqueOf } from "../../../../src/importer/layers/roads/overlay/cell-cliques.ts";
import { LEVEL_SIZES, partition } from "../../../../src/importer/layers/roads/partition/partition.ts";
import {
  parseDuration,
  parseLength,
  parseSpeed,
  parseWeight,
} from "../../../../src/importer/layers/roads/profiles/tag-values.ts";
import { restrictTurns } from "../../../../src/importer/layers/roads/turns/restrictions.ts";
import { samples } from "../../../support/night.ts";
import { pointMaker } from "../search/compare.ts";
import { randomTown, seeded } from "./random-town.ts";
import { buildRoads, CountingSource, roadsOfTown } from "./road-build.ts";
import { wholeOverlay } from "./whole-graph.ts";

describe("the objects of a road network", () => {
  it("are the same bytes for the same map", async () => {
    const [one, two] = await Promise.all([1, 2].map(() => buildRoads(buildGraph(randomTown(samples(14, 20), 4)))));
    expect([...two.objects.keys()]).toEqual([...one.objects.keys()]);
    for (const [key, bytes] of one.objects) expect(Buffer.compare(bytes, two.objects.get(key)!), key).toBe(0);
  });

  it("are refused when they are something else, of another version, or cut short", async () => {
    const { objects } = await roadsOfTown(6, 4);
    const spoilt = (change: (bytes: Uint8Array) => Uint8Array) => {
      const copy = new Map(objects);
      copy.set(MANIFEST_KEY, change(objects.get(MANIFEST_KEY)!));
      return Router.open(memorySource(copy));
    };
    await expect(spoilt(() => objects.get(tileKey(0))!)).rejects.toThrow("expected GRDM");
    await expect(
      spoilt((bytes) => {
        const other = bytes.slice();
        other[4] = 99;
        return other;
      }),
    ).rejects.toThrow("version 99");
    await expect(spoilt((bytes) => bytes.slice(0, bytes.length - 20))).rejects.toThrow();
    expect(await Router.open(memorySource(new Map()))).toBeUndefined();
  });

  it("hold cells no larger than their level allows", { timeout: 120_000 }, async () => {
    const graph = buildGraph(randomTown(samples(45, 70), 5));
    const cells = await partition(graph.nodeLatitude, graph.nodeLongitude, graph.pieceStart, graph.pieceEnd);
    expect(cells.levels).toBeGreaterThanOrEqual(2);
    cells.cellOf.forEach((cellOf, level) => {
      const sizes = new Int32Array(cells.cellCounts[level]);
      for (const cell of cells.searchCellOf) sizes[cellOf[cell]]++;
      expect(Math.max(...sizes)).toBeLessThanOrEqual(LEVEL_SIZES[level]);
      expect(Math.min(...sizes)).toBeGreaterThan(0);
    });
  });

  it("are read in two rounds, a handful at a time, and once", async () => {
    const { source, build } = await roadsOfTown(40, 8);
    const counting = new CountingSource(source);
    const router = await Router.open(counting);
    const point = pointMaker(build, 2);
    const [origin, destination] = [point(), point()];
    counting.reset();
    await Promise.all([1, 2, 3].map(() => router?.distance(origin, destination, { mode: "car" })));
    expect(counting.rounds).toBeLessThanOrEqual(3);
    expect(counting.objects).toBeLessThanOrEqual(14);
    counting.reset();
    await router?.distance(origin, destination, { mode: "car" });
    expect(counting.objects).toBe(0);
  });

  it("are eight at most, in two rounds, for nearly every question that comes first", { timeout: 120_000 }, async () => {
    const { source, build } = await roadsOfTown(40, 8);
    const counting = new CountingSource(source);
    const point = pointMaker(build, 7);
    const count = samples(20, 40);
    let [few, twice] = [0, 0];
    for (let i = 0; i < count; i++) {
      const router = await Router.open(counting);
      counting.reset();
      await router?.distance(point(), point(), { mode: "car" });
      if (counting.objects <= 8) few++;
      // On a busy machine one end may be decoded when the reads of the other are over: that counts as a round more.
      if (counting.rounds <= 2) twice++;
    }
    expect(few).toBeGreaterThanOrEqual(0.9 * count);
    expect(twice).toBeGreaterThanOrEqual(0.6 * count);
  });

  it("come with the tile a point lies in, where its road is in the next one", async () => {
    // Blocks of some 250 m, so that many a point lies farther from its road than one looks at first.
    const wide = randomTown(24, 6).map((one) =>
      one.type === "node"
        ? { ...one, latitude: 41 + (one.latitude - 41) * 3, longitude: -8 + (one.longitude + 8) * 3 }
        : one,
    );
    const { source, build } = await buildRoads(buildGraph(wide), [16, 64, 1024]);
    const point = pointMaker(build, 8);
    let late = 0;
    for (let i = 0; i < 150; i++) {
      let answered = false;
      let isLate = false;
      const watched = {
        async read(key: string, range?: { offset: number; length: number }) {
          const isTile = key.startsWith("roads/tiles/");
          if (isTile && answered) isLate = true;
          const bytes = await source.read(key, range);
          if (isTile) answered = true;
          return bytes;
        },
      };
      const { store } = (await Router.open(watched))!;
      await snap(store, point(), { mode: 0, metric: { mode: 0, avoid: 0 } });
      if (isLate) late++;
    }
    // Ten, if only the tiles within 50 m came first.
    expect(late).toBeLessThanOrEqual(3);
  });

  it("may be dropped from a cache that is too small for any of them", async () => {
    const { source, build, router } = await roadsOfTown(40, 8);
    const poor = await Router.open(source, new BoundedCache(1));
    const point = pointMaker(build, 3);
    for (let i = 0; i < 15; i++) {
      const pair = [point(), point()];
      const rich = await router.route(pair, { mode: "car" });
      const answer = await poor?.route(pair, { mode: "car" });
      expect(answer?.legs[0].weight).toBe(rich?.legs[0].weight);
      expect(answer?.duration).toBe(rich?.duration);
    }
  });

  it("serve many questions at once", async () => {
    const { router, build, source } = await roadsOfTown(40, 8);
    const cold = (await Router.open(new CountingSource(source)))!;
    const point = pointMaker(build, 4);
    const pairs = Array.from({ length: 30 }, () => [point(), point()]);
    const ask = (from: Router) =>
      Promise.all(pairs.map(async (pair) => (await from.route(pair, { mode: "bike" }))?.legs[0].weight));
    expect(await ask(cold)).toEqual(await ask(router));
  });
});

describe("a heap", () => {
  it("returns items by rising key, also after keys were lowered", () => {
    const random = seeded(1);
    const heap = new Heap(3000);
    const keys = new Map<number, number>();
    for (let i = 0; i < 9000; i++) {
      const item = Math.floor(random() * 3000);
      const key = Math.floor(random() * 1e6) - 1000;
      heap.set(item, key);
      keys.set(item, Math.min(key, keys.get(item) ?? Number.POSITIVE_INFINITY));
    }
    let last = Number.NEGATIVE_INFINITY;
    while (heap.size > 0) {
      const key = heap.least;
      const item = heap.pop();
      expect(key).toBe(keys.get(item));
      expect(key).toBeGreaterThanOrEqual(last);
      keys.delete(item);
      last = key;
    }
    expect(keys.size).toBe(0);
  });
});

describe("values of tags", () => {
  it.each([
    ["50", 50],
    ["30 mph", 48.27],
    ["10 knots", 18.52],
    ["DE:rural", 100],
    ["FR:urban", 50],
    ["XX:motorway", 130],
    ["none", 140],
    ["walk", undefined],
    ["", undefined],
  ])("a speed of %s", (text, speed) =>
    speed === undefined ? expect(parseSpeed(text)).toBeUndefined() : expect(parseSpeed(text)).toBeCloseTo(speed, 6),
  );

  it.each([
    ["3.5", 3.5],
    ["3.5 m", 3.5],
    ["350 cm", 3.5],
    [`12'6"`, 3.81],
    ["12'", 3.6576],
    ["14 ft", 4.2672],
    ["default", undefined],
  ])("a length of %s", (text, metres) =>
    metres === undefined ? expect(parseLength(text)).toBeUndefined() : expect(parseLength(text)).toBeCloseTo(metres, 4),
  );

  it.each([
    ["7.5", 7.5],
    ["7500 kg", 7.5],
    ["16000 lbs", 7.257],
    ["10 st", 9.072],
    ["unsigned", undefined],
  ])("a weight of %s", (text, tonnes) =>
    tonnes === undefined ? expect(parseWeight(text)).toBeUndefined() : expect(parseWeight(text)).toBeCloseTo(tonnes, 2),
  );

  it.each([
    ["45", 2700],
    ["1:30", 5400],
    ["00:10:30", 630],
    ["PT1H30M", 5400],
    ["PT20M", 1200],
    ["P", undefined],
    ["soon", undefined],
  ])("a duration of %s", (text, seconds) => expect(parseDuration(text)).toEqual(seconds));
});

describe("restrictions that overlap", () => {
  it("are followed each to its end", () => {
    // 0 → 1 → 2 → 3 and 1 → 2 → 4 are both closed: whoever comes from 0 over 1 and 2 may take neither.
    const next: Record<number, number[]> = { 0: [1], 1: [2], 2: [3, 4, 5], 3: [], 4: [], 5: [] };
    const { exceptions, copies } = restrictTurns(
      [
        { path: [0, 1, 2, 3], only: false, modes: 3 },
        { path: [1, 2, 4], only: false, modes: 3 },
      ],
      6,
      { leaving: (edge) => next[edge], onward: () => undefined },
    );
    const original = (edge: number) => (edge < 6 ? edge : copies[edge - 6]);
    const open = (from: number, to: number) =>
      exceptions.find((exception) => exception.from === from && exception.to === to)?.modes ??
      (to < 6 && next[original(from)].includes(to) ? 15 : 0);
    const reach = (start: number): string[] => {
      const found: string[] = [];
      const walk = (edge: number, path: number[]) => {
        found.push([...path, original(edge)].join(""));
        for (let to = 0; to < 6 + copies.length; to++) {
          if ((open(edge, to) & 1) !== 0) walk(to, [...path, original(edge)]);
        }
      };
      walk(start, []);
      return found.sort();
    };
    expect(reach(0)).toEqual(["0", "01", "012", "0125"]);
    expect(reach(1)).toEqual(["1", "12", "123", "125"]);
    expect(reach(2)).toEqual(["2", "23", "24", "25"]);
  });
});

describe("a location without roads", () => {
  it("is named by its index among the locations", async () => {
    const { router, build } = await roadsOfTown(5, 1);
    const point = pointMaker(build, 1);
    const route = router.route([point(), point(), { latitude: 0, longitude: 0 }], { mode: "car" });
    await expect(route).rejects.toEqual(new NoRoad(2));
  });
});

describe("a pack of cliques", () => {
  it("comes back as it went in, ways that are missing included", async () => {
    const { router, build } = await roadsOfTown(40, 8, [8, 32, 128, 512]);
    const { store } = router;
    let missing = 0;
    for (const mode of [0, 3]) {
      const overlay = wholeOverlay(build, mode);
      for (let level = 1; level < store.manifest.levels; level++) {
        for (const avoid of [0, 3]) {
          const parents = level + 1 < store.manifest.levels ? store.manifest.cellCounts[level + 1] : 1;
          for (let parent = 0; parent < parents; parent++) {
            const { pack, firstCell } = (await store.pack({ mode, avoid }, level, parent))!;
            pack.cliques.forEach((clique, i) => {
              const made = cliqueOf(overlay[level][firstCell + i], avoid, 0);
              const weights = Int32Array.from(clique.weight, (one) => (one === clique.none ? UNREACHABLE : one));
              expect(weights).toEqual(made.weight);
              weights.forEach((weight, at) => {
                if (weight === UNREACHABLE) missing++;
                else {
                  expect(clique.duration[at]).toBe(made.duration[at]);
                  expect(clique.distance[at]).toBe(made.distance[at]);
                }
              });
            });
          }
        }
      }
    }
    expect(missing).toBeGreaterThan(0);
  });
});
