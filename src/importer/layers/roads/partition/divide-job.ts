import { divideSmallCell } from "./divide-small.ts";
import type { DivideState } from "./divide-state.ts";
import { divideWideCell } from "./wide-cut.ts";

/** A cell to divide: once where it is wide, else down to parts of `most` junctions. */
export interface DivideJob {
  state: DivideState;
  low: number;
  high: number;
  most: number;
  wide: boolean;
}

/** Where the second half begins, or the list of parts. */
export type DivideResult = { middle: number } | { cells: Int32Array };

/** The job of the threads that divide a graph. */
export function run({ state, low, high, most, wide }: DivideJob): DivideResult {
  return wide ? { middle: divideWideCell(state, low, high) } : { cells: divideSmallCell(state, low, high, most) };
}

export const transfers = (result: DivideResult): ArrayBuffer[] =>
  "cells" in result ? [result.cells.buffer as ArrayBuffer] : [];
