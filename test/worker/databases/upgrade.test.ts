import type { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { migrate, migrations, newDatabase } from "../../support/d1-on-sqlite.ts";

/**
 * A database as an earlier release left it, with rows in every table, is brought forward by all later migrations: every row is there with
 * what it had. Migrations only add; test/server/commands/start/upgrade.test.ts compares what the Workers of both releases answer.
 */

const tablesOf = (database: DatabaseSync) =>
  database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'd1_migrations'",
    )
    .all()
    .map(({ name }) => String(name));
const columnsOf = (database: DatabaseSync, table: string) =>
  database.prepare("SELECT name, type FROM pragma_table_info(?)").all(table) as { name: string; type: string }[];

function fill(database: DatabaseSync): void {
  // Projects first: keys and memberships refer to them.
  for (const table of tablesOf(database).sort((a, b) => Number(b === "project") - Number(a === "project"))) {
    const columns = columnsOf(database, table);
    for (let n = 1; n <= 40; n++) {
      const values = columns.map(({ name, type }) => {
        if (name === "scope") return 1 + n;
        if (name === "id" && table === "project") return n;
        if (name === "project") return n;
        if (type === "INTEGER") return name.endsWith("_at") || name === "at" ? 1_700_000_000_000 + n : n;
        if (type === "REAL") return n / 7;
        return name === "settings" || name === "doc" ? `{"n":${n}}` : `${name} ${n} 東京`;
      });
      database
        .prepare(
          `INSERT INTO "${table}" (${columns.map(({ name }) => `"${name}"`)}) VALUES (${columns.map(() => "?")})`,
        )
        .run(...values);
    }
  }
}

const rowsOf = (database: DatabaseSync, table: string, columns: readonly { name: string }[]) =>
  database
    .prepare(`SELECT ${columns.map(({ name }) => `"${name}", typeof("${name}")`)} FROM "${table}"`)
    .all()
    .map((row) => JSON.stringify(row))
    .sort();

it.each(migrations().slice(0, -1))("a database with the migrations up to %s keeps every row", (last) => {
  const database = newDatabase(last);
  fill(database);
  const before = tablesOf(database).map((table) => {
    const columns = columnsOf(database, table);
    return { table, columns, rows: rowsOf(database, table, columns) };
  });
  expect(before.every(({ rows }) => rows.length === 40)).toBe(true);
  for (const name of migrations()) if (name > last) migrate(database, name);
  for (const { table, columns, rows } of before)
    expect([table, rowsOf(database, table, columns)]).toEqual([table, rows]);
  // All live where they lived, before there were several databases.
  if (last < "0013")
    expect(database.prepare(`SELECT DISTINCT "database" AS name, moving FROM project`).all()).toEqual([
      { name: "DB", moving: null },
    ]);
  // What later releases look for is there of what earlier ones wrote.
  if (last > "0007") return;
  const found =
    "SELECT count(*) AS n FROM user JOIN user_area ON user_area.scope = user.scope AND user_area.user = user.id";
  expect(database.prepare(found).get()?.n).toBe(40);
  expect(database.prepare("SELECT count(*) AS n FROM user WHERE day = updated_at / 86400000").get()?.n).toBe(40);
});
