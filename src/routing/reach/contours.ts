import type { Coordinate } from "../../geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../../geo/distance.ts";
import { contourRings, doubleArea, type Grid, polygonsOf, simplifyRing } from "../../geo/shapes/contour.ts";
import type { Router } from "../route/router.ts";
import { CellReach } from "./cell-reach.ts";
import { MAX_TILES } from "./isochrone.ts";
import { type ReachOptions, reach, TileBudget, TOP_SPEED } from "./reach.ts";
import { reachedExtent } from "./reached-extent.ts";

/** Steps across the first grid, over the area reached. */
const FIRST_STEPS = 12;
/** How often cells at the edge of an area are divided into four; the grid then has 12 × 2³ + 1 corners per side. */
const HALVINGS = 3;
const FINEST_STEPS = FIRST_STEPS * 2 ** HALVINGS;
/** A position is reached if it is at most this share of the step between corners off the road, at most MAX_OFF_ROAD … */
const OFF_ROAD_SHARE = 0.75;
const MAX_OFF_ROAD = 400;
/** … and at least this share of the farthest distance, within bounds [m]: blocks and yards belong to their streets. */
const YARD_SHARE = 0.07;
const MIN_YARD = 30;
const MAX_YARD = 250;
/** All points are examined: a search for each few tiles would cost more than the roads near the points. */
const TILES_AT_ONCE = 128;
/** The smallest area is this large to each side [m]: one that a person can see. */
const MIN_REACH = 60;

export interface ContourOptions
  extends Pick<ReachOptions, "mode" | "avoid" | "areas" | "departure" | "vehicle" | "zones" | "byLength"> {
  /** One area each: seconds, or with `byLength` meters. */
  limits: readonly number[];
  /** Parts smaller than this share of the largest are left out, and holes likewise, 0 … 1. */
  denoise: number;
  /** Maximum distance of the outline from the computed one [m]; absent: a quarter of the grid step. */
  generalise?: number;
}

/** The area within a limit. */
export interface Contour {
  limit: number;
  /** Polygons of rings of [longitude, latitude], closed, outlines counter-clockwise (RFC 7946); the largest first. */
  polygons: [longitude: number, latitude: number][][][];
  /** [m²] */
  area: number;
}

/**
 * Returns the areas that are reached from a point within times or distances, including holes and islands. The cost of
 * each corner of a grid is computed by the nearest road, the grid is refined along the edges, and lines of equal cost
 * are drawn. Undefined if no road is near the point. Throws TooFar if the roads within reach are on too many tiles.
 */
export async function contours(
  router: Router,
  center: Coordinate,
  { limits, denoise, generalise, ...options }: ContourOptions,
): Promise<Contour[] | undefined> {
  const within = Math.max(...limits);
  const budget = new TileBudget(MAX_TILES);
  const plane = planeAround(center);
  let cells: CellReach | undefined;
  const farthest = Math.max(MIN_REACH, within * (options.byLength ? 1 : TOP_SPEED[options.mode]));
  const yard = Math.min(MAX_YARD, Math.max(MIN_YARD, farthest * YARD_SHARE));
  const ask = (corners: readonly Corner[], step: number) => {
    const offRoad = Math.min(MAX_OFF_ROAD, Math.max(yard, step * OFF_ROAD_SHARE));
    return reach(router, center, corners.map(plane.place), {
      ...options,
      within,
      offRoad,
      budget,
      cells,
      tilesAtOnce: TILES_AT_ONCE,
    });
  };
  const [here] = await ask([{ x: 0, y: 0 }], MAX_OFF_ROAD);
  if (here > within) return undefined;

  const known = await CellReach.around(router, center, { ...options, limits, radius: farthest });
  // Cells do not take into account the roads that this query closes: they may only reach farther.
  if (!options.areas) cells = known;
  const extent = await reachedExtent(router, center, { ...options, within, radius: farthest }, known);
  const frame = frameAround(plane.boxOf(extent.box), farthest);
  const roads = roadMarks(frame, (mark) => extent.visit((...run) => mark(plane.boxOf(run))));
  const grid = await refine(frame, limits, roads, ask);
  const tolerance = generalise === undefined ? 0.25 : generalise / grid.step;
  return limits.map((limit) => {
    const rings = contourRings(grid, limit);
    const largest = Math.max(0, ...rings.map(doubleArea));
    const kept = rings
      .filter((ring) => Math.abs(doubleArea(ring)) >= denoise * largest)
      .map((ring) => simplifyRing(ring, tolerance));
    const polygons = polygonsOf(kept);
    const square = grid.step ** 2 / 2;
    return {
      limit,
      area: polygons.flat().reduce((sum, ring) => sum + doubleArea(ring) * square, 0),
      polygons: polygons.map((rings) =>
        rings.map((ring) =>
          [...ring, ring[0]].map(([x, y]): [number, number] => {
            const { latitude, longitude } = plane.place({
              x: grid.west + x * grid.step,
              y: grid.south + y * grid.step,
            });
            return [round(longitude), round(latitude)];
          }),
        ),
      ),
    };
  });
}

