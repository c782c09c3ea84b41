import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TileSpool } from "../../../src/importer/basemap/spool.ts";
import { tileId } from "../../../src/maps/tiles/tile-id.ts";

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
  it("gives pieces back by tile, in the order they came, whether they lay on disk or not", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.constantFrom(1, 500, 20_000), (pieces, spillBytes) => {
        const spools = [new TileSpool(spillBytes), new TileSpool()];
        const read = spools.map((spool) => {
          for (const { name, ...rest } of pieces) spool.add({ ...rest, properties: spool.propertyId({ name }) });
          const tiles = [...spool.tiles()].map(({ tileId: id, pieces: mine }) => ({
            id,
            pieces: mine.map(({ properties, ...rest }) => ({ ...rest, name: spool.propertiesOf(properties).name })),
          }));
          spool.close();
          return tiles;
        });
        const expected = new Map<number, unknown[]>();
        for (const { zoom, x, y, ...rest } of pieces) {
          const id = tileId(zoom, x, y);
          expected.set(id, [...(expected.get(id) ?? []), rest]);
        }
        const sorted = [...expected].sort(([a], [b]) => a - b).map(([id, mine]) => ({ id, pieces: mine }));
        expect(read[0]).toEqual(sorted);
        expect(read[1]).toEqual(sorted);
      }),
      { seed: 31, numRuns: 40 },
    );
  });
});
