import { MOVED_TABLES, type MovedTable, scopesOf } from "./moved-tables.ts";

/** Reads, writes, deletes and compares a project's rows in two databases, some at a time. */

/** A value as returned by D1; a BLOB is a list of bytes. */
type Value = string | number | null | number[];
export type MovedRow = Record<string, Value>;
/** The values of a row's primary key. */
export type RowKey = readonly (string | number)[];

/** Maximum values bound to a statement. */
const MAX_BOUND = 100;

/** Rows read at a time from tables with long rows. */
const FEWER: Record<string, number> = {
  archive_part: 10,
  archive_month: 10,
  geofence: 50,
  geofence_import: 10,
  beacon_import: 10,
  dead_letter: 50,
};
const ROWS = 250;

export const rowsAtOnce = ({ name }: MovedTable) => FEWER[name] ?? ROWS;

export const keyOf = ({ key }: MovedTable, row: MovedRow): RowKey =>
  key.map((column) => row[column] as string | number);

const listed = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join();

/** Rows of a project after a key, up to another (absent: to the end), in key order. */
export async function readRows(
  db: D1Database,
  project: number,
  table: MovedTable,
  { after, upTo, limit }: { after?: RowKey; upTo?: RowKey; limit?: number },
): Promise<MovedRow[]> {
  const places = table.key.map(() => "?").join();
  const [first, last] = scopesOf(project);
  const conditions = [
    `scope BETWEEN ${first} AND ${last}`,
    ...(after ? [`(${listed(table.key)}) > (${places})`] : []),
    ...(upTo ? [`(${listed(table.key)}) <= (${places})`] : []),
  ];
  const { results } = await db
    .prepare(
      `SELECT ${listed(table.columns)} FROM "${table.name}" WHERE ${conditions.join(" AND ")}
       ORDER BY ${listed(table.key)} ${limit === undefined ? "" : `LIMIT ${limit}`}`,
    )
    .bind(...(after ?? []), ...(upTo ?? []))
    .all<MovedRow>();
  return results.map(normal);
}

/** Rows by their keys, in a map by each key's string. */
async function readByKey(db: D1Database, table: MovedTable, keys: readonly RowKey[]): Promise<Map<string, MovedRow>> {
  const same = table.key.map((column, i) => `moved."${column}" = asked.value->>${i}`).join(" AND ");
  const columns = table.columns.map((column) => `moved."${column}"`).join();
  const { results } = await db
    .prepare(`SELECT ${columns} FROM json_each(?) AS asked CROSS JOIN "${table.name}" AS moved ON ${same}`)
    .bind(JSON.stringify(keys))
    .all<MovedRow>();
  return new Map(results.map((row) => [JSON.stringify(keyOf(table, row)), normal(row)]));
}

/**
 * Statements that write rows unchanged. A row that conflicts with one of them has changed since, and is copied again.
 */
export function writing(db: D1Database, table: MovedTable, rows: readonly MovedRow[]): D1PreparedStatement[] {
  const atOnce = Math.max(1, Math.floor(MAX_BOUND / table.columns.length));
  const places = `(${table.columns.map(() => "?").join()})`;
  const statements: D1PreparedStatement[] = [];
  for (let i = 0; i < rows.length; i += atOnce) {
    const some = rows.slice(i, i + atOnce);
    const values = some.flatMap((row) => table.columns.map((column) => bindable(row[column])));
    statements.push(
      db
        .prepare(
          `INSERT OR REPLACE INTO "${table.name}" (${listed(table.columns)}) VALUES ${some.map(() => places).join()}`,
        )
        .bind(...values),
    );
  }
  return statements;
}

function deleting(db: D1Database, table: MovedTable, keys: readonly RowKey[]): D1PreparedStatement {
  const parts = table.key.map((_, i) => `value->>${i}`).join();
  return db
    .prepare(`DELETE FROM "${table.name}" WHERE (${listed(table.key)}) IN (SELECT ${parts} FROM json_each(?))`)
    .bind(JSON.stringify(keys));
}

/** Deletes some rows of a project. @returns whether there were any */
export async function deleteSome(db: D1Database, project: number, table: MovedTable): Promise<boolean> {
  const rows = await readRows(db, project, { ...table, columns: table.key }, { limit: 500 });
  if (rows.length === 0) return false;
  await db.batch([
    deleting(
      db,
      table,
      rows.map((row) => keyOf(table, row)),
    ),
  ]);
  return true;
}

/** A database stored a row differently than written. */
export class UnfaithfulCopy extends Error {
  override name = "UnfaithfulCopy";
}

/**
 * Copies some rows again, including deletions, and compares both sides. A row that changes meanwhile is recorded, and
 * copied once more.
 * @throws UnfaithfulCopy
 */
export async function copyAgain(
  source: D1Database,
  target: D1Database,
  table: MovedTable,
  keys: readonly RowKey[],
): Promise<void> {
  const before = await readByKey(source, table, keys);
  await target.batch([deleting(target, table, keys), ...writing(target, table, [...before.values()])]);
  const there = await readByKey(target, table, keys);
  const now = await readByKey(source, table, keys);
  for (const key of new Set([...now.keys(), ...there.keys()])) {
    const isUnchanged = textOf(now, key) === textOf(before, key);
    if (isUnchanged && textOf(there, key) !== textOf(now, key))
      throw new UnfaithfulCopy(`${table.name} ${key} differs between the databases.`);
  }
}

const textOf = (rows: ReadonlyMap<string, MovedRow>, key: string) => JSON.stringify(rows.get(key));

/** Keys of the rows that differ between both lists. */
export function differing(table: MovedTable, one: readonly MovedRow[], other: readonly MovedRow[]): RowKey[] {
  const of = (rows: readonly MovedRow[]) => new Map(rows.map((row) => [JSON.stringify(keyOf(table, row)), row]));
  const [a, b] = [of(one), of(other)];
  return [...new Set([...a.keys(), ...b.keys()])]
    .filter((key) => textOf(a, key) !== textOf(b, key))
    .map((key) => JSON.parse(key) as RowKey);
}

/** How many rows of a project each table has. */
export async function countRows(db: D1Database, project: number): Promise<Record<string, number>> {
  const [first, last] = scopesOf(project);
  const counted = await db.batch<{ rows: number }>(
    MOVED_TABLES.map(({ name }) =>
      db.prepare(`SELECT count(*) AS rows FROM "${name}" WHERE scope BETWEEN ${first} AND ${last}`),
    ),
  );
  return Object.fromEntries(MOVED_TABLES.map(({ name }, i) => [name, counted[i].results[0].rows]));
}

/** A BLOB becomes a list of bytes, whatever the source. */
function normal(row: MovedRow): MovedRow {
  for (const [column, value] of Object.entries(row)) {
    const given: unknown = value;
    if (given instanceof ArrayBuffer) row[column] = [...new Uint8Array(given)];
    else if (ArrayBuffer.isView(given))
      row[column] = [...new Uint8Array(given.buffer, given.byteOffset, given.byteLength)];
  }
  return row;
}

const bindable = (value: Value) => (Array.isArray(value) ? Uint8Array.from(value) : value);
