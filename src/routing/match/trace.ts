import type { Coordinate } from "../../geo/coordinate.ts";
import { distance } from "../../geo/distance.ts";
import type { Mode } from "../modes.ts";

export interface TracePoint extends Coordinate {
  /** When it was taken [s]. */
  time?: number;
  /** [m] */
  accuracy?: number;
}

/** A point that takes part in the search, with those right behind it that only stand beside it. */
export interface Fix extends Coordinate {
  index: number;
  time: number | undefined;
  /** Standard deviation of the measurement [m]. */
  sigma: number;
  followers: number[];
}

/** As OSRM assumes where nothing is told [m]. */
const USUAL_SIGMA = 5;
const LEAST_SIGMA = 3;
const MOST_SIGMA = 50;
/** Faster than this nobody is [m/s]: the point is wrong. */
const TOP_SPEED: Record<Mode, number> = { car: 75, truck: 50, foot: 8, bike: 28 };

/**
 * Drops the points that tell no direction: those within two standard deviations of the last one kept (Newson & Krumm
 * 2009). The last point stays.
 */
export function thin(trace: readonly TracePoint[]): Fix[] {
  const fixes: Fix[] = [];
  trace.forEach(({ latitude, longitude, time, accuracy }, index) => {
    const sigma = Math.min(MOST_SIGMA, Math.max(LEAST_SIGMA, accuracy ?? USUAL_SIGMA));
    const last = fixes[fixes.length - 1];
    const isLast = index === trace.length - 1;
    const here = { latitude, longitude };
    if (last && distance(last, here) < 2 * sigma && !(isLast && distance(last, here) > 0)) last.followers.push(index);
    else fixes.push({ ...here, index, time, sigma, followers: [] });
  });
  return fixes;
}

/** Could nobody have come from one to the other in the time between, however wrong both are measured? */
export function isTooFast(a: Fix, b: Fix, mode: Mode): boolean {
  if (a.time === undefined || b.time === undefined || b.time <= a.time) return false;
  return distance(a, b) - 3 * (a.sigma + b.sigma) > (b.time - a.time) * TOP_SPEED[mode];
}
