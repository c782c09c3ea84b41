import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Group, readDirectory } from "../../../core/archive/directory.ts";
import type { RowFilter } from "../../../core/archive/filter.ts";
import { DAY_MS, monthKey, objectKey, type Part, type PlacedGroup } from "../../../core/archive/part.ts";
import { hashesOf, POSITIONS } from "../../../core/archive/user-filter.ts";
import { batch, listed, oneOf, open } from "../database.ts";
import { archive, archiveMerge, archiveMonth, archivePart } from "../schema.ts";

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
const BIT = sql`(instr('0123456789ABCDEF', substr(hex(substr(part.filter, p / 8 + 1, 1)), 2 - (p % 8) / 4, 1)) - 1) >> (p % 4) & 1`;

/**
 * Parts that may have some users. A bound number is REAL in D1, with a different
 * remainder than an integer, so hashes are passed as JSON.
 */
export const mayHold = (
  users: readonly string[],
) => sql`EXISTS (SELECT 1 FROM ${requested(users)} AS asked WHERE NOT EXISTS (
  SELECT 1 FROM (SELECT (asked.value ->> 0 + place.value * (asked.value ->> 1)) % (length(part.filter) * 8) AS p
    FROM ${listed(Array.from({ length: POSITIONS }, (_, i) => i))} AS place) WHERE ${BIT} = 0))`;

const requested = (users: readonly string[]) => listed(users.map((user) => [...hashesOf(user), user]));

/** Objects of months that have one of some users. */
export const monthsWith = (scope: number, users: readonly string[]): SQL =>
  sql`SELECT held.id FROM ${requested(users)} AS asked CROSS JOIN ${archiveMonth} AS held
    ON held.scope = ${scope} AND held.first_user <= asked.value ->> 2 AND held.last_user >= asked.value ->> 2`;

/** Merges in progress: lists read their days. */
const underWay = (scope: number) => sql`(SELECT id FROM ${archiveMerge} WHERE scope = ${scope})`;

/**
 * The groups of a directory that may have matching events: usually one in a hundred, so the others are not returned by
 * the database. A group is [rows, offset, from, to, type or first user, last user, sizes] (directory.ts).
 */
const groupsWhere = (directory: SQL, condition: SQL) =>
  sql`(SELECT json_group_array(json(stored.value)) FROM json_each(${directory}) AS stored WHERE ${condition})`;

/**
 * The filter, and the parts after another. The plus prevents SQLite from using the index of `from_time`. A part of a day
 * ends within it: the index is entered there.
 */
function within(
  scope: number,
  { createdAfter }: Looked,
  { from = Number.MAX_SAFE_INTEGER, behind }: Listing,
  span: "day" | "month",
): SQL | undefined {
  return and(
    sql`scope = ${scope} AND to_time > ${createdAfter ?? -1} AND +from_time <= ${from}`,
    behind && sql`(to_time, id) < (${behind.to}, ${behind.id})`,
    span === "day" ? sql`to_time < ${from + DAY_MS}` : undefined,
  );
}

const latest = ({ limit }: Listing) => sql`ORDER BY to_time DESC, id DESC LIMIT ${limit}`;

/** Position in a list of parts. */
interface Listing {
  /** Only events up to this time are listed [ms]. */
  from?: number;
  behind?: PartPlace;
  limit: number;
}

type Looked = Pick<RowFilter, "createdAfter" | "users" | "types">;

/**
 * Days' parts that may have matching events, with their groups by type, by the time of the last event, latest first.
 * @param users checked against the parts' filters
 */
export async function listParts(db: D1Database, scope: number, looked: Looked, place: Listing): Promise<ListedPart[]> {
  const { types, users } = looked;
  const groups = types ? groupsWhere(sql`part.types`, oneOf(sql`stored.value ->> 4`, types)) : sql`types`;
  const rows = await open(db).all<Row>(
    sql`SELECT id, day, from_time AS "from", to_time AS "to", ${groups} AS directory FROM ${archivePart} AS part
        WHERE ${and(within(scope, looked, place, "day"), users && mayHold(users))} ${latest(place)}`,
  );
  return rows.map((row) => placed(row, objectKey({ scope, ...row }, "types")));
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
  const { users } = looked;
  const isAsked = sql`EXISTS (SELECT 1 FROM ${requested(users)} AS asked
    WHERE asked.value ->> 2 BETWEEN stored.value ->> 4 AND stored.value ->> 5)`;
  const columns = sql`from_time AS "from", to_time AS "to", ${groupsWhere(sql`part.users`, isAsked)} AS directory`;
  const [days, months, counted] = await batch<[Row, Row, { merged: number }]>(db, [
    sql`SELECT id, day, ${columns} FROM ${archivePart} AS part WHERE ${within(scope, looked, place, "day")}
          AND (merge IS NULL OR merge IN ${underWay(scope)}) AND ${mayHold(users)} ${latest(place)}`,
    sql`SELECT id, month AS day, ${columns} FROM ${archiveMonth} AS part WHERE ${within(scope, looked, place, "month")}
          AND id IN (${monthsWith(scope, users)}) AND merge NOT IN ${underWay(scope)} ${latest(place)}`,
    sql`SELECT merged FROM ${archive} WHERE scope = ${scope}`,
  ]);
  const parts = [
    ...days.results.map((row) => placed(row, objectKey({ scope, ...row }, "users"))),
    ...months.results.map((row) => placed(row, monthKey({ scope, id: row.id, month: row.day }))),
  ];
  // In the order of the database, which compares bytes, like these hexadecimal _ids.
  parts.sort((a, b) => b.to - a.to || (a.id < b.id ? 1 : -1));
  return { parts: parts.slice(0, place.limit), merged: counted.results[0]?.merged ?? 0 };
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
  const { scope, id, types, users } = archivePart;
  const row = await open(db)
    .select({ types, isMerged: sql`${users} = '[]'`.mapWith(Boolean) })
    .from(archivePart)
    .where(and(eq(scope, part.scope), eq(id, part.id)))
    .get();
  return row && { groups: placedGroups(row.types, objectKey(part, "types")), isMerged: row.isMerged };
}
