import type { Track } from "./fixes.ts";

/** What a smoother knows of a part of a track: positions [m] of its fixes, speeds [m/s], and the ways between them [m]. */
export interface Smoothed {
  x: Float64Array;
  y: Float64Array;
  speed: Float64Array;
  /** From the fix before; of the first one 0. */
  way: Float64Array;
}

/** A radius of 68 % of a two-dimensional normal distribution, in standard deviations of one. */
const ACCURACY_SIGMAS = 1.51;
const MIN_SIGMA = 2;
/** Speed around a fix is measured over this time [s]: net, so that noise does not count. */
const SPEED_WINDOW = 30;
/** How much velocity changes (spectral density of acceleration) [m²/s³]: of a walker who turns, and of a car per speed². */
const [MIN_CHANGE, CHANGE_PER_SPEED, MAX_CHANGE] = [0.02, 0.04, 6];
/** Variance of an unknown velocity [m²/s²]. */
const UNKNOWN_SPEED = 900;
/** Between fixes farther apart in time, velocities say nothing about the way [s]; a corner of a right angle is √2 times its chord. */
const [MAX_CURVE_SECONDS, MAX_BEND] = [30, Math.SQRT2];

/**
 * Most likely positions of the fixes from `first` to `last`, given all of them: a Kalman filter with nearly constant velocity,
 * and a smoother in reverse (Rauch, Tung and Striebel 1965). Lines through raw fixes are too long by their noise, and means cut corners.
 */
export function smooth(track: Track, first: number, last: number): Smoothed {
  const change = changes(track, first, last);
  const x = smoothAxis(track, track.x, first, last, change);
  const y = smoothAxis(track, track.y, first, last, change);
  const speed = x.velocity.map((vx, i) => Math.hypot(vx, y.velocity[i]));
  const way = new Float64Array(speed.length);
  for (let i = 1; i < way.length; i++) way[i] = wayBetween(x, y, i, track.time[first + i] - track.time[first + i - 1]);
  return { x: x.position, y: y.position, speed, way };
}

/** Over the middle of the curve that has the velocities of both ends (Hermite): a chord cuts the corner between two fixes. */
function wayBetween(x: Axis, y: Axis, i: number, seconds: number): number {
  const east = x.position[i] - x.position[i - 1];
  const north = y.position[i] - y.position[i - 1];
  const chord = Math.hypot(east, north);
  if (seconds > MAX_CURVE_SECONDS) return chord;
  const [bendX, bendY] = [x, y].map(({ velocity }) => (seconds / 8) * (velocity[i - 1] - velocity[i]));
  const over = Math.hypot(east / 2 + bendX, north / 2 + bendY) + Math.hypot(east / 2 - bendX, north / 2 - bendY);
  return Math.min(over, MAX_BEND * chord);
}

function changes({ fixes, x, y, time }: Track, first: number, last: number): Float64Array {
  const change = new Float64Array(last - first + 1);
  let [i, j] = [first, first];
  for (let k = first; k <= last; k++) {
    while (i < k && time[k] - time[i] > SPEED_WINDOW / 2) i++;
    while (j < last && time[j] - time[k] < SPEED_WINDOW / 2) j++;
    const from = i === k && k > first ? k - 1 : i;
    const seconds = time[j] - time[from];
    // Without the part of it that noise makes, on both axes.
    const noise = 2 * (variance(fixes[from].accuracy) + variance(fixes[j].accuracy));
    const squared = Math.max(0, (x[j] - x[from]) ** 2 + (y[j] - y[from]) ** 2 - noise);
    const change2 = seconds > 0 ? squared / seconds ** 2 : 0;
    change[k - first] = Math.min(MAX_CHANGE, MIN_CHANGE + CHANGE_PER_SPEED * change2);
  }
  return change;
}

interface Axis {
  position: Float64Array;
  velocity: Float64Array;
}

function smoothAxis(
  { fixes, time }: Track,
  measured: Float64Array,
  first: number,
  last: number,
  change: Float64Array,
): Axis {
  const n = last - first + 1;
  const [position, velocity] = [new Float64Array(n), new Float64Array(n)];
  // Covariances after each fix: of the position, of both, of the velocity.
  const [pp, pv, vv] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  position[0] = measured[first];
  pp[0] = variance(fixes[first].accuracy);
  vv[0] = UNKNOWN_SPEED;
  for (let k = 1; k < n; k++) {
    const dt = time[first + k] - time[first + k - 1];
    const q = (change[k] + change[k - 1]) / 2;
    const predicted = position[k - 1] + dt * velocity[k - 1];
    const a = pp[k - 1] + 2 * dt * pv[k - 1] + dt * dt * vv[k - 1] + (q * dt ** 3) / 3;
    const b = pv[k - 1] + dt * vv[k - 1] + (q * dt * dt) / 2;
    const c = vv[k - 1] + q * dt;
    const r = a + variance(fixes[first + k].accuracy);
    const off = measured[first + k] - predicted;
    position[k] = predicted + (a / r) * off;
    velocity[k] = velocity[k - 1] + (b / r) * off;
    pp[k] = a - (a * a) / r;
    pv[k] = b - (a * b) / r;
    vv[k] = c - (b * b) / r;
  }
  for (let k = n - 2; k >= 0; k--) {
    const dt = time[first + k + 1] - time[first + k];
    const q = (change[k] + change[k + 1]) / 2;
    const a = pp[k] + 2 * dt * pv[k] + dt * dt * vv[k] + (q * dt ** 3) / 3;
    const b = pv[k] + dt * vv[k] + (q * dt * dt) / 2;
    const c = vv[k] + q * dt;
    const determinant = a * c - b * b;
    if (!(determinant > 0)) continue;
    // The gain: covariance of both times, times the inverse of the predicted covariance.
    const [ap, av] = [pp[k] + dt * pv[k], pv[k]];
    const [bp, bv] = [pv[k] + dt * vv[k], vv[k]];
    const offPosition = position[k + 1] - (position[k] + dt * velocity[k]);
    const offVelocity = velocity[k + 1] - velocity[k];
    const [u, w] = [
      (c * offPosition - b * offVelocity) / determinant,
      (a * offVelocity - b * offPosition) / determinant,
    ];
    position[k] += ap * u + av * w;
    velocity[k] += bp * u + bv * w;
  }
  return { position, velocity };
}

function variance(accuracy: number): number {
  return Math.max(MIN_SIGMA, accuracy / ACCURACY_SIGMAS) ** 2;
}
