import { type Group, readDirectory } from "../archive/directory.ts";
import type { RowFilter } from "../archive/filter.ts";
import type { Order } from "../archive/orders.ts";
import { DAY_MS, objectKey, type Part, type PlacedGroup } from "../archive/part.ts";
import { hashesOf, POSITIONS } from "../archive/user-filter.ts";

/** Where a scope's archived events lie. */

/** A part with the groups of one of its objects. */
export interface ListedPart extends Part {
  seq: number;
  rows: number;
  from: number;
  to: number;
  groups: PlacedGroup[];
}

interface Row extends Part {
  seq: number;
  rows: number;
  from: number;
  to: number;
  directory: string;
}

/** Where a list of parts goes on: behind this one. */
export type PartPlace = Pick<ListedPart, "to" | "id">;

/** Bit `p` of a blob, which SQLite has no function for: the byte's two hexadecimal digits, the high one first. */
const BIT = `(instr('0123456789ABCDEF', substr(hex(substr(part.filter, p / 8 + 1, 1)), 2 - (p % 8) / 4, 1)) - 1) >> (p % 4) & 1`;

/** A bound number is REAL in D1, whose remainder is not that of a whole one: so hashes travel in a JSON text. */
const MAY_HOLD = `EXISTS (SELECT 1 FROM json_each(?5) AS asked WHERE NOT EXISTS (
  SELECT 1 FROM (SELECT (asked.value ->> 0 + place.value * (asked.value ->> 1)) % (length(part.filter) * 8) AS p
    FROM json_each('[${Array.from({ length: POSITIONS }, (_, i) => i).join()}]') AS place) WHERE ${BIT} = 0))`;

/**
 * Of a directory the groups that may have what is looked for: one of a hundred, mostly, so the others do not leave the database. A group is
 * [rows, offset, from, to, type or first user, last user, sizes] (directory.ts).
 */
const someGroups = (order: Order): string => `CASE WHEN ?5 IS NULL AND ?8 IS NULL THEN ${order} ELSE
  (SELECT json_group_array(json(stored.value)) FROM json_each(part.${order}) AS stored WHERE ${
    order === "users"
      ? "?5 IS NULL OR EXISTS (SELECT 1 FROM json_each(?5) AS asked WHERE asked.value ->> 2 BETWEEN stored.value ->> 4 AND stored.value ->> 5)"
      : "?8 IS NULL OR stored.value ->> 4 IN (SELECT value FROM json_each(?8))"
  }) END`;

/**
 * Parts that may have what is looked for, the latest first by their last event, and their groups that may. @param users asks the
 * parts' filters: by users, a part is mostly not listed where it has none of theirs
 * @param writtenBefore only parts without what was noted from this number on
 * @param from no event after this is looked for [ms]; a part is of one day, so the index is entered there
 */
export async function listParts(
  db: D1Database,
  scope: number,
  order: Order,
  { createdAfter, users, types }: Pick<RowFilter, "createdAfter" | "users" | "types">,
  { from, behind, limit, writtenBefore }: { from?: number; behind?: PartPlace; limit: number; writtenBefore?: number },
): Promise<ListedPart[]> {
  const { results } = await db
    .prepare(
      `SELECT scope, id, day, seq, rows, from_time AS "from", to_time AS "to", ${someGroups(order)} AS directory
       FROM archive_part AS part
       WHERE scope = ?1 AND to_time > ?2 AND from_time <= ?3 AND to_time < ?3 + ${DAY_MS} AND (?4 IS NULL OR (to_time, id) < (?4 ->> 0, ?4 ->> 1))
         AND (?7 IS NULL OR seq < ?7) AND (?5 IS NULL OR ${MAY_HOLD})
       ORDER BY to_time DESC, id DESC LIMIT ?6`,
    )
    .bind(
      scope,
      createdAfter ?? -1,
      from ?? Number.MAX_SAFE_INTEGER,
      behind ? JSON.stringify([behind.to, behind.id]) : null,
      users ? JSON.stringify(users.map((user) => [...hashesOf(user), user])) : null,
      limit,
      writtenBefore ?? null,
      types ? JSON.stringify(types) : null,
    )
    .all<Row>();
  return results.map(({ directory, ...part }) => ({ ...part, groups: placed(part, order, readDirectory(directory)) }));
}

function placed(part: Part, order: Order, groups: readonly Group[]): PlacedGroup[] {
  const key = objectKey(part, order);
  return groups.map((group) => ({ ...group, key }));
}

/** The time of the last archived event; no row where nothing is. */
export function lastArchived(db: D1Database, scope: number): D1PreparedStatement {
  return db
    .prepare("SELECT to_time AS time FROM archive_part WHERE scope = ?1 ORDER BY to_time DESC LIMIT 1")
    .bind(scope);
}

export async function partById(db: D1Database, { scope, id }: Part, order: Order): Promise<ListedPart | undefined> {
  const row = await db
    .prepare(
      `SELECT scope, id, day, seq, rows, from_time AS "from", to_time AS "to", ${order} AS directory FROM archive_part
       WHERE scope = ?1 AND id = ?2`,
    )
    .bind(scope, id)
    .first<Row>();
  if (!row) return undefined;
  const { directory, ...part } = row;
  return { ...part, groups: placed(part, order, readDirectory(directory)) };
}
