import type { KeyRange } from "../../../../core/geocoding/index/tile-groups.ts";
import type { Bounds } from "../../../frame/layer.ts";
import { type PlacedRecords, placeRecords } from "../records/place-records.ts";
import type { SharedFamilies } from "../records/translations.ts";
import { type BlockJob, type CollectedBlock, collectBlock, forgetStreets } from "./collect-block.ts";
import { type PackedBucket, packBucket } from "./pack-bucket.ts";
import { type Resolved, resolveBucket } from "./resolve-bucket.ts";
import { forgetSurroundings, type SharedSurroundings, surroundingsOf } from "./surroundings.ts";

/** Jobs of the address threads (threads/thread-pool.ts). */
export type Job =
  | ({ kind: "collect" } & BlockJob)
  | { kind: "place"; bytes: Uint8Array<ArrayBuffer> }
  /** `notes`: with what its records see of regions. */
  | { kind: "resolve"; bytes: Uint8Array<ArrayBuffer>; around: SharedSurroundings; box: Bounds; notes?: boolean }
  | {
      kind: "pack";
      bytes: Uint8Array<ArrayBuffer>;
      more: Uint8Array<ArrayBuffer>;
      range: KeyRange;
      families: SharedFamilies;
    };

export type Result = CollectedBlock | PlacedRecords | Resolved | PackedBucket;

export function run(job: Job): Result {
  if (job.kind === "collect") return collectBlock(job);
  if (job.kind === "place") return placeRecords(job.bytes);
  if (job.kind === "resolve") return resolveBucket(job.bytes, surroundingsOf(job.around), job.notes);
  return packBucket(job.bytes, job.more, job.range, job.families);
}

export function transfers(result: Result): ArrayBuffer[] {
  const buffers = Object.values(result)
    .filter((value) => ArrayBuffer.isView(value))
    .map(({ buffer }) => buffer as ArrayBuffer);
  return [...new Set(buffers)];
}

export function release(): void {
  forgetStreets();
  forgetSurroundings();
}
