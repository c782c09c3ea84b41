import { type EventRow, newestFirst } from "../../../core/archive/event-row.ts";
import { allMatch, matches, mayMatch, type Place, type RowFilter } from "../../../core/archive/filter.ts";
import type { Order } from "../../../core/archive/orders.ts";
import type { PlacedGroup } from "../../../core/archive/part.ts";
import { openChanges } from "./archive-changes.ts";
import { AT_ONCE, type EventStore, fetchGroups, type UnreadableGroup } from "./archive-groups.ts";
import { type ListedPart, listByUsers, listParts } from "./archive-parts.ts";

/**
 * Initial number of parts per query; doubles each time they were too few. By type, a part with its directory is about 3
 * KB, by user one or two groups.
 */
const FIRST_PARTS = { types: 8, users: 64 };
const MAX_PARTS = { types: 64, users: 256 };
/** Groups opened before checking whether more are needed; doubles each time. */
const MAX_OPENED = 4 * AT_ONCE;

/** A scope's archived events, newest first, from a place on. */
export class ArchiveReader {
  readonly #store: EventStore;
  readonly #scope: number;
  readonly #filter: RowFilter;
  readonly #skip: ((error: UnreadableGroup) => void) | undefined;

  constructor(store: EventStore, scope: number, filter: RowFilter, skip?: (error: UnreadableGroup) => void) {
    this.#store = store;
    this.#scope = scope;
    this.#filter = filter;
    this.#skip = skip;
  }

  /** The next events after a place, at most `limit`; fewer = these were the last. */
  async behind(after: Place | undefined, limit: number): Promise<EventRow[]> {
    const now = await openChanges(this.#store.DB, this.#scope);
    const parts = new PartList(this.#store.DB, this.#scope, this.#filter, after);
    let atOnce = AT_ONCE;
    const shown: EventRow[] = [];
    let found: EventRow[] = [];
    let closed: PlacedGroup[] = [];
    for (;;) {
      // Events newer than every unread group come next.
      const horizon = Math.max(closed[0]?.to ?? -1, parts.to);
      let ready = found.findIndex(({ time }) => time <= horizon);
      if (ready < 0) ready = found.length;
      for (const row of found.splice(0, ready)) {
        // An event that arrived twice may have been archived twice.
        if (row.id !== shown[shown.length - 1]?.id) shown.push(row);
      }
      if (shown.length >= limit) return shown.slice(0, limit);
      if (closed.length === 0 || closed[0].to <= parts.to) {
        if (parts.isEnded && closed.length === 0) return shown;
        if (!parts.isEnded) {
          const more = (await parts.next()).flatMap(({ groups }) => groups);
          closed = [...closed, ...more.filter((group) => mayMatch(group, this.#filter, after))];
          closed.sort((a, b) => b.to - a.to);
          continue;
        }
      }
      // A part that is rewritten meanwhile may be listed twice: events already returned are not found again.
      const opened = await this.#open(closed.splice(0, atOnce), shown[shown.length - 1] ?? after, now);
      atOnce = Math.min(2 * atOnce, MAX_OPENED);
      found = [...found, ...opened].sort(newestFirst);
    }
  }

  /** The number of events after a place, including deleted ones that are still in their parts. */
  async count(after: Place | undefined): Promise<number> {
    const now = await openChanges(this.#store.DB, this.#scope);
    const parts = new PartList(this.#store.DB, this.#scope, this.#filter, after);
    let [count, begun] = [0, 0];
    while (!parts.isEnded) {
      const groups = (await parts.next()).flatMap((part) => part.groups);
      if (parts.begun > begun) [count, begun] = [0, parts.begun];
      const some = groups.filter((group) => mayMatch(group, this.#filter, after));
      const whole = some.filter((group) => allMatch(group, this.#filter, after));
      count += whole.reduce((sum, { rows }) => sum + rows, 0);
      const cut = some.filter((group) => !whole.includes(group));
      for (let first = 0; first < cut.length; first += AT_ONCE)
        count += (await this.#open(cut.slice(first, first + AT_ONCE), after, now)).length;
    }
    return count;
  }

  /**
   * The matching events of some groups.
   * @param now applies changes to rows
   */
  async #open(
    groups: readonly PlacedGroup[],
    after: Place | undefined,
    now: Awaited<ReturnType<typeof openChanges>>,
  ): Promise<EventRow[]> {
    const rows = (await fetchGroups(this.#store, groups, this.#skip))
      .flat()
      .filter((row) => matches(row, this.#filter) && (after === undefined || newestFirst(row, after) > 0));
    return now(rows);
  }
}

/** The parts that may have matching events, some at a time. */
class PartList {
  isEnded = false;
  /** Parts that have not been listed have no event after this [ms]. */
  to = Number.MAX_SAFE_INTEGER;
  /** How often the list was restarted because a merge finished. */
  begun = 0;
  readonly #db: D1Database;
  readonly #scope: number;
  readonly #filter: RowFilter;
  readonly #from: number | undefined;
  #limit: number;
  readonly #order: Order;
  #last: ListedPart | undefined;
  #merged: number | undefined;

  constructor(db: D1Database, scope: number, filter: RowFilter, after: Place | undefined) {
    this.#db = db;
    this.#scope = scope;
    this.#filter = filter;
    this.#order = filter.users ? "users" : "types";
    this.#limit = FIRST_PARTS[this.#order];
    const before = filter.createdBefore === undefined ? undefined : filter.createdBefore - 1;
    this.#from = after && before !== undefined ? Math.min(after.time, before) : (after?.time ?? before);
  }

  /** After a restart (see `begun`) it may return parts, or their events in other parts, again. */
  async next(): Promise<ListedPart[]> {
    const parts = await this.#list();
    this.isEnded = parts.length < this.#limit;
    this.#last = parts[parts.length - 1] ?? this.#last;
    this.to = this.isEnded ? -1 : parts[parts.length - 1].to;
    this.#limit = Math.min(2 * this.#limit, MAX_PARTS[this.#order]);
    return parts;
  }

  async #list(): Promise<ListedPart[]> {
    const place = () => ({ from: this.#from, behind: this.#last, limit: this.#limit });
    const { users } = this.#filter;
    if (!users) return listParts(this.#db, this.#scope, this.#filter, place());
    for (;;) {
      const { parts, merged } = await listByUsers(this.#db, this.#scope, { ...this.#filter, users }, place());
      if (!this.#last || merged === this.#merged) {
        this.#merged = merged;
        return parts;
      }
      this.#last = undefined;
      this.begun++;
    }
  }
}
