import { type Coordinate, wrapLongitude } from "../../geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../../geo/distance.ts";

/** A position of a user. */
export interface TimedFix {
  /** [ms] */
  at: number;
  location: Coordinate;
  /** Radius that contains the device two times out of three [m]. */
  accuracy: number;
  /** The device reported that it stands. */
  stopped?: boolean | undefined;
}

/** Fixes in order of time, on a plane that keeps the lengths of steps: x and y [m] of a day around the pole or the 180th meridian, too. */
export interface Track {
  fixes: readonly TimedFix[];
  x: Float64Array;
  y: Float64Array;
  /** Since 1970 [s]. */
  time: Float64Array;
}

/** Fixes less accurate say nothing about stops and distances [m]. */
const MAX_ACCURACY = 500;
/**
 * A detour through one fix at a higher speed is an error [m/s]: there and back on one line, where a traveler has to turn around, and at
 * the other end, hardly a bend: faster than trains, and aircraft make no detours.
 */
const [MAX_RETURN_SPEED, MAX_BEND_SPEED] = [40, 90];
/** At a pole, meridians meet: longitudes mean nothing there. */
const MIN_COSINE = 1e-6;

/** Orders fixes by time; omits inaccurate ones, those of a time that was there before, and jumps there and back. `given` may have any order. */
export function trackOf(given: readonly TimedFix[]): Track {
  const ordered = given.filter(({ accuracy }) => accuracy <= MAX_ACCURACY).sort((a, b) => a.at - b.at);
  const unique = ordered.filter(({ at }, i) => i === 0 || at > ordered[i - 1].at);
  const all = onPlane(unique);
  const kept = unique.filter((_, i) => !isJump(all, i));
  return kept.length === unique.length ? all : onPlane(kept);
}

function onPlane(fixes: readonly TimedFix[]): Track {
  const { length } = fixes;
  const track = { fixes, x: new Float64Array(length), y: new Float64Array(length), time: new Float64Array(length) };
  fixes.forEach(({ at, location }, i) => {
    track.time[i] = at / 1000;
    if (i === 0) return;
    const before = fixes[i - 1].location;
    const east = wrapLongitude(location.longitude - before.longitude);
    track.x[i] = track.x[i - 1] + east * metresEast((location.latitude + before.latitude) / 2);
    track.y[i] = track.y[i - 1] + (location.latitude - before.latitude) * METRES_PER_DEGREE;
  });
  return track;
}

/** Meters in one degree of longitude. */
function metresEast(latitude: number): number {
  return METRES_PER_DEGREE * Math.max(MIN_COSINE, Math.cos(latitude * RADIANS));
}

/** A location moved by some meters to the east and the north. */
export function shifted({ latitude, longitude }: Coordinate, east: number, north: number): Coordinate {
  return {
    latitude: Math.max(-90, Math.min(90, latitude + north / METRES_PER_DEGREE)),
    longitude: wrapLongitude(longitude + east / metresEast(latitude)),
  };
}

/** Distance between two fixes [m]. */
export function apart({ x, y }: Pick<Track, "x" | "y">, i: number, j: number): number {
  return Math.hypot(x[i] - x[j], y[i] - y[j]);
}

function isJump(track: Track, i: number): boolean {
  const { fixes, time } = track;
  if (i === 0 || i === fixes.length - 1) return false;
  const slack = fixes[i].accuracy + fixes[i - 1].accuracy + fixes[i + 1].accuracy;
  const [way, direct] = [apart(track, i - 1, i) + apart(track, i, i + 1), apart(track, i - 1, i + 1)];
  const speed = MAX_RETURN_SPEED + (MAX_BEND_SPEED - MAX_RETURN_SPEED) * (way > 0 ? direct / way : 1);
  return way - direct > 2 * slack + speed * (time[i + 1] - time[i - 1]);
}
