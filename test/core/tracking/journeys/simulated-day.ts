import type { Coordinate } from "../../../../src/core/geo/coordinate.ts";
import { shifted, type TimedFix } from "../../../../src/core/tracking/journeys/fixes.ts";

/** A seeded day of a user whose stops and ways are known: a walker, cyclist or car on a grid of streets, and a device with noise. */
export interface SimulatedDay {
  fixes: TimedFix[];
  stops: { from: number; to: number; location: Coordinate }[];
  journeys: { from: number; to: number; distance: number }[];
}

export interface DayOptions {
  seed: number;
  /** Standard deviation while the device stands, and while it moves, per axis [m]. */
  standing: number;
  moving: number;
  /** Correlation time of errors [s]; 0 = white noise. */
  memory: number;
  /** Between fixes [s]. */
  interval: number;
  start?: Coordinate;
  /** Number of stops. */
  stops?: number;
  /** The device sends nothing while it stands. */
  silent?: boolean;
  /** What the device reports of its accuracy, as a share of the truth. */
  claimed?: number;
}

const DAY_START = Date.UTC(2026, 6, 1, 6);
const ACCURACY_SIGMAS = 1.51;

export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function normal(next: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

/** Speeds [m/s], length of a block [m], longest way [blocks]. */
const KINDS = [
  { speed: 1.35, block: 120, blocks: 12, lights: 0 },
  { speed: 4.5, block: 150, blocks: 25, lights: 0.1 },
  { speed: 12, block: 300, blocks: 40, lights: 0.2 },
];

export function simulateDay(options: DayOptions): SimulatedDay {
  const {
    seed,
    standing,
    moving,
    memory,
    interval,
    start = { latitude: 48.2, longitude: 16.37 },
    silent = false,
  } = options;
  const next = random(seed);
  const gauss = normal(next);
  const day: SimulatedDay = { fixes: [], stops: [], journeys: [] };
  let [x, y, t] = [0, 0, 0];
  let [ex, ey] = [gauss(), gauss()];
  // A phone reports once that it has stopped, and is silent until it moves.
  const record = (sigma: number, stopped: boolean, isResting = false) => {
    const keep = memory > 0 ? Math.exp(-interval / memory) : 0;
    ex = keep * ex + Math.sqrt(1 - keep * keep) * gauss();
    ey = keep * ey + Math.sqrt(1 - keep * keep) * gauss();
    if (silent && stopped) return;
    const location = shifted(start, x + sigma * ex, y + sigma * ey);
    const accuracy = Math.max(3, sigma * ACCURACY_SIGMAS * (options.claimed ?? 1));
    day.fixes.push({ at: DAY_START + t * 1000, location, accuracy, ...(isResting && { stopped: true }) });
  };
  const stand = (seconds: number, isStop: boolean) => {
    const from = t;
    for (const until = t + seconds; t < until; t += interval)
      record(isStop ? standing : moving, isStop && t > from, silent && isStop);
    if (isStop)
      day.stops.push({ from: DAY_START + from * 1000, to: DAY_START + t * 1000, location: shifted(start, x, y) });
  };
  const count = options.stops ?? 6;
  for (let k = 0; k < count; k++) {
    stand(300 + Math.floor(next() ** 3 * 9000) + 10, true);
    if (k === count - 1) break;
    const { speed, block, blocks, lights } = KINDS[Math.floor(next() * KINDS.length)];
    const from = t;
    let distance = 0;
    let [dx, dy] = next() < 0.5 ? [1, 0] : [0, 1];
    for (let left = 4 + Math.floor(next() * blocks); left > 0; left--) {
      // Mostly away from the start, so that the way is no circle.
      if (next() < 0.3) [dx, dy] = dx !== 0 ? [0, next() < 0.8 ? 1 : -1] : [next() < 0.8 ? 1 : -1, 0];
      const own = speed * (0.8 + 0.4 * next());
      for (let rest = block; rest > 0; ) {
        const step = Math.min(rest, own * interval);
        x += dx * step;
        y += dy * step;
        t += interval * (step / (own * interval));
        distance += step;
        rest -= step;
        if (step === own * interval) record(moving, false);
      }
      if (next() < lights) stand(20 + 60 * next(), false);
    }
    day.journeys.push({ from: DAY_START + from * 1000, to: DAY_START + t * 1000, distance });
  }
  return day;
}
