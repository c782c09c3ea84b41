import type { Coordinate } from "../../geo/coordinate.ts";
import { distance } from "../../geo/distance.ts";
import type { Fence } from "../../tracking/types/fence.ts";

/** The fences around a point that a tracker may match against by itself as long as its device stays within `radius`. */
export interface Neighbourhood {
  center: Coordinate;
  /** All fences that come closer to `center` than this [m] are in `fences`. */
  radius: number;
  /** Epoch of the scope's geofences at which this was true. */
  epoch: number;
  fences: Fence[];
}

/** A neighbourhood as it lies on disk. */
export interface KeptNeighbourhood extends Neighbourhood {
  /** When it was written [ms]; absent: by a release up to 0.2. */
  keptAt?: number;
}

/** How far a neighbourhood reaches [m], a way to work without asking again, and less where it would have more fences than that. */
export const NEIGHBOURHOOD_RADIUS = 10_000;
export const NEIGHBOURHOOD_FENCES = 200;

/** Who is no farther from where it was before stands there [m]. */
const STANDING = 200;
const DAY_MS = 24 * 3600_000;
/** How often the one on disk is replaced where it tells of the right place, and where of another. */
const [OUTDATED_MS, ELSEWHERE_MS] = [DAY_MS, 7 * DAY_MS];

/** Can fences be matched by what is known? @param need how far from the point fences matter [m] */
export function isEnough(
  known: Neighbourhood | undefined,
  epoch: number,
  point: Coordinate,
  need: number,
): known is Neighbourhood {
  return known !== undefined && known.epoch >= epoch && distance(known.center, point) + need <= known.radius;
}

/**
 * Is what was found around a point worth a row on disk, for when the tracker wakes up again? Only where the device stands, at home or at
 * work: who moves, is elsewhere with the next update. And seldom, as asking the index again costs a sixth of a row.
 * @param kept what is on disk
 * @param from where the device was with the update before; undefined: nobody knows
 * @param need how far from the point fences matter [m]
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
  const isHere = distance(kept.center, point) + need <= kept.radius;
  // A clock that was set back must not forbid it for long.
  return Math.abs(now - (kept.keptAt ?? 0)) >= (isHere ? OUTDATED_MS : ELSEWHERE_MS);
}
