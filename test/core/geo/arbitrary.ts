import fc from "fast-check";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";

export const SEED = 20261121;

/** Evenly spread numbers; `fc.double` prefers the tiny ones, as floating point does. The bounds come up often. */
export function uniform(min: number, max: number): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: 2 ** 30 }).map((n) => min + (max - min) * (n / 2 ** 30));
}

export const bearing = uniform(0, 360);

/** Positions spread evenly over the sphere. */
export const anywhere: fc.Arbitrary<Coordinate> = fc
  .record({ z: uniform(-1, 1), longitude: uniform(-180, 179.999999) })
  .map(({ z, longitude }) => ({ latitude: (Math.asin(z) * 180) / Math.PI, longitude }));
