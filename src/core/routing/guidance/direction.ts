import type { Coordinate } from "../../geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../../geo/distance.ts";
import type { RoadClass } from "./types.ts";

/** Properties that determine the direction of a road, in addition to its line. */
export interface SeenRoad {
  class: RoadClass;
  minor?: boolean;
  junction?: "roundabout" | "circular";
}

/** East and north of the junction [m]. */
type Point = readonly [east: number, north: number];

/** Width of a lane [m]. */
const LANE = 3.25;
/** Number of lanes if the map has none. */
const DEFAULT_LANES = 2;
/** How far along a road its direction is measured: where it winds, and at most where it bends at the junction [m]. */
const NEAR = 10;
const FAR = 40;
/** A straight segment this long determines the direction of the road, whatever follows it [m]. */
const LONG = 30;
/** Distance along a roundabout at which its direction is measured: it bends immediately [m]. */
const ON_RING = 2;
/** Low-speed roads: they may bend from their first meter on. */
const WINDING: ReadonlySet<RoadClass> = new Set(["track", "cycleway", "path", "footway", "steps"]);

/**
 * The direction in which a driver sees a road leave the first point of its line [degrees]. On the map its first meters
 * often only connect to the center line of a wide road, and are skipped. `lanes`: maximum number of lanes of the roads
 * at the junction, 0 when unknown. Bounds are OSRM's (BSD-2-Clause, extractor/intersection/coordinate_extractor.cpp).
 *
 *     ────●──────────────
 *          ╲
 *           ╲_______________ this road leads straight on
 */
export function seenDirection(line: readonly Coordinate[], road: SeenRoad, lanes = 0): number {
  const [east, north] = seenPoint(onPlane(line), road, lanes || DEFAULT_LANES);
  return (Math.atan2(east, north) / RADIANS + 360) % 360;
}

function onPlane(line: readonly Coordinate[]): Point[] {
  const { latitude, longitude } = line[0];
  const scale = METRES_PER_DEGREE * Math.cos(latitude * RADIANS);
  const points: Point[] = [];
  for (const place of line) {
    const east = (place.longitude - longitude) * scale;
    const north = (place.latitude - latitude) * METRES_PER_DEGREE;
    const last = points[points.length - 1];
    if (last?.[0] !== east || last[1] !== north) points.push([east, north]);
  }
  return points;
}

/** The point towards which the road appears to lead. */
function seenPoint(line: readonly Point[], road: SeenRoad, lanes: number): Point {
  const end = line[line.length - 1];
  if (line.length <= 2) return end;
  if (end[0] === 0 && end[1] === 0) return line[1];
  if (road.junction) return pointAt(line, ON_RING);
  if (road.minor || WINDING.has(road.class)) return pointAt(line, NEAR);
  const width = margin(road) * lanes * LANE;
  if (length(line[0], line[1]) > width + NEAR) return line[1];
  const points = until(line, FAR + width);
  const last = points[points.length - 1];
  const total = lengthOf(points);
  if (points.length === 2 || total <= ON_RING || off(points, points[0], last) < LANE / 2) return last;
  const bend = firstBend(points);
  const before = lengthOf(points.slice(0, bend + 1));
  if (before >= width + NEAR) return points[1];
  const short = before - width / 2 < LANE && total >= 0.4 * FAR && before <= 0.9 * total;
  if (short && isStraight(points.slice(bend))) return shifted(points[bend], points[bend + 1]);
  const rest = beyond(points, 0.64 * width);
  if (rest.length > 1 && total >= 0.8 * width + ON_RING) {
    const [from, to] = bestLine(rest);
    if (off(rest, from, to) < LANE / 2) return shifted(from, to);
  }
  return pointAt(points, NEAR);
}

/** Maximum length of the misleading first meters, in widths of the road: more on large roads. */
function margin(road: SeenRoad): number {
  if (road.class === "motorway" || road.class === "trunk") return 2.5;
  return road.class === "primary" ? 1.5 : 1;
}

/** Index of the last point up to which the road runs straight. */
function firstBend(points: readonly Point[]): number {
  let bend = 1;
  while (bend + 1 < points.length && off(points.slice(0, bend + 1), points[0], points[bend + 1]) < LANE / 4) bend++;
  return bend;
}

