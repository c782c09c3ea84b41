import { VectorTile } from "@mapbox/vector-tile";
import fc from "fast-check";
import Pbf from "pbf";
import { describe, expect, it } from "vitest";
import {
  decodeTile,
  encodeTile,
  LINE,
  POINT,
  POLYGON,
  ringArea,
  type TileLayer,
} from "../../../../src/core/maps/tiles/mvt.ts";
import { layers } from "./arbitrary-layers.ts";

describe("a vector tile", () => {
  it("comes back from its bytes as it was", () => {
    fc.assert(
      fc.property(layers, (tile) => {
        expect(decodeTile(encodeTile(tile))).toEqual(tile);
      }),
      { seed: 8, numRuns: 200 },
    );
  });

  it("is read the same by the reference decoder", () => {
    fc.assert(
      fc.property(layers, (tile) => {
        const read = new VectorTile(new Pbf(encodeTile(tile)));
        for (const { name, extent, features } of tile) {
          const layer = read.layers[name];
          expect([layer.version, layer.extent, layer.length]).toEqual([2, extent, features.length]);
          features.forEach(({ type, properties, parts }, i) => {
            const theirs = layer.feature(i);
            expect(theirs.type).toBe(type);
            expect({ ...theirs.properties }).toEqual(properties);
            const corners = theirs.loadGeometry().map((part) => part.flatMap(({ x, y }) => [x, y]));
            // The reference closes rings by repeating the first corner, and gives each point a part.
            const ours =
              type === POLYGON ? parts.map((part) => [...part, part[0], part[1]]) : type === LINE ? parts : undefined;
            expect(type === POINT ? corners.flat() : corners).toEqual(ours ?? parts[0]);
          });
        }
      }),
      { seed: 9, numRuns: 100 },
    );
  });

  it("without some layers reads only the others", () => {
    const tile = ["roads", "water"].map(
      (name): TileLayer => ({ name, extent: 4096, features: [{ type: POINT, properties: {}, parts: [[1, 2]] }] }),
    );
    expect(decodeTile(encodeTile(tile), (name) => name === "water").map(({ name }) => name)).toEqual(["water"]);
  });

  it("that is cut off is refused", () => {
    const bytes = encodeTile([
      { name: "a", extent: 4096, features: [{ type: LINE, properties: { a: "b" }, parts: [[0, 0, 9, 9]] }] },
    ]);
    for (let length = 1; length < bytes.length; length++) {
      expect(() => decodeTile(bytes.subarray(0, length))).toThrow(RangeError);
    }
  });

  it("tells outer rings from holes by the sign of their area", () => {
    expect(ringArea([0, 0, 10, 0, 10, 10, 0, 10])).toBe(200);
    expect(ringArea([0, 0, 0, 10, 10, 10, 10, 0])).toBe(-200);
  });
});
