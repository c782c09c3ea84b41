import type { Applied } from "../../../core/tracking/history/entry.ts";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import type { LastUpdate, UserState } from "../../../core/tracking/types/state.ts";
import type { Trip } from "../../../core/tracking/types/trip.ts";
import type { LocationUpdate } from "../../../core/tracking/types/update.ts";
import type { EventWrite, UserWrite } from "../../db/customers/writes.ts";
import type { Sql } from "../fences/fence-store.ts";
import { type EventEntry, EventOutbox } from "./event-outbox.ts";
import { StoredPages } from "./history/stored-pages.ts";
import { UpdateHistory } from "./history/update-history.ts";
import { openTrackerTables, type Placed, readPlaced, type StateRow, type TrackerTables } from "./tracker-tables.ts";
import { type TripEntry, TripOutbox, tripWrites } from "./trip-outbox.ts";
import { areasAt, outsideRow, type UserAreas } from "./user-areas.ts";

/** How long Idempotency-Keys are kept, and how many per device. */
const KEY_LIFETIME_MS = 24 * 3600 * 1000;
const MAX_KEYS = 50;

const HOUR_MS = 3600_000;
/** Entries of the history up to this length are those of positions, which are not limited [characters]. */
export const PLAIN_ENTRY = 1_000;

interface User {
  state: UserState;
  /** Number of its row in SQLite. */
  row: number;
  areas: UserAreas;
  /** Data that the database stores outside the user's row (user-areas.ts), and the version in which it last changed. */
  outside: string;
  since: number;
  version: number;
  /** The latest version known to be in the database, and the latest one handed over. */
  stored: number;
  handed: number;
  /** JSON of the state without `last`. */
  doc: string;
  /** The hour of its last update, until the database has certainly counted it. */
  active: number | undefined;
  /** Its row contains events, which may have arrived by now. */
  encloses: boolean;
  /** `stored`, as written in its row. */
  noted: number;
}

/** Data that a drain sends. When it has arrived, pass `confirm` to `TrackerStore.confirm`. */
export interface Unstored {
  users: UserWrite[];
  events: EventWrite[];
  confirm: {
    users: { id: string; version: number; active: number | undefined }[];
    firstEntry: number;
    lastEntry: number;
    lastTrip: number;
  };
}

/**
 * The SQLite store of one device's tracker: its users (one per userId it has been seen with), the events that are not
 * yet in the database, and the responses to recent Idempotency-Keys. An update writes one row: its state, with its
 * history and waiting events.
 *
 * Arrivals are recorded immediately in memory, and on disk only with the next write. If a restart loses the record, the
 * data is sent again, which is harmless.
 */
