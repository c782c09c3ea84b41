import { and, desc, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type EventRow, newestFirst } from "../../../core/archive/event-row.ts";
import type { Place, RowFilter } from "../../../core/archive/filter.ts";
import type { EventStore } from "../archive/archive-groups.ts";
import { lastArchived } from "../archive/archive-parts.ts";
import { ArchiveReader } from "../archive/archive-reader.ts";
import { batch, open } from "../database.ts";
import { event } from "../schema.ts";
import { type EventQuery, eventsWhere, recordIds } from "./events-where.ts";

/**
 * A scope's events from the newest on, merging those in D1 and those in the archive.
 *
 * D1 is always read first. An event that is moved between the two reads is then seen twice, which is detected, but
 * never missed.
 */
export class EventReader {
  /** The event after which the list continues. */
  after: Place | undefined;
  readonly #store: EventStore;
  readonly #scope: number;
  readonly #query: EventQuery;
  readonly #leftOut: (() => void) | undefined;
  #archive: ArchiveReader | undefined;

  /** @param leftOut called for archived events that can't be read because their object is damaged or missing */
  constructor(store: EventStore, scope: number, query: EventQuery, leftOut?: () => void) {
    this.#store = store;
    this.#scope = scope;
    this.#query = query;
    this.#leftOut = leftOut;
  }

  /** The next events, at most `limit`; fewer = these were the last. */
  async next(limit: number): Promise<EventRow[]> {
    const [{ results: found }, last, ids] = await this.#withArchive<EventRow>(this.#hot(limit));
    const lastTime = last.results[0]?.time;
    let all = found;
    if (lastTime !== undefined && (found.length < limit || found[found.length - 1].time <= lastTime)) {
      const archive = this.#archiveOf(ids.results.map(({ id }) => id));
      const cold = await archive.behind(this.after, limit);
      const seen = new Set(found.map(({ id }) => id));
      all = [...found, ...cold.filter(({ id }) => !seen.has(id))].sort(newestFirst);
    }
    const page = all.slice(0, limit);
    this.after = page[page.length - 1] ?? this.after;
    return page;
  }

  /** The number of events after the current place, including deleted ones that are still in the archive. */
  async count(): Promise<number> {
    const [hot, last, ids] = await this.#withArchive<{ rows: number }>(
      sql`SELECT count(*) AS "rows" FROM ${event} WHERE ${this.#where()}`,
    );
    const [{ rows }] = hot.results;
    if (last.results.length === 0) return rows;
    return rows + (await this.#archiveOf(ids.results.map(({ id }) => id)).count(this.after));
  }

  /** With the time of the last archived event, and the _ids that match `userId`. */
  #withArchive<Row>(query: SQLWrapper) {
    return batch<[Row, { time: number }, { id: string }]>(this.#store.DB, [
      query,
      lastArchived(this.#scope),
      recordIds(this.#scope, this.#query),
    ]);
  }

  #where(): SQL | undefined {
    const { after } = this;
    const behind = after && sql`(${event.createdAt}, ${event.id}) < (${after.time}, ${after.id})`;
    return and(eventsWhere(this.#scope, this.#query), behind);
  }

  #hot(limit: number): SQLWrapper {
    return open(this.#store.DB)
      .select({
        id: event.id,
        type: event.type,
        user: event.user,
        doc: event.doc,
        time: sql`${event.createdAt}`.as("time"),
      })
      .from(event)
      .where(this.#where())
      .orderBy(desc(event.createdAt), desc(event.id))
      .limit(limit);
  }

  #archiveOf(ids: readonly string[]): ArchiveReader {
    this.#archive ??= new ArchiveReader(this.#store, this.#scope, rowFilter(this.#query, ids), (error) => {
      if (!this.#leftOut) throw error;
      console.error(JSON.stringify({ what: "unreadable archive", error: error.message }));
      this.#leftOut();
    });
    return this.#archive;
  }
}

/** @param ids the _ids that match `userId` */
function rowFilter({ userId, records, ...filter }: EventQuery, ids: readonly string[]): RowFilter {
  if (records) return { ...filter, users: userId === undefined ? records : records.filter((id) => ids.includes(id)) };
  return userId === undefined ? filter : { ...filter, users: ids };
}
