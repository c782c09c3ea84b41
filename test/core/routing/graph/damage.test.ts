import { beforeAll, describe, expect, it } from "vitest";
import { memorySource, type TileSource, UnreadableObject } from "../../../../src/core/geo/builds/tile-source.ts";
import type { Coordinate } from "../../../../src/core/geo/coordinate.ts";
import { unpaced } from "../../../../src/core/geo/pace.ts";
import { MANIFEST_KEY, tileKey } from "../../../../src/core/routing/graph/pack.ts";
import { match } from "../../../../src/core/routing/match/match.ts";
import { reach } from "../../../../src/core/routing/reach/reach.ts";
import { optimize } from "../../../../src/core/routing/route/optimize.ts";
import { type Route, Router } from "../../../../src/core/routing/route/router.ts";
import { pathGeometry } from "../../../../src/core/routing/search/path.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import { samples } from "../../../support/night.ts";
import { pointMaker } from "../search/compare.ts";
import { randomTown } from "./random-town.ts";
import { buildRoads } from "./road-build.ts";

const car = { mode: "car" } as const;

/** A source in which objects can be damaged and repaired. */
class FragileSource implements TileSource {
  readonly damaged = new Set<string>();
  readonly objects: ReadonlyMap<string, Uint8Array>;
  reads: string[] = [];

  constructor(objects: ReadonlyMap<string, Uint8Array>) {
    this.objects = objects;
  }

  async read(key: string, range?: { offset: number; length: number }): Promise<Uint8Array | undefined> {
    this.reads.push(key);
    if (this.damaged.has(key)) throw new UnreadableObject(key, "its checksum is another");
    return memorySource(this.objects).read(key, range);
  }
}

let objects: Map<string, Uint8Array>;
let whole: Router;
let pairs: [Coordinate, Coordinate][];

beforeAll(async () => {
  const made = await buildRoads(buildGraph(randomTown(40, 11)), [8, 24, 96, 384, 1536]);
  objects = made.objects;
  whole = made.router;
  const point = pointMaker(made.build, 5);
  pairs = Array.from({ length: 30 }, () => [point(), point()]);
}, 120_000);

/** A router that was opened just now, over a source with some objects damaged, and what it missed. */
async function damagedRouter(...keys: string[]) {
  const source = new FragileSource(objects);
  for (const key of keys) source.damaged.add(key);
  const router = (await Router.open(source))!;
  const missed: string[] = [];
  const asked = () => router.forQuery({ pace: unpaced(), missed: (key) => missed.push(key) });
  return { source, missed, asked };
}

const tilesOf = (route: Route) => new Set(route.legs[0].edges.map(({ view }) => view.tile.index));

/** A route and a tile in its middle, away from both ends. */
async function routeWithMiddle(): Promise<{ pair: [Coordinate, Coordinate]; route: Route; middle: number }> {
  for (const pair of pairs) {
    const route = await whole.route(pair, car);
    if (!route) continue;
    const tiles = [...tilesOf(route)];
    if (tiles.length < 7) continue;
    return { pair, route, middle: tiles[tiles.length >> 1] };
  }
  throw new Error("no route is long enough");
}

