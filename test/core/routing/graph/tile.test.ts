import { describe, expect, it } from "vitest";
import { BoundedCache } from "../../../../src/core/geo/bounded-cache.ts";
import type { TileSource } from "../../../../src/core/geo/builds/tile-source.ts";
import type { District } from "../../../../src/core/routing/graph/district.ts";
import { districtKey, tileKey } from "../../../../src/core/routing/graph/pack.ts";
import { readTile, type Tile } from "../../../../src/core/routing/graph/tile.ts";
import { Router } from "../../../../src/core/routing/route/router.ts";
import { sameEdge } from "../../../../src/core/routing/search/search.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import type { OsmElement } from "../../../../src/importer/osm/pbf/element.ts";
import { pointMaker } from "../search/compare.ts";
import { buildRoads, roadsOfTown } from "./road-build.ts";

describe("what is written on the roads of a tile", () => {
  it("is read road by road, whatever marks a name has", async () => {
    const names = ['Rua "A, B"', "{C},{D}", 'back\\slash, and \\"', "[E]", "Straße 一二三, ü", "plain"];
    const nodes = Array.from({ length: names.length + 1 }, (_, i): OsmElement => {
      return { type: "node", id: i + 1, latitude: 1 + i * 1e-3, longitude: 1, tags: {} };
    });
    const ways = names.map((name, i): OsmElement => {
      return { type: "way", id: i + 1, refs: [i + 1, i + 2], tags: { highway: "primary", name } };
    });
    const { router } = await buildRoads(buildGraph([...nodes, ...ways]));
    const tile = (await router.store.tile(0))!;
    const read = Array.from({ length: tile.pieceCount }, (_, piece) => tile.recordOf(tile.pieceCount - 1 - piece).name);
    expect(new Set(read)).toEqual(new Set(names));
    expect(tile.recordOf(0)).toBe(tile.recordOf(0));
  });
});

/** What searches work in is shared by all of a process, so it depends on the tests that ran before: here it counts for nothing. */
class TilesOnly extends BoundedCache {
  override claim(): void {}
}

