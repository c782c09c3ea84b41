import { expect, it } from "vitest";

// This module knows the platform's types, which tests in Node do not.
const { joinedMatrix } = await import(
  new URL("../../../src/worker/answers/routes/fleet-matrix.ts", import.meta.url).href
);

const square = (...values: number[]) => {
  const size = Math.sqrt(values.length);
  return { size, duration: Float64Array.from(values), distance: Float64Array.from(values, (value) => value * 10) };
};
const inf = Number.POSITIVE_INFINITY;

it("a fleet over two imports has the ways within each, and none between them", () => {
  const of = (places: number[], matrix: object) => ({
    ...{ places, matrix },
    has: (from: number, to: number) => places.includes(from) && places.includes(to),
  });
  const [west, east] = [of([0, 2], square(0, 5, 6, 0)), of([1, 3], square(0, 7, 8, 0))];
  const joined = joinedMatrix(4, [west, east]);
  expect([...joined.duration]).toEqual([0, inf, 5, inf, inf, 0, inf, 7, 6, inf, 0, inf, inf, 8, inf, 0]);
  expect(joined.distance[2]).toBe(50);
  expect(joined.hours).toBeUndefined();
  expect(joinedMatrix(2, [of([0, 1], square(0, 5, 6, 0))])).toEqual(square(0, 5, 6, 0));
  expect([...joinedMatrix(2, []).duration]).toEqual([0, inf, inf, 0]);

  // Each by its own hours.
  const rush = { begins: 100, grid: square(0, 50, 60, 0) };
  const hours = [{ begins: 0, grid: square(0, 5, 6, 0) }, rush];
  const hourly = joinedMatrix(4, [of([0, 2], { ...square(0, 5, 6, 0), hours }), east]);
  expect(hourly.hours.map(({ begins, grid }: typeof rush) => [begins, grid.duration[2], grid.duration[7]])).toEqual([
    [0, 5, 7],
    [100, 50, 7],
  ]);
});