describe("a tile that cannot be read", () => {
  it("is gone around", async () => {
    const { pair, route, middle } = await routeWithMiddle();
    const { missed, asked } = await damagedRouter(tileKey(middle));
    const around = await asked().route(pair, car);
    expect(around).toBeDefined();
    expect(tilesOf(around!)).not.toContain(middle);
    expect(around!.legs[0].weight).toBeGreaterThanOrEqual(route.legs[0].weight);
    expect(pathGeometry(around!.legs[0]).length).toBeGreaterThan(2);
    expect(missed).toEqual([tileKey(middle)]);
  });

  it("does not change a distance that only leads through it", async () => {
    const { pair, middle } = await routeWithMiddle();
    const { missed, asked } = await damagedRouter(tileKey(middle));
    expect(await asked().distance(...pair, car)).toEqual(await whole.distance(...pair, car));
    expect(missed).toEqual([]);
  });

  it("is asked for once per question, and counts again as soon as it is repaired", async () => {
    const { pair, route, middle } = await routeWithMiddle();
    const { source, asked } = await damagedRouter(tileKey(middle));
    await asked().routeWithAlternatives(...pair, car);
    expect(source.reads.filter((key) => key === tileKey(middle))).toHaveLength(1);
    source.damaged.clear();
    expect((await asked().route(pair, car))?.duration).toBe(route.duration);
  });

  it("hides the points in it, and no others", async () => {
    const { pair, route, middle } = await routeWithMiddle();
    const last = route.legs[0].end.tile.index;
    const { missed, asked } = await damagedRouter(tileKey(last));
    expect(await asked().distance(...pair, car)).toBeUndefined();
    expect(await asked().route(pair, car)).toBeUndefined();
    expect(await asked().routeWithAlternatives(...pair, car)).toEqual([]);
    expect(await optimize(asked(), [pair[0], pair[1], pair[0]], car)).toBeUndefined();
    const { latitude, longitude } = route.legs[0].edges.find(({ view }) => view.tile.index === middle)!.view.tile;
    const inMiddle = { latitude: latitude[0] / 1e6, longitude: longitude[0] / 1e6 };
    const [row] = await asked().matrix([pair[0]], [pair[1], inMiddle], car);
    expect(row[0]).toBeUndefined();
    expect(row[1]).toEqual((await whole.matrix([pair[0]], [inMiddle], car))[0][0]);
    const times = await reach(asked(), pair[0], [pair[1], inMiddle], { mode: "car", within: 7200 });
    expect(times[0]).toBe(Number.POSITIVE_INFINITY);
    expect(times[1]).toBeLessThan(7200);
    expect(new Set(missed)).toEqual(new Set([tileKey(last)]));
  });

  it("breaks a trace, and leaves the points in it out", async () => {
    const { route, middle } = await routeWithMiddle();
    const trace = pathGeometry(route.legs[0]);
    const { asked } = await damagedRouter(tileKey(middle));
    const all = (await match(whole, trace, car)).points.length;
    const some = (await match(asked(), trace, car)).points.length;
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(all);
  });

  it("never costs a question that has an answer without it more than the answer it has", async () => {
    const tileCount = whole.store.manifest.tileCount;
    let unavailable = 0;
    for (let tile = 0; tile < tileCount; tile += samples(29, 13)) {
      const { asked } = await damagedRouter(tileKey(tile));
      for (const pair of pairs.slice(0, 6)) {
        const sound = await whole.route(pair, car);
        const found = await asked().route(pair, car);
        if (!found) unavailable++;
        else expect(found.legs[0].weight).toBeGreaterThanOrEqual(sound!.legs[0].weight);
        if (found) expect(tilesOf(found)).not.toContain(tile);
      }
    }
    expect(unavailable).toBeLessThan(6 * (tileCount / samples(29, 13)) * 0.3);
  });

  it("may be missing, cut short or changed: it is the same", async () => {
    const { pair, middle } = await routeWithMiddle();
    const bytes = objects.get(tileKey(middle))!;
    const flipped = bytes.slice();
    for (let i = 40; i < 60; i++) flipped[i] ^= 0x55;
    const around = await (await damagedRouter(tileKey(middle))).asked().route(pair, car);
    for (const spoilt of [undefined, bytes.slice(0, bytes.length >> 1), new Uint8Array(3), flipped]) {
      const copy = new Map(objects);
      if (spoilt) copy.set(tileKey(middle), spoilt);
      else copy.delete(tileKey(middle));
      const router = (await Router.open(memorySource(copy)))!;
      expect((await router.route(pair, car))?.duration).toBe(around?.duration);
    }
  });
});

/** What holds cliques of cars: bundles of districts, and the packs above them. */
function overlayOfCars(): string[] {
  const keys = [...objects.keys()];
  const bundles = keys.filter((key) => key.startsWith("roads/bundles/0/0/"));
  const packs = keys.filter((key) => key.startsWith("roads/packs/0/"));
  expect([bundles.length > 3, packs.length > 0]).toEqual([true, true]);
  return [...bundles, ...packs];
}

