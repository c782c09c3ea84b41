import { HISTORY } from "../../../../core/limits/capacity.ts";
import { mayBeResent } from "../../../../core/tracking/chronology.ts";
import {
  type Applied,
  changeEntry,
  type Entry,
  PageContext,
  storedState,
  updateEntry,
} from "../../../../core/tracking/history/entry.ts";
import type { UserState } from "../../../../core/tracking/types/state.ts";
import type { LocationUpdate } from "../../../../core/tracking/types/update.ts";
import type { Owner, StoredPages } from "./stored-pages.ts";

/** Maximum length of a page's text [characters]: the newest page is rewritten with every update. */
const PAGE_LENGTH = 32_000;
const DAY_MS = 24 * 3600_000;

/** The newest page of a user, which is written with the state. */
interface Tail {
  /** Entries, joined by commas. */
  text: string;
  count: number;
  /** The times of its updates [ms]. */
  since: number;
  until: number;
  context: PageContext;
}

/** Some entries, and the state before the first one; undefined if they begin with the user's first update. */
export interface HistoryPage {
  n: number;
  readonly base: UserState | undefined;
  entries: Entry[];
}

/**
 * The latest updates of a device's users. They are stored in the state's row, which is written anyway. A full page
 * becomes a separate row, packed, with the state after it, which is the state before the next page. So an update usually
 * writes no extra row, except one in 32.
 */
export class UpdateHistory {
  readonly #pages: StoredPages;
  /** The rows of users. */
  readonly #rows = new Map<string, number>();
  readonly #tails = new Map<string, Tail>();
  /** Tails as read from disk, until one is needed. */
  readonly #unread = new Map<string, string>();
  /** Older updates are deleted [ms]; known from the first update since the object woke up. */
  #retainFrom = 0;
  /** Length of the newest entry [characters]. */
  newest = 0;

  constructor(pages: StoredPages) {
    this.#pages = pages;
  }

  /** Loads a tail from its user's row. */
  load({ user, row }: Owner, text: string): void {
    this.#rows.set(user, row);
    if (text !== "") this.#unread.set(user, text);
  }

  /**
   * Records an update; returns the tail to write with the state.
   * @param row of the user
   * @param days retention of updates
   */
  note(row: number, applied: Applied, days: number): string {
    const { before, outcome } = applied;
    const { state } = outcome;
    this.#rows.set(state._id, row);
    this.#retainFrom = applied.update.receivedAt - days * DAY_MS;
    const tail = this.#openTail(state._id, before);
    const entry = updateEntry(applied, tail.context);
    this.newest = entry.length;
    add(tail, entry, state.chronology);
    return tail.text;
  }

  /** Records a change by an API call; returns the tail. If no updates are recorded, changes are not recorded either. */
  noteChange(before: UserState, after: UserState): string {
    if (!this.#tail(after._id)) return "";
    const tail = this.#openTail(after._id, before);
    const text = changeEntry(before, after);
    if (text !== undefined) add(tail, text, after.chronology);
    return tail.text;
  }

  /** The tail with space for one more entry. */
  #openTail(user: string, before: UserState | undefined): Tail {
    let tail = this.#tail(user);
    if (tail) {
      if (tail.count < HISTORY.pageUpdates && tail.text.length < PAGE_LENGTH) return tail;
      this.#store(user, tail, before as UserState);
      this.#pages.outlive(this.#owner(user), this.#retainFrom);
    } else if (before) {
      // A user that is older than the history, or was silent for long: the state it begins with.
      this.#store(user, { ...emptyTail(), since: before.chronology, until: before.chronology }, before);
    }
    tail = emptyTail();
    this.#tails.set(user, tail);
    return tail;
  }

