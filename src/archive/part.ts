import type { Group } from "./directory.ts";
import type { Order } from "./orders.ts";

/** Below here lie the archive's objects in the bucket. */
export const ARCHIVE = "archive/";
export const DAY_MS = 24 * 3600_000;

/** A part of the archive: some events of one day of a scope, in two objects. */
export interface Part {
  scope: number;
  id: string;
  /** [days since 1970, UTC] */
  day: number;
}

/** DuckDB and others read scope and day out of such names by themselves. */
export function objectKey({ scope, id, day }: Part, order: Order): string {
  return `${ARCHIVE}events/scope=${scope}/day=${new Date(day * DAY_MS).toISOString().slice(0, 10)}/${order}-${id}.parquet`;
}

/** A row group of one object. */
export interface PlacedGroup extends Group {
  key: string;
}
