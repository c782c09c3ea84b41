import { expect, it } from "vitest";
import { composeTile } from "../../../../src/core/maps/tiles/compose.ts";
import { POINT, POLYGON } from "../../../../src/core/maps/tiles/mvt.ts";
import { EXTENT } from "../../../../src/core/maps/tiles/plane.ts";
import { random } from "../../../../src/demo/world/random.ts";

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

it("translucent land cover around an import covers each point once, and no point is bare", () => {
  const draw = random("land cover around an import");
  const span = (): [number, number] => {
    const [a, b] = [draw.below(EXTENT), draw.below(EXTENT)];
    return [Math.min(a, b), Math.max(a, b) + 1];
  };
  const areaOf = (parts: readonly (readonly number[])[]) =>
    parts.reduce((sum, part) => {
      let twice = 0;
      for (let i = 0, j = part.length - 2; i < part.length; j = i, i += 2)
        twice += part[j] * part[i + 1] - part[i] * part[j + 1];
      return sum + Math.abs(twice) / 2;
    }, 0);
  for (let round = 0; round < 200; round++) {
    const [[left, right], [top, bottom], [west, east], [north, south]] = [span(), span(), span(), span()];
    const parts = [[left, top, right, top, right, bottom, left, bottom]];
    const features = [{ type: POLYGON as typeof POLYGON, properties: { kind: "forest" }, parts }];
    const hole = { left: west, top: north, right: east, bottom: south };
    const part = { layers: [{ name: "landcover", extent: EXTENT, features }], zoom: 10, holes: { landcover: [hole] } };
    const { layers } = composeTile(10, 300, 400, [part]);
    const within = Math.max(0, Math.min(right, east) - Math.max(left, west));
    const hidden = within * Math.max(0, Math.min(bottom, south) - Math.max(top, north));
    const shown = layers.flatMap((layer) => layer.features.map((feature) => areaOf(feature.parts)));
    expect(shown.reduce((sum, area) => sum + area, 0)).toBe((right - left) * (bottom - top) - hidden);
  }
});
