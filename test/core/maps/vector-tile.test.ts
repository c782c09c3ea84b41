import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeTile, encodeTile, LINE, POINT, type TileLayer } from "../../../src/core/maps/tiles/mvt.ts";
import { readTile, tileWeight } from "../../../src/core/maps/tiles/vector-tile.ts";
import { layers } from "./tiles/arbitrary-layers.ts";

describe("a vector tile read for drawing", () => {
  it("holds what the plain decoder finds in it, in flat arrays", () => {
    fc.assert(
      fc.property(layers, (tile) => {
        const bytes = encodeTile(tile);
        const flat = readTile(bytes);
        for (const { name, extent, features } of decodeTile(bytes)) {
          const layer = flat.get(name);
          expect([layer?.extent, layer?.features.length]).toEqual([extent, features.length]);
          features.forEach(({ type, properties, parts }, i) => {
            const feature = layer?.features[i];
            if (!layer || !feature) throw new Error("a feature is missing");
            expect([feature.type, feature.tags]).toEqual([type, { ...properties }]);
            const read: number[][] = [];
            for (let part = feature.first; part < feature.last; part++)
              read.push([...layer.points.subarray(part === 0 ? 0 : 2 * layer.ends[part - 1], 2 * layer.ends[part])]);
            expect(read).toEqual(parts);
          });
        }
        expect(tileWeight(flat)).toBeGreaterThan(0);
      }),
      { seed: 88, numRuns: 200 },
    );
  });

  it("leaves out the layers nobody asked for", () => {
    const tile: TileLayer[] = ["a", "b"].map((name) => ({
      name,
      extent: 4096,
      features: [{ type: POINT, properties: {}, parts: [[1, 2]] }],
    }));
    expect([...readTile(encodeTile(tile), new Set(["b"])).keys()]).toEqual(["b"]);
  });

  it("that is cut off anywhere throws or is shorter, and never reads beyond its end", () => {
    const bytes = encodeTile([
      { name: "roads", extent: 4096, features: [{ type: LINE, properties: { kind: "x" }, parts: [[1, 2, 300, 400]] }] },
    ]);
    for (let length = 0; length < bytes.length; length++) {
      let features = 0;
      try {
        for (const layer of readTile(bytes.slice(0, length)).values()) features += layer.features.length;
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
      expect(features).toBe(0);
    }
  });
});
