import type { Coordinate } from "../../geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../../geo/distance.ts";
import { contourRings, doubleArea, type Grid, polygonsOf, simplifyRing } from "../../geo/shapes/contour.ts";
import type { Router } from "../route/router.ts";
import { CellReach } from "./cell-reach.ts";
import { MAX_TILES } from "./isochrone.ts";
import { type ReachOptions, reach, TileBudget, TOP_SPEED } from "./reach.ts";

/** Steps across the first grids: one over the maximum reachable area, the next over the area reached. */
const FIRST_STEPS = 16;
/** How often cells at the edge of an area are divided into four; the grid then has 16 × 2³ + 1 corners per side. */
const HALVINGS = 3;
/** A position is reached if it is at most this share of the step between corners off the road … */
const OFF_ROAD_SHARE = 0.75;
/** … within these bounds [m]. */
const MIN_OFF_ROAD = 30;
const MAX_OFF_ROAD = 400;
/** The smallest area is this large to each side [m]: one that a person can see. */
const MIN_REACH = 60;

export interface ContourOptions extends Pick<ReachOptions, "mode" | "avoid" | "areas" | "departure" | "byLength"> {
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
  const ask = (corners: readonly Corner[], step: number) => {
    const offRoad = Math.min(MAX_OFF_ROAD, Math.max(MIN_OFF_ROAD, step * OFF_ROAD_SHARE));
    return reach(router, center, corners.map(plane.place), { ...options, within, offRoad, budget, cells });
  };
  const [here] = await ask([{ x: 0, y: 0 }], MAX_OFF_ROAD);
  if (here > within) return undefined;

  const farthest = Math.max(MIN_REACH, within * (options.byLength ? 1 : TOP_SPEED[options.mode]));
  // Cells do not take into account the roads that this query closes.
  if (!options.areas) cells = await CellReach.around(router, center, { ...options, limits, radius: farthest });
  const whole = { west: -farthest, south: -farthest, step: (2 * farthest) / FIRST_STEPS };
  const box = boxOf(whole, await ask(cornersOf(whole, FIRST_STEPS), whole.step));
  const grid = await refine(box, limits, ask);
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

interface Frame {
  west: number;
  south: number;
  step: number;
}

/** Meters around a point, as accurate as a map of a few hundred kilometers can be. */
function planeAround({ latitude, longitude }: Coordinate) {
  const perDegree = METRES_PER_DEGREE * Math.max(0.02, Math.cos(latitude * RADIANS));
  return {
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

/** A square around the reached part of a first grid and the center, with a margin of one step. */
function boxOf({ west, south, step }: Frame, times: Float64Array): Frame {
  let [left, right, bottom, top] = [0, 0, 0, 0];
  const side = FIRST_STEPS + 1;
  times.forEach((time, i) => {
    if (!Number.isFinite(time)) return;
    const x = west + (i % side) * step;
    const y = south + Math.floor(i / side) * step;
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.min(bottom, y);
    top = Math.max(top, y);
  });
  const width = Math.max(right - left, top - bottom) + 2 * step;
  const [x, y] = [(left + right) / 2, (bottom + top) / 2];
  return { west: x - width / 2, south: y - width / 2, step: width / FIRST_STEPS };
}

/**
 * Queries the corners of a grid, and of grids twice as fine where the edge of a limit crosses a cell; elsewhere
 * positions between corners get their corners' value.
 */
async function refine(
  frame: Frame,
  limits: readonly number[],
  ask: (corners: readonly Corner[], step: number) => Promise<Float64Array>,
): Promise<Grid & Frame> {
  let { step } = frame;
  let steps = FIRST_STEPS;
  let values = await ask(cornersOf(frame, steps), step);
  for (let half = 0; half < HALVINGS; half++) {
    const finer = halved(values, steps, limits);
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
function halved(values: Float64Array, steps: number, limits: readonly number[]) {
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
      if ([at + 1, at + side, at + side + 1].every((other) => classOf(values[other]) === kind)) continue;
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
