import type { Attempt, DeadLetter, Message } from "../../../core/webhooks/types.ts";
import type { Sql } from "../fences/fence-store.ts";

/** Number of attempts kept in the log. */
const KEPT_ATTEMPTS = 500;
/** The log is trimmed each time it has grown by this many. */
const CUT_EVERY = 100;
/**
 * How long the queue remembers received events [ms]: a tracker may hand one over again within minutes, or after a long
 * outage.
 */
const SEEN_MS = 3 * 24 * 3600 * 1000;

/** A waiting message, as stored in its row. */
export interface Waiting extends Message {
  n: number;
  attempts: number;
  /** Why it failed permanently, in the column "doom". Such a message only waits to become a dead letter. */
  reason: string | undefined;
}

/** The SQLite store of one webhook's sender: waiting messages, ids of received events, and the log of attempts. */
export class MessageQueue {
  readonly #sql: Sql;
  #attempts: number;
  #rows: number;

  constructor(sql: Sql) {
    this.#sql = sql;
    sql.exec(
      `CREATE TABLE IF NOT EXISTS message (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user TEXT, events TEXT NOT NULL,
         body TEXT NOT NULL, created_at INTEGER NOT NULL, attempts INTEGER NOT NULL, next_at INTEGER NOT NULL, doom TEXT, batch TEXT)`,
    );
    // Objects created before batches existed.
    if (sql.exec("SELECT 1 FROM pragma_table_info('message') WHERE name = 'batch'").toArray().length === 0)
      sql.exec("ALTER TABLE message ADD COLUMN batch TEXT");
    sql.exec("CREATE INDEX IF NOT EXISTS message_next ON message (next_at, n)");
    // The index has few rows: a query for failed messages doesn't read all waiting ones.
    sql.exec("CREATE INDEX IF NOT EXISTS message_doom ON message (n) WHERE doom IS NOT NULL");
    sql.exec("CREATE TABLE IF NOT EXISTS seen (event TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID");
    sql.exec("CREATE INDEX IF NOT EXISTS seen_at ON seen (at)");
    sql.exec("CREATE TABLE IF NOT EXISTS attempt (n INTEGER PRIMARY KEY, user TEXT, doc TEXT NOT NULL)");
    this.#attempts = (this.#one("SELECT max(n) AS value FROM attempt") as number | null) ?? 0;
    this.#rows = this.#count();
  }

  /** Returns the events that are new here, and remembers them. */
  unseen<T extends { id: string }>(events: readonly T[], now: number): T[] {
    const ids = JSON.stringify(events.map(({ id }) => id));
    const added = this.#sql
      .exec("INSERT OR IGNORE INTO seen SELECT value, ? FROM json_each(?) RETURNING event", now, ids)
      .toArray();
    const fresh = new Set(added.map(({ event }) => event));
    return events.filter(({ id }) => fresh.delete(id));
  }

  /** Returns the events that are new here, each once, without remembering them. */
  unknown<T extends { id: string }>(events: readonly T[]): T[] {
    const fresh = new Set(events.map(({ id }) => id));
    const known = this.#sql
      .exec("SELECT event FROM seen WHERE event IN (SELECT value FROM json_each(?))", JSON.stringify([...fresh]))
      .toArray();
    for (const { event } of known) fresh.delete(event as string);
    return events.filter(({ id }) => fresh.delete(id));
  }

  /** The row of a waiting message, by its id. */
  rowOf(id: string): number | undefined {
    return this.#sql.exec("SELECT n FROM message WHERE id = ?", id).toArray()[0]?.n as number | undefined;
  }

