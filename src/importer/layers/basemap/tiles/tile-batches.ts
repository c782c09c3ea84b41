import { rmSync } from "node:fs";
import { type Progress, quiet } from "../../../common/progress.ts";
import { mergeRuns } from "../../../sort/external-sort.ts";
import { RUN_CHUNK, RunWriter } from "../../../sort/run-file.ts";
import type { SortedRun } from "./run.ts";

/** Records of some tiles, those of a tile one after the other: what a thread assembles at a time. */
export interface TileBatch {
  /** For each record its tile, and where it ends in `bytes`. */
  tiles: Float64Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A batch is given away once it has so many bytes. */
export const BATCH_BYTES = 1 << 20;
/** Files open at a time: systems allow at least 256. */
const MAX_OPEN_FILES = 200;

/**
 * Makes so few runs of many that they can be merged within some memory, neighbours together, so that earlier runs stay
 * before later ones. The files of the given runs stay.
 */
export function mergeToFit(
  runs: readonly SortedRun[],
  memory: number,
  pathOf: (run: number) => string,
  progress: Progress = quiet,
): SortedRun[] {
  const fanIn = Math.max(2, Math.min(MAX_OPEN_FILES, Math.floor(memory / RUN_CHUNK)));
  const given = new Set(runs.map(({ path }) => path));
  let left = [...runs];
  for (let made = 0; left.length > fanIn; ) {
    const merged: SortedRun[] = [];
    for (let i = 0; i < left.length; i += fanIn) {
      const group = left.slice(i, i + fanIn);
      progress.expect(runs.length, "runs");
      const path = pathOf(made++);
      const writer = new RunWriter(path);
      try {
        for (const { key, bytes, start, end } of mergeRuns(group.map((run) => run.path))) {
          writer.append(key, bytes, start, end);
        }
      } finally {
        writer.close();
      }
      for (const { path: done } of group) if (!given.has(done)) rmSync(done, { force: true });
      progress.advance(group.length);
      merged.push({ path, bytes: writer.length });
    }
    left = merged;
  }
  return left;
}

/** The tiles of all runs by ascending number, from a number on. */
export function* tileBatches(runs: readonly SortedRun[], from = 0): Generator<TileBatch> {
  let bytes = new Uint8Array(2 * BATCH_BYTES);
  let used = 0;
  const tiles: number[] = [];
  const ends: number[] = [];
  const batch = (): TileBatch => ({
    tiles: Float64Array.from(tiles.splice(0)),
    ends: Uint32Array.from(ends.splice(0)),
    bytes: bytes.slice(0, used),
  });
  for (const record of mergeRuns(runs.map(({ path }) => path))) {
    if (record.key < from) continue;
    if (used >= BATCH_BYTES && record.key !== tiles[tiles.length - 1]) {
      yield batch();
      used = 0;
    }
    const size = record.end - record.start;
    if (used + size > bytes.length) {
      const larger = new Uint8Array(Math.max(2 * bytes.length, used + size));
      larger.set(bytes.subarray(0, used));
      bytes = larger;
    }
    bytes.set(record.bytes.subarray(record.start, record.end), used);
    used += size;
    tiles.push(record.key);
    ends.push(used);
  }
  if (tiles.length > 0) yield batch();
}
