import { describe, expect, it } from "vitest";
import { SMALL_CELL } from "../../src/importer/roads/divide-state.ts";
import { type Partition, partition } from "../../src/importer/roads/partition.ts";

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

/** Junctions in each cell of a level. */
function sizesOf({ searchCellOf, cellOf, cellCounts }: Partition, level: number): Int32Array {
  const sizes = new Int32Array(cellCounts[level]);
  for (const cell of searchCellOf) sizes[cellOf[level][cell]]++;
  return sizes;
}

describe("dividing a graph", () => {
  it("loses no junction of a graph that 23 bits cannot number", async () => {
    const sizes = [7_000_000, 7_500_000];
    const { count, latitude, longitude, from, to } = streets(1024, 8193, 8192);
    expect(count).toBeGreaterThan(2 ** 23);
    const cells = await partition(latitude, longitude, from, to, { sizes });
    expect(cells.searchCellOf).toHaveLength(count);
    for (let level = 0; level < cells.levels; level++) {
      const held = sizesOf(cells, level);
      expect(held.reduce((sum, size) => sum + size, 0)).toBe(count);
      expect(Math.min(...held)).toBeGreaterThan(0);
      expect(Math.max(...held)).toBeLessThanOrEqual(sizes[level]);
    }
    // Two cross streets lead from the western half to the eastern one: were the order lost, millions would.
    let crossing = 0;
    for (let road = 0; road < from.length; road++) {
      if (cells.searchCellOf[from[road]] !== cells.searchCellOf[to[road]]) crossing++;
    }
    expect(crossing).toBe(2);
  }, 240_000);

  it("finds the same cells with two threads as without", async () => {
    const { count, latitude, longitude, from, to } = streets(220, 200, 3);
    expect(count).toBeGreaterThan(2 * SMALL_CELL);
    const cellsWith = (threads: number) => partition(latitude, longitude, from, to, { threads });
    expect(await cellsWith(2)).toEqual(await cellsWith(0));
  }, 60_000);

  it("tells how many junctions have come into their cells", async () => {
    const { count, latitude, longitude, from, to } = streets(256, 200, 4);
    const told: number[] = [];
    await partition(latitude, longitude, from, to, { step: (done, of) => told.push(done, of) });
    expect(told.length).toBeGreaterThan(2);
    expect(told.slice(-2)).toEqual([count, count]);
  });
});
