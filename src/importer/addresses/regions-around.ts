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
  /** The regions that the extracts hold whole, without those that are only a part of a region of the base. */
  drawn: DrawnRegion[];
}

/** The regions around a point, as the layer `regions` of the same import has them. */
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
