import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { haversine } from "../../../src/core/geo/distance.ts";
import {
  NEIGHBOURHOOD_FENCES,
  NEIGHBOURHOOD_RADIUS,
  type Neighbourhood,
} from "../../../src/worker/objects/fences/neighbourhood.ts";
import { randomPoint } from "./fences.ts";

/** Of an area of the size of greater San Francisco, of which there are ten: 100,000 in all. */
const COUNT = Number(process.env.BENCH_FENCES ?? 10_000);
/** A degree of latitude is never less [m]. */
const DEGREE = 110_000;

/** Where the geofences of a project of a million users are, in the area where some of them live: [latitude, longitude, …]. */
export function fencesOfAll(random: () => number): Float64Array {
  const all = new Float64Array(2 * COUNT);
  for (let i = 0; i < COUNT; i++) {
    const { latitude, longitude } = randomPoint(random);
    all.set([latitude, longitude], 2 * i);
  }
  return all;
}

/** How far the neighbourhood reaches that the index would tell a tracker: the rule of GeofenceIndex.neighbourhood over all points. */
export function neighbourhoodOf(all: Float64Array, center: Coordinate): Omit<Neighbourhood, "epoch"> {
  const { latitude, longitude } = center;
  const near: number[] = [];
  for (let i = 0; i < all.length; i += 2) {
    if (Math.abs(all[i] - latitude) * DEGREE > NEIGHBOURHOOD_RADIUS) continue;
    const far = haversine(latitude, longitude, all[i], all[i + 1]);
    if (far <= NEIGHBOURHOOD_RADIUS) near.push(far);
  }
  near.sort((a, b) => a - b);
  const radius = near[NEIGHBOURHOOD_FENCES] ?? NEIGHBOURHOOD_RADIUS;
  return { center, radius, fences: [] };
}
