import type { FilteredBlock } from "../pbf/filter-block.ts";
import type { SparseIds } from "../store/sparse-ids.ts";
import type { JobResult } from "./jobs.ts";

/** Results of the previous import for blobs, if the import reads one extract. */
export interface BlobResults {
  /** The same each time. */
  has(blob: number): boolean;
  /** undefined where it is cut off: it is created again. */
  find(blob: number): JobResult | undefined;
  keep(blob: number, result: JobResult): void;
}

/** For cached ways, only their number is returned. */
export interface WayResults extends BlobResults {
  /** Says for which blobs lines will be asked; as −1 − blob where they will be kept. */
  name(order: readonly number[]): void;
}

/** Blobs of ways as the smallest and the largest id of each; which ways are members of relations; where ranges of nodes begin. */
export interface WayReading {
  spans: readonly (readonly [min: number, max: number])[];
  members: SparseIds;
  starts: readonly number[];
}

/** The ways of a blob with their lines. */
export interface CachedLines {
  blocks: FilteredBlock[];
  refs: number;
  missing: number;
}

/** Cached results of the previous import for an extract (cached-reading.ts). */
export interface CachedResults {
  /** Results of the first pass for blobs. */
  survey(): BlobResults;
  /** Blobs of ways whose lines are known: they are passed over. */
  ways(reading: WayReading): WayResults;
  /** The selected nodes of blobs of which no way that is read again needs a node. */
  nodes(reach: readonly number[], isNeeded: (blob: number) => boolean): BlobResults;
  /** The lines of a blob that is known; they are kept for the next import as well. */
  lines(blob: number): CachedLines;
  keepLines(blob: number, lines: CachedLines): void;
}
