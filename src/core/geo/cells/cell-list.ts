import { beginObject, openObject } from "../bytes/bytes.ts";
import type { PackedCell } from "./cells.ts";

/**
 * List of the cells for which a layer has an object, so that a reader can distinguish an empty cell from a lost object:
 *
 *     "GCEL", u32 version, number of cells, then packed cells (cells.ts) ascending, each less the one before
 */
export const CELL_LIST_VERSION = 1;
const MAGIC = "GCEL";

export function encodeCellList(cells: Iterable<PackedCell>): Uint8Array {
  const sorted = [...cells].sort((a, b) => a - b);
  const out = beginObject(MAGIC, CELL_LIST_VERSION);
  out.unsigned(sorted.length);
  sorted.forEach((cell, i) => {
    out.unsigned(i === 0 ? cell : cell - sorted[i - 1]);
  });
  return out.finish();
}

export function decodeCellList(bytes: Uint8Array): ReadonlySet<PackedCell> {
  const reader = openObject(bytes, MAGIC, CELL_LIST_VERSION, "a list of cells");
  const cells = new Set<PackedCell>();
  let cell = 0;
  for (let left = reader.unsigned(); left > 0; left--) {
    cell += reader.unsigned();
    cells.add(cell);
  }
  return cells;
}
