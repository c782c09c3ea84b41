import { expect, it } from "vitest";
import { composeTile } from "../../../../src/core/maps/tiles/compose.ts";
import { POINT } from "../../../../src/core/maps/tiles/mvt.ts";
import { EXTENT } from "../../../../src/core/maps/tiles/plane.ts";

it("a tile within an import keeps towns and countries of the world base that the import lacks, but not their suburbs", () => {
  const place = (kind: string, at: number) => ({
    type: POINT as typeof POINT,
    properties: { kind, name: kind },
    parts: [[at, at]],
  });
  const features = [place("country", 500), place("locality", 1500), place("macrohood", 2500)];
  const world = { layers: [{ name: "places", extent: EXTENT, features }], zoom: 10, keepsPlace: () => true };
  const shown = (places: { left: number; top: number; right: number; bottom: number }[]) => {
    const { layers } = composeTile(10, 300, 400, [{ ...world, holes: { places } }]);
    return layers.flatMap((layer) => layer.features.map(({ properties }) => properties.kind));
  };
  expect(shown([{ left: 0, top: 0, right: EXTENT, bottom: EXTENT }])).toEqual(["country", "locality"]);
  expect(shown([{ left: 0, top: 0, right: 2000, bottom: 2000 }])).toEqual(["country", "locality", "macrohood"]);
});