/** Returns whether it is straight, at least up to the end of its first long segment. */
function isStraight(points: readonly Point[]): boolean {
  const long = points.findIndex((point, i) => i > 0 && length(points[i - 1], point) >= LONG);
  const seen = long < 0 ? points : points.slice(0, long + 1);
  return seen.length > 1 && off(seen, seen[0], seen[seen.length - 1]) < LANE / 2;
}

/** The end of a segment, moved as if the segment began at the junction: 0.9 of its start's offset is subtracted. */
function shifted(from: Point, to: Point): Point {
  return length(from, to) < 2 ? to : [to[0] - 0.9 * from[0], to[1] - 0.9 * from[1]];
}

function length(a: Point, b: Point): number {
  const [east, north] = [b[0] - a[0], b[1] - a[1]];
  // Math.hypot takes ten times as long.
  return Math.sqrt(east * east + north * north);
}

function lengthOf(points: readonly Point[]): number {
  let sum = 0;
  for (let i = 1; i < points.length; i++) sum += length(points[i - 1], points[i]);
  return sum;
}

function between(a: Point, b: Point, share: number): Point {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
}

/** The rest of a line from `metres` along it on; empty if it is shorter. */
function beyond(points: readonly Point[], metres: number): Point[] {
  let left = metres;
  for (let i = 1; i < points.length; i++) {
    const step = length(points[i - 1], points[i]);
    if (step >= left) return [between(points[i - 1], points[i], left / step), ...points.slice(i)];
    left -= step;
  }
  return [];
}

function pointAt(points: readonly Point[], metres: number): Point {
  return beyond(points, metres)[0] ?? points[points.length - 1];
}

/** The line up to its first point at least `metres` along it; the last segment is cut to at most `metres`. */
function until(points: readonly Point[], metres: number): Point[] {
  let walked = 0;
  for (let i = 1; i < points.length; i++) {
    const step = length(points[i - 1], points[i]);
    walked += step;
    if (walked < metres) continue;
    return [...points.slice(0, i), between(points[i - 1], points[i], Math.min(1, metres / step))];
  }
  return [...points];
}

/** The largest distance of the points from the stretch between `from` and `to` [m]. */
function off(points: readonly Point[], from: Point, to: Point): number {
  const [east, north] = [to[0] - from[0], to[1] - from[1]];
  const square = east * east + north * north;
  let most = 0;
  for (const point of points) {
    const along = (point[0] - from[0]) * east + (point[1] - from[1]) * north;
    const share = square > 0 ? Math.max(0, Math.min(1, along / square)) : 0;
    most = Math.max(most, length(point, between(from, to, share)));
  }
  return most;
}

/** The points at each whole meter of a line, up to so many meters along it. */
function samplesOf(points: readonly Point[], metres: number): Point[] {
  const samples: Point[] = [];
  let walked = 0;
  let at = 0;
  for (let i = 1; i < points.length && at <= metres; i++) {
    const step = length(points[i - 1], points[i]);
    for (; at <= metres && at <= walked + step; at++)
      samples.push(between(points[i - 1], points[i], (at - walked) / step));
    walked += step;
  }
  return samples;
}

/**
 * The best-fitting straight line (least squares of the distances, Pearson 1901, a sample per meter), between the
 * projections of the first and the last point.
 */
function bestLine(points: readonly Point[]): [from: Point, to: Point] {
  const samples = samplesOf(points, Math.min(FAR, lengthOf(points)));
  const mean = (axis: 0 | 1) => samples.reduce((sum, point) => sum + point[axis], 0) / samples.length;
  const middle: Point = [mean(0), mean(1)];
  let [ee, en, nn] = [0, 0, 0];
  for (const point of samples) {
    const [east, north] = [point[0] - middle[0], point[1] - middle[1]];
    ee += east * east;
    en += east * north;
    nn += north * north;
  }
  const tilt = Math.atan2(2 * en, ee - nn) / 2;
  const [east, north] = [Math.cos(tilt), Math.sin(tilt)];
  const shift = (point: Point): Point => {
    const along = (point[0] - middle[0]) * east + (point[1] - middle[1]) * north;
    return [middle[0] + along * east, middle[1] + along * north];
  };
  return [shift(points[0]), shift(points[points.length - 1])];
}
