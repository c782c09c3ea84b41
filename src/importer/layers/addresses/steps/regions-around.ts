import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import { ringCentroid } from "../../../../core/geo/shapes/polygon.ts";
import type { RegionKind } from "../../../../core/regions/region.ts";
import type { Bounds, LayerInput } from "../../../frame/layer.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { baseShapes, releaseBaseShapes } from "../../../world/base.ts";
import { drawnRegions, partsOf } from "../../regions/import-shapes.ts";
import { importTiles } from "../../regions/import-tiles.ts";
import type { SharedTiles } from "../records/region-tiles.ts";

/** A region that the extracts hold whole, and that is more than a part of a region of the base. */
export interface NamedRegion {
  kind: RegionKind;
  code: string;
  name: string;
  country: string;
  tags: Tags;
  /** In the middle of its outline. */
  at: Coordinate;
}

/** The regions around the extracts, as the layer `regions` of the same import has them. */
export async function regionsAround(
  input: LayerInput,
  more: readonly Bounds[] = [],
): Promise<{ tiles: SharedTiles; drawn: NamedRegion[] }> {
  const boxes = [...input.extracts.map(({ bounds }) => bounds), ...more];
  const base = baseShapes();
  const drawn = await drawnRegions(input, base, boxes);
  const fresh = drawn.map(({ shape }) => shape);
  const places: number[] = [];
  const objects: Uint8Array[] = [];
  let length = 0;
  for (const { cell, bytes } of importTiles(base, fresh, boxes, input.resources.parts)) {
    places.push(cell, length, bytes.length);
    objects.push(bytes);
    length += bytes.length;
  }
  const bytes = new Uint8Array(new SharedArrayBuffer(length));
  for (const [i, object] of objects.entries()) bytes.set(object, places[3 * i + 1]);
  const isPart = partsOf(base);
  releaseBaseShapes();
  return {
    tiles: { places: Float64Array.from(places), bytes },
    drawn: drawn
      .filter(({ shape }) => !isPart(shape))
      .map(({ tags, shape: { kind, code, name, country, rings } }) => ({
        kind,
        code,
        name,
        country,
        tags,
        at: ringCentroid(rings[0]),
      })),
  };
}
