import { HISTORY } from "../../../../core/limits/capacity.ts";
import { packPage, unpackPage } from "../../../../core/tracking/history/packed/packed-page.ts";
import type { Sql } from "../../fences/fence-store.ts";

/** Numbers of a user's pages are below it. */
const NUMBERS = 2 ** 32;

/** A user, and the number of its row. */
export interface Owner {
  user: string;
  row: number;
}

/** Entries joined by commas, and the times of the first and last of them [ms]; `after`: the JSON of the state after them. */
interface StoredPage {
  since: number;
  until: number;
  entries: string;
  after: string;
}

/**
 * The full pages of a history, packed. A page's key is the number of its user's row, times NUMBERS, plus its own number: a row on one page of
 * SQLite, without an index and without the user's id.
 *
 *     past (id, since, until, data)          page (user, n, since, until, entries, after): of releases up to 0.5, as texts
 */
export class StoredPages {
  readonly #packed: Sql;
  readonly #older: Sql;

  constructor(packed: Sql, older: Sql) {
    this.#packed = packed;
    this.#older = older;
  }

  /**
   * Reuses the row of the oldest page if it expires because the page after it has expired, too: one write instead of a write and a later
   * delete.
   * @param retainFrom older pages expire [ms]
   */
  add(owner: Owner, { since, until, entries, after }: StoredPage, retainFrom: number): void {
    const [first, id] = [keyOf(owner, 0), keyOf(owner, this.next(owner))];
    const data = packPage({ entries, after });
    const written = this.#packed.exec(
      `UPDATE past SET id = ?1, since = ?2, until = ?3, data = ?4 WHERE id = (SELECT min(id) FROM past WHERE id > ?5 AND id < ?1)
         AND (SELECT until FROM past WHERE id > ?5 AND id < ?1 ORDER BY id LIMIT 1 OFFSET 1) < ?6 RETURNING id`,
      ...[id, since, until, data, first, retainFrom],
    );
    if (written.toArray().length > 0) return;
    this.#packed.exec("INSERT INTO past VALUES (?, ?, ?, ?)", id, since, until, data);
  }

  /** The number of the next page. */
  next(owner: Owner): number {
    return this.#last(owner, Number.MAX_SAFE_INTEGER) + 1;
  }

  /** The number of the last page that ended before a time [ms]; 0 = none. */
  #last(owner: Owner, before: number): number {
    const [packed] = this.#packed
      .exec("SELECT max(id) AS id FROM past WHERE id > ? AND id < ? AND until < ?", ...rangeOf(owner), before)
      .toArray();
    if (typeof packed?.id === "number") return packed.id % NUMBERS;
    const [older] = this.#older
      .exec("SELECT max(n) AS n FROM page WHERE user = ? AND until < ?", owner.user, before)
      .toArray();
    return (older?.n as number | null | undefined) ?? 0;
  }

  /**
   * Deletes pages before a time and excess pages. The last one is deleted later, because the next one begins with its
   * state.
   */
  outlive(owner: Owner, before: number): void {
    const from = Math.max(this.#last(owner, before), this.next(owner) - HISTORY.pages);
    this.#packed.exec("DELETE FROM past WHERE id > ? AND id < ?", keyOf(owner, 0), keyOf(owner, from));
    this.#older.exec("DELETE FROM page WHERE user = ? AND n < ?", owner.user, from);
  }

  /** The pages with updates in a time range [ms], oldest first, from page `n` on. */
  *between(owner: Owner, from: number, to: number, n: number): Generator<{ n: number; entries: string }> {
    for (let next = n; ; ) {
      const [row] = this.#older
        .exec(
          "SELECT n, entries FROM page WHERE user = ? AND n >= ? AND until >= ? AND since <= ? ORDER BY n LIMIT 1",
          ...[owner.user, next, from, to],
        )
        .toArray();
      if (!row) break;
      yield { n: row.n as number, entries: row.entries as string };
      next = (row.n as number) + 1;
    }
    for (let next = keyOf(owner, n); ; ) {
      const [row] = this.#packed
        .exec(
          "SELECT id, data FROM past WHERE id >= ? AND id < ? AND until >= ? AND since <= ? ORDER BY id LIMIT 1",
          ...[next, rangeOf(owner)[1], from, to],
        )
        .toArray();
      if (!row) return;
      yield { n: (row.id as number) % NUMBERS, entries: textsOf(row.data).entries };
      next = (row.id as number) + 1;
    }
  }

  /** The last page with an update up to a time [ms]. */
  lastUpTo(owner: Owner, time: number): { n: number; entries: string } | undefined {
    for (let end = rangeOf(owner)[1]; ; ) {
      const [row] = this.#packed
        .exec(
          "SELECT id, data FROM past WHERE id > ? AND id < ? AND since <= ? ORDER BY id DESC LIMIT 1",
          ...[keyOf(owner, 0), end, time],
        )
        .toArray();
      if (!row) break;
      end = row.id as number;
      const { entries } = textsOf(row.data);
      // The first page may only have the state with which the history began.
      if (entries !== "") return { n: end % NUMBERS, entries };
    }
    const [row] = this.#older
      .exec(
        "SELECT n, entries FROM page WHERE user = ? AND since <= ? AND entries <> '' ORDER BY n DESC LIMIT 1",
        ...[owner.user, time],
      )
      .toArray();
    return row && { n: row.n as number, entries: row.entries as string };
  }

  /** The JSON of the state after a page. */
  after(owner: Owner, n: number): string | undefined {
    const [packed] = this.#packed.exec("SELECT data FROM past WHERE id = ?", keyOf(owner, n)).toArray();
    if (packed) return textsOf(packed.data).after;
    const [older] = this.#older.exec("SELECT after FROM page WHERE user = ? AND n = ?", owner.user, n).toArray();
    return older?.after as string | undefined;
  }

  remove(owner: Owner): void {
    this.#packed.exec("DELETE FROM past WHERE id > ? AND id < ?", ...rangeOf(owner));
    this.#older.exec("DELETE FROM page WHERE user = ?", owner.user);
  }
}

const keyOf = ({ row }: Owner, n: number) => row * NUMBERS + n;
/** All keys of a user are between these. */
const rangeOf = (owner: Owner): [number, number] => [keyOf(owner, 0), keyOf(owner, NUMBERS)];

/** SQLite of the platform returns an ArrayBuffer, that of Node.js its bytes. */
const textsOf = (data: unknown) =>
  unpackPage(data instanceof ArrayBuffer ? new Uint8Array(data) : (data as Uint8Array));
