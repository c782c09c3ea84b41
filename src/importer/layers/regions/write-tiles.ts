import { encodeCellList } from "../../../core/geo/cells/cell-list.ts";
import type { PackedCell } from "../../../core/geo/cells/cells.ts";
import type { BuiltTile } from "../../../core/regions/build-tiles.ts";
import { TILE_LIST_KEY, tileKey } from "../../../core/regions/region-index.ts";
import type { Progress } from "../../common/progress.ts";
import type { LayerOutput } from "../../frame/layer.ts";

/** Tiles of regions into the layer, and the list of them behind. */
export async function writeTiles(tiles: Iterable<BuiltTile>, out: LayerOutput, progress: Progress): Promise<void> {
  progress.expect(0, "tiles");
  const written: PackedCell[] = [];
  for (const { cell, bytes } of tiles) {
    await out.write(tileKey(cell), bytes);
    out.count("tiles");
    progress.advance();
    written.push(cell);
  }
  if (written.length > 0) await out.write(TILE_LIST_KEY, encodeCellList(written));
}