  /** Adds messages whose first attempt is due at `dueAt` [ms]. A message that is already waiting stays unchanged. */
  add(messages: readonly Message[], dueAt: number): void {
    for (const { id, user, events, body, createdAt } of messages) {
      const added = this.#sql.exec(
        `INSERT OR IGNORE INTO message (id, user, events, body, created_at, attempts, next_at) VALUES (?, ?, ?, ?, ?, 0, ?)
         RETURNING n`,
        id,
        user ?? null,
        JSON.stringify(events),
        body,
        createdAt,
        dueAt,
      );
      this.#rows += added.toArray().length;
    }
  }

  /** Up to `most` messages that have been due longest and are not in `busy`. */
  due(now: number, busy: ReadonlySet<number>, most: number, also = "TRUE"): Waiting[] {
    return this.#sql
      .exec(
        `SELECT * FROM message WHERE next_at <= ? AND doom IS NULL AND ${also} ORDER BY next_at, n LIMIT ?`,
        now,
        busy.size + most,
      )
      .toArray()
      .filter(({ n }) => !busy.has(n as number))
      .slice(0, most)
      .map(toWaiting);
  }

  /**
   * The messages of the next batch: due, none of them in `busy`, in order. With `name`, an interrupted batch stays as
   * it was, and a new one is recorded before it is sent.
   * @param name returns the name of a batch from its first message
   * @returns undefined when nothing is due
   */
  dueBatch(
    now: number,
    busy: ReadonlySet<number>,
    most: { messages: number; bytes: number },
    name?: (first: Waiting) => string,
  ): { messages: Waiting[]; batch: string } | undefined {
    const [first] = this.due(now, busy, 1);
    if (!first) return undefined;
    const [{ batch }] = this.#sql.exec("SELECT batch FROM message WHERE n = ?", first.n).toArray();
    if (typeof batch === "string") {
      const rows = this.#sql.exec("SELECT * FROM message WHERE batch = ? AND doom IS NULL ORDER BY n", batch);
      return { messages: rows.toArray().map(toWaiting), batch };
    }
    const messages: Waiting[] = [];
    let bytes = 0;
    for (const message of this.due(now, busy, most.messages, "batch IS NULL")) {
      bytes += message.body.length;
      if (messages.length > 0 && bytes > most.bytes) break;
      messages.push(message);
    }
    if (!name) return { messages, batch: "" };
    const named = name(first);
    const ids = JSON.stringify(messages.map(({ n }) => n));
    this.#sql.exec("UPDATE message SET batch = ? WHERE n IN (SELECT value FROM json_each(?))", named, ids);
    return { messages, batch: named };
  }

  /** When the next message is due [ms]; undefined when none is waiting. */
  nextDue(): number | undefined {
    return (this.#one("SELECT min(next_at) AS value FROM message") as number | null) ?? undefined;
  }

  /** When the first of the waiting messages was handed over [ms]. */
  oldest(): number | undefined {
    const [first] = this.#sql.exec("SELECT created_at FROM message ORDER BY n LIMIT 1").toArray();
    return first?.created_at as number | undefined;
  }

  /** How many messages are waiting. */
  get size(): number {
    return this.#rows;
  }

  has(n: number): boolean {
    return this.#sql.exec("SELECT 1 FROM message WHERE n = ?", n).toArray().length > 0;
  }

  postpone(n: number, attempts: number, nextAt: number, reason?: string): void {
    this.#sql.exec(
      "UPDATE message SET attempts = ?, next_at = ?, doom = ? WHERE n = ?",
      attempts,
      nextAt,
      reason ?? null,
      n,
    );
  }

  remove(rows: readonly number[]): void {
    if (rows.length === 0) return;
    const gone = this.#sql.exec(
      "DELETE FROM message WHERE n IN (SELECT value FROM json_each(?)) RETURNING n",
      JSON.stringify(rows),
    );
    this.#rows -= gone.toArray().length;
  }

  /** Marks all waiting messages as failed. */
  giveUpAll(reason: string, now: number): void {
    this.#sql.exec("UPDATE message SET doom = ?, next_at = ?, batch = NULL WHERE doom IS NULL", reason, now);
  }

  /** Marks the newest messages as failed. */
  giveUpNewest(count: number, reason: string, now: number): void {
    this.#sql.exec(
      "UPDATE message SET doom = ?, next_at = ? WHERE n IN (SELECT n FROM message WHERE doom IS NULL ORDER BY n DESC LIMIT ?)",
      reason,
      now,
      count,
    );
  }

  /** Some failed messages that should become dead letters now. */
  givenUp(now: number, limit: number): Waiting[] {
    return this.#sql
      .exec("SELECT * FROM message WHERE doom IS NOT NULL AND next_at <= ? ORDER BY n LIMIT ?", now, limit)
      .toArray()
      .map(toWaiting);
  }

  /** Called if the dead letters could not be stored: the next attempt is at `nextAt` [ms]. */
  postponeGivenUp(nextAt: number): void {
    this.#sql.exec("UPDATE message SET next_at = ? WHERE doom IS NOT NULL", nextAt);
  }

  /** The clock was changed by `byMs`: shifts the due times of messages. */
  shift(byMs: number): void {
    this.#sql.exec("UPDATE message SET next_at = next_at + ?", byMs);
  }

  /** Adds attempts to the log and trims it to the latest ones. */
  log(attempts: readonly { attempt: Attempt; user: string | undefined }[]): void {
    const rows = JSON.stringify(attempts.map(({ attempt, user }) => [user ?? null, JSON.stringify(attempt)]));
    this.#sql.exec(
      "INSERT INTO attempt SELECT ? + key, value->>0, value->>1 FROM json_each(?)",
      this.#attempts + 1,
      rows,
    );
    const before = this.#attempts;
    this.#attempts += attempts.length;
    if (Math.floor(this.#attempts / CUT_EVERY) > Math.floor(before / CUT_EVERY))
      this.#sql.exec("DELETE FROM attempt WHERE n <= ?", this.#attempts - KEPT_ATTEMPTS);
  }

  /** The latest attempts, newest first. */
  lastAttempts(limit: number): Attempt[] {
    return this.#sql
      .exec("SELECT doc FROM attempt ORDER BY n DESC LIMIT ?", limit)
      .toArray()
      .map(({ doc }) => JSON.parse(doc as string) as Attempt);
  }

  /** Forgets events that will not be handed over again. */
  forgetSeen(now: number): void {
    this.#sql.exec("DELETE FROM seen WHERE at < ?", now - SEEN_MS);
  }

  /** Removes everything about a user. An event's id begins with its user's id. */
  removeUser(user: string): void {
    this.#sql.exec("DELETE FROM message WHERE user = ?", user);
    this.#sql.exec("DELETE FROM attempt WHERE user = ?", user);
    this.#sql.exec("DELETE FROM seen WHERE event >= ? AND event < ?", user, `${user}g`);
    this.#rows = this.#count();
  }

  #count(): number {
    return this.#one("SELECT count(*) AS value FROM message") as number;
  }

  #one(query: string): unknown {
    return this.#sql.exec(query).toArray()[0].value;
  }
}

type Row = Record<string, unknown>;

function toWaiting(row: Row): Waiting {
  return {
    n: row.n as number,
    id: row.id as string,
    user: (row.user as string | null) ?? undefined,
    events: JSON.parse(row.events as string) as Message["events"],
    body: row.body as string,
    createdAt: row.created_at as number,
    attempts: row.attempts as number,
    reason: (row.doom as string | null) ?? undefined,
  };
}

/** Converts a failed message to a dead letter. */
export function toDeadLetter({ n: _, reason, ...message }: Waiting, now: number): DeadLetter {
  return { ...message, reason: reason ?? "Failed.", diedAt: now };
}
