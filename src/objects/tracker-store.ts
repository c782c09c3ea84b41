import { type EventWrite, type TripWrite, USER_CELL_RESOLUTION, type UserWrite } from "../db/writes.ts";
import { cellAt } from "../geo/cells.ts";
import type { Applied } from "../tracking/history/entry.ts";
import type { TrackEvent } from "../tracking/types/event.ts";
import type { LastUpdate, UserState } from "../tracking/types/state.ts";
import type { Trip } from "../tracking/types/trip.ts";
import type { Sql } from "./fence-store.ts";
import { UpdateHistory } from "./update-history.ts";

/** How long Idempotency-Keys are remembered, and how many per device. */
const KEY_LIFETIME_MS = 24 * 3600 * 1000;
const MAX_KEYS = 50;

const HOUR_MS = 3600_000;

/** The events of one update, in the outbox as one JSON list. */
interface Entry {
  n: number;
  docs: string[];
}

/** A trip as one update left it. */
interface TripEntry {
  n: number;
  /** The _id of the user record. */
  user: string;
  doc: string;
  point?: readonly [number, number, number, number];
}

interface User {
  state: UserState;
  version: number;
  /** The latest version known to be in the database. */
  stored: number;
  /** The geofences it was inside when that version was stored. */
  storedFences: UserState["geofences"] | undefined;
  /** JSON of the state without `last`. */
  doc: string;
  /** The hour of its last update, until the database has surely counted it. */
  active: number | undefined;
}

/** What a drain sends. When it has arrived, `confirm` is passed to `TrackerStore.confirm`. */
export interface Unstored {
  users: UserWrite[];
  events: EventWrite[];
  confirm: {
    users: { user: User; version: number; fences: UserState["geofences"]; active: number | undefined }[];
    lastEntry: number;
    lastTrip: number;
  };
}

/**
 * What one device's tracker keeps, in SQLite: its users (one per userId it has been seen with), the events that are not
 * yet in the database, and the answers to recent Idempotency-Keys.
 *
 * That something has arrived in the database is noted in memory at once and on disk only with the next write. If a
 * restart loses the note, it is sent again, which does no harm.
 */
export class TrackerStore {
  readonly #sql: Sql;
  readonly history: UpdateHistory;
  readonly #users = new Map<string, User>();
  #outbox: Entry[];
  readonly #trips: TripEntry[];
  #nextTrip: number;
  #nextEntry: number;
  /** Entries up to this number have arrived but are still on disk. */
  #arrived = 0;
  #answers: boolean;

