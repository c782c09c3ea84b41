import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { databaseConfig } from "../base/wrangler.ts";
import { type Database, query } from "../data/database.ts";
import { knownMigrations } from "../data/local-database.ts";
import { type Finding, ok, wrong } from "./finding.ts";

/** Tables and indexes by name: their statements. */
type Structure = Map<string, { type: string; sql: string }>;

/** The platform has its own tables; SQLite its own indexes. */
const OBJECTS =
  "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name <> 'd1_migrations'";

/** Compares the tables and indexes of a database with those that the migrations create. */
export async function checkStructure(database: Database, name = "tables and indexes"): Promise<Finding> {
  const known = knownMigrations();
  const applied = new Set((await query(database, "SELECT name FROM d1_migrations")).map((row) => String(row.name)));
  // What is not applied yet is another check's.
  const expected = structureAfter(known.filter((migration) => applied.has(migration)));
  const found = structureOf(await query(database, OBJECTS));
  return compareStructures(expected, found, name);
}

/** The tables and indexes after some migrations. */
function structureAfter(migrations: readonly string[]): Structure {
  const { migrations: folder } = databaseConfig();
  const database = new DatabaseSync(":memory:");
  try {
    for (const migration of migrations) database.exec(readFileSync(join(folder, migration), "utf8"));
    return structureOf(database.prepare(OBJECTS).all() as Record<string, unknown>[]);
  } finally {
    database.close();
  }
}

const structureOf = (rows: readonly Record<string, unknown>[]): Structure =>
  new Map(rows.map(({ type, name, sql }) => [String(name), { type: String(type), sql: plainStatement(String(sql)) }]));

/** A statement without comments, which releases may change, and with single spaces. Quoted texts stay. */
export function plainStatement(sql: string): string {
  const parts = sql.match(/'[^']*'|"[^"]*"|--[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|[^'"\-/]+|[-/]/g) ?? [];
  const kept = parts.map((part) => (/^(--|\/\*)/.test(part) ? " " : part));
  return kept
    .join("")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([(),]) ?/g, "$1")
    .trim();
}

const MAX_NAMED = 5;

function compareStructures(expected: Structure, found: Structure, check: string): Finding {
  const missing = [...expected].filter(([name]) => !found.has(name));
  const different = [...expected].filter(([name, { sql }]) => found.has(name) && found.get(name)?.sql !== sql);
  const listed = (all: typeof missing) =>
    all
      .slice(0, MAX_NAMED)
      .map(([name, { type }]) => `${type} ${name}`)
      .join(", ") + (all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} others` : "");
  if (missing.length === 0 && different.length === 0)
    return ok(check, `${expected.size}, as the migrations create them`);
  const said = [
    ...(missing.length > 0 ? [`missing: ${listed(missing)}`] : []),
    ...(different.length > 0 ? [`changed: ${listed(different)}`] : []),
  ].join("; ");
  const todo = missing.some(([, { type }]) => type === "table")
    ? "Their rows are only in a backup: npm run restore. To continue without the rows, run the CREATE statement of migrations/ again."
    : "Run the statement of migrations/ again, or restore a backup (npm run restore).";
  return wrong(check, said, todo);
}
