import { damaged, unpackBlob } from "./blob-file.ts";
import { filterBlock } from "./filter-block.ts";
import { Malformed } from "./protobuf.ts";
import type { Selection } from "./selection.ts";

/** What the threads are asked to do with one blob. */
export interface FilterJob {
  job: "filter";
  path: string;
  /** Where the blob stands in the file [bytes], for the sentence when it is damaged. */
  offset: number;
  blob: Uint8Array<ArrayBuffer>;
  selection: Selection;
}

export interface FilterResult {
  block: Uint8Array<ArrayBuffer>;
}

/** Runs one job; the same code in a thread and, with no threads, in place. */
export function runJob(job: FilterJob): FilterResult {
  try {
    return { block: filterBlock(unpackBlob(job.blob, job.path), job.selection) };
  } catch (error) {
    throw error instanceof Malformed ? damaged(job.path, job.offset, error) : error;
  }
}
