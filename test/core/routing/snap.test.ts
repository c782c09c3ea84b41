import { describe, expect, it } from "vitest";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { distance, METRES_PER_DEGREE, RADIANS } from "../../../src/core/geo/distance.ts";
import { MODES } from "../../../src/core/routing/graph/modes.ts";
import { PIECE_GROUP, pieceBoxDistance2, pieceBoxes, project, stepOf } from "../../../src/core/routing/graph/pieces.ts";
import { edgeGeometry } from "../../../src/core/routing/search/path.ts";
import { isElsewhere, type SnapOptions, snap } from "../../../src/core/routing/store/snap.ts";
import { buildGraph } from "../../../src/importer/layers/roads/graph/build-graph.ts";
import type { OsmElement } from "../../../src/importer/osm/pbf/element.ts";
import { samples } from "../../support/night.ts";
import { randomTown } from "./graph/random-town.ts";
import { buildRoads, roadsOfTown } from "./graph/road-build.ts";
import { build, type World } from "./scenario.ts";
import { pointMaker } from "./search/compare.ts";

/** Names of the roads a point snaps to, with the directions one may start in. */
async function snapped(world: World, place: string, options: Partial<SnapOptions> = {}): Promise<string> {
  const { nearest } = await snap(world.router.store, world.at(place), { mode: 0, ...options });
  return nearest
    .map(({ tile, piece, forward, backward }) => {
      const { name } = tile.recordOf(piece);
      return `${name}${forward ? (backward ? "" : ">") : "<"}`;
    })
    .sort()
    .join();
}

const TOWN = {
  map: `
    a-----b-----c
    |     |     |
    d-----e-----f
  `,
  ways: { abc: "", ad: "", be: "highway=footway", cf: "oneway=yes", def: "highway=motorway" },
};

