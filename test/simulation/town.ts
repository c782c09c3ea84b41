import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeEach, memorySource } from "../../src/core/geo/builds/tile-source.ts";
import { ancestorOf, cellAt } from "../../src/core/geo/cells/cells.ts";
import { coverCircle, coverPolygon } from "../../src/core/geo/cells/cover.ts";
import type { Coordinate } from "../../src/core/geo/coordinate.ts";
import { destination } from "../../src/core/geo/distance.ts";
import type { Place } from "../../src/core/places/place.ts";
import { PlaceIndex } from "../../src/core/places/place-index.ts";
import { PlaceTile } from "../../src/core/places/tile.ts";
import { buildTiles } from "../../src/core/regions/build-tiles.ts";
import type { RegionShape } from "../../src/core/regions/region-shape.ts";
import { RegionTile } from "../../src/core/regions/region-tile.ts";
import { Router } from "../../src/core/routing/route/router.ts";
import { polygonShape } from "../../src/core/tracking/types/shape.ts";
import { demoBounds } from "../../src/demo/world/demo-world.ts";
import { writeDemoWorld } from "../../src/demo/world/write.ts";
import { placesLayer } from "../../src/importer/layers/places/places-layer.ts";
import { roadsLayer } from "../../src/importer/layers/roads/roads-layer.ts";
import type { GeofenceRow } from "../../src/worker/db/schema.ts";
import { FenceStore } from "../../src/worker/objects/fences/fence-store.ts";
import { memorySql } from "../bench/support/sqlite.ts";
import { BruteForce } from "../core/regions/brute-force.ts";
import { runLayer } from "../core/regions/extract-harness.ts";
import { keptOnce } from "../support/worlds/kept-layers.ts";

/** A geofence as drawn: a circle, or a ring of [longitude, latitude]. */
export interface DrawnFence {
  id: string;
  tag: string;
  center: Coordinate;
  /** [m]; 0 for a ring */
  radius: number;
  ring?: number[][];
}

export interface DrawnBeacon {
  id: string;
  location: Coordinate;
}

/**
 * The demo world with customers' things in it, each twice: as the platform finds it (indexes, tiles) and as a plain list
 * for those who count by hand.
 */
export interface Town {
  router: Router;
  bounds: [number, number, number, number];
  fences: DrawnFence[];
  fenceIndex: FenceStore;
  places: Place[];
  placeIndex: PlaceIndex;
  beacons: DrawnBeacon[];
  /** Names of the regions at a point by tiles, and by walking every edge. */
  regionsByTiles(point: Coordinate): { kind: string; code: string }[];
  regionsByHand(point: Coordinate): string[];
}

const REGION_RESOLUTION = 4;
/** Of a drawn geofence [m]. */
export const MAX_FENCE_RADIUS = 400;

