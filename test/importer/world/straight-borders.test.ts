import { expect, it } from "vitest";
import { readAtlas } from "../../../src/importer/world/package-file.ts";
import { type Corner, decodeArcs } from "../../../src/importer/world/topojson.ts";

/** Borders that treaties drew along a degree: its axis, the degree, and a part of it on the other axis. */
const BORDERS: readonly (readonly [name: string, axis: 0 | 1, degree: number, from: number, to: number])[] = [
  ["Canada and the United States", 1, 49, -122, -96],
  ["Alaska and Yukon", 0, -141, 60.5, 69],
  ["Egypt and Sudan", 1, 22, 25.5, 31],
  ["Chad and Sudan", 0, 24, 16, 19],
  ["Tanzania and Uganda", 1, -1, 31, 33.5],
  ["Angola and Zambia", 1, -13, 22.2, 23.8],
];

it.each(BORDERS)("the border of %s lies on its degree", (_, axis, degree, from, to) => {
  const arcs: readonly Corner[][] = decodeArcs(readAtlas("world-atlas/countries-10m.json"));
  const isPart = (corner: Corner) => corner[1 - axis] > from && corner[1 - axis] < to;
  const near = arcs.flat().filter((corner) => isPart(corner) && Math.abs(corner[axis] - degree) < 0.02);
  expect(near.length).toBeGreaterThan(2);
  expect(near.filter((corner) => corner[axis] !== degree)).toEqual([]);
});
