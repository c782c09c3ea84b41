import { distance } from "../geo/distance.ts";
import type { WindowPoint } from "./types/driving.ts";
import type { TrackingSettings } from "./types/settings.ts";
import type { LocationUpdate } from "./types/update.ts";

/** The last half minute of a device, its speed, and what a limit allows. */

/** Positions are matched over this time [ms]; at most so many, at least so far apart. */
const [WINDOW_MS, MAX_POINTS, MIN_APART_MS] = [40_000, 16, 2_000];
/** Fixes less accurate say nothing about a road [m]. */
export const MAX_ROAD_ACCURACY = 60;
/** Without a reported speed, it is measured over at least this time [ms]. */
const MIN_SPEED_MS = 8_000;
/** A radius of 68 % of a two-dimensional normal distribution, in standard deviations of one. */
const ACCURACY_SIGMAS = 1.51;
/** A reported speed above it is an error, and counts as absent [m/s]. */
const MAX_REPORTED = 150;
/** Error of a speed that a receiver measures itself, by the Doppler effect [km/h]. */
const REPORTED_ERROR_KMH = 1;
/** An excess counts if it is more than so many times the error of the speed. */
const MIN_ERRORS = 4;
/** [km/h], and percent. */
export const DEFAULT_TOLERANCE = 10;
/** An excess, and its end, last at least this long [s]. */
export const DEFAULT_SPEED_SECONDS = 10;
/** Fewer points show no road. */
export const ROAD_POINTS = 4;
/** Slower than this no limit is exceeded, and no road looked up [km/h]. */
export const MIN_LIMIT_KMH = 15;

/** The window with an update, at a time [ms]. It starts over after a silence. */
export function withPoint(
  window: readonly WindowPoint[],
  { location: { latitude, longitude }, accuracy, speed }: Pick<LocationUpdate, "location" | "accuracy" | "speed">,
  at: number,
): WindowPoint[] {
  const point = {
    at,
    latitude,
    longitude,
    accuracy,
    ...(speed !== undefined && speed >= 0 && speed <= MAX_REPORTED && { speed }),
  };
  const recent = window.filter((one) => one.at < at && at - one.at <= WINDOW_MS);
  const [before, last] = recent.slice(-2);
  if (recent.length > 1 && last.at - before.at < MIN_APART_MS) recent.pop();
  return [...recent.slice(1 - MAX_POINTS), point];
}

/** Speed at the last point of a window, and its standard error [km/h]; undefined: too few points. */
export function speedOf(window: readonly WindowPoint[]): { kmh: number; error: number } | undefined {
  const last = window[window.length - 1];
  if (last?.speed !== undefined) return { kmh: last.speed * 3.6, error: REPORTED_ERROR_KMH };
  const recent = window.filter(({ at }) => last.at - at <= 2 * MIN_SPEED_MS);
  if (recent.length < 2 || last.at - recent[0].at < MIN_SPEED_MS) return undefined;
  const measured = betweenHalves(recent);
  if (!measured || recent.length < 3) return measured;
  // One position that jumped makes no speed: without it, it is gone.
  const others = recent.map((_, i) => betweenHalves(recent.filter((_, k) => k !== i))?.kmh ?? measured.kmh);
  return { ...measured, kmh: Math.min(measured.kmh, ...others) };
}

/** The mean speed from one position to another. */
export const kmhBetween = (from: WindowPoint, to: WindowPoint): number =>
  (distance(from, to) / ((to.at - from.at) / 1000)) * 3.6;

/** Between the means of both halves: their distance has less error than that of two fixes. */
function betweenHalves(points: readonly WindowPoint[]): { kmh: number; error: number } | undefined {
  const half = points.length >> 1;
  const [first, second] = [meanOf(points.slice(0, half)), meanOf(points.slice(-half))];
  const seconds = (second.at - first.at) / 1000;
  if (seconds <= 0) return undefined;
  const error = (Math.sqrt(2 / half) * second.accuracy) / ACCURACY_SIGMAS / seconds;
  return { kmh: (distance(first, second) / seconds) * 3.6, error: error * 3.6 };
}

function meanOf(points: readonly WindowPoint[]): WindowPoint {
  const mean = { at: 0, latitude: 0, longitude: 0, accuracy: 0 };
  for (const { at, latitude, longitude, accuracy } of points) {
    mean.at += at / points.length;
    mean.latitude += latitude / points.length;
    // The short way around the 180th meridian.
    const turn = longitude - points[0].longitude > 180 ? -360 : points[0].longitude - longitude > 180 ? 360 : 0;
    mean.longitude += (longitude + turn) / points.length;
    mean.accuracy += accuracy / points.length;
  }
  return mean;
}

/** The speed up to which a limit is kept [km/h]: the larger tolerance, and the error of the speed. */
export function allowedKmh(
  limitKmh: number,
  error: number,
  { speedTolerance = DEFAULT_TOLERANCE, speedTolerancePercent = DEFAULT_TOLERANCE }: TrackingSettings,
): number {
  return limitKmh + Math.max(speedTolerance, (limitKmh * speedTolerancePercent) / 100, MIN_ERRORS * error);
}
