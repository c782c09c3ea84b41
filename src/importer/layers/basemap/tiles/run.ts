/** A sorted file of records. */
export interface SortedRun {
  path: string;
  bytes: number;
}

/** A sorted file of records, one for each tile that has pieces in it. */
export interface Run extends SortedRun {
  /** The list of its tiles: a file next to it (tile-list.ts). */
  tiles: string;
  /** Lies among the parts that are kept for the next import, and stays there. */
  kept?: true;
}
