import type { Progress } from "../../common/progress.ts";
import type { ThreadPool } from "../../threads/thread-pool.ts";
import type { BlobFile, BlobPlace } from "../pbf/blob-file.ts";
import { BlockWriter, type ElementKind, emptyIndex, readBlocks, type StoreIndex } from "../store/block-store.ts";
import type { BlobResults, CachedResults } from "./cached-results.ts";
import { type BlobJob, type Job, type JobResult, movesOf, type WayJob } from "./jobs.ts";

/** The folder of the element store, which remembers the phases that are done. */
export interface ReadingFolder {
  readonly folder: string;
  path(name: string): string;
  /** Runs a phase and remembers its result (plain data), or returns the result of an earlier run. */
  phase<T>(name: string, run: (progress: Progress) => Promise<T>): Promise<T>;
}

/** State that all steps of reading share. */
export interface Reading {
  readonly files: readonly BlobFile[];
  readonly pool: ThreadPool<Job, JobResult>;
  readonly work: ReadingFolder;
  /** Bytes that a step may hold. */
  readonly memory: number;
  /** Cached results for the only extract; absent without a cache. */
  readonly known?: CachedResults | undefined;
}

interface PassOptions {
  kind: ElementKind;
  /** The existing blocks of this kind; the pass appends. */
  after?: StoreIndex;
  /** Which blobs it reads. */
  wants(file: number, blob: number): boolean;
  toJob(blob: BlobJob): Job;
  /** Sees each result, by file and blob, when its block is in the store. */
  see(result: JobResult, file: number, blob: BlobPlace, number: number): void | Promise<void>;
  known?: BlobResults | undefined;
}

/**
 * Runs a job on blobs of all extracts and stores what it keeps, in the order of the files. Returns the index of what it
 * stored.
 */
export async function readPass(
  { files, pool, work }: Reading,
  { kind, after, wants, toJob, see, known }: PassOptions,
): Promise<StoreIndex> {
  const writer = await BlockWriter.after(work.folder, after ?? emptyIndex(`${kind}.blocks`));
  try {
    // One extract after the other: where two have the same element, the later one counts.
    for (const [number, file] of files.entries()) {
      const blobs = file.blobs.map((_, blob) => blob).filter((blob) => wants(number, blob));
      const made = async (blob: number) => {
        const place = file.blobs[blob];
        return toJob({ path: file.path, offset: place.offset, blob: await file.readBlob(place) });
      };
      const fresh = blobs.filter((blob) => !known?.has(blob));
      const results = pool.inOrder(fresh, made, movesOf);
      try {
        for (const blob of blobs) {
          let result = known?.has(blob) ? known.find(blob) : ((await results.next()).value as JobResult);
          if (!result) result = await pool.run(await made(blob));
          if (known && !known.has(blob)) known.keep(blob, result);
          await writer.append(result);
          await see(result, number, file.blobs[blob], blob);
        }
      } finally {
        await results.return(undefined);
      }
    }
  } finally {
    await writer.close();
  }
  return writer.index;
}

/** Runs a job on every block of a store; `see` gets the results in order. */
export async function overBlocks(
  { pool, work }: Reading,
  index: StoreIndex,
  toJob: (block: Uint8Array<ArrayBuffer>) => WayJob | Promise<WayJob>,
  see: (result: JobResult) => void | Promise<void>,
): Promise<void> {
  for await (const result of pool.inOrder(readBlocks(work.folder, index), toJob, movesOf)) await see(result);
}

export function expectBytes({ files }: Reading, progress: Progress): void {
  progress.expect(
    files.reduce((sum, { size }) => sum + size, 0),
    "B",
  );
}