export class TrackerStore {
  readonly #sql: Sql;
  readonly #tables: TrackerTables;
  readonly history: UpdateHistory;
  readonly #users = new Map<string, User>();
  readonly #events: EventOutbox;
  readonly #trips: TripOutbox;
  /** Number of the next user row. */
  #nextRow: number;
  #hasAnswers: boolean;
  /** The epoch at which the neighborhood on disk was last found unchanged (device-fences.ts); written with each state. */
  fenceEpoch: number | undefined;
  constructor(sql: Sql) {
    this.#sql = sql;
    this.#tables = openTrackerTables(sql);
    this.history = new UpdateHistory(new StoredPages(this.#tables.past, this.#tables.page));
    const enclosed: { id: string; outbox: string }[] = [];
    for (const row of sql.exec("SELECT * FROM state ORDER BY n").toArray()) {
      const { n, id, version, stored, doc, last, tail, cell, outbox } = row as StateRow;
      this.history.load({ user: id, row: n }, tail);
      if (outbox !== "") enclosed.push({ id, outbox });
      const state = JSON.parse(doc) as UserState;
      if (last !== null) state.last = JSON.parse(last) as LastUpdate;
      const active = version > stored ? activeHour(state) : undefined;
      const { cells, since = version, fences } = readPlaced(cell);
      if (fences !== undefined) this.fenceEpoch = Math.max(fences, this.fenceEpoch ?? 0);
      const areas = areasAt(cells, state.location);
      const outside = outsideRow(areas, state);
      this.#users.set(id, {
        state,
        row: n,
        version,
        stored,
        handed: stored,
        doc,
        active,
        areas,
        outside,
        since,
        encloses: outbox !== "",
        noted: stored,
      });
    }
    this.#events = new EventOutbox(this.#tables.outbox, enclosed);
    this.#trips = new TripOutbox(this.#tables.trip_outbox);
    this.#nextRow = Math.max(0, ...[...this.#users.values()].map(({ row }) => row)) + 1;
    this.#hasAnswers = this.#tables.answer.exec("SELECT 1 FROM answer LIMIT 1").toArray().length > 0;
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

  /** The record of an update. One buffered before its user had a userId belongs to the record that has it now. */
  recordOf({ userId, replayed, updatedAt }: LocationUpdate): UserState | undefined {
    const found = this.find(userId);
    if (found || userId !== undefined || !replayed || updatedAt === undefined) return found;
    const named = this.states().filter(({ namedAt = 0 }) => updatedAt <= namedAt);
    return named.sort((a, b) => (a.namedAt ?? 0) - (b.namedAt ?? 0))[0];
  }

  /** The record with this _id. */
  byId(id: string): UserState | undefined {
    return this.#users.get(id)?.state;
  }

  states(): UserState[] {
    return [...this.#users.values()].map(({ state }) => state);
  }

  /** Takes users over as the database has them, into a store that is empty. */
  static fill(sql: Sql, users: readonly { version: number; doc: string }[]): void {
    openTrackerTables(sql);
    for (const [row, { version, doc }] of users.entries()) {
      const { last, ...shown } = JSON.parse(doc) as UserState;
      const texts = [JSON.stringify(shown), last ? JSON.stringify(last) : null, "", ""];
      sql.exec(
        "INSERT INTO state VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        row + 1,
        shown._id,
        version,
        version,
        "{}",
        ...texts,
      );
    }
  }

  /** Does the database have any version of this user? */
  isStored(id: string): boolean {
    return (this.#users.get(id)?.stored ?? 0) > 0;
  }

  isEmpty(): boolean {
    return this.#users.size === 0;
  }

  /**
   * Writes a state, its new events and changed trips. Returns what this adds to what is stored [bytes].
   * @param update the update that changed the state, and how many days updates are kept; absent = an API call. With an
   * update, the user's location is a new point of these trips
   */
  save(
    state: UserState,
    events: readonly TrackEvent[],
    trips: readonly Trip[] = [],
    update?: { applied: Applied; days: number },
  ): number {
    const known = this.#users.get(state._id);
    const addedBefore = this.#events.added;
    const row = known?.row ?? this.#nextRow++;
    const tail = update
      ? this.history.note(row, update.applied, update.days)
      : known
        ? this.history.noteChange(known.state, state)
        : "";
    const { last, ...shown } = state;
    const version = (known?.version ?? 0) + 1;
    const areas = areasAt(known?.areas, state.location);
    const outside = outsideRow(areas, state);
    const within = this.#events.enclose(state._id, events);
    const user: User = {
      state,
      row,
      doc: JSON.stringify(shown),
      version,
      stored: known?.stored ?? 0,
      handed: known?.handed ?? 0,
      areas,
      outside,
      since: known?.outside === outside ? known.since : version,
      active: known && activeHour(known.state) === activeHour(state) ? known.active : activeHour(state),
      encloses: within !== "",
      noted: known?.stored ?? 0,
    };
    this.#users.set(state._id, user);
    this.#sql.exec(
      "INSERT OR REPLACE INTO state VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      ...[
        row,
        state._id,
        user.version,
        user.stored,
        JSON.stringify({ cells: areas.cells, since: user.since, fences: this.fenceEpoch } satisfies Placed),
      ],
      ...[user.doc, last ? JSON.stringify(last) : null, tail, within],
    );
    this.#events.dropArrived();
    for (const trip of trips) this.#trips.add(state, trip, update !== undefined);
    const longer = Math.max(0, user.doc.length - (known?.doc.length ?? 0));
    const entry = update ? Math.max(0, this.history.newest - PLAIN_ENTRY) : 0;
    return this.#events.added - addedBefore + longer + entry;
  }

  /** Adds events of a user without a state to the outbox. Returns their size [bytes]. */
  keepEvents(events: readonly TrackEvent[]): number {
    const before = this.#events.added;
    this.#events.keep(events);
    return this.#events.added - before;
  }

  /** The data not handed over yet, now marked as handed over; undefined if there is none, or if it includes a trip. */
  handOver(scope: number, mostEntries: number): Unstored | undefined {
    if (!this.#trips.isEmpty) return undefined;
    const entries = this.#events.handOver(mostEntries);
    const due = this.#unstored(scope, [...this.#users.values()].filter(isNotHanded), entries, []);
    for (const user of this.#users.values()) user.handed = user.version;
    return due;
  }

  /** Marks data that was handed over but has not arrived for another handover. */
  takeBack(): void {
    for (const user of this.#users.values()) user.handed = user.stored;
    this.#events.takeBack();
  }

  /** The data missing in the database, oldest events first; undefined if there is none. */
  unstored(scope: number, mostEntries: number): Unstored | undefined {
    const trips = this.#trips.first(mostEntries);
    const due = [...this.#users.values()].filter(
      ({ version, stored, state }) => version > stored || trips.some(({ user }) => user === state._id),
    );
    return this.#unstored(scope, due, this.#events.first(mostEntries), trips);
  }

  #unstored(
    scope: number,
    due: readonly User[],
    entries: readonly EventEntry[],
    trips: readonly TripEntry[],
  ): Unstored | undefined {
    if (due.length === 0 && entries.length === 0) return undefined;
    return {
      users: due.map(({ state, areas: { cells }, since, version, doc, active }) => ({
        scope,
        id: state._id,
        cell: cells[0],
        areas: cells,
        version,
        since,
        doc,
        active,
        ...(state.computed && { segments: true as const }),
        ...(trips.length > 0 && { trips: tripWrites(trips.filter(({ user }) => user === state._id)) }),
      })),
      events: entries.flatMap(({ docs }) => docs.map((doc) => ({ scope, doc }))),
      confirm: {
        users: due.map(({ state, version, active }) => ({ id: state._id, version, active })),
        firstEntry: entries[0]?.n ?? 0,
        lastEntry: entries.at(-1)?.n ?? 0,
        lastTrip: trips.at(-1)?.n ?? 0,
      },
    };
  }

  /** Records that the data returned by `unstored` has arrived. */
  confirm({ users, firstEntry, lastEntry, lastTrip }: Unstored["confirm"]): void {
    for (const { id, version, active } of users) {
      const now = this.#users.get(id);
      if (!now) continue;
      now.stored = Math.max(now.stored, version);
      now.handed = Math.max(now.handed, version);
      if (now.active === active) now.active = undefined;
    }
    this.#trips.confirm(lastTrip);
    this.#events.confirm(firstEntry, lastEntry);
  }

  /**
   * Records in the rows which events have arrived, and that the database has the user. The next update would do that
   * automatically if it came before the object is evicted; otherwise the events would be sent again with it, and with
   * each later update.
   */
  noteArrived(): void {
    for (const user of this.#users.values()) {
      const { state, row, stored, encloses, noted } = user;
      if (!encloses && (noted > 0 || stored === 0)) continue;
      if (this.#events.waitsIn(state._id)) continue;
      this.#sql.exec("UPDATE state SET stored = ?, outbox = '' WHERE n = ?", stored, row);
      Object.assign(user, { encloses: false, noted: stored } satisfies Partial<User>);
    }
    this.#events.dropArrived();
  }

  /** Is any data missing in the database? */
  hasUnstored(): boolean {
    if (!this.#events.isEmpty || !this.#trips.isEmpty) return true;
    for (const { version, stored } of this.#users.values()) if (version > stored) return true;
    return false;
  }

  /**
   * Is there urgent data: events, a trip, or a user missing in the database, as far as its row shows? The position of a
   * known user can wait for the next one.
   */
  hasUrgent(): boolean {
    if (!this.#events.isEmpty || !this.#trips.isEmpty) return true;
    for (const { noted } of this.#users.values()) if (noted === 0) return true;
    return false;
  }

  /** Deletes the updates of users that have been silent since before a time [ms]. */
  forgetUpdates(before: number): void {
    for (const id of this.#users.keys()) {
      if (this.history.forgetBefore(id, before)) this.#sql.exec("UPDATE state SET tail = '' WHERE id = ?", id);
    }
  }

  answerTo(key: string, now: number): string | undefined {
    if (!this.#hasAnswers) return undefined;
    const row = this.#tables.answer
      .exec("SELECT doc FROM answer WHERE key = ? AND at > ?", key, now - KEY_LIFETIME_MS)
      .toArray()[0];
    return row?.doc as string | undefined;
  }

  keepAnswer(key: string, now: number, doc: string): void {
    this.#hasAnswers = true;
    this.#tables.answer.exec("INSERT OR REPLACE INTO answer VALUES (?, ?, ?)", key, now, doc);
    this.#tables.answer.exec(
      "DELETE FROM answer WHERE at <= ? OR key NOT IN (SELECT key FROM answer ORDER BY at DESC LIMIT ?)",
      now - KEY_LIFETIME_MS,
      MAX_KEYS,
    );
  }

  /** Deletes a user and its waiting events. */
  remove(id: string): void {
    this.#users.delete(id);
    this.history.remove(id);
    this.#sql.exec("DELETE FROM state WHERE id = ?", id);
    this.#trips.removeUser(id);
    this.#events.removeUser(id);
    this.#tables.answer.exec("DELETE FROM answer");
  }

  /** Deletes an event from the outbox, on disk also if it has arrived. */
  forgetEvent(id: string): void {
    this.#events.remove(id);
    for (const user of this.#users.values()) {
      if (!user.encloses || !id.startsWith(user.state._id)) continue;
      const within = this.#events.enclose(user.state._id, []);
      this.#sql.exec("UPDATE state SET outbox = ? WHERE n = ?", within, user.row);
      user.encloses = within !== "";
    }
    this.#events.dropArrived();
  }

  /** Deletes a trip. */
  removeTrip(id: string): void {
    this.#trips.removeTrip(id);
  }
}

const isNotHanded = ({ version, handed }: User) => version > handed;

/** Does it contain only positions of known users? Then no caller waits for the database. */
export function isOnlyWhereabouts({ users, events }: Unstored): boolean {
  return events.length === 0 && users.every(({ version, trips }) => version > 1 && trips === undefined);
}

/** The hour in which a user's last update arrived [hours since 1970]. */
function activeHour({ actualUpdatedAt, updatedAt }: UserState): number {
  return Math.floor((actualUpdatedAt ?? updatedAt) / HOUR_MS);
}