describe("a tile in a cache", () => {
  it("may be let go and read again while a question is being answered", async () => {
    const { objects } = await roadsOfTown(10, 3);
    const [one, again] = await Promise.all([1, 2].map(() => readTile(0, objects.get(tileKey(0))!)));
    const at = (tile: Tile, edge: number) => ({ tile, edge, share: 0.5, owner: 0 });
    expect(sameEdge(at(one, 3), at(again, 3))).toBe(true);
    expect(sameEdge(at(one, 3), at(again, 4))).toBe(false);
  });

  it("is made again of its bytes where it had to be read twice, and routes stay the same", async () => {
    const { source, router: roomy, build: roads } = await roadsOfTown(40, 23, [16, 64, 500]);
    const reads = new Map<string, number>();
    const counting: TileSource = {
      read(key, range) {
        reads.set(key, (reads.get(key) ?? 0) + 1);
        return source.read(key, range);
      },
    };
    // Room for some of the tiles with all that hangs on them, or for the bytes of all.
    const cache = new TilesOnly(700_000);
    const router = (await Router.open(counting, cache))!;
    const point = pointMaker(roads, 8);
    for (let i = 0; i < 80; i++) {
      const pair = [point(), point()] as const;
      const found = await router.distance(...pair, { mode: "car" });
      expect(found).toEqual(await roomy.distance(...pair, { mode: "car" }));
      expect(cache.weight).toBeLessThanOrEqual(700_000);
    }
    const tiles = [...reads].filter(([key]) => key.startsWith("roads/tiles/")).map(([, times]) => times);
    expect(tiles.length).toBeGreaterThan(20);
    expect(tiles.some((times) => times === 2)).toBe(true);
    // Without them tiles would be read again and again.
    expect(tiles.reduce((sum, times) => sum + times, 0)).toBeLessThan(tiles.length * 2.3);
  });

  it("weighs what hangs on it, views that come and go included", async () => {
    const { source, objects, build: roads } = await roadsOfTown(40, 23, [16, 64, 500]);
    const cache = new TilesOnly(1e9);
    const router = (await Router.open(source, cache))!;
    const point = pointMaker(roads, 4);
    const avoids = [[], ["tolls"], ["highways"], ["ferries"], ["tolls", "ferries"], ["highways", "tolls"]] as const;
    const { store } = router;
    for (let i = 0; i < 60; i++) {
      const mode = (["car", "truck", "foot", "bike"] as const)[i % 4];
      const route = await router.route([point(), point()], { mode, avoid: avoids[i % 6] });
      if (route) router.view(route.legs[0]).path.pieces.map(({ road }) => road.name);
    }
    const tiles = Array.from({ length: store.manifest.tileCount }, (_, i) => store.tileAtHand(i)).filter(
      (tile): tile is Tile => tile !== undefined,
    );
    let packs = 0;
    for (let mode = 0; mode < 4; mode++) {
      const seen = new Set<unknown>();
      for (const avoid of [0, 1, 2, 3, 4, 5]) {
        for (let level = 1; level < store.manifest.levels; level++) {
          const parents = level + 1 < store.manifest.levels ? store.manifest.cellCounts[level + 1] : 1;
          for (let parent = 0; parent < parents; parent++) {
            const loaded = store.packAtHand({ mode, avoid }, level, parent);
            if (!loaded || seen.has(loaded)) continue;
            seen.add(loaded);
            packs += loaded.pack.size;
          }
        }
      }
    }
    expect(tiles.length).toBeGreaterThan(5);
    const tables = (cache.get(districtKey(0))!.value as District).size;
    // Bundles stay as they came, beside what is made of them.
    const bundles = [...objects.keys()].filter((key) => key.startsWith("roads/bundles/"));
    const asRead = bundles.reduce((sum, key) => sum + (cache.source(key) ? objects.get(key)!.length + 200 : 0), 0);
    expect(asRead).toBeGreaterThan(0);
    expect(cache.weight).toBe(tiles.reduce((sum, tile) => sum + tile.size, 0) + packs + tables + asRead);
  });

  it("gives room by letting go of views first, keeps what was found in them, and makes them anew when they are asked for", async () => {
    const { source } = await roadsOfTown(20, 3);
    const cache = new TilesOnly(400_000);
    const router = (await Router.open(source, cache))!;
    const tile = (await router.store.tile(0))!;
    const metric = { mode: 0, avoid: 0 };
    const bare = tile.size;
    const view = router.store.view(tile, metric);
    const made = view.size;
    const weights = [...view.weight];
    const clique = view.clique(0);
    const found = tile.size - bare - made;
    expect(found).toBeGreaterThan(clique.weight.byteLength);
    cache.put("map tiles", {}, 199_000);
    cache.put("more map tiles", {}, 400_000 - 199_000 - bare - found - 10);
    expect(tile.size).toBe(bare + found);
    expect(router.store.tileAtHand(0)).toBe(tile);
    // Who still holds the view may go on with it, and what is made for it is not the tile's any more.
    expect(view.arriving.edges.length).toBeGreaterThan(0);
    expect(tile.size).toBe(bare + found);
    const again = router.store.view(tile, metric);
    expect(again).not.toBe(view);
    expect([...again.weight]).toEqual(weights);
    expect(again.clique(0)).toBe(clique);
    // What is found in either is known to both.
    expect(again.clique(1)).toBe(view.clique(1));
  });

  it("keeps as many views as are used side by side, not one for every question ever asked", async () => {
    const { source } = await roadsOfTown(20, 3);
    const cache = new TilesOnly(1e9);
    const router = (await Router.open(source, cache))!;
    const tile = (await router.store.tile(0))!;
    const sizes: number[] = [];
    for (let round = 0; round < 4; round++) {
      for (let metric = 0; metric < 64; metric++) router.store.view(tile, { mode: metric >> 4, avoid: metric & 15 });
      sizes.push(tile.size);
    }
    expect(sizes[3]).toBe(sizes[1]);
    const tables = (cache.get(districtKey(0))!.value as District).size;
    expect(cache.weight).toBe(tile.size + tables);
    const view = router.store.view(tile, { mode: 3, avoid: 15 });
    expect(router.store.view(tile, { mode: 3, avoid: 15 })).toBe(view);
    // What is asked for again and again stays while others come and go.
    for (let metric = 0; metric < 40; metric++) {
      router.store.view(tile, { mode: metric & 1, avoid: metric >> 2 });
      expect(router.store.view(tile, { mode: 3, avoid: 15 })).toBe(view);
    }
  });
});
