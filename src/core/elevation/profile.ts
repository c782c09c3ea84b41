import type { Coordinate } from "../geo/coordinate.ts";
import { haversine } from "../geo/distance.ts";
import { eastward } from "../geo/shapes/polygon.ts";

/** Rises and falls below this come from the noise of the data, not from the ground [m]. */
const MIN_CLIMB_METERS = 5;
/** Sources describe the surface 30 m apart: over this distance along a line their noise is averaged [m]. */
const SMOOTHING_METERS = 180;
/** How far the top of a hill may be from where it is with its noise averaged [m]. */
const TOP_METERS = 30;
/** Distance of the samples from which ascents are computed [m]. */
const SPACING_METERS = 30;
/** Lines longer than MAX_SAMPLES × SPACING_METERS have samples farther apart. */
const MAX_SAMPLES = 2000;

/** A point on a line, and how far along the line it is [m]. */
export interface LinePoint extends Coordinate {
  distance: number;
}

/** `count` points at equal distances along a line, its ends included. At least 2. */
export function pointsAlong(line: readonly Coordinate[], count: number): LinePoint[] {
  const ends = new Float64Array(line.length);
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1], line[i]];
    ends[i] = ends[i - 1] + haversine(a.latitude, a.longitude, b.latitude, b.longitude);
  }
  const length = ends[line.length - 1];
  const points: LinePoint[] = [];
  let segment = 1;
  for (let n = 0; n < count; n++) {
    const distance = (length * n) / (count - 1);
    while (segment < line.length - 1 && ends[segment] < distance) segment++;
    const [a, b] = [line[segment - 1], line[Math.min(segment, line.length - 1)]];
    const part =
      ends[segment] > ends[segment - 1] ? (distance - ends[segment - 1]) / (ends[segment] - ends[segment - 1]) : 0;
    const share = Math.min(1, part);
    points.push({
      latitude: a.latitude + (b.latitude - a.latitude) * share,
      longitude: a.longitude + eastward([a.longitude, a.latitude], [b.longitude, b.latitude]) * share,
      distance,
    });
  }
  return points;
}

/** The points whose elevations make the ascent of a line. */
export function climbPoints(line: readonly Coordinate[], meters: number): LinePoint[] {
  return pointsAlong(line, Math.max(2, Math.min(MAX_SAMPLES, Math.ceil(meters / SPACING_METERS) + 1)));
}

/** A part of a line that is not on the ground: a bridge or a tunnel; `from` and `to` along the line [m]. */
export interface Structure {
  from: number;
  to: number;
}

/** The structures of a line, from its pieces in order. */
export function structuresOf(pieces: Iterable<{ distance: number; isStructure: boolean }>): Structure[] {
  const found: Structure[] = [];
  let walked = 0;
  for (const { distance, isStructure } of pieces) {
    const last = found[found.length - 1];
    if (isStructure && last?.to === walked) last.to += distance;
    else if (isStructure) found.push({ from: walked, to: walked + distance });
    walked += distance;
  }
  return found;
}

/** Meters up and meters down. */
export interface Climb {
  ascent: number;
  descent: number;
}

/**
 * The climb of a line from elevations at equal distances along it: the sum of all climbs of MIN_CLIMB_METERS and more between a valley and
 * the next peak, at the resolution of the data. Unknown elevations, as on water, are interpolated. Peaks and valleys are those of the line
 * with its noise averaged, so that flat ways climb nothing; their heights are those of the data around them, so that averaging does not
 * lower the hills. Bridges and tunnels lead straight from end to end. Undefined where less than half is known.
 *
 * @param elevations [m]
 * @param length of the line [m]
 */
export function climbOf(
  elevations: readonly (number | undefined)[],
  length: number,
  structures: readonly Structure[] = [],
): Climb | undefined {
  const known = elevations.filter((one) => one !== undefined).length;
  if (known === 0 || 2 * known < elevations.length) return undefined;
  const spacing = length / Math.max(1, elevations.length - 1);
  const onGround = withoutStructures(elevations, spacing, structures);
  if (onGround.every((one) => one === undefined)) return { ascent: 0, descent: 0 };
  const heights = filled(onGround);
  const turns = turnsOf(smoothed(heights, spacing > 0 ? SMOOTHING_METERS / spacing : 0));
  const reach = spacing > 0 ? Math.round(TOP_METERS / spacing) : 0;
  const climb = { ascent: 0, descent: 0 };
  for (let i = 1; i < turns.length; i++) {
    const [a, b] = [turns[i - 1], turns[i]];
    const rise = extremeAround(heights, b, reach) - extremeAround(heights, a, reach);
    if (b.isPeak) climb.ascent += Math.max(0, rise);
    else climb.descent += Math.max(0, -rise);
  }
  return climb;
}

/** A peak or a valley of a line, by the number of its height. */
interface Turn {
  at: number;
  isPeak: boolean;
}

