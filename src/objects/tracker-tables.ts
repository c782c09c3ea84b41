import type { Sql } from "./fence-store.ts";

/**
 * The tables of a tracker. The row of a user has a number for its key, so that it lies on one page of SQLite up to 4,000
 * bytes: under a text key it would spill over at 1,000, and an update would write four pages instead of one.
 */
export function openTrackerTables(sql: Sql): void {
  sql.exec(
    "CREATE TABLE IF NOT EXISTS state (n INTEGER PRIMARY KEY, id TEXT NOT NULL, version INTEGER NOT NULL, stored INTEGER NOT NULL, cell INTEGER, doc TEXT NOT NULL, last TEXT, tail TEXT NOT NULL, outbox TEXT NOT NULL)",
  );
  sql.exec("CREATE TABLE IF NOT EXISTS outbox (n INTEGER PRIMARY KEY, doc TEXT NOT NULL)");
  sql.exec(
    "CREATE TABLE IF NOT EXISTS trip_outbox (n INTEGER PRIMARY KEY, user TEXT NOT NULL, doc TEXT NOT NULL, point TEXT)",
  );
  sql.exec("CREATE TABLE IF NOT EXISTS answer (key TEXT PRIMARY KEY, at INTEGER NOT NULL, doc TEXT NOT NULL)");
  takeOver(sql);
}

/** Objects of releases up to 0.2 keep their users in a table `user`, those before the history without its last column. */
function takeOver(sql: Sql): void {
  const [made] = sql.exec("SELECT sql FROM sqlite_master WHERE name = 'user'").toArray();
  if (!made) return;
  const tail = String(made.sql).includes("tail") ? "tail" : "''";
  sql.exec(
    `INSERT INTO state (id, version, stored, doc, last, tail, outbox) SELECT id, version, stored, doc, last, ${tail}, '' FROM user`,
  );
  sql.exec("DROP TABLE user");
}