describe("a point", () => {
  it("lies on the nearest road its mode may use", async () => {
    const world = await build(TOWN);
    expect(await snapped(world, "ab+0,0.2")).toBe("abc");
    expect(await snapped(world, "bbe+0.3,0")).toBe("abc");
    expect(await snapped(world, "be+0.3,0", { mode: 2 })).toBe("be");
    expect(await snapped(world, "cf+0.5,0")).toBe("cf>");
    expect(await snapped(world, "de")).toBe("def>");
    expect(await snapped(world, "de", { mode: 2 })).not.toContain("def");
  });

  it("at a junction lies on all roads that meet there", async () => {
    const world = await build(TOWN);
    expect(await snapped(world, "a")).toBe("abc,ad");
    expect(await snapped(world, "c")).toBe("abc,cf>");
  });

  it("is reached on its side of the road with curbside", async () => {
    const world = await build(TOWN);
    const curbside = true;
    // The street abc leads east: south of it is its right side.
    expect(await snapped(world, "ab+0,0.2", { curbside })).toBe("abc>");
    expect(await snapped(world, "ab+0,-0.2", { curbside })).toBe("abc<");
    expect(await snapped(world, "ab", { curbside })).toBe("abc");
    expect(await snapped(world, "cf+-0.1,0", { curbside })).toBe("cf>");
    const left = await build({ ...TOWN, leftHand: true });
    expect(await snapped(left, "ab+0,0.2", { curbside })).toBe("abc<");
    expect(await snapped(left, "ab+0,-0.2", { curbside })).toBe("abc>");
  });

  it("with a heading lies on a road that leads that way, within sixty degrees", async () => {
    const world = await build(TOWN);
    expect(await snapped(world, "ab+0,0.2", { heading: 90 })).toBe("abc>");
    expect(await snapped(world, "ab+0,0.2", { heading: 270 })).toBe("abc<");
    expect(await snapped(world, "ab+0,0.2", { heading: 35 })).toBe("abc>");
    expect(await snapped(world, "ab+0,0.2", { heading: 145 })).toBe("abc>");
    expect(await snapped(world, "ab+-1,0.2", { heading: 180 })).toBe("ad>");
    expect(await snapped(world, "cf", { heading: 0 })).not.toContain("cf");
  });

  it("lies on no private drive, but on the road it leads from", async () => {
    const world = await build({
      map: "a-----b-----c\n      |\n      |\n      d",
      ways: { abc: "", bd: "highway=service access=private" },
    });
    expect(await snapped(world, "bd")).toBe("abc,abc");
    expect(await snapped(world, "d")).toBe("abc,abc");
    expect(await snapped(world, "bd", { mode: 3 })).toBe("abc,abc");
  });

  it("farther from any road than its reach lies nowhere", async () => {
    const world = await build(TOWN);
    expect(await snapped(world, "a+-3,0", { reach: 250 })).toBe("");
    expect(await snapped(world, "a+-3,0", { reach: 350 })).toBe("abc,ad");
  });

  it("prefers the mainland to an island, and keeps both", async () => {
    // 600 crossings are the mainland; a lane beside them leads nowhere.
    const elements = randomTown(26, 3);
    const corner = elements.find((element) => element.type === "node" && element.id === 1);
    if (corner?.type !== "node") throw new Error("no corner");
    const lane = [1, 2].map((i) => ({
      type: "node" as const,
      id: 100_000 + i,
      latitude: corner.latitude - 0.003,
      longitude: corner.longitude + i * 0.001,
      tags: {},
    }));
    const way = { type: "way" as const, id: 100_000, refs: [100_001, 100_002], tags: { highway: "residential" } };
    const { router } = await buildRoads(buildGraph([...elements, ...lane, way]));
    const found = await snap(
      router.store,
      { latitude: lane[0].latitude, longitude: lane[0].longitude + 0.0005 },
      { mode: 0 },
    );
    expect(found.nearest[0].island).toBe(true);
    expect(found.nearest[0].distance).toBeLessThan(1);
    expect(found.mainland[0].island).toBe(false);
    expect(found.mainland[0].distance).toBeGreaterThan(50);
  });

  it("is on no tunnel, bridge or motorway if another road is at most 100 m farther", async () => {
    const avoid = ["tunnel", "bridge", "motorway", "ferry"] as const;
    for (const [tags, kind] of [
      ["tunnel=yes", "tunnel"],
      ["tunnel=building_passage", "tunnel"],
      ["highway=primary bridge=yes", "bridge"],
      ["highway=motorway", "motorway"],
      ["highway=motorway_link", "motorway"],
      ["highway=trunk_link", "motorway"],
      ["highway=trunk motorroad=yes", "motorway"],
      ["highway=trunk", undefined],
      ["highway=primary_link", undefined],
    ] as const) {
      const world = await build({
        map: "a-----b\n\n\nc-----d\n|     |\ne-----f",
        ways: { ab: tags, cdfec: "", ac: "", bd: "" },
      });
      // 110 m from the one, 190 m from the other; then 90 m and 210 m.
      expect(await snapped(world, "ab+0,1.1", { avoid }), tags).toContain(kind ? "cdfec" : "ab");
      expect(await snapped(world, "ab+0,1.1"), tags).toContain("ab");
      if (!kind) continue;
      expect(await snapped(world, "ab+0,0.9", { avoid }), tags).toContain("ab");
      expect(await snapped(world, "ab+0,1.1", { avoid: avoid.filter((one) => one !== kind) }), tags).toContain("ab");
      expect(await snapped(world, "ab+0,1.1", { avoid, reach: 150 }), tags).toContain("ab");
    }
  });

  it("is on the road of the least distance, with 100 m more for those to avoid, as by comparing all", async () => {
    const tagged = randomTown(40, 12).map((element): OsmElement => {
      if (element.type !== "way") return element;
      const structure = element.id % 5 === 0 ? "tunnel" : element.id % 7 === 0 ? "bridge" : "note";
      return { ...element, tags: { ...element.tags, [structure]: "yes" } };
    });
    const { router, build: made } = await buildRoads(buildGraph(tagged), [16, 64, 500]);
    const tagsOf = new Map(tagged.map(({ tags }) => [tags.name, tags]));
    const isAvoided = (name = "") => {
      const { highway, tunnel, bridge } = tagsOf.get(name) ?? {};
      return highway === "motorway" || tunnel === "yes" || bridge === "yes";
    };
    const random = pointMaker(made, 5);
    const tiles = await Promise.all(
      Array.from({ length: router.store.manifest.tileCount }, (_, i) => router.store.tile(i)),
    );
    let changed = 0;
    for (let i = 0; i < samples(40, 200); i++) {
      const [point, mode] = [random(), i % MODES.length];
      let best = Number.POSITIVE_INFINITY;
      for (const tile of tiles.filter((one) => one !== undefined)) {
        for (let edge = 0; edge < tile.edgeCount; edge++) {
          const { speed, travel, private: isPrivate } = tile.passage(edge, mode);
          const isIsland = (tile.pieceMarks[tile.pieceOf(edge)] & (16 << mode)) !== 0;
          if (speed === 0 || travel === 1 || travel === 3 || isPrivate || isIsland) continue;
          const more = isAvoided(tile.recordOf(tile.pieceOf(edge)).name) ? 100 : 0;
          best = Math.min(best, distanceToLine(point, edgeGeometry(tile, edge), best - more) + more);
        }
      }
      const [found] = (await snap(router.store, point, { mode, avoid: ["tunnel", "bridge", "motorway"] })).mainland;
      const more = isAvoided(found.tile.recordOf(found.piece).name) ? 100 : 0;
      expect(found.distance + more).toBeCloseTo(best, 1);
      const [plain] = (await snap(router.store, point, { mode })).mainland;
      if (plain.distance < found.distance - 0.1) changed++;
    }
    expect(changed).toBeGreaterThan(5);
  });

  it.each([
    [0.003, true],
    [0.012, false],
  ])("on a lane that leads nowhere, %f° from the town, is on the mainland: %s", async (south, isConnected) => {
    const elements = randomTown(26, 3);
    const corner = elements.find((element) => element.type === "node" && element.id === 1);
    if (corner?.type !== "node") throw new Error("no corner");
    const places = [1, 2].map((i) => ({ latitude: corner.latitude - south, longitude: corner.longitude + i * 0.001 }));
    const lane = places.map((place, i) => ({ type: "node" as const, id: 100_001 + i, ...place, tags: {} }));
    const way = { type: "way" as const, id: 100_000, refs: [100_001, 100_002], tags: { highway: "residential" } };
    const { router, build: made } = await buildRoads(buildGraph([...elements, ...lane, way]));
    const town = pointMaker(made, 4)();
    const options = { mode: "foot" } as const;
    const [there, back, within] = [
      [places[0], town],
      [town, places[0]],
      [places[0], places[1]],
    ] as const;
    for (const [from, to] of [there, back]) {
      const found = await router.distance(from, to, options);
      const [[cell]] = await router.matrix([from], [to], options);
      expect([found !== undefined, cell !== undefined]).toEqual([isConnected, isConnected]);
      expect((await router.route([from, to], options)) !== undefined).toBe(isConnected);
      if (!found) continue;
      expect([found.start, found.end].map(isElsewhere).sort()).toEqual([false, true]);
      expect(cell?.isElsewhere).toBe(true);
    }
    // Along the lane itself.
    const [found, [[cell]]] = [
      await router.distance(...within, options),
      await router.matrix([within[0]], [within[1]], options),
    ];
    expect(found?.distance).toBeCloseTo(84, -1);
    expect([found?.start, found?.end].some((end) => end && isElsewhere(end))).toBe(false);
    if (!isConnected) expect(cell).toMatchObject({ distance: found?.distance });
  });

  it("is snapped to the same place as by comparing all roads", { timeout: 60_000 }, async () => {
    const { router, build: made } = await roadsOfTown(40, 8);
    const { manifest } = router.store;
    const tiles = await Promise.all(
      Array.from({ length: manifest.tileCount }, async (_, index) => (await router.store.tile(index))!),
    );
    // Each line once: there are up to 150 points to look at all of them.
    const lines = tiles.map((tile) => Array.from({ length: tile.edgeCount }, (_, edge) => edgeGeometry(tile, edge)));
    const random = pointMaker(made, 31);
    for (let i = 0; i < samples(40, 150); i++) {
      const point = random();
      const mode = i % MODES.length;
      let best = Number.POSITIVE_INFINITY;
      for (const [t, tile] of tiles.entries()) {
        for (let edge = 0; edge < tile.edgeCount; edge++) {
          const passage = tile.passage(edge, mode);
          const island = (tile.pieceMarks[tile.pieceOf(edge)] & (16 << mode)) !== 0;
          if (passage.speed === 0 || passage.travel === 1 || passage.travel === 3 || passage.private || island)
            continue;
          best = Math.min(best, distanceToLine(point, lines[t][edge], best));
        }
      }
      const { mainland } = await snap(router.store, point, { mode });
      expect(mainland[0].distance).toBeCloseTo(best, 1);
    }
  });
});