/** Peaks and valleys in turn that differ by MIN_CLIMB_METERS; none where there is no such climb. */
function turnsOf(heights: Float64Array): Turn[] {
  const turns: Turn[] = [];
  // The lowest and the highest height so far, until it is known which of them is a turn.
  let [low, high] = [0, 0];
  // The most extreme height since the last turn.
  let extreme = 0;
  let direction = 0;
  for (let i = 0; i < heights.length; i++) {
    if (direction === 0) {
      if (heights[i] < heights[low]) low = i;
      if (heights[i] > heights[high]) high = i;
      if (heights[i] - heights[low] >= MIN_CLIMB_METERS) direction = 1;
      else if (heights[high] - heights[i] >= MIN_CLIMB_METERS) direction = -1;
      if (direction === 0) continue;
      turns.push(direction > 0 ? { at: low, isPeak: false } : { at: high, isPeak: true });
      extreme = i;
    } else if ((heights[i] - heights[extreme]) * direction > 0) extreme = i;
    else if ((heights[extreme] - heights[i]) * direction >= MIN_CLIMB_METERS) {
      turns.push({ at: extreme, isPeak: direction > 0 });
      direction = -direction;
      extreme = i;
    }
  }
  if (direction !== 0) turns.push({ at: extreme, isPeak: direction > 0 });
  return turns;
}

function extremeAround(heights: Float64Array, { at, isPeak }: Turn, reach: number): number {
  const around = heights.subarray(Math.max(0, at - reach), at + reach + 1);
  return isPeak ? Math.max(...around) : Math.min(...around);
}

/** The climb of several lines; undefined if that of one of them is. */
export function sumOfClimbs(climbs: readonly (Climb | undefined)[]): Climb | undefined {
  const sum = { ascent: 0, descent: 0 };
  for (const climb of climbs) {
    if (!climb) return undefined;
    sum.ascent += climb.ascent;
    sum.descent += climb.descent;
  }
  return sum;
}

/** The elevations, unknown on structures. `structures` are in order. */
function withoutStructures(
  elevations: readonly (number | undefined)[],
  spacing: number,
  structures: readonly Structure[],
): readonly (number | undefined)[] {
  if (structures.length === 0) return elevations;
  let next = 0;
  return elevations.map((one, i) => {
    while (next < structures.length && structures[next].to < i * spacing) next++;
    return next < structures.length && structures[next].from <= i * spacing ? undefined : one;
  });
}

/** Unknown elevations between the known ones around them; at the ends, the nearest known one. */
function filled(elevations: readonly (number | undefined)[]): Float64Array {
  const heights = new Float64Array(elevations.length);
  let before = -1;
  for (let i = 0; i <= elevations.length; i++) {
    const height = i < elevations.length ? elevations[i] : undefined;
    if (height === undefined && i < elevations.length) continue;
    for (let gap = before + 1; gap < i; gap++) {
      const from = before >= 0 ? heights[before] : (height as number);
      const to = height ?? from;
      heights[gap] = from + ((to - from) * (gap - before)) / (i - before);
    }
    if (height !== undefined) heights[i] = height;
    before = i;
  }
  return heights;
}

/**
 * Each height on the parabola that fits its neighbors best, with weights that fall linearly to 0 at half of `width` (local
 * regression: Cleveland 1979). Slopes keep their ends, and hills their tops.
 *
 * @param width in samples
 */
function smoothed(heights: Float64Array, width: number): Float64Array {
  const out = new Float64Array(heights.length);
  const reach = width / 2;
  for (let i = 0; i < heights.length; i++) {
    // Sums of the powers of the distance, and of these times the heights.
    let [s0, s1, s2, s3, s4] = [0, 0, 0, 0, 0];
    let [y0, y1, y2] = [0, 0, 0];
    for (let j = Math.max(0, Math.ceil(i - reach)); j <= Math.min(heights.length - 1, i + reach); j++) {
      const step = j - i;
      const weight = reach > 0 ? 1 - Math.abs(step) / (reach + 1) : 1;
      s0 += weight;
      s1 += weight * step;
      s2 += weight * step ** 2;
      s3 += weight * step ** 3;
      s4 += weight * step ** 4;
      y0 += weight * heights[j];
      y1 += weight * step * heights[j];
      y2 += weight * step ** 2 * heights[j];
    }
    const spread = s0 * (s2 * s4 - s3 * s3) - s1 * (s1 * s4 - s2 * s3) + s2 * (s1 * s3 - s2 * s2);
    // Fewer than three samples have no parabola: they have no noise to compare with either.
    out[i] =
      spread > 1e-9
        ? (y0 * (s2 * s4 - s3 * s3) - s1 * (y1 * s4 - s3 * y2) + s2 * (y1 * s3 - s2 * y2)) / spread
        : heights[i];
  }
  return out;
}
