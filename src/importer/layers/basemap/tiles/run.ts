/** A sorted file of records. */
export interface SortedRun {
  path: string;
  bytes: number;
}

/** A sorted file of records, one for each tile that has pieces in it. */
export interface Run extends SortedRun {
  /** What it holds of which tile: a file beside it (tile-list.ts). */
  tiles: string;
  /** Lies among the parts that are kept for the next import, and stays there. */
  kept?: true;
}
