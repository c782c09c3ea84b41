import fc from "fast-check";
import { expect, it } from "vitest";
import { thinned } from "../../../src/core/geo/thinned.ts";

const line = (...latitudes: number[]) => latitudes.map((latitude, i) => ({ latitude, longitude: i }));

it("keeps a line that has few points", () => {
  const short = line(0, 5, 0);
  expect(thinned(short)).toBe(short);
  expect(thinned(short, 3)).toBe(short);
});

it("keeps the corners that make the shape, and the ends", () => {
  const zigzag = line(0, 1, 2, 3, 2, 1, 0, 1, 2);
  expect(thinned(zigzag, 4)).toEqual([0, 3, 6, 8].map((i) => zigzag[i]));
  expect(thinned(zigzag, 2)).toEqual([zigzag[0], zigzag[8]]);
});

it("returns the number of points that is asked for, in their order", () => {
  const point = fc.record({ latitude: fc.double({ min: -80, max: 80, noNaN: true }), longitude: fc.nat(170) });
  fc.assert(
    fc.property(fc.array(point, { minLength: 2, maxLength: 200 }), fc.integer({ min: 2, max: 200 }), (points, max) => {
      const kept = thinned(points, max);
      expect(kept).toHaveLength(Math.min(max, points.length));
      const places = kept.map((one) => points.indexOf(one));
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect([places[0], places.at(-1)]).toEqual([0, points.length - 1]);
    }),
  );
});
