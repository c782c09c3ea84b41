import type { Coordinate } from "../../geo/coordinate.ts";
import { distance } from "../../geo/distance.ts";
import type { Stay } from "../types/insights.ts";
import type { LocationUpdate } from "../types/update.ts";

/** Stays of a device: where it remains for a while. A slow walk is none, because it leaves the spot of its first fix. */

/** A stay lasts at least this long [ms]. */
const MIN_STAY_MS = 10 * 60_000;
/**
 * Fixes of a stay that begins are at most this far from the first one, plus their accuracy, up to a bound [m]. A walk of
 * 1 km/h covers 167 m in ten minutes.
 */
const [REACH, MAX_SLACK] = [80, 50];
/** A stay ends this far from its location, and the accuracy [m]. */
const LEAVES = 150;
/** Fixes less accurate are ignored [m]. */
export const MAX_ACCURACY = 200;
/** The location of a stay is settled after so many fixes: then it no longer follows the device. */
const MAX_FIXES = 20;
/** A fix counts in the mean as one of at most so many: the first ones may be of the way to the spot. */
const MEAN_OF = 5;
/** A silence longer than this is no evidence that the device remained [ms]. */
const MAX_SILENCE_MS = 14 * 3600_000;
/** A device that had stopped began to move this slowly at the latest [m/s]. */
const SLOWEST_LEAVE = 8;

export interface StayStep {
  /** Undefined = the device was seen for the first time. */
  before: Stay | undefined;
  stay: Stay;
  /** How far the fix was from the stay before [m]. */
  far: number;
  /** The stay before has ended, at this time [ms]. */
  ended?: number;
}

/** Continues, begins or ends a stay by a fix. `minStayMs`: how long it must last. */
export function followStay(
  before: Stay | undefined,
  update: LocationUpdate,
  at: number,
  minStayMs = MIN_STAY_MS,
): StayStep {
  const { location, accuracy, stopped } = update;
  const begun: Stay = {
    first: location,
    location,
    fixes: 1,
    since: at,
    last: at,
    isVisit: false,
    credited: at,
    ...(stopped && { stopped }),
  };
  if (!before) return { before, stay: begun, far: 0 };
  const far = distance(before.first ?? before.location, location);
  const isSilent = at - before.last > MAX_SILENCE_MS;
  // The fix before was on the way: the device has stopped here.
  const stops = stopped === true && !before.stopped && !before.isVisit && at - before.since < minStayMs;
  const reach = before.isVisit ? LEAVES + accuracy : REACH + Math.min(accuracy, MAX_SLACK);
  if (isSilent || stops || far > reach)
    return { before, stay: begun, far, ended: isSilent ? before.last : leftAt(before, far, at) };
  const fixes = Math.min(before.fixes + 1, MAX_FIXES);
  const isVisit = before.isVisit || at - before.since >= minStayMs;
  const stay: Stay = {
    location: before.fixes < MAX_FIXES ? towards(before.location, location, Math.min(fixes, MEAN_OF)) : before.location,
    fixes,
    since: before.since,
    last: at,
    isVisit,
    credited: before.credited,
    ...(stopped && { stopped }),
  };
  // Until it is a stay, the first fix decides: a walker must not draw the spot along.
  if (!isVisit && before.first) stay.first = before.first;
  return { before, far, stay };
}

/** The mean of a location that stands for `n − 1` of them, and another one. */
export function towards(mean: Coordinate, location: Coordinate, n: number): Coordinate {
  return {
    latitude: mean.latitude + (location.latitude - mean.latitude) / n,
    longitude: nearest(mean.longitude + nearest(location.longitude - mean.longitude) / n),
  };
}

/** A stopped device sends nothing until it moves: it remained until it had to leave for the next fix. */
function leftAt({ last, stopped }: Stay, far: number, at: number): number {
  return stopped ? Math.max(last, at - (far / SLOWEST_LEAVE) * 1000) : last;
}

/** A stay that has ended, if it was long enough, with the time that it lasted. */
export function endedVisit(before: Stay, ended: number): Stay | undefined {
  return before.isVisit || ended - before.since >= MIN_STAY_MS ? { ...before, last: ended, isVisit: true } : undefined;
}

/** A difference of longitudes, or a longitude, in [-180, 180). */
const nearest = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180;
