import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tileId } from "../../../../src/core/maps/tiles/tile-id.ts";
import { samples } from "../../../support/night.ts";
import { spoolOf } from "./spool-of.ts";

const corner = fc.integer({ min: -64, max: 4160 });
const piece = fc.record({
  zoom: fc.constantFrom(5, 15),
  x: fc.nat(3),
  y: fc.nat(3),
  layer: fc.nat(8),
  order: fc.integer({ min: -2_000_000, max: 2_000_000 }),
  type: fc.constantFrom<1 | 2 | 3>(1, 2, 3),
  name: fc.constantFrom("a", "b", "c"),
  parts: fc.array(
    fc.array(fc.tuple(corner, corner), { minLength: 1, maxLength: 400 }).map((corners): number[] => corners.flat()),
    { minLength: 1, maxLength: 3 },
  ),
});

describe("the spool", () => {
  it("gives pieces back by tile, in the order they came, in however many runs they were", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.constantFrom(1, 2000, 40_000, 1e7), (pieces, memory) => {
        // Merged two runs at a time, or all at once.
        for (const mergeMemory of [1, 64e6]) {
          const { spool, tiles } = spoolOf(memory, mergeMemory);
          for (const { name, ...rest } of pieces) {
            spool.add({ ...rest, properties: spool.propertyId({ name }) });
            spool.rest();
          }
          if (memory === 1) expect(spool.runs.length).toBe(pieces.length);
          const read = tiles().map(({ id, pieces: mine }) => ({
            id,
            pieces: mine.map(({ properties: _, told, ...rest }) => ({ ...rest, name: told.name })),
          }));
          const expected = new Map<number, unknown[]>();
          for (const { zoom, x, y, ...rest } of pieces) {
            const id = tileId(zoom, x, y);
            expected.set(id, [...(expected.get(id) ?? []), rest]);
          }
          expect(read).toEqual([...expected].sort(([a], [b]) => a - b).map(([id, mine]) => ({ id, pieces: mine })));
        }
      }),
      { seed: 31, numRuns: samples(12, 40) },
    );
  });

  it("gives equal properties one number in a tile, whichever run they lie in", () => {
    const { spool, tiles } = spoolOf(1);
    for (const name of ["a", "b", "a"]) {
      const properties = spool.propertyId({ name });
      spool.add({ zoom: 1, x: 0, y: 0, layer: 1, order: 0, type: 1, properties, parts: [[1, 1]] });
      spool.rest();
    }
    const [{ pieces }] = tiles();
    expect(pieces[0].properties).toBe(pieces[2].properties);
    expect(pieces[1].properties).not.toBe(pieces[0].properties);
  });
});
