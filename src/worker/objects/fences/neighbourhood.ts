import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { distance } from "../../../core/geo/distance.ts";
import type { Fence } from "../../../core/tracking/types/fence.ts";

/**
 * The fences around a point. A tracker matches against them without the index as long as its device stays within
 * `radius`.
 */
export interface Neighbourhood {
  center: Coordinate;
  /** `fences` contains all fences within this distance of `center` [m]. */
  radius: number;
  /** Epoch of the scope's geofences when this was read. */
  epoch: number;
  fences: Fence[];
}

/** A neighborhood as stored on disk. */
export interface KeptNeighbourhood extends Neighbourhood {
  /** When it was written [ms]; absent in rows written by releases up to 0.2. */
  keptAt?: number;
}

/**
 * Radius of a neighborhood [m]: how far a device can move before the next request. Smaller if there would be more
 * fences than the maximum.
 */
export const NEIGHBOURHOOD_RADIUS = 10_000;
export const NEIGHBOURHOOD_FENCES = 200;

/** A device that moved less than this since its last update is stationary [m]. */
const STANDING = 200;
const DAY_MS = 24 * 3600_000;
/** How often the stored neighborhood is replaced: if it is for the current location, and if it is for another one. */
const [OUTDATED_MS, ELSEWHERE_MS] = [DAY_MS, 7 * DAY_MS];

/**
 * Do the cached fences suffice for matching?
 * @param need distance from the point within which fences matter [m]
 */
export function isEnough(
  known: Neighbourhood | undefined,
  epoch: number,
  point: Coordinate,
  need: number,
): known is Neighbourhood {
  return known !== undefined && known.epoch >= epoch && covers(known, point, need);
}

/** Does it cover a point, whenever it was read? @param need distance from the point within which fences matter [m] */
export function covers(known: Pick<Neighbourhood, "center" | "radius">, point: Coordinate, need: number): boolean {
  return distance(known.center, point) + need <= known.radius;
}

/** Are two neighborhoods of one center the same, but for their epochs? */
export function hasSameFences(one: Neighbourhood, other: Neighbourhood): boolean {
  if (one.radius !== other.radius || one.fences.length !== other.fences.length) return false;
  const revisions = new Map(one.fences.map(({ id, revision }) => [id, revision]));
  return other.fences.every(({ id, revision }) => revisions.get(id) === revision);
}

/**
 * Is a neighborhood worth a row on disk for the next time the tracker wakes up? Only if the device is stationary, for
 * example at home or at work: a moving device is elsewhere at its next update. Writes are rare, because querying the
 * index costs a sixth of a row.
 * @param kept the stored neighborhood
 * @param from the device's location at the previous update; undefined = unknown
 * @param need distance from the point within which fences matter [m]
 */
export function isWorthKeeping(
  kept: Pick<KeptNeighbourhood, "center" | "radius" | "keptAt"> | undefined,
  from: Coordinate | undefined,
  point: Coordinate,
  need: number,
  now: number,
): boolean {
  if (from === undefined || distance(from, point) > Math.max(need, STANDING)) return false;
  if (!kept) return true;
  const isHere = covers(kept, point, need);
  // A clock that was set back must not prevent writes for long.
  return Math.abs(now - (kept.keptAt ?? 0)) >= (isHere ? OUTDATED_MS : ELSEWHERE_MS);
}