/** A tenth of a meter is more precise than such an edge. */
const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6;

/** [m] east and north of the center. */
interface Corner {
  x: number;
  y: number;
}

interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

interface Frame {
  west: number;
  south: number;
  step: number;
}

/** Meters around a point, as accurate as a map of a few hundred kilometers can be. */
function planeAround({ latitude, longitude }: Coordinate) {
  const perDegree = METRES_PER_DEGREE * Math.max(0.02, Math.cos(latitude * RADIANS));
  return {
    /** South, west, north and east [1e-6 degrees] in meters. */
    boxOf: ([south, west, north, east]: ArrayLike<number> & Iterable<number>): Box => ({
      west: (west / 1e6 - longitude) * perDegree,
      south: (south / 1e6 - latitude) * METRES_PER_DEGREE,
      east: (east / 1e6 - longitude) * perDegree,
      north: (north / 1e6 - latitude) * METRES_PER_DEGREE,
    }),
    place: ({ x, y }: Corner): Coordinate => {
      const east = longitude + x / perDegree;
      return {
        latitude: Math.max(-90, Math.min(90, latitude + y / METRES_PER_DEGREE)),
        longitude: east > 180 ? east - 360 : east < -180 ? east + 360 : east,
      };
    },
  };
}

function cornersOf({ west, south, step }: Frame, steps: number): Corner[] {
  const side = steps + 1;
  return Array.from({ length: side * side }, (_, i) => ({
    x: west + (i % side) * step,
    y: south + Math.floor(i / side) * step,
  }));
}

/**
 * A square around the center and the reached roads, with a margin of a step, so that the outline closes around all of
 * them.
 */
function frameAround({ west, south, east, north }: Box, farthest: number): Frame {
  const clamp = (value: number) => Math.max(-farthest, Math.min(farthest, value));
  const [left, right] = [clamp(Math.min(0, west)), clamp(Math.max(0, east))];
  const [bottom, top] = [clamp(Math.min(0, south)), clamp(Math.max(0, north))];
  const width = Math.max(right - left, top - bottom, MIN_REACH) * (FIRST_STEPS / (FIRST_STEPS - 2));
  const [x, y] = [(left + right) / 2, (bottom + top) / 2];
  return { west: x - width / 2, south: y - width / 2, step: width / FIRST_STEPS };
}

/** Which cells of the finest grid have roads of tiles that are reached. */
function roadMarks(frame: Frame, visit: (mark: (box: Box) => void) => void): Uint8Array {
  const size = FINEST_STEPS;
  const step = (frame.step * FIRST_STEPS) / size;
  const marks = new Uint8Array(size * size);
  visit(({ west, south, east, north }) => {
    const place = (value: number, origin: number) => Math.floor((value - origin) / step);
    const [left, right] = [Math.max(0, place(west, frame.west)), Math.min(size - 1, place(east, frame.west))];
    const top = Math.min(size - 1, place(north, frame.south));
    for (let y = Math.max(0, place(south, frame.south)); y <= top; y++) {
      if (left <= right) marks.fill(1, y * size + left, y * size + right + 1);
    }
  });
  return marks;
}