/** Objects of the demo world. */
async function buildObjects() {
  const folder = mkdtempSync(join(tmpdir(), "graticule-day-"));
  try {
    const path = join(folder, "demo.osm.pbf");
    await writeDemoWorld(path, { size: 1 });
    const roads = (await runLayer(roadsLayer, [path])).objects;
    return { roads, places: (await runLayer(placesLayer, [path])).objects };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function buildTown(random: () => number): Promise<Town> {
  const { roads, places } = await keptOnce("demo-day", buildObjects);
  const router = await Router.open(memorySource(roads));
  if (!router) throw new Error("the demo world has no roads");
  const bounds = demoBounds({ size: 1 });
  const anywhere = () => anywhereIn(bounds, random);
  const shapes = drawRegions(bounds, random);
  const tiles = new Map<number, RegionTile>();
  for (const { cell, bytes } of buildTiles(shapes, REGION_RESOLUTION)) tiles.set(cell, new RegionTile(bytes));
  const hand = new BruteForce(shapes);
  const town: Town = {
    router,
    bounds,
    fences: [],
    beacons: [],
    fenceIndex: new FenceStore(memorySql()),
    places: placesIn(places),
    placeIndex: new PlaceIndex(decodeEach(memorySource(places))),
    regionsByTiles(point) {
      const cell = cellAt(point);
      return [...(tiles.get(ancestorOf(cell, REGION_RESOLUTION))?.regionsAt(point, cell) ?? [])];
    },
    regionsByHand: (point) => hand.regionsAt(point),
  };
  for (let i = 0; i < 300; i++)
    addFence(town, drawFence(random, `zone-${i}`, anywhere(), "zone", i % 3 === 0 ? "ring" : "circle"));
  for (let i = 0; i < 300; i++) {
    const { location } = town.places[Math.floor(random() * town.places.length)];
    town.beacons.push({ id: `beacon-${i}`, location });
  }
  return town;
}

function placesIn(objects: ReadonlyMap<string, Uint8Array>): Place[] {
  const places: Place[] = [];
  for (const [key, bytes] of objects) {
    if (!key.startsWith("places/tile/")) continue;
    const tile = new PlaceTile(bytes);
    for (let i = 0; i < tile.home; i++) places.push(tile.place(i));
  }
  return places;
}

/** A point of the town that is not at its very edge. */
export function anywhereIn([west, south, east, north]: Town["bounds"], random: () => number): Coordinate {
  return {
    latitude: south + (north - south) * (0.1 + 0.8 * random()),
    longitude: west + (east - west) * (0.1 + 0.8 * random()),
  };
}

/** Draws a geofence around a point. */
export function drawFence(
  random: () => number,
  id: string,
  center: Coordinate,
  tag: string,
  kind: "circle" | "ring",
): DrawnFence {
  const radius = Math.round(50 + (MAX_FENCE_RADIUS - 50) * random());
  if (kind === "circle") return { id, tag, center, radius };
  const corners = 5 + Math.floor(random() * 20);
  const ring = Array.from({ length: corners }, (_, i) => {
    const corner = destination(center, (360 * i) / corners, radius * (0.4 + 0.6 * random()));
    return [corner.longitude, corner.latitude];
  });
  ring.push(ring[0]);
  return { id, tag, center, radius: 0, ring };
}

/** Puts a geofence into the index and the plain list. */
export function addFence(town: Town, fence: DrawnFence): void {
  const { id, tag, center, radius, ring } = fence;
  const base = {
    scope: 1,
    id,
    tag,
    externalId: id,
    description: id,
    mode: null,
    metadata: null,
    enabled: true,
    dwellThreshold: null,
    stopDetection: null,
    tripApproachingThreshold: null,
    operatingHours: null,
    disableAfter: null,
    deleteAfter: null,
    userIds: null,
    segments: null,
    speedLimit: null,
    ip: null,
    createdAt: 0,
    updatedAt: 0,
    epoch: 1,
  };
  let row: GeofenceRow;
  if (ring) {
    const shape = polygonShape(ring);
    row = {
      ...base,
      type: "polygon",
      ...shape.center,
      radius: shape.reach,
      ring: JSON.stringify(ring),
      cover: JSON.stringify(coverPolygon(ring)),
    };
  } else {
    row = {
      ...base,
      type: "circle",
      ...center,
      radius,
      ring: null,
      cover: JSON.stringify(coverCircle(center, radius)),
    };
  }
  town.fenceIndex.put(row);
  town.fences.push(fence);
}

/** Two countries that meet along a jagged line, and postal codes like a chequered cloth with crooked seams. */
function drawRegions([west, south, east, north]: Town["bounds"], random: () => number): RegionShape[] {
  const COUNT = 8;
  const corner = (i: number, j: number) => [west + ((east - west) * i) / COUNT, south + ((north - south) * j) / COUNT];
  const grid = Array.from({ length: COUNT + 1 }, (_, i) =>
    Array.from({ length: COUNT + 1 }, (_, j) => {
      const [x, y] = corner(i, j);
      const inner = i > 0 && j > 0 && i < COUNT && j < COUNT;
      const shift = () => (inner ? (random() - 0.5) / COUNT / 2 : 0);
      return [x + (east - west) * shift(), y + (north - south) * shift()];
    }),
  );
  const shape = (kind: RegionShape["kind"], code: string, ring: number[][]): RegionShape => ({
    kind,
    rank: "import",
    code,
    name: code,
    country: kind === "country" ? code : "",
    state: "",
    rings: [[...ring, ring[0]]],
  });
  const shapes: RegionShape[] = [];
  for (let i = 0; i < COUNT; i++) {
    for (let j = 0; j < COUNT; j++) {
      const ring = [grid[i][j], grid[i + 1][j], grid[i + 1][j + 1], grid[i][j + 1]];
      shapes.push(shape("postalCode", `${i}${j}`, ring));
    }
  }
  const middle = grid.map((column) => column[COUNT / 2]);
  const far = [east + 0.1, west - 0.1];
  shapes.push(
    shape("country", "US", [
      [far[1], south - 0.1],
      [far[0], south - 0.1],
      [far[0], middle[COUNT][1]],
      ...[...middle].reverse(),
      [far[1], middle[0][1]],
    ]),
  );
  shapes.push(
    shape("country", "CA", [
      [far[1], middle[0][1]],
      ...middle,
      [far[0], middle[COUNT][1]],
      [far[0], north + 0.1],
      [far[1], north + 0.1],
    ]),
  );
  return shapes;
}
