import { fillPlaceholders, type Name, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { SQLiteAsyncDialect, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";

/** Opens a D1 binding with Drizzle. Every query function takes the binding and opens it here. */
export function open(db: D1Database) {
  return drizzle(db);
}

const dialect = new SQLiteAsyncDialect();

/** A query of the builder or a template as a statement of D1. */
export function statement(db: D1Database, query: SQLWrapper): D1PreparedStatement {
  const { sql, params } = dialect.sqlToQuery(query.getSQL());
  return db.prepare(sql).bind(...params);
}

/** A query that is written once and bound to a text with each use, for what runs with every flush of trackers. */
export function prepared(make: (text: SQLWrapper) => SQL): (db: D1Database, text: string) => D1PreparedStatement {
  const query = dialect.sqlToQuery(make(sql.placeholder("text")));
  return (db, text) => db.prepare(query.sql).bind(...fillPlaceholders(query.params, { text }));
}

/** Runs queries in one transaction. `Rows`: what each returns; Drizzle's own `batch` takes no template with values. */
export async function batch<Rows extends readonly unknown[]>(db: D1Database, queries: readonly SQLWrapper[]) {
  const results = await db.batch(queries.map((query) => statement(db, query)));
  return results as unknown as { [N in keyof Rows]: D1Result<Rows[N]> };
}

/** A number as an INTEGER: a bound one is REAL in D1, and divides as such. */
export const integer = (value: number): SQL => sql`CAST(${value} AS INTEGER)`;

/** The rows of a JSON array of any length, as one bound value: `value` is each element. */
export const listed = (values: readonly unknown[]): SQL => sql`json_each(${JSON.stringify(values)})`;

/** The condition that a column has one of any number of values. */
export const oneOf = (column: SQLWrapper, values: readonly unknown[]): SQL =>
  sql`${column} IN (SELECT value FROM ${listed(values)})`;

/**
 * Writes any number of rows in one statement; a row that exists is replaced but for its key and creation time.
 * @param columns of the table, by their properties of `rows`
 * @param rows `listed` JSON objects
 * @param by what identifies a row, as in "ON CONFLICT (…)"
 * @param given values that are not in `rows`, by property
 */
export function upsert(
  table: SQLiteTable,
  columns: Record<string, SQLiteColumn>,
  rows: SQL,
  by: readonly SQL[],
  given: Record<string, SQL> = {},
): SQL {
  const entries = Object.entries(columns).map(([key, { name }]) => ({ key, name: sql.identifier(name) }));
  const list = (parts: (SQL | Name)[]) => sql.join(parts, sql`, `);
  const values = list(entries.map(({ key }) => given[key] ?? sql`value ->> ${`$.${key}`}`));
  const changed = entries.filter(({ key }) => !["scope", "id", "createdAt"].includes(key));
  const set = list(changed.map(({ name }) => sql`${name} = excluded.${name}`));
  return sql`INSERT INTO ${table} (${list(entries.map(({ name }) => name))}) SELECT ${values} FROM ${rows} WHERE true
    ${sql.join(
      by.map((key) => sql`ON CONFLICT ${key} DO UPDATE SET ${set}`),
      sql` `,
    )}`;
}
