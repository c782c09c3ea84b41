import { expect, it } from "vitest";
import { CellFinder } from "../../../src/core/geo/cells/cell-finder.ts";
import { cellAt } from "../../../src/core/geo/cells/cells.ts";
import { random } from "../../../src/demo/world/random.ts";

const around = (longitude: number) => (longitude > 180 ? longitude - 360 : longitude);

it.each([8, 9])("finds the same cell as cellAt, at resolution %i", (resolution) => {
  const draw = random("cell finder", String(resolution));
  const finder = new CellFinder(resolution);
  for (let town = 0; town < 40; town++) {
    // Every fourth one on an edge of the icosahedron, where cells are not hexagons.
    const [latitude, longitude] =
      town % 4 === 0
        ? [58.28 - town * 0.1, 11.25 - town * 0.35]
        : [draw.between(-89, 89), town === 1 ? 179.995 : draw.between(-179.98, 179.98)];
    for (let i = 0; i < 250; i++) {
      const at = {
        latitude: latitude + draw.between(0, 0.02),
        longitude: around(longitude + draw.between(-0.01, 0.01)),
      };
      expect(finder.at(at.latitude, at.longitude)).toBe(cellAt(at, resolution));
    }
  }
});
