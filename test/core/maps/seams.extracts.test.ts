import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Bounds } from "../../../src/core/geo/builds/manifest.ts";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { toPixels } from "../../../src/core/maps/base/view.ts";
import { Ground } from "../../../src/core/maps/ground.ts";
import { EXTRACTS } from "../regions/extract-harness.ts";
import { WorldAtlas } from "./world-atlas.ts";

/** The whole world base and five imports: a minute, so only where somebody asks for them (EVERY_EXTRACT=1). ATLAS=FILE keeps them. */
const TOWNS = ["heidelberg", "malta", "porto", "vancouver", "milan-small"].map((name) =>
  join(EXTRACTS, `${name}.osm.pbf`),
);
const IS_RUN = process.env.EVERY_EXTRACT !== undefined && TOWNS.every((path) => existsSync(path));
const ZOOMS = [4, 5, 6, 6.5, 7];
const SIZE = 240;
/** Pixels on each side of a border that are compared, from the first to the last before it. */
const [NEAR, FAR] = [1, 5];
/** A step of brightness that is not seen between two areas; the coast of an import is finer than the base's [levels of 255]. */
const MAX_STEP = 6;

type Side = "west" | "east" | "north" | "south";

function middleOf([west, south, east, north]: Bounds, side: Side): { latitude: number; longitude: number } {
  return {
    latitude: side === "north" ? north : side === "south" ? south : (south + north) / 2,
    longitude: side === "west" ? west : side === "east" ? east : (west + east) / 2,
  };
}

/** How much brighter the map is inside the border than outside of it, along as much of the side as is seen. */
async function step(atlas: WorldAtlas, [west, south, east, north]: Bounds, side: Side, zoom: number): Promise<number> {
  const center = middleOf([west, south, east, north], side);
  const view = { center, zoom, width: SIZE, height: SIZE };
  const { scene } = await atlas.scene({ ...center, zoom, width: SIZE, height: SIZE, language: "en" });
  const image = { pixels: new Uint8Array(4 * SIZE * SIZE), width: SIZE, height: SIZE, top: 0 };
  // Without names and icons.
  await new Ground({ ...scene, labels: { texts: [], icons: [] } }, 1).draw(image, unpaced());
  const [left, top] = toPixels(view, { latitude: north, longitude: west });
  const [right, bottom] = toPixels(view, { latitude: south, longitude: east });
  const isUpright = side === "west" || side === "east";
  const inward = side === "west" || side === "north" ? 1 : -1;
  const length = isUpright ? bottom - top : right - left;
  const half = Math.max(1, Math.min(SIZE / 2 - 1, Math.floor(length / 2) - 1));
  let sum = 0;
  let count = 0;
  for (let along = -half; along <= half; along++) {
    for (let away = NEAR; away <= FAR; away++) {
      for (const sign of [1, -1]) {
        const across = SIZE / 2 + sign * inward * away;
        const [x, y] = isUpright ? [across, SIZE / 2 + along] : [SIZE / 2 + along, across];
        const at = 4 * (Math.round(y) * SIZE + Math.round(x));
        const [red, green, blue] = image.pixels.subarray(at, at + 3);
        sum += sign * (0.3 * red + 0.59 * green + 0.11 * blue);
        count++;
      }
    }
  }
  return (2 * sum) / count;
}

describe.skipIf(!IS_RUN)("the borders of imports", { timeout: 600_000 }, () => {
  let atlas: WorldAtlas;
  let base: { atlas: WorldAtlas; areas: readonly Bounds[] };
  beforeAll(async () => {
    atlas = await WorldAtlas.build(process.env.ATLAS, TOWNS);
    base = await atlas.base();
  }, 600_000);

  it("are not seen at zooms 4 to 7: the land is as bright on both sides as without the import", async () => {
    const seen: unknown[] = [];
    for (const area of base.areas) {
      for (const side of ["west", "east", "north", "south"] as const) {
        for (const zoom of ZOOMS) {
          const added = (await step(atlas, area, side, zoom)) - (await step(base.atlas, area, side, zoom));
          if (Math.abs(added) > MAX_STEP) seen.push({ area, side, zoom, added: Math.round(added * 10) / 10 });
        }
      }
    }
    expect(base.areas.length).toBeGreaterThanOrEqual(TOWNS.length);
    expect(seen).toEqual([]);
  });
});
