import type { EventWrite, TripWrite, UserWrite } from "../db/writes.ts";
import type { Applied } from "../tracking/history/entry.ts";
import type { TrackEvent } from "../tracking/types/event.ts";
import type { LastUpdate, UserState } from "../tracking/types/state.ts";
import type { Trip } from "../tracking/types/trip.ts";
import type { Sql } from "./fence-store.ts";
import { openTrackerTables } from "./tracker-tables.ts";
import { UpdateHistory } from "./update-history.ts";
import { areasAt, besideRow, type UserAreas } from "./user-areas.ts";

/** How long Idempotency-Keys are remembered, and how many per device. */
const KEY_LIFETIME_MS = 24 * 3600 * 1000;
const MAX_KEYS = 50;

const HOUR_MS = 3600_000;

/** The events of one update. */
interface Entry {
  n: number;
  /** The _id of the user record in whose row they stand; absent: they have a row of their own. */
  within?: string;
  docs: string[];
}

/** Events longer than this together do not stand in their user's row [characters]: it is written with every update. */
const LONGEST_INLINE = 8_000;

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
  /** Number of its row. */
  row: number;
  areas: UserAreas;
  /** What the database is to keep of it beside its row (user-areas.ts), and the version since which it is that. */
  beside: string;
  since: number;
  version: number;
  /** The latest version known to be in the database, and the latest that was handed over to get there. */
  stored: number;
  handed: number;
  /** JSON of the state without `last`. */
  doc: string;
  /** The hour of its last update, until the database has surely counted it. */
  active: number | undefined;
  /** Its row holds events, which may have arrived by now. */
  encloses: boolean;
  /** `stored`, as its row tells it. */
  noted: number;
}

/** What a drain sends. When it has arrived, `confirm` is passed to `TrackerStore.confirm`. */
export interface Unstored {
  users: UserWrite[];
  events: EventWrite[];
  confirm: {
    users: { id: string; version: number; active: number | undefined }[];
    lastEntry: number;
    lastTrip: number;
  };
}

