import { ByteWriter } from "../../../../core/geo/bytes/bytes.ts";
import type { Sorter } from "../../../../core/geo/bytes/sorter.ts";
import type { SpillFile } from "../../../frame/spill.ts";
import type { Density } from "./density.ts";

/** A part of an import's records that is worked on separately: whole tiles, next to each other. */
export interface Bucket {
  /** Keys of cells from here on, up to the first of the next bucket. */
  first: number;
  /** Where its records are in the file of the step before, and how many bytes they take. */
  start: number;
  length: number;
}

/** Sorted records into a file, bucket by bucket; cut at about `size` bytes, where no tile is cut. */
export function writeBuckets(sorter: Sorter, density: Density, file: SpillFile, size: number): Bucket[] {
  const buckets: Bucket[] = [];
  let out = new ByteWriter(size + 4096);
  let first = 0;
  let last = 0;
  const close = () => {
    const start = file.append(out.view());
    buckets.push({ first, start, length: out.length });
    out = new ByteWriter(size + 4096);
  };
  let before = 0;
  for (const { key, bytes, start, end } of sorter.sorted()) {
    if (out.length >= size && key !== before) {
      const cut = density.cutBetween(before, key);
      if (cut !== undefined) {
        close();
        first = cut;
        last = 0;
      }
    }
    out.unsigned(key - last);
    out.unsigned(end - start);
    out.part(bytes, start, end);
    before = last = key;
  }
  if (out.length > 0) close();
  sorter.close();
  return buckets;
}

/** Which bucket a cell belongs to. */
export function bucketOf(buckets: readonly Bucket[], cell: number): number {
  let low = 0;
  let high = buckets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (buckets[middle].first <= cell) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** Buckets in ranges of about so many bytes: each range is a step that an interrupted import need not repeat. */
export function* rangesOf(buckets: readonly Bucket[], bytes: number): Generator<{ from: number; to: number }> {
  let from = 0;
  let sum = 0;
  for (const [i, { length }] of buckets.entries()) {
    sum += length;
    if (sum < bytes && i + 1 < buckets.length) continue;
    yield { from, to: i + 1 };
    from = i + 1;
    sum = 0;
  }
}
