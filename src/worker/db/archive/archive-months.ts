import { type Group, writeDirectory } from "../../../core/archive/directory.ts";
import { type MonthPart, monthKey, type PlacedGroup } from "../../../core/archive/part.ts";
import { discard, keepObjects } from "./archive-moves.ts";
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
 * The statements that record one, if a condition on ?14 and following holds.
 * @param merge the merge that created it
 */
export function insertMonth(
  db: D1Database,
  part: NewMonth,
  merge: string,
  condition: string,
  ...bound: (string | number)[]
): D1PreparedStatement[] {
  const { scope, id, month, seq, rows, from, to, bytes, digest, users } = part;
  const [first, last] = [users[0].users?.[0], users[users.length - 1].users?.[1]];
  if (first === undefined || last === undefined) throw new Error(`the groups of ${id} have no users`);
  const statement = db
    .prepare(
      `INSERT INTO archive_month (scope, id, month, merge, first_user, last_user, seq, rows, from_time, to_time, bytes, digest, users)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13 WHERE ${condition}`,
    )
    .bind(
      ...[scope, id, month, merge, first, last, seq, rows, from, to, bytes, digest],
      ...[writeDirectory(users), ...bound],
    );
  return [statement, keepObjects(db, part, "archive_month", [monthKey(part)])];
}

/** All its groups, and the merge that created it. */
export async function monthById(
  db: D1Database,
  part: MonthPart,
): Promise<{ groups: PlacedGroup[]; merge: string } | undefined> {
  const row = await db
    .prepare("SELECT users, merge FROM archive_month WHERE scope = ?1 AND id = ?2")
    .bind(part.scope, part.id)
    .first<{ users: string; merge: string }>();
  return row ? { groups: placedGroups(row.users, monthKey(part)), merge: row.merge } : undefined;
}

/** Like `replacePart` for a day. */
export async function replaceMonth(
  db: D1Database,
  old: MonthPart,
  part: NewMonth | undefined,
  merge: string,
  deleteAfter: number,
): Promise<void> {
  const { scope, id } = old;
  const isThere = (parameter: string) => `EXISTS (SELECT 1 FROM archive_month WHERE scope = ?1 AND id = ${parameter})`;
  if (!part) {
    const gone = db.prepare("DELETE FROM archive_month WHERE scope = ?1 AND id = ?2").bind(scope, id);
    await db.batch([discard(db, scope, [monthKey(old)], deleteAfter), gone]);
    return;
  }
  await db.batch([
    ...insertMonth(db, part, merge, isThere("?14"), id),
    discard(db, scope, [monthKey(old)], deleteAfter, isThere("?4"), part.id),
    db.prepare(`DELETE FROM archive_month WHERE scope = ?1 AND id = ?2 AND ${isThere("?3")}`).bind(scope, id, part.id),
  ]);
}
