import type { Progress } from "../../../common/progress.ts";
import type { LayerInput } from "../../../frame/layer.ts";
import { SpillFile } from "../../../frame/spill.ts";
import type { Job } from "../jobs/jobs.ts";
import type { PackedBucket } from "../jobs/pack-bucket.ts";
import { Workers } from "../jobs/workers.ts";
import type { Bucket } from "../records/buckets.ts";
import { type Joined, readFamilies } from "./join.ts";
import { lengthOf } from "./resolve.ts";

export interface PackedRange {
  tiles: number;
  /** How far each file goes. */
  ends: { packed: number; table: number; meetings: number };
}

export const NOTHING_PACKED: PackedRange = { tiles: 0, ends: { packed: 0, table: 0, meetings: 0 } };

/** Numbers of a tile in `table`: cell, weight, where it begins in `packed`, lengths of names, houses and words. */
export const ROW = 6;

/** The tiles of some buckets. Their numbers are known only when all are packed. */
export async function pack(
  { resources }: LayerInput,
  buckets: readonly Bucket[],
  { from, to }: { from: number; to: number },
  { late, ends: lateEnds }: Joined,
  before: PackedRange,
  progress: Progress,
): Promise<PackedRange> {
  const families = readFamilies(resources);
  const resolved = new SpillFile(resources.path("resolved"), lengthOf(buckets));
  const more = new SpillFile(resources.path("late"), lateEnds.late);
  const file = (name: keyof PackedRange["ends"]) => new SpillFile(resources.path(name), before.ends[name]);
  const files = { packed: file("packed"), table: file("table"), meetings: file("meetings") };
  const workers = new Workers(resources, lengthOf(buckets));
  const jobs = function* (): Generator<Job> {
    for (let i = from; i < to; i++) {
      const { first, start, length } = buckets[i];
      const extra = more.read(late[i].start, late[i].length);
      // The first and the last one have no neighbour.
      const range = [i === 0 ? 0 : first, buckets[i + 1]?.first ?? Number.MAX_SAFE_INTEGER] as const;
      yield { kind: "pack", bytes: resolved.read(start, length), more: extra, range, families };
    }
  };
  let { tiles } = before;
  try {
    for await (const { tiles: rows, bytes, meetings } of workers.inOrder<PackedBucket>(jobs())) {
      let start = files.packed.append(bytes);
      for (let i = 0; i < rows.length; i += 5) {
        const [cell, weight, names, houses, words] = rows.subarray(i, i + 5);
        files.table.append(new Uint8Array(Float64Array.of(cell, weight, start, names, houses, words).buffer));
        start += names + houses + words;
      }
      if (meetings.length > 0) {
        files.meetings.appendPiece(new Uint8Array(Float64Array.of(tiles).buffer));
        files.meetings.appendPiece(meetings);
      }
      tiles += rows.length / 5;
      progress.advance(rows.length / 5);
    }
    return {
      tiles,
      ends: { packed: files.packed.length, table: files.table.length, meetings: files.meetings.length },
    };
  } finally {
    for (const one of [resolved, more, ...Object.values(files)]) one.close();
    await workers.close();
  }
}