/**
 * Queries the corners of a grid, and of grids twice as fine where the edge of a limit crosses a cell, and where a road passes
 * between corners that have none nearby; elsewhere positions between corners get their corners' value.
 */
async function refine(
  frame: Frame,
  limits: readonly number[],
  roads: Uint8Array,
  ask: (corners: readonly Corner[], step: number) => Promise<Float64Array>,
): Promise<Grid & Frame> {
  let { step } = frame;
  let steps = FIRST_STEPS;
  let values = await ask(cornersOf(frame, steps), step);
  for (let half = 0; half < HALVINGS; half++) {
    const finer = halved(values, steps, limits, (x, y) => hidesRoad(roads, steps, x, y));
    steps *= 2;
    step /= 2;
    values = finer.values;
    const { west, south } = frame;
    const corners = finer.open.map((i) => ({
      x: west + (i % (steps + 1)) * step,
      y: south + Math.floor(i / (steps + 1)) * step,
    }));
    const found = await ask(corners, step);
    finer.open.forEach((corner, i) => {
      values[corner] = found[i];
    });
  }
  return { ...frame, step, columns: steps + 1, rows: steps + 1, values };
}

/**
 * A grid with twice the steps: corners between others get their mean, and those at an edge are `open`, to be computed.
 */
function halved(
  values: Float64Array,
  steps: number,
  limits: readonly number[],
  hidesRoad: (x: number, y: number) => boolean,
) {
  const side = steps + 1;
  const wide = 2 * steps + 1;
  const finer = new Float64Array(wide * wide);
  const isOpen = new Uint8Array(wide * wide);
  const classOf = (value: number) => limits.reduce((sum, limit) => sum + (value <= limit ? 1 : 0), 0);
  for (let y = 0; y < wide; y++) {
    for (let x = 0; x < wide; x++) {
      const [x0, y0] = [x >> 1, y >> 1];
      const [x1, y1] = [x0 + (x & 1), y0 + (y & 1)];
      const around = [values[y0 * side + x0], values[y0 * side + x1], values[y1 * side + x0], values[y1 * side + x1]];
      finer[y * wide + x] = (around[0] + around[1] + around[2] + around[3]) / 4;
    }
  }
  for (let y = 0; y < steps; y++) {
    for (let x = 0; x < steps; x++) {
      const at = y * side + x;
      const kind = classOf(values[at]);
      const areAlike = [at + 1, at + side, at + side + 1].every((other) => classOf(values[other]) === kind);
      if (areAlike && !(kind === 0 && hidesRoad(x, y))) continue;
      for (let dy = 0; dy <= 2; dy++) {
        for (let dx = 0; dx <= 2; dx++) {
          if ((dx & 1) === 0 && (dy & 1) === 0) continue;
          isOpen[(2 * y + dy) * wide + 2 * x + dx] = 1;
        }
      }
    }
  }
  const open = [...isOpen.keys()].filter((i) => isOpen[i] === 1);
  return { values: finer, open };
}

/** Returns whether a cell of a grid has roads, but one of its corners has none nearby: its value says nothing of them. */
function hidesRoad(roads: Uint8Array, steps: number, x: number, y: number): boolean {
  const scale = FINEST_STEPS / steps;
  const has = (column: number, row: number) =>
    column >= 0 && row >= 0 && column < FINEST_STEPS && row < FINEST_STEPS && roads[row * FINEST_STEPS + column] === 1;
  const isBare = (column: number, row: number) =>
    !has(column, row) && !has(column - 1, row) && !has(column, row - 1) && !has(column - 1, row - 1);
  const [left, bottom] = [x * scale, y * scale];
  const [right, top] = [left + scale, bottom + scale];
  if (!isBare(left, bottom) && !isBare(right, bottom) && !isBare(left, top) && !isBare(right, top)) return false;
  for (let row = bottom; row < top; row++)
    for (let column = left; column < right; column++) if (has(column, row)) return true;
  return false;
}
