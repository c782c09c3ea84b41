import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

/**
 * D1 as this machine can have it in a test's own process: SQLite with the same bindings (every number is a REAL), the same answers (a BLOB
 * is a list of bytes) and one transaction a batch.
 */

const MIGRATIONS = join(import.meta.dirname, "../../migrations");

export const migrations = () => readdirSync(MIGRATIONS).sort();
export const migrationText = (name: string) => readFileSync(join(MIGRATIONS, name), "utf8");

/** By last migration: one script with what all of them have made. Migrations one by one take five times as long. */
const scripts = new Map<string, string>();

/** An empty database with all tables, and D1's own list of migrations. @param upTo the last to be applied */
export function newDatabase(upTo = migrations().at(-1)): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  const script = scripts.get(String(upTo)) ?? scriptOf(migrated(String(upTo)));
  scripts.set(String(upTo), script);
  database.exec(script);
  return database;
}

/** The statements that make a database with the same tables and rows. */
function scriptOf(database: DatabaseSync): string {
  const made = database
    .prepare(
      "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type <> 'table', rowid",
    )
    .all();
  const rows = made
    .filter(({ type }) => type === "table")
    .flatMap(({ name }) => {
      const columns = database.prepare("SELECT name FROM pragma_table_info(?)").all(String(name));
      const values = columns.map((column) => `quote("${column.name}")`).join(" || ',' || ");
      const found = database.prepare(`SELECT ${values} AS row FROM "${name}"`).all();
      return found.map(({ row }) => `INSERT INTO "${name}" VALUES (${row})`);
    });
  database.close();
  return [...made.map(({ sql }) => sql), ...rows].join(";\n");
}

function migrated(upTo: string): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.exec(
    `CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
       applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`,
  );
  for (const name of migrations()) if (name <= upTo) migrate(database, name);
  return database;
}

export function migrate(database: DatabaseSync, name: string): void {
  database.exec(migrationText(name));
  database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(name);
}

interface Prepared {
  sql: string;
  values: SQLInputValue[];
  bind(...values: SQLInputValue[]): Prepared;
  all(): Promise<Answer>;
  first(): Promise<Row | null>;
  raw(): Promise<unknown[][]>;
  run(): Promise<Answer>;
}
interface Answer {
  results: Row[];
  meta: { changes: number };
}
type Row = Record<string, unknown>;

/** @param before called at each statement or batch, and once more behind it: whoever throws there ends it as a machine that stops would */
export function d1On(database: DatabaseSync, before: (when: "before" | "after") => void = () => {}) {
  const execute = ({ sql, values }: Prepared): Answer => {
    try {
      const results = (database.prepare(sql).all(...values.map(bytesOf)) as Row[]).map(asD1);
      const changes = /^\s*(INSERT|UPDATE|DELETE)\b/i.test(sql)
        ? database.prepare("SELECT changes() AS n").get()?.n
        : 0;
      return { results, meta: { changes: Number(changes) } };
    } catch (error) {
      throw new Error(`D1_ERROR: ${(error as Error).message}: SQLITE`);
    }
  };
  const transaction = <T>(work: () => T): T => {
    before("before");
    database.exec("BEGIN IMMEDIATE");
    let result: T;
    try {
      result = work();
      database.exec("COMMIT");
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
    before("after");
    return result;
  };
  const prepare = (sql: string, values: SQLInputValue[] = []): Prepared => {
    const all = async () => transaction(() => execute(made));
    const made: Prepared = {
      sql,
      values,
      all,
      run: all,
      bind: (...bound) => prepare(sql, bound),
      first: async () => (await all()).results[0] ?? null,
      raw: async () =>
        transaction(() => {
          // Lists, as two columns may have the same name.
          const statement = database.prepare(sql);
          statement.setReturnArrays(true);
          return statement.all(...values) as unknown as unknown[][];
        }),
    };
    return made;
  };
  return {
    prepare: (sql: string) => prepare(sql),
    batch: async (statements: Prepared[]) => transaction(() => statements.map(execute)),
  };
}

/** D1 also takes a buffer for a BLOB. */
const bytesOf = (value: SQLInputValue | ArrayBuffer) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value);

function asD1(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? [...value] : value]),
  );
}
