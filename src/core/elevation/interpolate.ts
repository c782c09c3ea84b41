import type { Coordinate } from "../geo/coordinate.ts";
import { type Block, metersOf } from "./block.ts";
import { BLOCKS_PER_DEGREE, type BlockId, cornerOf, ROWS } from "./grid.ts";

/** Between the four samples around a point, by its distances from them; of those that are known, if the nearest one is. */
export function interpolated(block: Block, id: BlockId, point: Coordinate): number | undefined {
  const corner = cornerOf(id);
  const across = position((point.longitude - corner.longitude) * BLOCKS_PER_DEGREE, block.columns);
  const up = position((point.latitude - corner.latitude) * BLOCKS_PER_DEGREE, ROWS);
  let sum = 0;
  let weights = 0;
  let nearest = 0;
  let isKnown = false;
  for (const [row, rowWeight] of up) {
    for (const [column, columnWeight] of across) {
      const weight = rowWeight * columnWeight;
      const meters = metersOf(block, row * block.columns + column);
      if (weight > nearest) {
        nearest = weight;
        isKnown = meters !== undefined;
      }
      if (meters === undefined) continue;
      sum += weight * meters;
      weights += weight;
    }
  }
  return isKnown ? sum / weights : undefined;
}

/** The two samples around a share of a block's side, and their weights. */
function position(share: number, count: number): [index: number, weight: number][] {
  const at = Math.max(0, Math.min(1, share)) * (count - 1);
  const before = Math.min(count - 2, Math.floor(at));
  return [
    [before, 1 - (at - before)],
    [before + 1, at - before],
  ];
}