/**
 * What one device's tracker keeps, in SQLite: its users (one per userId it has been seen with), the events that are not
 * yet in the database, and the answers to recent Idempotency-Keys. An update writes one row: its state, with its history
 * and the events that wait.
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
  /** The number for the next row of a user. */
  #nextRow: number;
  /** Numbers between which the entries with rows of their own lie; the last is 0 when there is none. */
  #firstRow = 0;
  #lastRow = 0;
  #answers: boolean;
  /** The last entry that was handed over, though it may not have arrived. */
  #lastHanded = 0;

  constructor(sql: Sql) {
    this.#sql = sql;
    openTrackerTables(sql);
    this.history = new UpdateHistory(sql);
    for (const row of sql.exec("SELECT * FROM state ORDER BY n").toArray()) {
      const { n, id, version, stored, doc, last, tail, cell, outbox } = row as unknown as StateRow;
      this.history.load(id, tail);
      const state = JSON.parse(doc) as UserState;
      if (last !== null) state.last = JSON.parse(last) as LastUpdate;
      const active = version > stored ? activeHour(state) : undefined;
      const { cells, since = version } = readPlaced(cell);
      const areas = areasAt(cells, state.location);
      const beside = besideRow(areas, state);
      this.#users.set(id, {
        ...{ state, row: n, version, stored, handed: stored, doc, active, areas, beside, since },
        ...{ encloses: outbox !== "", noted: stored },
      });
    }
    this.#outbox = this.#readOutbox();
    this.#trips = this.#readTrips();
    this.#nextTrip = (this.#trips.at(-1)?.n ?? 0) + 1;
    this.#nextEntry = (this.#outbox.at(-1)?.n ?? 0) + 1;
    this.#nextRow = Math.max(0, ...[...this.#users.values()].map(({ row }) => row)) + 1;
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
    const row = known?.row ?? this.#nextRow++;
    const version = (known?.version ?? 0) + 1;
    const areas = areasAt(known?.areas, state.location);
    const beside = besideRow(areas, state);
    const within = this.#enclose(state._id, events);
    const user: User = {
      ...{ state, row, doc: JSON.stringify(shown), version, stored: known?.stored ?? 0 },
      handed: known?.handed ?? 0,
      ...{ areas, beside, since: known?.beside === beside ? known.since : version },
      active: known && activeHour(known.state) === activeHour(state) ? known.active : activeHour(state),
      ...{ encloses: within !== "", noted: known?.stored ?? 0 },
    };
    this.#users.set(state._id, user);
    this.#sql.exec(
      "INSERT OR REPLACE INTO state VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      ...[
        row,
        state._id,
        user.version,
        user.stored,
        JSON.stringify({ cells: areas.cells, since: user.since } satisfies Placed),
      ],
      ...[user.doc, last ? JSON.stringify(last) : null, tail, within],
    );
    this.#dropArrived();
    for (const trip of trips) this.#noteTrip(state, trip, update !== undefined);
  }

  /**
   * Adds an update's events to the outbox; returns what of it stands in the user's row, which is written anyway. What has
   * become too long there, because the database cannot be reached, moves to a table of its own.
   */
  #enclose(id: string, events: readonly TrackEvent[]): string {
    const waiting = this.#outbox.filter(({ within }) => within === id);
    if (events.length > 0) {
      const entry = { n: this.#nextEntry++, within: id, docs: events.map((event) => JSON.stringify(event)) };
      this.#outbox.push(entry);
      waiting.push(entry);
    }
    if (waiting.length === 0) return "";
    const text = waiting.map(({ n, docs }) => `[${n},[${docs.join()}]]`).join();
    if (text.length <= LONGEST_INLINE) return text;
    for (const entry of waiting) {
      entry.within = undefined;
      this.#write(entry);
    }
    return "";
  }

  /** Puts events of a user who has no state yet into the outbox. */
  keepEvents(events: readonly TrackEvent[]): void {
    if (events.length === 0) return;
    const entry: Entry = { n: this.#nextEntry++, docs: events.map((event) => JSON.stringify(event)) };
    this.#write(entry);
    this.#outbox.push(entry);
  }

  #write({ n, docs }: Entry): void {
    this.#sql.exec("INSERT OR REPLACE INTO outbox VALUES (?, ?)", n, `[${docs.join()}]`);
    this.#lastRow = n;
  }

  #noteTrip({ _id, location, locationAccuracy, chronology }: UserState, trip: Trip, moved: boolean): void {
    const entry: TripEntry = { n: this.#nextTrip++, user: _id, doc: JSON.stringify(trip) };
    if (moved) entry.point = [chronology, location.latitude, location.longitude, locationAccuracy];
    const point = entry.point ? JSON.stringify(entry.point) : null;
    this.#sql.exec("INSERT INTO trip_outbox VALUES (?, ?, ?, ?)", entry.n, _id, entry.doc, point);
    this.#trips.push(entry);
  }

  /** What was not handed over yet, noted as handed over; undefined when there is nothing, or a trip among it. */
  handOver(scope: number, mostEntries: number): Unstored | undefined {
    if (this.#trips.length > 0) return undefined;
    const entries = this.#outbox.filter(({ n }) => n > this.#lastHanded).slice(0, mostEntries);
    const due = this.#unstored(scope, [...this.#users.values()].filter(isNotHanded), entries, []);
    for (const user of this.#users.values()) user.handed = user.version;
    this.#lastHanded = Math.max(this.#lastHanded, entries.at(-1)?.n ?? 0);
    return due;
  }

  /** What was handed over and has not arrived is to be handed over again. */
  takeBack(): void {
    for (const user of this.#users.values()) user.handed = user.stored;
    this.#lastHanded = 0;
  }

  /** What the database does not have yet, oldest events first; undefined when there is nothing. */
  unstored(scope: number, mostEntries: number): Unstored | undefined {
    const trips = this.#trips.slice(0, mostEntries);
    const due = [...this.#users.values()].filter(
      ({ version, stored, state }) => version > stored || trips.some(({ user }) => user === state._id),
    );
    return this.#unstored(scope, due, this.#outbox.slice(0, mostEntries), trips);
  }

  #unstored(
    scope: number,
    due: readonly User[],
    entries: readonly Entry[],
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
        ...(trips.length > 0 && { trips: writesOf(trips.filter(({ user }) => user === state._id)) }),
      })),
      events: entries.flatMap(({ docs }) => docs.map((doc) => ({ scope, doc }))),
      confirm: {
        users: due.map(({ state, version, active }) => ({ id: state._id, version, active })),
        lastEntry: entries.at(-1)?.n ?? 0,
        lastTrip: trips.at(-1)?.n ?? 0,
      },
    };
  }

  /** Notes that what `unstored` returned has arrived. */
  confirm({ users, lastEntry, lastTrip }: Unstored["confirm"]): void {
    for (const { id, version, active } of users) {
      const now = this.#users.get(id);
      if (!now) continue;
      now.stored = Math.max(now.stored, version);
      now.handed = Math.max(now.handed, version);
      if (now.active === active) now.active = undefined;
    }
    if (lastTrip > 0) {
      // Trip rows are deleted at once: a trip that is sent again would be written again, point by point.
      this.#sql.exec("DELETE FROM trip_outbox WHERE n <= ?", lastTrip);
      this.#trips.splice(0, this.#trips.findLastIndex(({ n }) => n <= lastTrip) + 1);
    }
    if (lastEntry > 0) this.#outbox = this.#outbox.filter(({ n }) => n > lastEntry);
  }

  /**
   * Notes in the rows which events have arrived, and that the database knows a user. With the next update that would come by itself, if
   * it came before the object is forgotten; else the events would be sent again with it, and with each one after it.
   */
  noteArrived(): void {
    for (const user of this.#users.values()) {
      const { state, row, stored, encloses, noted } = user;
      if (!encloses && (noted > 0 || stored === 0)) continue;
      if (this.#outbox.some(({ within }) => within === state._id)) continue;
      this.#sql.exec("UPDATE state SET stored = ?, outbox = '' WHERE n = ?", stored, row);
      Object.assign(user, { encloses: false, noted: stored } satisfies Partial<User>);
    }
    this.#dropArrived();
  }

  /** Is there anything the database does not have? */
  hasUnstored(): boolean {
    if (this.#outbox.length > 0 || this.#trips.length > 0) return true;
    for (const { version, stored } of this.#users.values()) if (version > stored) return true;
    return false;
  }

  /**
   * Is there anything that somebody waits for: events, a trip, or a user that the database does not know yet, as far as its row
   * here tells? The position of one whom it knows goes with the next one, too.
   */
  hasUrgent(): boolean {
    if (this.#outbox.length > 0 || this.#trips.length > 0) return true;
    for (const { noted } of this.#users.values()) if (noted === 0) return true;
    return false;
  }

  /** Rows of entries that have arrived go with the next write; what stood in a user's row went with that. */
  #dropArrived(): void {
    const arrived = (this.#outbox.find(({ within }) => within === undefined)?.n ?? this.#nextEntry) - 1;
    if (this.#lastRow === 0 || arrived < this.#firstRow) return;
    this.#sql.exec("DELETE FROM outbox WHERE n <= ?", arrived);
    if (arrived >= this.#lastRow) this.#lastRow = 0;
    this.#firstRow = arrived + 1;
  }

  /** Forgets the updates of users that have been silent since before a time [ms]. */
  forgetUpdates(before: number): void {
    for (const id of this.#users.keys()) {
      if (this.history.forgetBefore(id, before)) this.#sql.exec("UPDATE state SET tail = '' WHERE id = ?", id);
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
    this.#sql.exec("DELETE FROM state WHERE id = ?", id);
    this.#dropTrips(({ user }) => user === id);
    this.#sql.exec("DELETE FROM outbox WHERE doc->>'$[0].user._id' = ?", id);
    this.#sql.exec("DELETE FROM answer");
    this.#outbox = this.#outbox.filter(({ docs }) => (JSON.parse(docs[0]) as TrackEvent).user._id !== id);
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

  /** The entries on disk, in their order; some may have arrived. */
  #readOutbox(): Entry[] {
    const docsOf = (events: readonly unknown[]) => events.map((event) => JSON.stringify(event));
    const rows = this.#sql.exec("SELECT n, doc FROM outbox ORDER BY n").toArray();
    const entries = rows.map(({ n, doc }): Entry => {
      return { n: n as number, docs: docsOf(JSON.parse(doc as string) as unknown[]) };
    });
    this.#lastRow = entries.at(-1)?.n ?? 0;
    for (const { id, outbox } of this.#sql.exec("SELECT id, outbox FROM state WHERE outbox <> ''").toArray()) {
      for (const [n, events] of JSON.parse(`[${outbox}]`) as [number, unknown[]][])
        entries.push({ n, within: id as string, docs: docsOf(events) });
    }
    return entries.sort((a, b) => a.n - b.n);
  }
}

const isNotHanded = ({ version, handed }: User) => version > handed;

/** Is it nothing but where known users are? Then nobody waits until the database has it. */
export function isOnlyWhereabouts({ users, events }: Unstored): boolean {
  return events.length === 0 && users.every(({ version, trips }) => version > 1 && trips === undefined);
}

/** A user, as a row holds it. */
interface StateRow {
  n: number;
  id: string;
  version: number;
  stored: number;
  /** JSON Placed; of earlier releases a cell, or nothing. */
  cell: string | number | null;
  doc: string;
  last: string | null;
  tail: string;
  outbox: string;
}

/** Where a user is found, and the version since which nothing changes beside its row. */
interface Placed {
  cells?: readonly number[];
  since?: number;
}

function readPlaced(cell: StateRow["cell"]): Placed {
  if (typeof cell === "string") return JSON.parse(cell) as Placed;
  return { cells: cell === null ? undefined : [cell] };
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
