import type { Coordinate } from "../../geo/coordinate.ts";
import { distance } from "../../geo/distance.ts";
import type { Mode } from "../modes.ts";

export interface TracePoint extends Coordinate {
  /** When it was taken [s]. */
  time?: number;
  /** [m] */
  accuracy?: number;
}

/** What the search knows of a place of the trace: one point, or the mean of several that lie too close to tell a direction. */
export interface Fix extends Coordinate {
  /** Numbers of its points. */
  points: number[];
  time: number | undefined;
  /** Standard deviation of the measurement [m]. */
  sigma: number;
}

/** As OSRM assumes where nothing is told [m]. */
const USUAL_SIGMA = 5;
const LEAST_SIGMA = 3;
const MOST_SIGMA = 50;
/** Faster than this nobody is [m/s]: the point is wrong. */
const TOP_SPEED: Record<Mode, number> = { car: 75, truck: 50, foot: 8, bike: 28 };

/** Points this close to the mean of those before are measurements of one place [standard deviations]. */
const SAME_PLACE = 1.5;

/**
 * Joins points that tell no direction, because they lie within their own error of each other (as Newson & Krumm 2009, who
 * drop them): their mean is measured better than any of them. The first and the last point stand alone, for the way
 * begins and ends there.
 */
export function fixesOf(trace: readonly TracePoint[]): Fix[] {
  const fixes: Fix[] = [];
  trace.forEach(({ latitude, longitude, time, accuracy }, index) => {
    const sigma = Math.min(MOST_SIGMA, Math.max(LEAST_SIGMA, accuracy ?? USUAL_SIGMA));
    const here = { latitude, longitude };
    const last = fixes[fixes.length - 1];
    const metres = last ? distance(last, here) : Number.POSITIVE_INFINITY;
    const isLast = index === trace.length - 1;
    if (metres === 0 || (fixes.length > 1 && !isLast && metres < SAME_PLACE * sigma)) join(last, index, here, sigma);
    else fixes.push({ ...here, points: [index], time, sigma });
  });
  return fixes;
}

function join(fix: Fix, index: number, { latitude, longitude }: Coordinate, sigma: number): void {
  const count = fix.points.push(index);
  fix.latitude += (latitude - fix.latitude) / count;
  fix.longitude += (longitude - fix.longitude) / count;
  // The error of a mean, but no less than half: one who drives on meanwhile is at no one place.
  fix.sigma = Math.max(LEAST_SIGMA, sigma / Math.min(2, Math.sqrt(count)));
}

/** Could nobody have come from one to the other in the time between, however wrong both are measured? */
export function isTooFast(a: Fix, b: Fix, mode: Mode): boolean {
  if (a.time === undefined || b.time === undefined || b.time <= a.time) return false;
  return distance(a, b) - 3 * (a.sigma + b.sigma) > (b.time - a.time) * TOP_SPEED[mode];
}
