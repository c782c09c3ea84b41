import { describe, expect, it } from "vitest";
import {
  numbersInOrder,
  SMALL_CELL,
  scaleAlong,
  sortKey,
} from "../../../../src/importer/layers/roads/partition/divide-state.ts";
import { LEVEL_SIZES, partition } from "../../../../src/importer/layers/roads/partition/partition.ts";
import { samples } from "../../../support/night.ts";

/** Streets from south to north, joined by a cross street at every so many-th row; junctions row by row. */
function streets(columns: number, rows: number, every: number) {
  const count = columns * rows;
  const latitude = Int32Array.from({ length: count }, (_, node) => 48_000_000 + Math.floor(node / columns) * 200);
  const longitude = Int32Array.from({ length: count }, (_, node) => 8_000_000 + (node % columns) * 300);
  const starts = new Int32Array(count * 2);
  const ends = new Int32Array(count * 2);
  let roads = 0;
  const join = (a: number, b: number) => {
    starts[roads] = a;
    ends[roads++] = b;
  };
  for (let node = 0; node < count; node++) {
    if (node + columns < count) join(node, node + columns);
    if ((node + 1) % columns !== 0 && Math.floor(node / columns) % every === 0) join(node, node + 1);
  }
  return { count, latitude, longitude, from: starts.slice(0, roads), to: ends.slice(0, roads) };
}

describe("dividing a graph", () => {
  it("orders the nodes of a graph that 23 bits cannot number from west to east, each once", () => {
    const count = 2 ** 23 + 5;
    const latitude = new Int32Array(count);
    const longitude = new Int32Array(count);
    for (let node = 0; node < count; node++) longitude[node] = (node * 7919) % 360_000_000;
    const scale = scaleAlong(latitude, longitude, 0);
    // By day the keys of every 64th node, the first and the last among them.
    const step = samples(64, 1);
    const nodes = Int32Array.from({ length: Math.ceil(count / step) }, (_, i) => count - 1 - i * step).reverse();
    const keys = Float64Array.from(nodes, (node) => sortKey(latitude, longitude, 0, scale, node));
    const order = numbersInOrder(keys, scale, new Int32Array(nodes.length));
    let disorder = 0;
    for (let i = 0; i < order.length; i++) {
      // 29 bits of key tell places apart that are 0.7 of a millionth of a degree from each other.
      if (i > 0 && longitude[order[i]] < longitude[order[i - 1]] - 1) disorder++;
    }
    expect(disorder).toBe(0);
    expect(order.sort()).toEqual(nodes);
  }, 60_000);

  it("keeps 30 bits of key as long as 23 number the nodes, so that smaller graphs keep their cells", () => {
    expect(scaleAlong(Int32Array.of(0, 0), Int32Array.of(0, 2 ** 30 - 1), 0)).toEqual({
      least: 0,
      scale: 1,
      numbers: 2 ** 23,
    });
  });

  it("finds the same cells with two threads as without, and tells how many junctions have come into them", async () => {
    const { count, latitude, longitude, from, to } = streets(220, 200, 3);
    expect(count).toBeGreaterThan(2 * SMALL_CELL);
    const told: number[] = [];
    const step = (done: number, of: number) => void told.push(done, of);
    const cells = await partition(latitude, longitude, from, to, { threads: 0, step });
    expect(await partition(latitude, longitude, from, to, { threads: 2 })).toEqual(cells);
    expect(told.length).toBeGreaterThan(2);
    expect(told.slice(-2)).toEqual([count, count]);
    const sizes = new Int32Array(cells.cellCounts[0]);
    for (const cell of cells.searchCellOf) sizes[cell]++;
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(128);
  }, 60_000);

  // A quarter of an hour of computing on one core, and 1.3 GB: with EVERY_SIZE=1.
  it.skipIf(!process.env.EVERY_SIZE)(
    "divides 8.5 million junctions, more than 23 bits number, and loses none",
    async () => {
      const { count, latitude, longitude, from, to } = streets(3400, 2500, 100);
      expect(count).toBeGreaterThan(2 ** 23);
      const { searchCellOf, cellOf, cellCounts, parentOf, levels } = await partition(latitude, longitude, from, to, {
        threads: 2,
      });
      expect(levels).toBeGreaterThan(4);
      for (let level = 0; level < levels; level++) {
        const sizes = new Int32Array(cellCounts[level]);
        for (const cell of searchCellOf) sizes[cellOf[level][cell]]++;
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(count);
        expect(sizes.includes(0)).toBe(false);
        expect(sizes.reduce((most, size) => Math.max(most, size), 0)).toBeLessThanOrEqual(LEVEL_SIZES[level]);
        if (level === 0) continue;
        // Every cell lies in one of the next level, whole.
        const wrong = cellOf[level].filter((cell, search) => cell !== parentOf[level - 1][cellOf[level - 1][search]]);
        expect(wrong.length).toBe(0);
      }
    },
    3_600_000,
  );
});
