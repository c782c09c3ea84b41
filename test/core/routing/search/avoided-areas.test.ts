import { describe, expect, it } from "vitest";
import { type Ring, ringContains } from "../../../../src/core/geo/shapes/polygon.ts";
import { Area } from "../../../../src/core/routing/areas/area.ts";
import { AreasTooLarge } from "../../../../src/core/routing/areas/avoided-areas.ts";
import { AVOID_BITS, AVOID_FACTOR, MODES } from "../../../../src/core/routing/graph/modes.ts";
import type { Tile } from "../../../../src/core/routing/graph/tile.ts";
import type { Router } from "../../../../src/core/routing/route/router.ts";
import { endsOf, startsOf } from "../../../../src/core/routing/search/end-points.ts";
import { type Snap, snap } from "../../../../src/core/routing/store/snap.ts";
import { isNight, samples } from "../../../support/night.ts";
import { seeded } from "../graph/random-town.ts";
import { roadsOfTown } from "../graph/road-build.ts";
import type { RoadsBuild } from "../graph/whole-graph.ts";
import { avoidsOf, pointMaker } from "./compare.ts";
import { Dijkstra } from "./dijkstra.ts";

/** A star of some corners, so that it has bays; sizes in degrees. */
function star(latitude: number, longitude: number, size: number, random: () => number): Ring {
  const corners = 4 + Math.floor(random() * 8);
  return Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners;
    const radius = size * (0.3 + random());
    return [longitude + radius * Math.cos(angle) * 1.3, latitude + radius * Math.sin(angle)];
  });
}

/** Which areas each piece enters, found the plain way: every stretch of it against every edge of every ring. */
function enteredBy(tile: Tile, rings: readonly Ring[]): Int32Array {
  const bits = new Int32Array(tile.pieceCount);
  for (let piece = 0; piece < tile.pieceCount; piece++) {
    const line: [number, number][] = [];
    let y = tile.latitude[tile.startOf(piece)];
    let x = tile.longitude[tile.startOf(piece)];
    line.push([x, y]);
    for (let i = tile.shapeFirst[piece]; i < tile.shapeFirst[piece + 1]; i++) {
      y += tile.shapeNorth[i];
      x += tile.shapeEast[i];
      line.push([x, y]);
    }
    line.push([tile.longitude[tile.endOf(piece)], tile.latitude[tile.endOf(piece)]]);
    rings.forEach((ring, area) => {
      const inside = ringContains(ring, line[0][1] / 1e6, line[0][0] / 1e6);
      const crosses = line.some(
        (to, i) => i > 0 && ring.some((a, k) => meet(line[i - 1], to, a, ring[(k + 1) % ring.length])),
      );
      if (inside || crosses) bits[piece] |= 1 << area;
    });
  }
  return bits;
}

function meet(p: readonly number[], q: readonly number[], a: readonly number[], b: readonly number[]): boolean {
  const [ax, ay, bx, by] = [a[0] * 1e6, a[1] * 1e6, b[0] * 1e6, b[1] * 1e6];
  const turn = (ox: number, oy: number, px: number, py: number, qx: number, qy: number) =>
    (px - ox) * (qy - oy) - (py - oy) * (qx - ox);
  const d1 = turn(p[0], p[1], q[0], q[1], ax, ay);
  const d2 = turn(p[0], p[1], q[0], q[1], bx, by);
  const d3 = turn(ax, ay, bx, by, p[0], p[1]);
  const d4 = turn(ax, ay, bx, by, q[0], q[1]);
  return d1 > 0 !== d2 > 0 && d3 > 0 !== d4 > 0;
}

