import { type SQL, sql } from "drizzle-orm";
import { type Group, readDirectory } from "../../../core/archive/directory.ts";
import type { RowFilter } from "../../../core/archive/filter.ts";
import { DAY_MS, monthKey, objectKey, type Part, type PlacedGroup } from "../../../core/archive/part.ts";
import { hashesOf, POSITIONS } from "../../../core/archive/user-filter.ts";
import { archivePart } from "../schema.ts";
/** The location of a scope's archived events. */

/** A part, of a day or a month, with the groups of one of its objects that may have matching events. */
export interface ListedPart {
  id: string;
  /** Times of its first and last events [ms]. */
  from: number;
  to: number;
  groups: PlacedGroup[];
}

interface Row {
  id: string;
  /** First day [days since 1970, UTC]. */
  day: number;
  from: number;
  to: number;
  directory: string;
}

/** The last part of a page; the next page starts after it. */
type PartPlace = Pick<ListedPart, "to" | "id">;

/** Bit `p` of a blob, for which SQLite has no function: the byte's two hexadecimal digits, the high one first. */
const BIT = `(instr('0123456789ABCDEF', substr(hex(substr(part.filter, p / 8 + 1, 1)), 2 - (p % 8) / 4, 1)) - 1) >> (p % 4) & 1`;

/**
 * Parts that may have the users that `requestedUsers` wrote into ?5. A bound number is REAL in D1, with a different
 * remainder than an integer, so hashes are passed as JSON.
 */
export const MAY_HOLD = `EXISTS (SELECT 1 FROM json_each(?5) AS asked WHERE NOT EXISTS (
  SELECT 1 FROM (SELECT (asked.value ->> 0 + place.value * (asked.value ->> 1)) % (length(part.filter) * 8) AS p
    FROM json_each('[${Array.from({ length: POSITIONS }, (_, i) => i).join()}]') AS place) WHERE ${BIT} = 0))`;

export const requestedUsers = (users: readonly string[]) =>
  JSON.stringify(users.map((user) => [...hashesOf(user), user]));

/** Objects of months that have one of the users in ?5. */
export const MONTHS_WITH = `SELECT held.id FROM json_each(?5) AS asked CROSS JOIN archive_month AS held
  ON held.scope = ?1 AND held.first_user <= asked.value ->> 2 AND held.last_user >= asked.value ->> 2`;

/** Merges in progress: lists read their days. */
const UNDER_WAY = "SELECT id FROM archive_merge WHERE scope = ?1";

/**
 * The groups of a directory that may have matching events: usually one in a hundred, so the others are not returned by
 * the database. A group is [rows, offset, from, to, type or first user, last user, sizes] (directory.ts).
 */
const groupsWhere = (order: string, condition: string) =>
  `(SELECT json_group_array(json(stored.value)) FROM json_each(part.${order}) AS stored WHERE ${condition})`;
const GROUPS_OF_TYPES = `CASE WHEN ?7 IS NULL THEN types ELSE
  ${groupsWhere("types", "stored.value ->> 4 IN (SELECT value FROM json_each(?7))")} END`;
const GROUPS_OF_USERS = groupsWhere(
  "users",
  "EXISTS (SELECT 1 FROM json_each(?5) AS asked WHERE asked.value ->> 2 BETWEEN stored.value ->> 4 AND stored.value ->> 5)",
);

/**
 * The filter, and the parts after another: ?1 to ?6 of a statement. The plus prevents SQLite from using the index of
 * `from_time`.
 */
const SOME = `scope = ?1 AND to_time > ?2 AND +from_time <= ?3 AND (?4 IS NULL OR (to_time, id) < (?4 ->> 0, ?4 ->> 1))`;
/** A part of a day ends within it: the index is entered there. */
const OF_A_DAY = `${SOME} AND to_time < ?3 + ${DAY_MS}`;
const LATEST = "ORDER BY to_time DESC, id DESC LIMIT ?6";

/** Position in a list of parts. */
interface Listing {
  /** Only events up to this time are listed [ms]. */
  from?: number;
  behind?: PartPlace;
  limit: number;
}

type Looked = Pick<RowFilter, "createdAfter" | "users" | "types">;

