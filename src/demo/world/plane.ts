import type { Coordinate } from "../../core/geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../../core/geo/distance.ts";
import { random } from "./random.ts";

/** A point of the town plan [metres]: u to the east, v to the north, v = 0 is the 49th parallel. */
export type PlanPoint = readonly [u: number, v: number];

/** Where u = v = 0 is: on the 49th parallel between Montana and Alberta, in open prairie. */
export const ORIGIN: Coordinate = { latitude: 49, longitude: -111.2 };

const METRES_PER_LONGITUDE = METRES_PER_DEGREE * Math.cos(ORIGIN.latitude * RADIANS);

/**
 * Towns are planned with straight lines and right angles and then laid over the land by a gentle bend, so that streets
 * curve and everything along them (lots, houses, river banks) curves with them. The bend is one smooth field for the
 * whole world; it leaves the 49th parallel where it is.
 */
export class Plane {
  readonly #origin: Coordinate;
  readonly #waves: { ku: number; kv: number; phase: number; du: number; dv: number }[];

  /** `east`: how far along the 49th parallel from the usual place it is [degrees]. */
  constructor(seed: number, east = 0) {
    this.#origin = { latitude: ORIGIN.latitude, longitude: ORIGIN.longitude + east };
    const draw = random(seed, "bend");
    this.#waves = [5200, 3300, 2100].map((length, i) => {
      const direction = draw.between(0, Math.PI);
      const k = (2 * Math.PI) / length;
      const amplitude = [85, 45, 22][i];
      const lean = draw.between(0, 2 * Math.PI);
      return {
        ku: k * Math.cos(direction),
        kv: k * Math.sin(direction),
        phase: draw.between(0, 2 * Math.PI),
        du: amplitude * Math.cos(lean),
        dv: amplitude * Math.sin(lean),
      };
    });
  }

  /** A plan point on the Earth, rounded to OSM's 1e-7 degrees. */
  locate([u, v]: PlanPoint): Coordinate {
    let x = u;
    let y = 0;
    for (const wave of this.#waves) {
      const s = Math.sin(wave.ku * u + wave.kv * v + wave.phase);
      x += wave.du * s;
      y += wave.dv * s;
    }
    y = v + y * (1 - Math.exp(-((v / 700) ** 2)));
    return {
      latitude: Math.round((this.#origin.latitude + y / METRES_PER_DEGREE) * 1e7) / 1e7,
      longitude: Math.round((this.#origin.longitude + x / METRES_PER_LONGITUDE) * 1e7) / 1e7,
    };
  }
}

/** Points at most `step` apart along a straight line, without its first point. */
export function walk(from: PlanPoint, to: PlanPoint, step = 60): PlanPoint[] {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const pieces = Math.max(1, Math.ceil(length / step - 0.01));
  return Array.from({ length: pieces }, (_, i) => {
    const t = (i + 1) / pieces;
    return [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t] as const;
  });
}

/**
 * A smooth line through the points (Catmull & Rom 1974), each span cut into `steps`. A closed ring ends where it began.
 */
export function smooth(points: readonly PlanPoint[], steps = 6, closed = false): PlanPoint[] {
  const n = points.length;
  const at = (i: number) => (closed ? points[(i + n) % n] : points[Math.max(0, Math.min(n - 1, i))]);
  const out: PlanPoint[] = [points[0]];
  for (let i = 0; i < (closed ? n : n - 1); i++) {
    const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    for (let k = 1; k <= steps; k++) {
      if (k === steps) {
        out.push(c);
        continue;
      }
      const t = k / steps;
      const blend = (axis: 0 | 1) =>
        0.5 *
        (2 * b[axis] +
          (c[axis] - a[axis]) * t +
          (2 * a[axis] - 5 * b[axis] + 4 * c[axis] - d[axis]) * t * t +
          (3 * b[axis] - a[axis] - 3 * c[axis] + d[axis]) * t * t * t);
      out.push([blend(0), blend(1)]);
    }
  }
  return out;
}