/**
 * [m], by walking along the line in small steps: slow, but it shares nothing with the code under test. Parts that cannot be nearer
 * than `best` are passed over: no point of a part is nearer than its start less its length.
 */
function distanceToLine(point: Coordinate, line: readonly Coordinate[], best: number): number {
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1], line[i]];
    if (distance(point, a) > best + distance(a, b)) continue;
    let low = 0;
    let high = 1;
    const at = (share: number) =>
      distance(point, {
        latitude: a.latitude + (b.latitude - a.latitude) * share,
        longitude: a.longitude + (b.longitude - a.longitude) * share,
      });
    // The distance to a straight line falls, then rises: ternary search.
    for (let step = 0; step < 40; step++) {
      const [left, right] = [low + (high - low) / 3, high - (high - low) / 3];
      if (at(left) < at(right)) high = right;
      else low = left;
    }
    best = Math.min(best, at((low + high) / 2));
  }
  return best;
}

describe("the box of a piece", () => {
  it("is never farther than the piece, and rarely nearer than most of the way to it", async () => {
    const { router, build: roads } = await roadsOfTown(24, 5, [16, 64, 500]);
    const point = pointMaker(roads, 3);
    let [boxes, roadsAway] = [0, 0];
    for (let i = 0; i < router.store.manifest.tileCount; i++) {
      const tile = (await router.store.tile(i))!;
      const { groups, pieces } = pieceBoxes(tile);
      for (let n = 0; n < 20; n++) {
        const at = point();
        const [y, x] = [at.latitude * 1e6, at.longitude * 1e6];
        const ky = METRES_PER_DEGREE / 1e6;
        const kx = ky * Math.cos(at.latitude * RADIANS);
        for (let piece = 0; piece < tile.pieceCount; piece++) {
          const corner = Math.floor(piece / PIECE_GROUP) * 4;
          const [south, west, north, east] = groups.subarray(corner, corner + 4);
          const [stepY, stepX] = [stepOf(south, north), stepOf(west, east)];
          const inSteps = [(y - south) / stepY, (x - west) / stepX, ky * stepY, kx * stepX] as const;
          const box = pieceBoxDistance2(pieces, piece, ...inSteps);
          const road = project(tile, piece, y, x, ky, kx);
          expect(box).toBeLessThanOrEqual(road + 1e-6);
          boxes += Math.sqrt(box);
          roadsAway += Math.sqrt(road);
        }
      }
    }
    expect(boxes / roadsAway).toBeGreaterThan(0.9);
  });
});