const bound = (scope: number, { createdAfter, users }: Looked, { from, behind, limit }: Listing) => [
  ...[scope, createdAfter ?? -1, from ?? Number.MAX_SAFE_INTEGER],
  ...[behind ? JSON.stringify([behind.to, behind.id]) : null, users ? requestedUsers(users) : null, limit],
];

/**
 * Days' parts that may have matching events, with their groups by type, by the time of the last event, latest first.
 * @param users checked against the parts' filters
 */
export async function listParts(db: D1Database, scope: number, looked: Looked, place: Listing): Promise<ListedPart[]> {
  const { results } = await db
    .prepare(
      `SELECT id, day, from_time AS "from", to_time AS "to", ${GROUPS_OF_TYPES} AS directory
       FROM archive_part AS part WHERE ${OF_A_DAY} AND (?5 IS NULL OR ${MAY_HOLD}) ${LATEST}`,
    )
    .bind(...bound(scope, looked, place), looked.types ? JSON.stringify(looked.types) : null)
    .all<Row>();
  return results.map((row) => placed(row, objectKey({ scope, ...row }, "types")));
}

/** Parts of days and months that may have events of some users. */
interface ListedByUsers {
  parts: ListedPart[];
  /**
   * Number of finished merges of the scope. If one finished between two listings, the second lacks days of the first,
   * and the month with their events may come before its place: the caller must start over.
   */
  merged: number;
}

/**
 * By the time of the last event, latest first, like `listParts`. A day's part without the users is usually not listed.
 */
export async function listByUsers(
  db: D1Database,
  scope: number,
  looked: Looked & { users: readonly string[] },
  place: Listing,
): Promise<ListedByUsers> {
  const values = bound(scope, looked, place);
  const columns = `from_time AS "from", to_time AS "to", ${GROUPS_OF_USERS} AS directory`;
  const [days, months, archive] = await db.batch<Record<string, unknown>>([
    db
      .prepare(
        `SELECT id, day, ${columns} FROM archive_part AS part
         WHERE ${OF_A_DAY} AND (merge IS NULL OR merge IN (${UNDER_WAY})) AND ${MAY_HOLD} ${LATEST}`,
      )
      .bind(...values),
    db
      .prepare(
        `SELECT id, month AS day, ${columns} FROM archive_month AS part
         WHERE ${SOME} AND id IN (${MONTHS_WITH}) AND merge NOT IN (${UNDER_WAY}) ${LATEST}`,
      )
      .bind(...values),
    db.prepare("SELECT merged FROM archive WHERE scope = ?1").bind(scope),
  ]);
  const parts = [
    ...(days.results as unknown as Row[]).map((row) => placed(row, objectKey({ scope, ...row }, "users"))),
    ...(months.results as unknown as Row[]).map((row) => placed(row, monthKey({ scope, id: row.id, month: row.day }))),
  ];
  // In the order of the database, which compares bytes, like these hexadecimal _ids.
  parts.sort((a, b) => b.to - a.to || (a.id < b.id ? 1 : -1));
  return { parts: parts.slice(0, place.limit), merged: Number(archive.results[0]?.merged ?? 0) };
}

function placed({ directory, id, from, to }: Row, key: string): ListedPart {
  return { id, from, to, groups: placedGroups(directory, key) };
}

export function placedGroups(directory: string, key: string): PlacedGroup[] {
  return readDirectory(directory).map((group: Group) => ({ ...group, key }));
}

/** The time of the last archived event; no row if the archive is empty. */
export function lastArchived(scope: number): SQL {
  return sql`SELECT to_time AS time FROM ${archivePart} WHERE scope = ${scope} ORDER BY to_time DESC LIMIT 1`;
}

/** All groups of a day's part by type, and whether its events by user are in objects of the month. */
export async function partById(
  db: D1Database,
  part: Part,
): Promise<{ groups: PlacedGroup[]; isMerged: boolean } | undefined> {
  const row = await db
    .prepare(`SELECT types, users = '[]' AS isMerged FROM archive_part WHERE scope = ?1 AND id = ?2`)
    .bind(part.scope, part.id)
    .first<{ types: string; isMerged: number }>();
  return row ? { groups: placedGroups(row.types, objectKey(part, "types")), isMerged: row.isMerged === 1 } : undefined;
}
