import type { VersionedUser } from "../db/tracked.ts";
import type { TrackEvent, UserState } from "../tracking/types.ts";
import type { Sql } from "./fence-store.ts";

/** How long an Idempotency-Key is remembered, and how many of a device. */
const KEY_LIFETIME_MS = 24 * 3600 * 1000;
const MAX_KEYS = 50;

/**
 * What one device's tracker keeps, in SQLite: its users (one per userId it has been seen with), the events that are not
 * yet in the database, and the answers to recent Idempotency-Keys.
 */
export class TrackerStore {
  private readonly sql: Sql;
  private readonly users: Map<string, VersionedUser> = new Map();

  constructor(sql: Sql) {
    this.sql = sql;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS user (id TEXT PRIMARY KEY, version INTEGER NOT NULL, stored INTEGER NOT NULL, doc TEXT NOT NULL) WITHOUT ROWID",
    );
    sql.exec("CREATE TABLE IF NOT EXISTS outbox (n INTEGER PRIMARY KEY AUTOINCREMENT, doc TEXT NOT NULL)");
    sql.exec("CREATE TABLE IF NOT EXISTS answer (key TEXT PRIMARY KEY, at INTEGER NOT NULL, doc TEXT NOT NULL)");
    for (const row of sql.exec("SELECT id, version, doc FROM user").toArray()) {
      this.users.set(row.id as string, {
        version: row.version as number,
        state: JSON.parse(row.doc as string) as UserState,
      });
    }
  }

  /**
   * The record an update belongs to. A userId seen on this device selects its record; a new one takes over the record
   * without userId; no userId is the record without one. undefined: a new record is due.
   */
  find(userId: string | undefined): UserState | undefined {
    let nameless: UserState | undefined;
    for (const { state } of this.users.values()) {
      if (state.userId === userId) return state;
      if (state.userId === undefined) nameless = state;
    }
    return nameless;
  }

  states(): UserState[] {
    return [...this.users.values()].map(({ state }) => state);
  }

  /** Writes a state and its new events. */
  save(state: UserState, events: readonly TrackEvent[]): void {
    const version = (this.users.get(state._id)?.version ?? 0) + 1;
    this.sql.exec(
      "INSERT INTO user VALUES (?1, ?2, 0, ?3) ON CONFLICT (id) DO UPDATE SET version = excluded.version, doc = excluded.doc",
      state._id,
      version,
      JSON.stringify(state),
    );
    for (const event of events) this.sql.exec("INSERT INTO outbox (doc) VALUES (?)", JSON.stringify(event));
    this.users.set(state._id, { version, state });
  }

  /** What the database has not seen yet, oldest events first. */
  unstored(mostEvents: number): { users: VersionedUser[]; events: TrackEvent[]; lastEvent: number } {
    const users = this.sql
      .exec("SELECT id FROM user WHERE version > stored")
      .toArray()
      .flatMap((row) => this.users.get(row.id as string) ?? []);
    const rows = this.sql.exec("SELECT n, doc FROM outbox ORDER BY n LIMIT ?", mostEvents).toArray();
    return {
      users,
      events: rows.map((row) => JSON.parse(row.doc as string) as TrackEvent),
      lastEvent: rows.length > 0 ? (rows[rows.length - 1].n as number) : 0,
    };
  }

  markStored(users: readonly VersionedUser[], lastEvent: number): void {
    for (const { state, version } of users)
      this.sql.exec("UPDATE user SET stored = ? WHERE id = ?", version, state._id);
    this.sql.exec("DELETE FROM outbox WHERE n <= ?", lastEvent);
  }

  hasUnstored(): boolean {
    return (
      this.sql.exec("SELECT 1 FROM user WHERE version > stored UNION ALL SELECT 1 FROM outbox LIMIT 1").toArray()
        .length > 0
    );
  }

  answerTo(key: string, now: number): string | undefined {
    const row = this.sql
      .exec("SELECT doc FROM answer WHERE key = ? AND at > ?", key, now - KEY_LIFETIME_MS)
      .toArray()[0];
    return row?.doc as string | undefined;
  }

  keepAnswer(key: string, now: number, doc: string): void {
    this.sql.exec("INSERT OR REPLACE INTO answer VALUES (?, ?, ?)", key, now, doc);
    this.sql.exec(
      "DELETE FROM answer WHERE at <= ? OR key NOT IN (SELECT key FROM answer ORDER BY at DESC LIMIT ?)",
      now - KEY_LIFETIME_MS,
      MAX_KEYS,
    );
  }

  /** Removes a user and its events that wait. */
  remove(id: string): void {
    this.users.delete(id);
    this.sql.exec("DELETE FROM user WHERE id = ?", id);
    this.sql.exec("DELETE FROM outbox WHERE doc->>'$.user._id' = ?", id);
    this.sql.exec("DELETE FROM answer");
  }
}
