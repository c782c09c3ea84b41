import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Group, writeDirectory } from "../../../core/archive/directory.ts";
import { type MonthPart, monthKey, type PlacedGroup } from "../../../core/archive/part.ts";
import { batch, open } from "../database.ts";
import { archiveMonth } from "../schema.ts";
import { discard, isThere, keepObjects } from "./archive-moves.ts";
import { placedGroups } from "./archive-parts.ts";

/** D1 rows of objects by user that span a month. See `archive-merges.ts` for how they are created. */

/** An object to be recorded once it is in the bucket. */
export interface NewMonth extends MonthPart {
  seq: number;
  rows: number;
  /** Times of its first and last events [ms]. */
  from: number;
  to: number;
  bytes: number;
  digest: string;
  users: readonly Group[];
}

/**
 * The queries that record one, if a condition holds.
 * @param merge the merge that created it
 */
export function insertMonth(part: NewMonth, merge: string, condition: SQL): SQL[] {
  const { scope, id, month, seq, rows, from, to, bytes, digest, users } = part;
  const [first, last] = [users[0].users?.[0], users[users.length - 1].users?.[1]];
  if (first === undefined || last === undefined) throw new Error(`the groups of ${id} have no users`);
  const inserting = sql`INSERT INTO ${archiveMonth}
      (scope, id, month, merge, first_user, last_user, seq, rows, from_time, to_time, bytes, digest, users)
    SELECT ${scope}, ${id}, ${month}, ${merge}, ${first}, ${last}, ${seq}, ${rows}, ${from}, ${to}, ${bytes}, ${digest},
      ${writeDirectory(users)} WHERE ${condition}`;
  return [inserting, keepObjects(part, archiveMonth, [monthKey(part)])];
}

const named = ({ scope, id }: MonthPart) => and(eq(archiveMonth.scope, scope), eq(archiveMonth.id, id));

/** All its groups, and the merge that created it. */
export async function monthById(
  db: D1Database,
  part: MonthPart,
): Promise<{ groups: PlacedGroup[]; merge: string } | undefined> {
  const { users, merge } = archiveMonth;
  const row = await open(db).select({ users, merge }).from(archiveMonth).where(named(part)).get();
  return row && { groups: placedGroups(row.users, monthKey(part)), merge: row.merge };
}

/** Like `replacePart` for a day. */
export async function replaceMonth(
  db: D1Database,
  old: MonthPart,
  part: NewMonth | undefined,
  merge: string,
  deleteAfter: number,
): Promise<void> {
  const condition = part && isThere(archiveMonth, part);
  await batch(db, [
    ...(part ? insertMonth(part, merge, isThere(archiveMonth, old)) : []),
    discard(old.scope, [monthKey(old)], deleteAfter, condition),
    sql`DELETE FROM ${archiveMonth} WHERE ${and(named(old), condition)}`,
  ]);
}