  constructor(sql: Sql) {
    this.#sql = sql;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS user (id TEXT PRIMARY KEY, version INTEGER NOT NULL, stored INTEGER NOT NULL, doc TEXT NOT NULL, last TEXT, tail TEXT NOT NULL DEFAULT '') WITHOUT ROWID",
    );
    // Objects of earlier releases have the table without its last column.
    const [made] = sql.exec("SELECT sql FROM sqlite_master WHERE name = 'user'").toArray();
    if (!String(made.sql).includes("tail")) sql.exec("ALTER TABLE user ADD COLUMN tail TEXT NOT NULL DEFAULT ''");
    this.history = new UpdateHistory(sql);
    sql.exec("CREATE TABLE IF NOT EXISTS outbox (n INTEGER PRIMARY KEY, doc TEXT NOT NULL)");
    sql.exec(
      "CREATE TABLE IF NOT EXISTS trip_outbox (n INTEGER PRIMARY KEY, user TEXT NOT NULL, doc TEXT NOT NULL, point TEXT)",
    );
    sql.exec("CREATE TABLE IF NOT EXISTS answer (key TEXT PRIMARY KEY, at INTEGER NOT NULL, doc TEXT NOT NULL)");
    for (const row of sql.exec("SELECT * FROM user").toArray()) {
      const { id, version, stored, doc, last, tail } = row as {
        id: string;
        version: number;
        stored: number;
        doc: string;
        last: string | null;
        tail: string;
      };
      this.history.load(id, tail);
      const state = JSON.parse(doc) as UserState;
      if (last !== null) state.last = JSON.parse(last) as LastUpdate;
      const active = version > stored ? activeHour(state) : undefined;
      this.#users.set(id, { state, version, stored, storedFences: undefined, doc, active });
    }
    this.#outbox = this.#readOutbox();
    this.#trips = this.#readTrips();
    this.#nextTrip = (this.#trips.at(-1)?.n ?? 0) + 1;
    this.#nextEntry = (this.#outbox.at(-1)?.n ?? 0) + 1;
    this.#answers = sql.exec("SELECT 1 FROM answer LIMIT 1").toArray().length > 0;
  }

  /**
   * The record an update belongs to. A userId seen on this device selects its record. A new userId takes over the
   * record without userId. No userId selects the record without one. undefined: a new record is needed.
   */
  find(userId: string | undefined): UserState | undefined {
    let nameless: UserState | undefined;
    for (const { state } of this.#users.values()) {
      if (state.userId === userId) return state;
      if (state.userId === undefined) nameless = state;
    }
    return nameless;
  }

  /** The record with this _id. */
  byId(id: string): UserState | undefined {
    return this.#users.get(id)?.state;
  }

  states(): UserState[] {
    return [...this.#users.values()].map(({ state }) => state);
  }

  /** Does the database have this user, in any version? */
  isStored(id: string): boolean {
    return (this.#users.get(id)?.stored ?? 0) > 0;
  }

  isEmpty(): boolean {
    return this.#users.size === 0;
  }

  /**
   * Writes a state, its new events and changed trips.
   * @param update what brought the state, and how many days updates are kept; absent = a call of the API. With an
   *   update, the user's location is a new point of these trips
   */
  save(
    state: UserState,
    events: readonly TrackEvent[],
    trips: readonly Trip[] = [],
    update?: { applied: Applied; days: number },
  ): void {
    const known = this.#users.get(state._id);
    const tail = update
      ? this.history.note(update.applied, update.days)
      : known
        ? this.history.noteChange(known.state, state)
        : "";
    const { last, ...shown } = state;
    const user: User = {
      state,
      version: (known?.version ?? 0) + 1,
      stored: known?.stored ?? 0,
      storedFences: known?.storedFences,
      doc: JSON.stringify(shown),
      active: known && activeHour(known.state) === activeHour(state) ? known.active : activeHour(state),
    };
    this.#sql.exec(
      "INSERT OR REPLACE INTO user VALUES (?, ?, ?, ?, ?, ?)",
      state._id,
      user.version,
      user.stored,
      user.doc,
      last ? JSON.stringify(last) : null,
      tail,
    );
    this.#users.set(state._id, user);
    this.#dropArrived();
    for (const trip of trips) this.#noteTrip(state, trip, update !== undefined);
    this.keepEvents(events);
  }

  /** Puts events into the outbox. */
  keepEvents(events: readonly TrackEvent[]): void {
    if (events.length === 0) return;
    const entry: Entry = { n: this.#nextEntry++, docs: events.map((event) => JSON.stringify(event)) };
    this.#sql.exec("INSERT INTO outbox VALUES (?, ?)", entry.n, `[${entry.docs.join()}]`);
    this.#outbox.push(entry);
  }

  #noteTrip({ _id, location, locationAccuracy, chronology }: UserState, trip: Trip, moved: boolean): void {
    const entry: TripEntry = { n: this.#nextTrip++, user: _id, doc: JSON.stringify(trip) };
    if (moved) entry.point = [chronology, location.latitude, location.longitude, locationAccuracy];
    const point = entry.point ? JSON.stringify(entry.point) : null;
    this.#sql.exec("INSERT INTO trip_outbox VALUES (?, ?, ?, ?)", entry.n, _id, entry.doc, point);
    this.#trips.push(entry);
  }

  /** What the database does not have yet, oldest events first; undefined when there is nothing. */
  unstored(scope: number, mostEntries: number): Unstored | undefined {
    const trips = this.#trips.slice(0, mostEntries);
    const due = [...this.#users.values()].filter(
      ({ version, stored, state }) => version > stored || trips.some(({ user }) => user === state._id),
    );
    const entries = this.#outbox.slice(0, mostEntries);
    if (due.length === 0 && entries.length === 0) return undefined;
    return {
      users: due.map(({ state, version, storedFences, doc, active }) => ({
        scope,
        id: state._id,
        cell: cellAt(state.location, USER_CELL_RESOLUTION),
        version,
        moved: state.geofences !== storedFences,
        doc,
        active,
        ...(trips.length > 0 && { trips: writesOf(trips.filter(({ user }) => user === state._id)) }),
      })),
      events: entries.flatMap(({ docs }) => docs.map((doc) => ({ scope, doc }))),
      confirm: {
        users: due.map((user) => ({
          user,
          version: user.version,
          fences: user.state.geofences,
          active: user.active,
        })),
        lastEntry: entries.at(-1)?.n ?? 0,
        lastTrip: trips.at(-1)?.n ?? 0,
      },
    };
  }

  /** Notes that what `unstored` returned has arrived. */
  confirm({ users, lastEntry, lastTrip }: Unstored["confirm"]): void {
    for (const { user, version, fences, active } of users) {
      const now = this.#users.get(user.state._id);
      if (!now) continue;
      now.stored = version;
      now.storedFences = fences;
      if (now.active === active) now.active = undefined;
    }
    if (lastTrip > 0) {
      // Trip rows are deleted at once: a trip that is sent again would be written again, point by point.
      this.#sql.exec("DELETE FROM trip_outbox WHERE n <= ?", lastTrip);
      this.#trips.splice(0, this.#trips.findLastIndex(({ n }) => n <= lastTrip) + 1);
    }
    if (lastEntry === 0) return;
    this.#arrived = lastEntry;
    this.#outbox = this.#outbox.filter(({ n }) => n > lastEntry);
  }

  /** Is there anything the database does not have? */
  hasUnstored(): boolean {
    if (this.#outbox.length > 0 || this.#trips.length > 0) return true;
    for (const { version, stored } of this.#users.values()) if (version > stored) return true;
    return false;
  }

  /** Notes on disk what has arrived: the device may not come back for a long time. */
  settle(): void {
    this.#dropArrived();
    for (const { state, stored } of this.#users.values()) {
      this.#sql.exec("UPDATE user SET stored = ? WHERE id = ? AND stored <> ?", stored, state._id, stored);
    }
  }

  #dropArrived(): void {
    if (this.#arrived === 0) return;
    this.#sql.exec("DELETE FROM outbox WHERE n <= ?", this.#arrived);
    this.#arrived = 0;
  }

  /** Forgets the updates of users that have been silent since before a time [ms]. */
  forgetUpdates(before: number): void {
    for (const id of this.#users.keys()) {
      if (this.history.forgetBefore(id, before)) this.#sql.exec("UPDATE user SET tail = '' WHERE id = ?", id);
    }
  }

  answerTo(key: string, now: number): string | undefined {
    if (!this.#answers) return undefined;
    const row = this.#sql
      .exec("SELECT doc FROM answer WHERE key = ? AND at > ?", key, now - KEY_LIFETIME_MS)
      .toArray()[0];
    return row?.doc as string | undefined;
  }

  keepAnswer(key: string, now: number, doc: string): void {
    this.#answers = true;
    this.#sql.exec("INSERT OR REPLACE INTO answer VALUES (?, ?, ?)", key, now, doc);
    this.#sql.exec(
      "DELETE FROM answer WHERE at <= ? OR key NOT IN (SELECT key FROM answer ORDER BY at DESC LIMIT ?)",
      now - KEY_LIFETIME_MS,
      MAX_KEYS,
    );
  }

  /** Removes a user and its waiting events. */
  remove(id: string): void {
    this.#users.delete(id);
    this.history.remove(id);
    this.#sql.exec("DELETE FROM user WHERE id = ?", id);
    this.#dropTrips(({ user }) => user === id);
    this.#sql.exec("DELETE FROM outbox WHERE doc->>'$[0].user._id' = ?", id);
    this.#sql.exec("DELETE FROM answer");
    this.#outbox = this.#readOutbox();
  }

  /** Forgets a trip that was deleted. */
  removeTrip(id: string): void {
    this.#dropTrips(({ doc }) => (JSON.parse(doc) as Trip)._id === id);
  }

  #dropTrips(goes: (entry: TripEntry) => boolean): void {
    for (let i = this.#trips.length - 1; i >= 0; i--) {
      if (!goes(this.#trips[i])) continue;
      this.#sql.exec("DELETE FROM trip_outbox WHERE n = ?", this.#trips[i].n);
      this.#trips.splice(i, 1);
    }
  }

  #readTrips(): TripEntry[] {
    const rows = this.#sql.exec("SELECT n, user, doc, point FROM trip_outbox ORDER BY n").toArray();
    return rows.map(({ n, user, doc, point }) => ({
      n: n as number,
      user: user as string,
      doc: doc as string,
      point: point === null ? undefined : (JSON.parse(point as string) as TripEntry["point"]),
    }));
  }

  /** The entries that have not arrived. */
  #readOutbox(): Entry[] {
    const rows = this.#sql.exec("SELECT n, doc FROM outbox WHERE n > ? ORDER BY n", this.#arrived).toArray();
    return rows.map((row) => ({
      n: row.n as number,
      docs: (JSON.parse(row.doc as string) as unknown[]).map((event) => JSON.stringify(event)),
    }));
  }
}

/** Merges entries: for each trip its last state and all its points. */
function writesOf(entries: readonly TripEntry[]): TripWrite[] {
  const trips = new Map<string, { doc: string; points: (readonly [number, number, number, number])[] }>();
  for (const { doc, point } of entries) {
    const { _id } = JSON.parse(doc) as Trip;
    const write = trips.get(_id) ?? { doc, points: [] };
    write.doc = doc;
    if (point) write.points.push(point);
    trips.set(_id, write);
  }
  return [...trips.values()];
}

/** The hour in which a user's last update arrived [hours since 1970]. */
function activeHour({ actualUpdatedAt, updatedAt }: UserState): number {
  return Math.floor((actualUpdatedAt ?? updatedAt) / HOUR_MS);
}
