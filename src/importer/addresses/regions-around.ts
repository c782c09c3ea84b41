import type { Coordinate } from "../../geo/coordinate.ts";
import { memorySource } from "../../geo/tile-source.ts";
import { buildTiles } from "../../regions/build-tiles.ts";
import type { PointRegions } from "../../regions/region.ts";
import { IMPORT_TILES, RegionIndex, tileKey, tilesFrom } from "../../regions/region-index.ts";
import type { Bounds, LayerInput } from "../layer.ts";
import { type DrawnRegion, drawnRegions, meetsAny, onTopOf, partsOf } from "../regions/import-shapes.ts";
import { baseShapes } from "../world/base.ts";

export interface RegionsAround {
  at(point: Coordinate): Promise<PointRegions>;
  /** What the extracts hold whole, but for parts of a region that the base has all of. */
  drawn: DrawnRegion[];
}

/** What lies where in the extracts, as the layer `regions` of the same import tells it. */
export async function regionsAround(input: LayerInput, more: readonly Bounds[] = []): Promise<RegionsAround> {
  const boxes = [...input.extracts.map(({ bounds }) => bounds), ...more];
  const base = baseShapes();
  const drawn = await drawnRegions(input, base, boxes);
  const shapes = onTopOf(
    base,
    drawn.map(({ shape }) => shape),
  );
  const objects = new Map<string, Uint8Array>();
  for (const { cell, bytes } of buildTiles(shapes, IMPORT_TILES, (box) => meetsAny(box, boxes)))
    objects.set(tileKey(cell), bytes);
  const index = new RegionIndex([tilesFrom(memorySource(objects))]);
  const isPart = partsOf(base);
  return { at: (point) => index.regionsAt(point), drawn: drawn.filter(({ shape }) => !isPart(shape)) };
}
