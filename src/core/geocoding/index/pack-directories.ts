import { encodeCellList } from "../../geo/cells/cell-list.ts";
import type { PackedCell } from "../../geo/cells/cells.ts";
import { AREAS_KEY, POSITIONS_KEY, tilesKey } from "./layout.ts";
import type { PackedObject } from "./packed-object.ts";
import { areasOfTiles, encodeDirectory } from "./tile-directory.ts";
import { encodePositions } from "./tile-positions.ts";

/** Where the tiles are, given the cell of each by its number. */
export function* packDirectories(cells: readonly PackedCell[]): Generator<PackedObject> {
  const areas = areasOfTiles(cells);
  for (const [area, tiles] of areas) yield { key: tilesKey(area), bytes: encodeDirectory(cells, tiles) };
  yield { key: AREAS_KEY, bytes: encodeCellList(areas.keys()) };
  yield { key: POSITIONS_KEY, bytes: encodePositions(cells) };
}