describe("cliques that cannot be read", () => {
  it("are replaced by the level below, whatever their level: no route changes", async () => {
    const packs = overlayOfCars().filter((_, i) => i % samples(2, 1) === 0);
    let missedAny = 0;
    for (const key of packs) {
      const { missed, asked } = await damagedRouter(key);
      for (const pair of pairs.slice(0, 4)) {
        const sound = await whole.route(pair, car);
        const found = await asked().route(pair, car);
        expect(found?.legs[0].weight, key).toBe(sound?.legs[0].weight);
        const connection = await asked().distance(...pair, car);
        expect(connection?.duration, key).toBeCloseTo(sound?.duration ?? Number.NaN, 6);
      }
      missedAny += missed.length > 0 ? 1 : 0;
    }
    expect(missedAny).toBeGreaterThan(packs.length / 2);
  });

  it("change nothing in a matrix, nor in what is reached", async () => {
    const packs = overlayOfCars().filter((_, i) => i % samples(2, 1) === 1 % samples(2, 1));
    const origins = pairs.slice(0, 5).map(([origin]) => origin);
    const destinations = pairs.slice(0, 4).map(([, destination]) => destination);
    const weights = async (router: Router) =>
      (await router.matrix(origins, destinations, car)).map((row) => row.map((cell) => cell?.weight));
    const times = (router: Router) => reach(router, origins[0], destinations, { mode: "car", within: 3600 });
    const [sound, soundTimes] = [await weights(whole), await times(whole)];
    for (const key of packs) {
      const { asked } = await damagedRouter(key);
      expect(await weights(asked()), key).toEqual(sound);
      expect(await times(asked()), key).toEqual(soundTimes);
    }
  });
});

describe("packs that lie in one object", () => {
  it("are missed one by one: where the bytes of one are spoilt, the others are read, each by its range alone", async () => {
    const [key] = [...objects.keys()].filter((one) => one.startsWith("roads/packs/0/"));
    const [level, parent] = key.split("/").slice(3).map(Number);
    const { manifest } = whole.store;
    const metrics = Array.from({ length: 16 }, (_, avoid) => manifest.packMetric({ mode: 0, avoid }, level, parent));
    const own = [...new Map(metrics.map((metric) => [metric.avoid, metric])).values()];
    expect(own.length).toBeGreaterThan(1);
    const ranges = own.map((metric) => manifest.packRange(metric, level, parent));
    expect(ranges.reduce((sum, { length }) => sum + length, 0)).toBe(objects.get(key)!.length);
    const spoilt = objects.get(key)!.slice();
    spoilt[ranges[1].offset + (ranges[1].length >> 1)] ^= 0x10;
    const read: number[] = [];
    const source: TileSource = {
      read: (one, range) => {
        if (one === key) read.push(range?.offset ?? -1);
        return memorySource(new Map([...objects, [key, spoilt]])).read(one, range);
      },
    };
    const { store } = (await Router.open(source))!;
    for (const [i, metric] of own.entries()) {
      const found = await store.pack(metric, level, parent);
      if (i === 1) expect(found).toBeUndefined();
      else expect(found?.pack.cliques).toEqual((await whole.store.pack(metric, level, parent))?.pack.cliques);
    }
    // What fails its check may have been hurt on the way: it is read twice.
    expect(read).toEqual(ranges.flatMap(({ offset }, i) => (i === 1 ? [offset, offset] : [offset])));
    expect(store.isDamaged).toBe(true);
  });
});

describe("a manifest that cannot be read", () => {
  it("is told as such, and not as roads that are not there", async () => {
    const source = new FragileSource(objects);
    source.damaged.add(MANIFEST_KEY);
    await expect(Router.open(source)).rejects.toThrow(UnreadableObject);
    const short = new Map(objects).set(MANIFEST_KEY, objects.get(MANIFEST_KEY)!.slice(0, 30));
    await expect(Router.open(memorySource(short))).rejects.toThrow(UnreadableObject);
    expect(await Router.open(memorySource(new Map()))).toBeUndefined();
  });
});
