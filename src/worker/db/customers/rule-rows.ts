import { and, desc, eq, gt, lt } from "drizzle-orm";
import { batch, open } from "../database.ts";
import { pageOf } from "../page.ts";
import { type campaign, campaignEpoch, type meeting } from "../schema.ts";
import { nextEpoch } from "./epochs.ts";

/** The fields of a stored rule that have columns. */
interface Rule {
  _id: string;
  createdAt: number;
  updatedAt: number;
}

/** The rows of campaigns, or of rules about meetings: trackers read both, so each change raises the epoch of campaigns. */
export class RuleRows<T extends Rule> {
  readonly #table: typeof campaign | typeof meeting;

  constructor(table: typeof campaign | typeof meeting) {
    this.#table = table;
  }

  countRows(db: D1Database, scope: number): Promise<number> {
    return open(db).$count(this.#table, eq(this.#table.scope, scope));
  }

  /** Returns the new epoch. */
  async insert(db: D1Database, scope: number, one: T): Promise<number> {
    const { _id: id, createdAt, updatedAt } = one;
    const [epochs] = await batch<[{ epoch: number }]>(db, [
      nextEpoch(campaignEpoch, scope),
      open(db)
        .insert(this.#table)
        .values({ scope, id, createdAt, updatedAt, doc: JSON.stringify(one) }),
    ]);
    return epochs.results[0].epoch;
  }

  /**
   * Replaces a rule if its JSON is still `before`: otherwise a change in the meantime would be lost, or a deleted rule would exist again.
   * Returns the new epoch; undefined: it was changed or deleted.
   */
  async replace(db: D1Database, scope: number, one: T, before: string): Promise<number | undefined> {
    const [epochs, { meta }] = await batch<[{ epoch: number }, never]>(db, [
      nextEpoch(campaignEpoch, scope),
      open(db)
        .update(this.#table)
        .set({ updatedAt: one.updatedAt, doc: JSON.stringify(one) })
        .where(and(this.#named(scope, one._id), eq(this.#table.doc, before))),
    ]);
    return meta.changes > 0 ? epochs.results[0].epoch : undefined;
  }

  async find(db: D1Database, scope: number, id: string): Promise<string | undefined> {
    return (await open(db).select({ doc: this.#table.doc }).from(this.#table).where(this.#named(scope, id)).get())?.doc;
  }

  /** Returns the new epoch; undefined: not found. */
  async delete(db: D1Database, scope: number, id: string): Promise<number | undefined> {
    if ((await this.find(db, scope, id)) === undefined) return undefined;
    const [epochs] = await batch<[{ epoch: number }]>(db, [
      nextEpoch(campaignEpoch, scope),
      open(db).delete(this.#table).where(this.#named(scope, id)),
    ]);
    return epochs.results[0].epoch;
  }

  /** Rules of a scope, newest first, as JSON. */
  async list(
    db: D1Database,
    scope: number,
    { limit, createdBefore, createdAfter }: { limit: number; createdBefore?: number; createdAfter?: number },
  ): Promise<{ docs: string[]; hasMore: boolean }> {
    const table = this.#table;
    const { rows, hasMore } = await pageOf(limit, table.createdAt, (also, most) =>
      open(db)
        .select({ doc: table.doc, time: table.createdAt })
        .from(table)
        .where(
          and(
            eq(table.scope, scope),
            createdBefore === undefined ? undefined : lt(table.createdAt, createdBefore),
            createdAfter === undefined ? undefined : gt(table.createdAt, createdAfter),
            also,
          ),
        )
        .orderBy(desc(table.createdAt), desc(table.id))
        .limit(most)
        .all(),
    );
    return { docs: rows.map(({ doc }) => doc), hasMore };
  }

  #named(scope: number, id: string) {
    return and(eq(this.#table.scope, scope), eq(this.#table.id, id));
  }
}
