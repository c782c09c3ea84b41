import type { UserState } from "../../../core/tracking/types/state.ts";
import type { Trip } from "../../../core/tracking/types/trip.ts";
import type { TripWrite } from "../../db/customers/writes.ts";
import type { Sql } from "../fences/fence-store.ts";

/** The user's location when a trip changed: time [ms], latitude, longitude [°], accuracy [m]. */
type TripPoint = readonly [number, number, number, number];

/** A trip after one update. */
export interface TripEntry {
  n: number;
  /** The _id of the user record. */
  user: string;
  doc: string;
  point?: TripPoint;
}

/** Trips that a tracker has changed and that are not in the database yet, each in its own row. */
export class TripOutbox {
  readonly #sql: Sql;
  readonly #entries: TripEntry[];
  #next: number;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#entries = sql
      .exec("SELECT n, user, doc, point FROM trip_outbox ORDER BY n")
      .toArray()
      .map(({ n, user, doc, point }) => ({
        n: n as number,
        user: user as string,
        doc: doc as string,
        point: point === null ? undefined : (JSON.parse(point as string) as TripPoint),
      }));
    this.#next = (this.#entries.at(-1)?.n ?? 0) + 1;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** The oldest entries, up to `most`. */
  first(most: number): TripEntry[] {
    return this.#entries.slice(0, most);
  }

  /** @param moved whether the user's current location is a new point of the trip */
  add({ _id, location, locationAccuracy, chronology }: UserState, trip: Trip, moved: boolean): void {
    const entry: TripEntry = { n: this.#next++, user: _id, doc: JSON.stringify(trip) };
    if (moved) entry.point = [chronology, location.latitude, location.longitude, locationAccuracy];
    const point = entry.point ? JSON.stringify(entry.point) : null;
    this.#sql.exec("INSERT INTO trip_outbox VALUES (?, ?, ?, ?)", entry.n, _id, entry.doc, point);
    this.#entries.push(entry);
  }

  /**
   * Deletes entries that have arrived immediately: a trip that is sent again would be written again, point by point.
   */
  confirm(last: number): void {
    if (last === 0) return;
    this.#sql.exec("DELETE FROM trip_outbox WHERE n <= ?", last);
    this.#entries.splice(0, this.#entries.findLastIndex(({ n }) => n <= last) + 1);
  }

  removeUser(id: string): void {
    this.#drop(({ user }) => user === id);
  }

  /** Deletes a trip. */
  removeTrip(id: string): void {
    this.#drop(({ doc }) => (JSON.parse(doc) as Trip)._id === id);
  }

  #drop(goes: (entry: TripEntry) => boolean): void {
    for (let i = this.#entries.length - 1; i >= 0; i--) {
      if (!goes(this.#entries[i])) continue;
      this.#sql.exec("DELETE FROM trip_outbox WHERE n = ?", this.#entries[i].n);
      this.#entries.splice(i, 1);
    }
  }
}

/** Merges entries: for each trip its last state and all its points. */
export function tripWrites(entries: readonly TripEntry[]): TripWrite[] {
  const trips = new Map<string, { doc: string; points: TripPoint[] }>();
  for (const { doc, point } of entries) {
    const { _id } = JSON.parse(doc) as Trip;
    const write = trips.get(_id) ?? { doc, points: [] };
    write.doc = doc;
    if (point) write.points.push(point);
    trips.set(_id, write);
  }
  return [...trips.values()];
}
