import { eq, lt, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** Maximum rows of one millisecond returned together if they exceed a page. */
const MAX_AT_ONCE = 5000;

/**
 * A page of a list, newest first. Callers ask for the next page with "before the time of the last row", so the rows of
 * one millisecond must not be split between pages: a page is shorter than `limit` to avoid that, and longer only when a
 * single millisecond has more rows than `limit`.
 *
 * ```
 *   limit 4     9 9 8 8 | 8 7        9 9 | 8 8 8 7        the next page is "before 9"
 *   limit 2     8 8 | 8 7            8 8 8 | 7            no shorter page would lose nothing
 * ```
 * @param time the column by which the list is sorted, the greatest first [ms]
 * @param read reads the first `most` rows of the list for which `also` holds
 */
export async function pageOf<Row extends { time: number }>(
  limit: number,
  time: SQLiteColumn,
  read: (also: SQL | undefined, most: number) => Promise<Row[]>,
): Promise<{ rows: Row[]; hasMore: boolean }> {
  const rows = await read(undefined, limit + 1);
  if (rows.length <= limit) return { rows, hasMore: false };
  const next = rows[limit].time;
  const whole = rows.filter((row) => row.time > next);
  if (whole.length > 0) return { rows: whole, hasMore: true };
  const [together, older] = await Promise.all([read(eq(time, next), MAX_AT_ONCE), read(lt(time, next), 1)]);
  return { rows: together, hasMore: older.length > 0 };
}
