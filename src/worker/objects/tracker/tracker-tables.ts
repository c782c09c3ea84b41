import type { Sql, SqlValue } from "../fences/fence-store.ts";

/**
 * The tables of a tracker. The row of a user has a numeric key, so that it fits on one SQLite page up to 4,000 bytes:
 * with a text key it would overflow at 1,000, and an update would write four pages instead of one.
 *
 * A new device needs only the first table. The others are created with their first row, as each table and each of its
 * indexes is a page of the file.
 */
const STATE =
  "CREATE TABLE IF NOT EXISTS state (n INTEGER PRIMARY KEY, id TEXT NOT NULL, version INTEGER NOT NULL, stored INTEGER NOT NULL, cell INTEGER, doc TEXT NOT NULL, last TEXT, tail TEXT NOT NULL, outbox TEXT NOT NULL)";
const LATER = {
  outbox: "CREATE TABLE IF NOT EXISTS outbox (n INTEGER PRIMARY KEY, doc TEXT NOT NULL)",
  trip_outbox:
    "CREATE TABLE IF NOT EXISTS trip_outbox (n INTEGER PRIMARY KEY, user TEXT NOT NULL, doc TEXT NOT NULL, point TEXT)",
  answer: "CREATE TABLE IF NOT EXISTS answer (key TEXT PRIMARY KEY, at INTEGER NOT NULL, doc TEXT NOT NULL)",
  past: "CREATE TABLE IF NOT EXISTS past (id INTEGER PRIMARY KEY, since INTEGER NOT NULL, until INTEGER NOT NULL, data BLOB NOT NULL)",
  // Only in objects of releases up to 0.5: pages are now in `past`.
  page: "CREATE TABLE IF NOT EXISTS page (user TEXT NOT NULL, n INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL, entries TEXT NOT NULL, after TEXT NOT NULL, PRIMARY KEY (user, n)) WITHOUT ROWID",
};

/** Access to each table; a statement uses only its own table. */
export type TrackerTables = Readonly<Record<keyof typeof LATER, Sql>>;

export function openTrackerTables(sql: Sql): TrackerTables {
  const found = sql.exec("SELECT name, sql FROM sqlite_master WHERE type = 'table'").toArray();
  const made = new Map(found.map((row) => [row.name as string, String(row.sql)]));
  if (!made.has("state")) sql.exec(STATE);
  const before = made.get("user");
  if (before !== undefined) takeOver(sql, before);
  const later = (name: keyof typeof LATER): Sql => (made.has(name) ? sql : new LaterTable(sql, LATER[name]));
  return {
    outbox: later("outbox"),
    trip_outbox: later("trip_outbox"),
    answer: later("answer"),
    past: later("past"),
    page: later("page"),
  };
}

/**
 * A table that is created when the first row is inserted. Until then it reads as empty: no statement finds a row, not
 * even a count.
 */
class LaterTable implements Sql {
  readonly #sql: Sql;
  readonly #create: string;
  #isMade = false;

  constructor(sql: Sql, create: string) {
    this.#sql = sql;
    this.#create = create;
  }

  exec(query: string, ...bindings: SqlValue[]): ReturnType<Sql["exec"]> {
    if (!this.#isMade) {
      if (!query.startsWith("INSERT")) return NOTHING;
      this.#sql.exec(this.#create);
      this.#isMade = true;
    }
    return this.#sql.exec(query, ...bindings);
  }
}

const NOTHING: ReturnType<Sql["exec"]> = { toArray: () => [] };

/** Objects of releases up to 0.2 store their users in a table `user`; those before the history lack its last column. */
function takeOver(sql: Sql, made: string): void {
  const tail = made.includes("tail") ? "tail" : "''";
  sql.exec(
    `INSERT INTO state (id, version, stored, doc, last, tail, outbox) SELECT id, version, stored, doc, last, ${tail}, '' FROM user`,
  );
  sql.exec("DROP TABLE user");
}

/** A user as stored in a row. */
export type StateRow = {
  n: number;
  id: string;
  version: number;
  stored: number;
  /** JSON Placed; in rows of earlier releases a cell, or null. */
  cell: string | number | null;
  doc: string;
  last: string | null;
  tail: string;
  outbox: string;
};

/** Location cells of a user, and the version in which the data outside its row last changed. */
export interface Placed {
  cells?: readonly number[];
  since?: number;
  /** `fenceEpoch` */
  fences?: number;
}

export function readPlaced(cell: StateRow["cell"]): Placed {
  if (typeof cell === "string") return JSON.parse(cell) as Placed;
  return { cells: cell === null ? undefined : [cell] };
}
