import { deserialize, serialize } from "node:v8";
import { type BuiltTile, buildTiles } from "../../../core/regions/build-tiles.ts";
import { PackedShape } from "../../../core/regions/packed-shape.ts";
import { IMPORT_TILES } from "../../../core/regions/region-index.ts";
import type { RegionShape } from "../../../core/regions/region-shape.ts";
import type { Bounds, CachedParts } from "../../frame/layer.ts";
import { meetsAny, onTopOf } from "./import-shapes.ts";

/**
 * The tiles of an import's regions on top of those of the base, around its boxes. Where the previous import had the same regions they are
 * taken from there: one border that moved, and all are created again.
 */
export function importTiles(
  base: readonly RegionShape[],
  fresh: readonly RegionShape[],
  boxes: readonly Bounds[],
  parts?: CachedParts,
): Iterable<BuiltTile> {
  const shapes = onTopOf(base, fresh);
  const tiles = () => buildTiles(shapes, IMPORT_TILES, (box) => meetsAny(box, boxes));
  if (!parts) return tiles();
  // The outlines of the base belong to the program.
  const key = parts.key("region tiles", JSON.stringify(boxes), ...shapes.map(textOf), ...fresh.flatMap(outlineOf));
  const known = parts.find(key);
  if (known) return deserialize(known) as BuiltTile[];
  const made = [...tiles()];
  parts.put(key, serialize(made));
  return made;
}

const textOf = ({ kind, rank, code, name, country, state, dma }: RegionShape): string =>
  JSON.stringify([kind, rank, code, name, country, state, dma]);

function outlineOf(shape: RegionShape): (Uint8Array | string)[] {
  return shape instanceof PackedShape ? shape.packed.columns() : [JSON.stringify(shape.rings)];
}
