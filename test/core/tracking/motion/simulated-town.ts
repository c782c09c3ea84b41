import { memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import type { Coordinate } from "../../../../src/core/geo/coordinate.ts";
import { Router } from "../../../../src/core/routing/route/router.ts";
import { shifted } from "../../../../src/core/tracking/journeys/fixes.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import { writeRoads } from "../../../../src/importer/layers/roads/write/write-roads.ts";
import type { OsmElement } from "../../../../src/importer/osm/pbf/element.ts";

/**
 * A town on a grid of streets: every fourth is a main street of 50 km/h, the others are of 30. South of it is a motorway of 130 km/h
 * with a service road of 30 at 25 m beside it.
 */
export const TOWN_ORIGIN: Coordinate = { latitude: 47, longitude: 9 };
export const BLOCK = 200;
export const SIZE = 17;
export const MOTORWAY = { y: -1000, limit: 130, length: (SIZE - 1) * BLOCK };
export const SERVICE = { y: -1025, limit: 30 };

const isMain = (k: number) => k % 4 === 0;
/** The limit of the street along a row or column [km/h]. */
export const limitOf = (k: number) => (isMain(k) ? 50 : 30);

export async function simulatedTown(): Promise<Router> {
  const elements: OsmElement[] = [];
  const node = (x: number, y: number): number => {
    const id = elements.length + 1;
    elements.push({ type: "node", id, ...shifted(TOWN_ORIGIN, x, y), tags: {} });
    return id;
  };
  const grid = Array.from({ length: SIZE }, (_, j) =>
    Array.from({ length: SIZE }, (__, i) => node(i * BLOCK, j * BLOCK)),
  );
  const along = (y: number) => Array.from({ length: SIZE }, (_, i) => node(i * BLOCK, y));
  const [motorway, service] = [along(MOTORWAY.y), along(SERVICE.y)];
  const ways: { refs: number[]; tags: Record<string, string> }[] = [];
  const street = (refs: number[], k: number, name: string) =>
    ways.push({ refs, tags: { highway: isMain(k) ? "primary" : "residential", maxspeed: String(limitOf(k)), name } });
  for (let k = 0; k < SIZE; k++) {
    street(grid[k], k, `East Street ${k}`);
    street(
      grid.map((row) => row[k]),
      k,
      `North Street ${k}`,
    );
  }
  ways.push({ refs: motorway, tags: { highway: "motorway", maxspeed: "130", oneway: "yes", ref: "A 1" } });
  ways.push({ refs: service, tags: { highway: "service", maxspeed: "30", name: "Field Road" } });
  // Both end at the town, so that they are one network.
  ways.push({ refs: [motorway[SIZE - 1], grid[0][SIZE - 1]], tags: { highway: "motorway_link", maxspeed: "60" } });
  ways.push({ refs: [grid[0][0], motorway[0]], tags: { highway: "motorway_link", maxspeed: "60", oneway: "yes" } });
  ways.push({ refs: [service[SIZE - 1], grid[0][SIZE - 2]], tags: { highway: "service" } });
  ways.push({ refs: [service[0], grid[0][1]], tags: { highway: "service" } });
  for (const [i, { refs, tags }] of ways.entries()) elements.push({ type: "way", id: 100_000 + i, refs, tags });
  const graph = buildGraph(elements);
  const objects = new Map<string, Uint8Array>();
  await writeRoads(graph, (key, bytes) => {
    objects.set(key, bytes);
  });
  const router = await Router.open(memorySource(objects));
  if (!router) throw new Error("the build has no manifest");
  return router;
}

/** A drive's position each second, and the limit there [km/h]. */
export interface TruePoint {
  x: number;
  y: number;
  /** [m/s] */
  speed: number;
  limit: number;
}

/** Corners, in meters, that a car drives through, with the limit of each part; `speedAt` [km/h] at a distance from the start. */
export function drive(
  corners: readonly (readonly [x: number, y: number, limit: number])[],
  speedAt: (metres: number, limit: number) => number,
): TruePoint[] {
  const points: TruePoint[] = [];
  let driven = 0;
  let rest = 0;
  for (let k = 1; k < corners.length; k++) {
    const [ax, ay] = corners[k - 1];
    const [bx, by, limit] = corners[k];
    const length = Math.hypot(bx - ax, by - ay);
    let along = rest;
    while (along < length) {
      const speed = speedAt(driven + along, limit) / 3.6;
      points.push({ x: ax + ((bx - ax) * along) / length, y: ay + ((by - ay) * along) / length, speed, limit });
      along += Math.max(speed, 0.5);
    }
    rest = along - length;
    driven += length;
  }
  return points;
}

/** A random way through the town: corners at junctions, mostly straight on. */
export function randomWay(next: () => number, blocks: number): [number, number, number][] {
  let [i, j] = [Math.floor(next() * SIZE), Math.floor(next() * SIZE)];
  let [di, dj] = [1, 0];
  const corners: [number, number, number][] = [[i * BLOCK, j * BLOCK, 50]];
  for (let k = 0; k < blocks; k++) {
    if (next() < 0.3) [di, dj] = di !== 0 ? [0, next() < 0.5 ? 1 : -1] : [next() < 0.5 ? 1 : -1, 0];
    const inside = (a: number, b: number) => a >= 0 && b >= 0 && a < SIZE && b < SIZE;
    if (!inside(i + di, j + dj))
      [di, dj] = [
        [0, 1],
        [0, -1],
        [1, 0],
        [-1, 0],
      ].find(([a, b]) => inside(i + a, j + b) && (a !== -di || b !== -dj)) as [number, number];
    i += di;
    j += dj;
    corners.push([i * BLOCK, j * BLOCK, limitOf(di !== 0 ? j : i)]);
  }
  return corners;
}