  #tail(user: string): Tail | undefined {
    const text = this.#unread.get(user);
    if (text !== undefined) {
      this.#unread.delete(user);
      this.#tails.set(user, readTail(text));
    }
    return this.#tails.get(user);
  }

  #store(user: string, { text: entries, since, until }: Tail, after: UserState): void {
    const page = { since, until, entries, after: storedState(after) };
    this.#pages.add(this.#owner(user), page, this.#retainFrom);
  }

  /** A user without a row has no pages. */
  #owner(user: string): Owner {
    return { user, row: this.#rows.get(user) ?? 0 };
  }

  /** The pages with updates in a time range [ms], oldest first, from page `n` on. */
  *pages(user: string, from: number, to: number, n = 0): Generator<HistoryPage> {
    const owner = this.#owner(user);
    for (const { n: number, entries } of this.#pages.between(owner, from, to, n)) {
      yield this.#page(user, number, entries);
    }
    const tail = this.#tail(user);
    if (!tail || tail.until < from || tail.since > to) return;
    const next = this.#pages.next(owner);
    if (next >= n) yield this.#page(user, next, tail.text);
  }

  /** The page with the last update up to a time [ms]. */
  pageAt(user: string, time: number): HistoryPage | undefined {
    const tail = this.#tail(user);
    if (tail && tail.since <= time) return [...this.pages(user, tail.since, Number.MAX_SAFE_INTEGER)].at(-1);
    const found = this.#pages.lastUpTo(this.#owner(user), time);
    return found && this.#page(user, found.n, found.entries);
  }

  /** Whether an update of this time of the client, location and accuracy was applied at that time: its response was lost. */
  isResent(before: UserState | undefined, update: LocationUpdate): boolean {
    if (!before || !mayBeResent(before, update)) return false;
    const { updatedAt = 0, location, accuracy } = update;
    const isSame = (entry: Entry) => {
      if (!("u" in entry)) return false;
      const [receivedAt, ahead, latitude, longitude, own] = entry.u;
      if (ahead === null || receivedAt + ahead !== updatedAt || own !== accuracy) return false;
      return latitude === location.latitude && longitude === location.longitude;
    };
    return [...this.pages(before._id, updatedAt, updatedAt)].some(({ entries }) => entries.some(isSame));
  }

  #page(user: string, n: number, text: string): HistoryPage {
    const [pages, owner] = [this.#pages, this.#owner(user)];
    return {
      n,
      // Read only where it is needed: lists of updates do not.
      get base() {
        const before = pages.after(owner, n - 1);
        return before === undefined ? undefined : (JSON.parse(before) as UserState);
      },
      entries: JSON.parse(`[${text}]`) as Entry[],
    };
  }

  /** Deletes the history of a user that has been silent since before a time; returns whether anything was deleted. */
  forgetBefore(user: string, before: number): boolean {
    const tail = this.#tail(user);
    if (tail && tail.until >= before) return false;
    this.remove(user);
    return tail !== undefined;
  }

  remove(user: string): void {
    this.#tails.delete(user);
    this.#unread.delete(user);
    this.#pages.remove(this.#owner(user));
  }
}

function emptyTail(): Tail {
  return { text: "", count: 0, since: Number.MAX_SAFE_INTEGER, until: 0, context: new PageContext() };
}

function add(tail: Tail, entry: string, at: number): void {
  tail.text = tail.text === "" ? entry : `${tail.text},${entry}`;
  tail.count++;
  tail.since = Math.min(tail.since, at);
  tail.until = Math.max(tail.until, at);
}

function readTail(text: string): Tail {
  const entries = JSON.parse(`[${text}]`) as Entry[];
  const tail: Tail = { ...emptyTail(), text, count: entries.length, context: PageContext.after(entries) };
  for (const entry of entries) {
    if (!("u" in entry) || entry.o) continue;
    const { u, t } = entry;
    const at = t ?? u[0] + (u[1] ?? 0);
    tail.since = Math.min(tail.since, at);
    tail.until = Math.max(tail.until, at);
  }
  return tail;
}