/** The areas that every edge of the whole graph enters. */
async function areasOfEdges(router: Router, build: RoadsBuild, rings: readonly Ring[]) {
  const byEdge = new Int32Array(build.part.topology.edgeCount);
  const byTile = new Map<number, Int32Array>();
  for (let index = 0; index < build.tiles.length; index++) {
    const tile = await router.store.tile(index);
    if (!tile) throw new Error(`no tile ${index}`);
    const bits = enteredBy(tile, rings);
    byTile.set(index, bits);
    for (let edge = 0; edge < tile.edgeCount; edge++)
      byEdge[build.tiles[index].edges[edge]] |= bits[tile.pieceOf(edge)];
  }
  const around = (snaps: readonly Snap[]) =>
    snaps.reduce((sum, { tile, piece }) => sum | (byTile.get(tile.index)?.[piece] ?? 0), 0);
  return { byEdge, around };
}

async function differences(size: number, seed: number, cells: number[] | undefined, worlds: number, pairs: number) {
  const { router, build } = await roadsOfTown(size, seed, cells);
  const random = seeded(seed * 31);
  const point = pointMaker(build, seed);
  const counts = { asked: 0, wrong: [] as string[], none: 0, changed: 0, open: 0, entered: 0 };
  for (let world = 0; world < worlds; world++) {
    const extent = size * 0.001;
    const rings = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
      star(41 + random() * extent, -8 + random() * extent * 1.3, extent * (0.04 + random() * 0.2), random),
    );
    const areas = await router.areas(rings.map((ring) => new Area([ring])));
    const { byEdge, around } = await areasOfEdges(router, build, rings);
    const references = new Map<number, Dijkstra>();
    const referenceFor = (open: number) => {
      let known = references.get(open);
      known ??= new Dijkstra(build, (edge, weight) =>
        byEdge[edge] === 0 ? weight : byEdge[edge] & ~open ? Number.POSITIVE_INFINITY : weight * AVOID_FACTOR,
      );
      references.set(open, known);
      return known;
    };
    const plain = new Dijkstra(build);
    for (let i = 0; i < pairs; i++) {
      const mode = Math.floor(random() * MODES.length);
      const avoid = random() < 0.3 ? AVOID_BITS.tolls + AVOID_BITS.highways : 0;
      const ends = [point(), point()] as const;
      const options = { mode: MODES[mode], avoid: avoidsOf(avoid), areas };
      const [from, to] = [await snap(router.store, ends[0], { mode }), await snap(router.store, ends[1], { mode })];
      // A matrix leads from mainland to mainland, a route from all that is near.
      if ([...from.nearest, ...to.nearest].some(({ island }) => island)) continue;
      const startPoints = await startsOf(router.store, from.nearest);
      const endPoints = await endsOf(router.store, to.nearest);
      const open = around([...from.nearest, ...to.nearest]);
      const expected = referenceFor(open).weight({ mode, avoid }, startPoints, endPoints);
      const [cell] = (await router.matrix([ends[0]], [ends[1]], options))[0];
      const route = await router.route(ends, options);
      const told = await router.distance(...ends, options);
      counts.asked++;
      if (open !== 0) counts.open++;
      if (expected === undefined) counts.none++;
      else if (expected !== plain.weight({ mode, avoid }, startPoints, endPoints)) counts.changed++;
      if (
        route?.legs[0].weight !== expected ||
        cell?.weight !== expected ||
        (told === undefined) !== (expected === undefined)
      )
        counts.wrong.push(`${world}/${i}: ${route?.legs[0].weight} ${cell?.weight} for ${expected}`);
      for (const { view, edge } of route?.legs[0].edges ?? []) {
        const closed = byEdge[build.tiles[view.tile.index].edges[edge]] & ~open;
        if (closed !== 0) counts.entered++;
      }
    }
  }
  return counts;
}

