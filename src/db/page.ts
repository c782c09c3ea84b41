import { eq, lt, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** Rows of one millisecond that are still answered at once where that is more than a page. */
const MOST_AT_ONCE = 5000;

/**
 * A page of a list, newest first, that callers read on by "before the time of the last row". So it ends with a whole
 * millisecond: it is shorter than `limit` where the rows of one would be torn apart, and longer only where one alone has
 * more of them.
 *
 * ```
 *   limit 4     9 9 8 8 | 8 7        9 9 | 8 8 8 7        the next page is "before 9"
 *   limit 2     8 8 | 8 7            8 8 8 | 7            there is no shorter page that loses nothing
 * ```
 * @param time the column by which the list is sorted, the greatest first [ms]
 * @param read the first `most` rows of the list, of those that `also` holds for
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
  const [together, older] = await Promise.all([read(eq(time, next), MOST_AT_ONCE), read(lt(time, next), 1)]);
  return { rows: together, hasMore: older.length > 0 };
}
