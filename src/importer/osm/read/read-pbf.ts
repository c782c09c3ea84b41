import { Malformed } from "../../../core/geo/bytes/protobuf.ts";
import { ThreadPool } from "../../threads/thread-pool.ts";
import { BlobFile, type BlobPlace, damaged, type PbfHeader } from "../pbf/blob-file.ts";
import { decodeBlock, type ElementHandlers } from "../pbf/decode-block.ts";
import type { Selection } from "../pbf/selection.ts";
import { JOBS, type Job, type JobResult, movesOf, threadsFor } from "./jobs.ts";

interface ScanOptions {
  /** Which elements to hand over; a kind that is not named is handed over whole when it has a handler. */
  select?: Selection;
  /** Called after each blob: bytes of the file done so far, and its size. */
  progress?(bytesDone: number, bytesTotal: number): void;
  /** Threads that decompress and filter; by the file's size when not given. */
  workers?: number;
}

/**
 * Reads an .osm.pbf file once and hands its elements over in the order of the file, which need not be sorted. Threads
 * decompress each blob and drop what is not selected; the rest is decoded here. Memory is bounded by a few blobs.
 *
 *     await scanPbf("monaco.osm.pbf", { way(way) { … } }, { select: { ways: ["highway", "building=yes"] } });
 *
 * Throws ImportError for a file that is missing, not a PBF, cut off or damaged, or that needs an unknown feature.
 */
export async function scanPbf(path: string, handlers: ElementHandlers, options: ScanOptions = {}): Promise<PbfHeader> {
  const selection: Selection = {
    nodes: handlers.node && (options.select?.nodes ?? true),
    ways: handlers.way && (options.select?.ways ?? true),
    relations: handlers.relation && (options.select?.relations ?? true),
  };
  const file = await BlobFile.open(path);
  const pool = new ThreadPool<Job, JobResult>(options.workers ?? threadsFor(file.size), JOBS);
  try {
    let index = 0;
    const job = async (place: BlobPlace): Promise<Job> => ({
      job: "filter",
      path,
      offset: place.offset,
      blob: await file.readBlob(place),
      selection,
    });
    for await (const bytes of pool.inOrder(file.blobs, job, movesOf)) {
      const { offset, length } = file.blobs[index++];
      try {
        decodeBlock(bytes.block, handlers, selection);
      } catch (error) {
        throw error instanceof Malformed ? damaged(path, offset, error) : error;
      }
      options.progress?.(offset + length, file.size);
    }
    return file.header;
  } finally {
    await pool.close();
    await file.close();
  }
}