describe("areas to be avoided", () => {
  it("are kept out of exactly as by Dijkstra over the roads that are left", { timeout: 60_000 }, async () => {
    let gone = 0;
    for (const [seed, cells] of [[8, [8, 32, 128, 512]], ...(isNight ? [[6, undefined] as const] : [])] as const) {
      const { asked, wrong, none, changed, open, entered } = await differences(
        40,
        seed,
        cells && [...cells],
        samples(3, 5),
        40,
      );
      expect(wrong).toEqual([]);
      expect(entered).toBe(0);
      // The worlds include routes that change, and ends inside of areas; some of them destinations that cannot be reached.
      gone += none;
      expect([changed > samples(12, 20), open > samples(6, 10), asked > samples(60, 100)]).toEqual([true, true, true]);
    }
    expect(gone).toBeGreaterThan(0);
  });

  it("hold for every cell of a matrix by where its own two ends lie", async () => {
    const { router, build } = await roadsOfTown(40, 8, [8, 32, 128, 512]);
    const random = seeded(5);
    const rings = [star(41.012, -7.98, 0.006, random), star(41.028, -7.965, 0.005, random)];
    const areas = await router.areas(rings.map((ring) => new Area([ring])));
    const point = pointMaker(build, 9);
    const points = Array.from({ length: 14 }, point);
    points.push({ latitude: 41.012, longitude: -7.98 }, { latitude: 41.028, longitude: -7.965 });
    const options = { mode: "foot", areas } as const;
    const matrix = await router.matrix(points, points, options);
    for (const [i, origin] of points.entries()) {
      for (const [j, destination] of points.entries()) {
        const [[alone]] = await router.matrix([origin], [destination], options);
        expect(matrix[i][j]?.weight).toBe(alone?.weight);
      }
    }
  });

  it("that hold neither end of a way are never entered, and where no way is left there is none", async () => {
    const { router } = await roadsOfTown(12, 3);
    // A wall from the south to the north of the town.
    const wall: Ring = [
      [-7.9935, 40.9],
      [-7.992, 40.9],
      [-7.992, 41.2],
      [-7.9935, 41.2],
    ];
    const [west, east] = [
      { latitude: 41.005, longitude: -7.998 },
      { latitude: 41.005, longitude: -7.987 },
    ];
    expect(await router.route([west, east], { mode: "foot" })).toBeDefined();
    const areas = await router.areas([new Area([wall])]);
    expect(await router.route([west, east], { mode: "foot", areas })).toBeUndefined();
    expect(await router.distance(west, east, { mode: "foot", areas })).toBeUndefined();
    expect((await router.matrix([west], [east], { mode: "foot", areas }))[0][0]).toBeUndefined();
  });

  it("may have holes, and what lies in a hole is outside", async () => {
    const ring = (size: number): Ring => [
      [-size, -size],
      [size, -size],
      [size, size],
      [-size, size],
    ];
    const area = new Area([ring(1), ring(0.5)]);
    expect(area.contains(0, 0)).toBe(false);
    expect(area.contains(0.7e6, 0)).toBe(true);
    expect(area.isCrossedBy(0, 0, 0.4e6, 0)).toBe(false);
    expect(area.isCrossedBy(0, 0, 0.6e6, 0)).toBe(true);
  });

  it("may lie across the 180th meridian", () => {
    const area = new Area([
      [
        [179, -1],
        [-179, -1],
        [-179, 1],
        [179, 1],
      ],
    ]);
    const shifts = area.shifts(0, -179.9e6, 0.1e6, -179.8e6);
    expect(shifts).toEqual([360e6]);
    expect(area.contains(0, -179.5e6 + shifts[0])).toBe(true);
    expect(area.shifts(0, 0, 0, 1e6)).toEqual([]);
  });

  it("with more roads than a question may look at are refused", async () => {
    const { router } = await roadsOfTown(40, 8, [8, 32, 128, 512]);
    expect(router.store.manifest.tileCount).toBeGreaterThan(30);
    const all: Ring = [
      [-9, 40],
      [-7, 40],
      [-7, 42],
      [-9, 42],
    ];
    await expect(router.areas([new Area([all])], 30)).rejects.toThrow(AreasTooLarge);
  });
});
