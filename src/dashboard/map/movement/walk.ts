import { type Coordinate, wrapLongitude } from "../../../core/geo/coordinate.ts";
import { bearing, destination, distance } from "../../../core/geo/distance.ts";

/** How a device is walked along a line. */
export interface WalkOptions {
  /** [m/s] */
  speed: number;
  /** Seconds of the device's clock between two updates. */
  interval: number;
  /** Reported accuracy, and the radius in which the locations scatter [m]. */
  accuracy: number;
  /** Stands at the end for so long [s]. */
  stay?: number;
  /** Leaves the line in its middle, up to this distance, and returns [m]. */
  detour?: number;
  /** Draws the scatter: the same seed walks the same way. */
  seed?: number;
}

export interface WalkStep {
  /** Seconds since the walk began. */
  after: number;
  /** Where the device says it is, and where it is. */
  location: Coordinate;
  truth: Coordinate;
  /** [degrees from north] */
  course: number;
  /** [m/s] */
  speed: number;
  stopped: boolean;
}

/** How long a line is [m]. */
export function lengthOf(line: readonly Coordinate[]): number {
  let metres = 0;
  for (let i = 1; i < line.length; i++) metres += distance(line[i - 1], line[i]);
  return metres;
}

/** How many updates a walk makes, the first and the last included. */
export function countSteps(line: readonly Coordinate[], options: WalkOptions): number {
  if (line.length === 0) return 0;
  return stepsOnLine(line, options) + Math.ceil((options.stay ?? 0) / options.interval);
}

const stepsOnLine = (line: readonly Coordinate[], { speed, interval }: WalkOptions) =>
  Math.ceil(lengthOf(line) / (speed * interval) - 1e-9) + 1;

/** The updates of a walk: one at the start, one every interval, and one at the end, standing; then those of the stay. */
export function* walk(line: readonly Coordinate[], options: WalkOptions): Generator<WalkStep> {
  const { speed, interval, accuracy, seed = 1 } = options;
  if (line.length === 0) return;
  const random = mulberry32(seed);
  const whole = lengthOf(line);
  const steps = stepsOnLine(line, options);
  let corner = 0;
  let behind = 0;
  for (let i = 0; i < steps; i++) {
    const last = i === steps - 1;
    const metres = last ? whole : i * speed * interval;
    while (corner < line.length - 2 && behind + distance(line[corner], line[corner + 1]) < metres) {
      behind += distance(line[corner], line[corner + 1]);
      corner++;
    }
    const next = line[Math.min(corner + 1, line.length - 1)];
    const course = bearing(line[corner], next);
    const there = last ? line[line.length - 1] : destination(line[corner], course, metres - behind);
    const truth = aside(there, course, metres / whole, options.detour ?? 0);
    yield {
      after: last ? whole / speed : i * interval,
      location: scatterLocation(truth, accuracy, random),
      truth: { latitude: truth.latitude, longitude: wrapLongitude(truth.longitude) },
      course,
      speed: last ? 0 : speed,
      stopped: last,
    };
  }
  const truth = line[line.length - 1];
  for (let i = 1; i <= countSteps(line, options) - steps; i++) {
    const location = scatterLocation(truth, accuracy, random);
    yield { after: whole / speed + i * interval, location, truth, course: 0, speed: 0, stopped: true };
  }
}

/** A point to the right of the line in the middle third of it: farther and farther, and back. */
function aside(at: Coordinate, course: number, share: number, detour: number): Coordinate {
  const metres = detour * Math.max(0, Math.sin(3 * Math.PI * (share - 1 / 3)));
  return detour === 0 || share < 1 / 3 || share > 2 / 3 ? at : destination(at, course + 90, metres);
}

/**
 * 68 % of locations are within the accuracy radius. In a Rayleigh distribution, that share is below 1.51 σ, so σ =
 * accuracy / 1.51. Two uniform numbers give a distance and a direction (Box and Muller 1958).
 */
function scatterLocation(at: Coordinate, accuracy: number, random: () => number): Coordinate {
  const metres = (accuracy / 1.51) * Math.sqrt(-2 * Math.log(1 - random()));
  return destination(at, random() * 360, metres);
}

/** A small generator with a seed (Ettinger 2017, public domain). */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
