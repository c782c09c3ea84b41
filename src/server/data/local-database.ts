import { createHash, createHmac } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CommandError } from "../base/command.ts";
import { ofFile } from "../base/file-trouble.ts";
import { type DatabaseConfig, databaseConfig, databaseConfigs } from "../base/wrangler.ts";
import type { Database, Row, Statement } from "./database.ts";

/** The folder below the root where `wrangler dev` keeps its state by default. */
export const DEFAULT_STATE = ".wrangler/state";

/**
 * The id of a Durable Object by its name, as workerd and Miniflare derive it: the first half of HMAC(name), and an HMAC of that half, both
 * under the hash of the class's key.
 */
export function objectId(classKey: string, objectName: string): string {
  const key = createHash("sha256").update(classKey).digest();
  const half = (bytes: string | Buffer) => createHmac("sha256", key).update(bytes).digest().subarray(0, 16);
  const name = half(objectName);
  return Buffer.concat([name, half(name)]).toString("hex");
}

/** The SQLite file in which workerd keeps a local D1 database: that of the object in which Miniflare runs it. */
export function localDatabasePath(state: string, databaseId: string): string {
  const file = `${objectId("miniflare-D1DatabaseObject", databaseId)}.sqlite`;
  return join(state, "v3/d1/miniflare-D1DatabaseObject", file);
}

/**
 * Opens the local database, even while workerd uses it: both share the write-ahead log, so each sees what the other
 * committed. workerd does not wait for locks, so a batch is one short transaction without awaits. Without `config`,
 * opens the first database; others are migrated along with it.
 */
export function openLocalDatabase(state: string, config?: DatabaseConfig): Database {
  if (config) return openDatabaseFile(state, config);
  const [first, ...further] = databaseConfigs();
  for (const one of further) openDatabaseFile(state, one).close();
  return openDatabaseFile(state, first);
}

function openDatabaseFile(state: string, config: DatabaseConfig): Database {
  const path = localDatabasePath(state, config.id);
  mkdirSync(dirname(path), { recursive: true });
  const sqlite = ofFile(path, () => {
    const opened = new DatabaseSync(path, { timeout: 5000 });
    opened.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    migrate(opened, config);
    return opened;
  });
  return {
    async batch(statements) {
      return ofFile(path, () => inTransaction(sqlite, () => statements.map((statement) => run(sqlite, statement))));
    },
    async size() {
      const [[pages], [page]] = ["page_count", "page_size"].map((sql) => run(sqlite, { sql: `PRAGMA ${sql}` }));
      return Number(pages.page_count) * Number(page.page_size);
    },
    close: () => sqlite.close(),
  };
}

/** Brings the file of a database forward to what this program writes. */
export function migrateFile(path: string, config = databaseConfig()): void {
  const sqlite = new DatabaseSync(path);
  migrate(sqlite, config);
  sqlite.close();
}

/** The migrations this program has, by name. */
export function knownMigrations({ migrations } = databaseConfig()): string[] {
  return readdirSync(migrations)
    .filter((name) => name.endsWith(".sql"))
    .sort();
}

/** As `openLocalDatabase`, for commands that make no sense before the first start. */
export function openExistingDatabase(state: string): Database {
  if (!existsSync(localDatabasePath(state, databaseConfig().id)))
    throw new CommandError(`No local database in ${state}. Create it with: npm run dev`);
  return openLocalDatabase(state);
}

function run(sqlite: DatabaseSync, { sql, values = [] }: Statement): Row[] {
  return sqlite.prepare(sql).all(...values) as Row[];
}

function inTransaction<T>(sqlite: DatabaseSync, work: () => T): T {
  sqlite.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    sqlite.exec("COMMIT");
    return result;
  } catch (error) {
    sqlite.exec("ROLLBACK");
    throw error;
  }
}

/** Applies the SQL files that are not applied yet, by name, and records them in the table that wrangler uses too. */
function migrate(sqlite: DatabaseSync, config: DatabaseConfig): void {
  sqlite.exec(`CREATE TABLE IF NOT EXISTS "d1_migrations"(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT UNIQUE,
    applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
  )`);
  for (const name of knownMigrations(config)) {
    inTransaction(sqlite, () => {
      if (run(sqlite, { sql: "SELECT 1 FROM d1_migrations WHERE name = ?", values: [name] }).length > 0) return;
      sqlite.exec(readFileSync(join(config.migrations, name), "utf8"));
      run(sqlite, { sql: "INSERT INTO d1_migrations (name) VALUES (?)", values: [name] });
    });
  }
}
