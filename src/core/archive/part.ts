import type { Group } from "./directory.ts";
import type { Order } from "./orders.ts";

/** Prefix of the archive's objects in the bucket. */
export const ARCHIVE = "archive/";
export const DAY_MS = 24 * 3600_000;

/**
 * A part of the archive: some events of one day of a scope, in two objects; in one, by type, once its month has been
 * merged.
 */
export interface Part {
  scope: number;
  id: string;
  /** [days since 1970, UTC] */
  day: number;
}

/** Some users' events of a month, in one object by user. */
export interface MonthPart {
  scope: number;
  id: string;
  /** Its first day [days since 1970, UTC]. */
  month: number;
}

/** DuckDB and others derive scope and day from such names automatically. */
export function objectKey({ scope, id, day }: Part, order: Order): string {
  return `${ARCHIVE}events/scope=${scope}/day=${dateOf(day)}/${order}-${id}.parquet`;
}

export function monthKey({ scope, id, month }: MonthPart): string {
  return `${ARCHIVE}events/scope=${scope}/month=${dateOf(month).slice(0, 7)}/users-${id}.parquet`;
}

const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** The first day of the month after that of a day [days since 1970, UTC]. */
export function nextMonth(day: number): number {
  const date = new Date(day * DAY_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / DAY_MS;
}

/** A row group of one object. */
export interface PlacedGroup extends Group {
  key: string;
}
