import fc from "fast-check";
import { LINE, POINT, POLYGON, type TileLayer } from "../../../../src/core/maps/tiles/mvt.ts";

const corner = fc.tuple(fc.integer({ min: -64, max: 4160 }), fc.integer({ min: -64, max: 4160 }));
const value = fc.oneof(fc.string(), fc.boolean(), fc.integer({ min: -(2 ** 50), max: 2 ** 50 }), fc.constant(12.25));
const key = fc.string({ minLength: 1 }).filter((name) => name !== "__proto__");
const feature = fc.record({
  type: fc.constantFrom(POINT, LINE, POLYGON),
  properties: fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true }),
  corners: fc.array(fc.array(corner, { minLength: 3, maxLength: 8 }), { minLength: 1, maxLength: 3 }),
});

/** The layers of any tile. */
export const layers = fc
  .array(fc.array(feature, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 })
  .map((lists) =>
    lists.map(
      (features, i): TileLayer => ({
        name: `layer ${i}`,
        extent: 4096,
        features: features.map(({ type, properties, corners }) => ({
          type,
          properties,
          parts: type === POINT ? [corners.flat(2)] : corners.map((part) => part.flat()),
        })),
      }),
    ),
  );
