import { utf8Length } from "../../../core/geo/bytes/utf8-length.ts";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import type { Sql } from "../fences/fence-store.ts";

/** The events of one update. */
export interface EventEntry {
  n: number;
  /** The _id of the user record whose row contains them; absent: they have their own row. */
  within?: string;
  docs: string[];
}

/**
 * Events with a total length above this are not stored in their user's row [characters], because it is written with
 * every update.
 */
const MAX_INLINE = 8_000;
/** What the row of an event takes in the database besides its text, with its indexes [bytes]. */
const EVENT_ROW_BYTES = 500;

/**
 * A tracker's events that are not yet in the database, update by update. They are stored in the row of their user,
 * which is written anyway, or, if too long for that, in a separate table.
 *
 * Arrivals are recorded immediately in memory, and on disk only with the next write.
 */
export class EventOutbox {
  readonly #sql: Sql;
  #entries: EventEntry[];
  #next: number;
  /** Range of the entries with their own rows; the last is 0 when there is none. */
  #firstRow = 0;
  #lastRow = 0;
  /** The last entry that was handed over, although it may not have arrived. */
  #lastHanded = 0;
  /** Total size of the events added since the object woke up [bytes]. */
  added = 0;

  /** @param enclosed the users whose rows contain events, and these events */
  constructor(sql: Sql, enclosed: readonly { id: string; outbox: string }[]) {
    this.#sql = sql;
    this.#entries = this.#read(enclosed);
    this.#next = (this.#entries.at(-1)?.n ?? 0) + 1;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** The oldest entries, up to `most`. */
  first(most: number): EventEntry[] {
    return this.#entries.slice(0, most);
  }

  /** The oldest entries that were not handed over yet, now marked as handed over. */
  handOver(most: number): EventEntry[] {
    const entries = this.#entries.filter(({ n }) => n > this.#lastHanded).slice(0, most);
    this.#lastHanded = Math.max(this.#lastHanded, entries.at(-1)?.n ?? 0);
    return entries;
  }

  /** Marks entries that were handed over but have not arrived for another handover. */
  takeBack(): void {
    this.#lastHanded = 0;
  }

  /** Does a user's row contain waiting events? */
  waitsIn(id: string): boolean {
    return this.#entries.some(({ within }) => within === id);
  }

  /**
   * Adds an update's events. Returns the part of the outbox for the user's row, which is written anyway. If that
   * becomes too long because the database can't be reached, it moves to a separate table.
   */
  enclose(id: string, events: readonly TrackEvent[]): string {
    const waiting = this.#entries.filter(({ within }) => within === id);
    if (events.length > 0) {
      const entry = { ...this.#entryOf(events), within: id };
      this.#entries.push(entry);
      waiting.push(entry);
    }
    if (waiting.length === 0) return "";
    const text = waiting.map(({ n, docs }) => `[${n},[${docs.join()}]]`).join();
    if (text.length <= MAX_INLINE) return text;
    for (const entry of waiting) {
      entry.within = undefined;
      this.#write(entry);
    }
    return "";
  }

  /** Adds events of a user without a state. */
  keep(events: readonly TrackEvent[]): void {
    if (events.length === 0) return;
    const entry = this.#entryOf(events);
    this.#write(entry);
    this.#entries.push(entry);
  }

  /** Removes the entries from `first` to `last`, which have arrived. Earlier ones may still wait: their handover failed. */
  confirm(first: number, last: number): void {
    if (last > 0) this.#entries = this.#entries.filter(({ n }) => n < first || n > last);
  }

  /**
   * Deletes rows of entries that have arrived with the next write. Entries in a user's row are replaced when that row
   * is written.
   */
  dropArrived(): void {
    const arrived = (this.#entries.find(({ within }) => within === undefined)?.n ?? this.#next) - 1;
    if (this.#lastRow === 0 || arrived < this.#firstRow) return;
    this.#sql.exec("DELETE FROM outbox WHERE n <= ?", arrived);
    if (arrived >= this.#lastRow) this.#lastRow = 0;
    this.#firstRow = arrived + 1;
  }

  /** Removes one event. */
  remove(id: string): void {
    for (const entry of this.#entries) {
      const docs = entry.docs.filter((doc) => (JSON.parse(doc) as TrackEvent)._id !== id);
      if (docs.length === entry.docs.length) continue;
      entry.docs = docs;
      if (entry.within !== undefined) continue;
      if (docs.length > 0) this.#write(entry);
      else this.#sql.exec("DELETE FROM outbox WHERE n = ?", entry.n);
    }
    this.#entries = this.#entries.filter(({ docs }) => docs.length > 0);
  }

  removeUser(id: string): void {
    this.#sql.exec("DELETE FROM outbox WHERE doc->>'$[0].user._id' = ?", id);
    this.#entries = this.#entries.filter(({ docs }) => (JSON.parse(docs[0]) as TrackEvent).user._id !== id);
  }

  #entryOf(events: readonly TrackEvent[]): EventEntry {
    const docs = events.map((event) => JSON.stringify(event));
    for (const doc of docs) this.added += EVENT_ROW_BYTES + utf8Length(doc);
    return { n: this.#next++, docs };
  }

  #write({ n, docs }: EventEntry): void {
    this.#sql.exec("INSERT OR REPLACE INTO outbox VALUES (?, ?)", n, `[${docs.join()}]`);
    this.#lastRow = Math.max(this.#lastRow, n);
  }

  /** The entries on disk, in order; some may have arrived. */
  #read(enclosed: readonly { id: string; outbox: string }[]): EventEntry[] {
    const docsOf = (events: readonly unknown[]) => events.map((event) => JSON.stringify(event));
    const rows = this.#sql.exec("SELECT n, doc FROM outbox ORDER BY n").toArray();
    const entries = rows.map(({ n, doc }): EventEntry => {
      return { n: n as number, docs: docsOf(JSON.parse(doc as string) as unknown[]) };
    });
    this.#lastRow = entries.at(-1)?.n ?? 0;
    for (const { id, outbox } of enclosed) {
      for (const [n, events] of JSON.parse(`[${outbox}]`) as [number, unknown[]][])
        entries.push({ n, within: id, docs: docsOf(events) });
    }
    return entries.sort((a, b) => a.n - b.n);
  }
}
