import { movingFrom } from "../../db/databases.ts";
import {
  copyAgain,
  countRows,
  deleteSome,
  differing,
  keyOf,
  type MovedRow,
  type RowKey,
  readRows,
  rowsAtOnce,
  UnfaithfulCopy,
  writing,
} from "../../db/moves/move-rows.ts";
import { ending, noting, refusing } from "../../db/moves/move-triggers.ts";
import { MOVED_TABLES, type MovedTable } from "../../db/moves/moved-tables.ts";
import { dropChanges, notedChanges, type ProjectMove, type Step, saveMove } from "../../db/moves/moves.ts";
import { lastMigrationOf } from "../../db/projects/figures.ts";
import { SCHEMA } from "../../db/schema-version.ts";
import type { MoveTimes } from "./move-times.ts";
import type { MovedObjects } from "./moved-objects.ts";

/** Changes copied at a time, which takes some hundred milliseconds. When fewer remain, the last step may begin. */
const CHANGES_AT_ONCE = 500;
/**
 * Maximum time for which writes are rejected while the last changes are copied [ms]. After that, writes are accepted
 * again and the last step is retried.
 */
const MAX_REFUSAL_MS = 20_000;
/**
 * Parts of a run that hand over objects or delete files. Each calls up to 150 objects and buckets, and an invocation of a
 * Worker may make 10,000 calls (Cloudflare's limits, 2026-11).
 */
const MAX_PARTS = 50;
/** Triggers created in one transaction. */
const TRIGGERS_AT_ONCE = 100;

/**
 * The steps of a move (db/moves/moves.ts). `next` runs a part of one step, which takes some milliseconds to a second,
 * and saves the progress. Each part is idempotent, so a machine may stop anywhere.
 */
export class MoveSteps {
  /** The database that stores the location of projects. */
  readonly #common: D1Database;
  readonly #source: D1Database;
  readonly #target: D1Database;
  readonly #move: ProjectMove;
  readonly #times: MoveTimes;
  /** What moves to another jurisdiction; undefined: the project stays in its own. */
  readonly #objects: Pick<MovedObjects, "next" | "clean"> | undefined;
  /** When this process began to reject writes [ms]. */
  #refusingSince: number | undefined;
  /** Parts of this run that called objects or deleted files. */
  #parts = 0;

  constructor(
    { common, source, target }: Record<"common" | "source" | "target", D1Database>,
    move: ProjectMove,
    times: MoveTimes,
    objects?: Pick<MovedObjects, "next" | "clean">,
  ) {
    this.#common = common;
    this.#source = source;
    this.#target = target;
    this.#move = move;
    this.#times = times;
    this.#objects = objects;
  }

  /** @returns delay until the next part [ms]; undefined: the move is finished */
  async next(): Promise<number | undefined> {
    const steps: Record<Step, () => Promise<number | undefined>> = {
      begin: () => this.#begin(),
      copy: () => this.#copy(),
      compare: () => this.#compare(),
      last: () => this.#last(),
      switched: () => this.#switched(),
      objects: () => this.#handOver(),
      clean: () => this.#clean(),
      undo: () => this.#undo(),
      done: over,
      undone: over,
      failed: over,
    };
    try {
      return await steps[this.#move.step]();
    } catch (error) {
      if (!(error instanceof UnfaithfulCopy)) throw error;
      return this.#fail(error);
    }
  }

  #save(change: Parameters<typeof saveMove>[3], project?: Parameters<typeof saveMove>[4]): Promise<void> {
    return saveMove(this.#common, this.#move, this.#times.now(), change, project);
  }

  async #begin(): Promise<number | undefined> {
    const { project, target } = this.#move;
    for (const db of [this.#source, this.#target]) {
      const found = await lastMigrationOf(db);
      if (found !== SCHEMA) throw new Error(`a database has the migrations up to ${found}, not ${SCHEMA}`);
    }
    if (this.#move.at.after === undefined && this.#move.at.table === 0) {
      // From now on callers check the project's location more often, and changes are recorded.
      await this.#save({ begunAt: this.#times.now() }, { moving: target });
      await this.#triggers(noting(project));
      // Left by a move that was undone, or started earlier.
      await dropChanges(this.#source, project, Number.MAX_SAFE_INTEGER);
    }
    if (await this.#deleteFrom(this.#target)) return 0;
    // By now, scheduled runs leave the project out in the target, and readers check its location often enough.
    const early = this.#move.begunAt + this.#times.unknownMs - this.#times.now();
    if (early > 0) return early;
    await this.#save({ step: "copy", at: { table: 0 }, counts: {} });
    return 0;
  }

  /**
   * Deletes some of the project's rows in a database.
   * @returns whether there may be more
   */
  async #deleteFrom(db: D1Database): Promise<boolean> {
    const { table } = this.#move.at;
    if (table >= MOVED_TABLES.length) return false;
    const more = await deleteSome(db, this.#move.project, MOVED_TABLES[table]);
    // The mark "after" shows that this step has begun.
    await this.#save({ at: { table: more ? table : table + 1, after: [] } });
    return true;
  }

  async #triggers(statements: readonly string[]): Promise<void> {
    for (let i = 0; i < statements.length; i += TRIGGERS_AT_ONCE) {
      const some = statements.slice(i, i + TRIGGERS_AT_ONCE);
      await this.#source.batch(some.map((sql) => this.#source.prepare(sql)));
    }
  }

  async #copy(): Promise<number | undefined> {
    const { at, project } = this.#move;
    const table = MOVED_TABLES[at.table];
    if (!table) {
      await this.#save({ step: "compare", at: { table: 0 }, counts: {} });
      return 0;
    }
    const limit = rowsAtOnce(table);
    const rows = await readRows(this.#source, project, table, { after: at.after, limit });
    if (rows.length > 0) await this.#target.batch(writing(this.#target, table, rows));
    await this.#save({
      at: rows.length < limit ? { table: at.table + 1 } : { ...at, after: keyOf(table, rows[rows.length - 1]) },
    });
    return 0;
  }

  /**
   * Copies the recorded changes.
   * @returns how many there were
   */
  async #follow(): Promise<number> {
    const { project } = this.#move;
    const changes = await notedChanges(this.#source, project, CHANGES_AT_ONCE);
    if (changes.length === 0) return 0;
    for (const table of MOVED_TABLES) {
      const keys = new Map<string, RowKey>();
      for (const { name, key } of changes) if (name === table.name) keys.set(JSON.stringify(key), key);
      await this.#copyAgain(table, [...keys.values()]);
    }
    await dropChanges(this.#source, project, changes[changes.length - 1].seq);
    return changes.length;
  }

  async #copyAgain(table: MovedTable, keys: readonly RowKey[]): Promise<void> {
    const atOnce = rowsAtOnce(table);
    for (let i = 0; i < keys.length; i += atOnce)
      await copyAgain(this.#source, this.#target, table, keys.slice(i, i + atOnce));
  }

  async #compare(): Promise<number | undefined> {
    const { at, project, counts } = this.#move;
    const table = MOVED_TABLES[at.table];
    if (!table) {
      const followed = await this.#follow();
      await this.#save({});
      if (followed === CHANGES_AT_ONCE) return 0;
      await this.#save({ step: "last" });
      return 0;
    }
    const limit = rowsAtOnce(table);
    const rows = await readRows(this.#source, project, table, { after: at.after, limit });
    const isLast = rows.length < limit;
    const upTo = isLast ? undefined : keyOf(table, rows[rows.length - 1]);
    const there = await readRows(this.#target, project, table, { after: at.after, upTo });
    const differ = differing(table, rows, there);
    // Copies rows that changed since they were copied. Throws if they differ for another reason.
    await this.#copyAgain(table, differ);
    const before = counts[table.name] ?? { rows: 0 };
    const compared = { rows: before.rows + rows.length, sha256: await chained(before.sha256, rows) };
    await this.#save({
      at: isLast ? { table: at.table + 1 } : { ...at, after: upTo },
      counts: { ...counts, [table.name]: compared },
    });
    return 0;
  }

  /**
   * From here on the database itself rejects changes to the project's rows. Trackers keep their data and send it again;
   * calls that write return 503.
   */
  async #last(): Promise<number | undefined> {
    const { project, source, target, counts } = this.#move;
    this.#refusingSince ??= this.#times.now();
    await this.#triggers(refusing(project));
    while ((await this.#follow()) > 0) {
      await this.#save({});
      if (this.#times.now() - this.#refusingSince < MAX_REFUSAL_MS) continue;
      await this.#triggers(ending("refused", project));
      this.#refusingSince = undefined;
      await this.#save({ step: "compare", at: { table: MOVED_TABLES.length } });
      return 0;
    }
    const [here, there] = await Promise.all([countRows(this.#source, project), countRows(this.#target, project)]);
    for (const [table, rows] of Object.entries(here))
      if (there[table] !== rows)
        throw new UnfaithfulCopy(`${table} has ${rows} rows, and ${there[table]} have arrived.`);
    const now = Object.entries(here).map(([table, rows]) => [table, { ...counts[table], rows }] as const);
    // From now on each object in the new jurisdiction takes over the state of its predecessor, and reads find files in both.
    const moving = this.#objects && { moving: movingFrom(source) };
    const arrived = { step: "switched", at: { table: 0 }, counts: Object.fromEntries(now) } as const;
    await this.#save(arrived, { database: target, ...moving });
    return 0;
  }

  /** Callers with the cached source database are rejected by it until they read the location again. */
  async #switched(): Promise<number | undefined> {
    const early = this.#move.changedAt + this.#times.unknownMs - this.#times.now();
    if (early > 0) return early;
    if (this.#objects) await this.#save({ step: "objects" });
    else await this.#save({ step: "clean" }, { moving: null });
    return 0;
  }

  async #handOver(): Promise<number | undefined> {
    if (++this.#parts > MAX_PARTS) return this.#times.roundMs;
    const next = await this.#objects?.next(this.#move.at);
    await this.#save(next ? { at: next } : { step: "clean", at: { table: 0 } });
    return 0;
  }

  async #clean(): Promise<number | undefined> {
    const early = this.#move.changedAt + this.#times.sourceRetentionMs - this.#times.now();
    if (early > 0) return early;
    const { project } = this.#move;
    if (this.#move.at.table === 0 && this.#move.at.after === undefined) {
      await this.#triggers([...ending("noted", project), ...ending("refused", project)]);
      await dropChanges(this.#source, project, Number.MAX_SAFE_INTEGER);
    }
    if (await this.#deleteFrom(this.#source)) return 0;
    if (this.#objects && ++this.#parts > MAX_PARTS) return this.#times.roundMs;
    if (await this.#objects?.clean()) {
      await this.#save({});
      return 0;
    }
    await this.#save({ step: "done", at: { table: 0 } }, this.#objects && { moving: null });
    return undefined;
  }

  /** Writes continue in the source; the copied rows are deleted. */
  async #undo(): Promise<number | undefined> {
    const { project } = this.#move;
    if (this.#move.at.after === undefined) {
      await this.#triggers([...ending("refused", project), ...ending("noted", project)]);
      await dropChanges(this.#source, project, Number.MAX_SAFE_INTEGER);
      await this.#save({ at: { table: 0, after: [] } }, { moving: null });
    }
    if (await this.#deleteFrom(this.#target)) return 0;
    await this.#save({ step: "undone", at: { table: 0 } });
    return undefined;
  }

  async #fail(error: Error): Promise<number | undefined> {
    const { project, step } = this.#move;
    if (step === "switched" || step === "objects" || step === "clean") throw error;
    await this.#triggers([...ending("refused", project), ...ending("noted", project)]);
    await this.#save({ step: "failed" }, { moving: null });
    throw error;
  }
}

const over = async () => undefined;

/** SHA-256 of the previous digest and these rows, hex. */
async function chained(before: string | undefined, rows: readonly MovedRow[]): Promise<string> {
  const bytes = new TextEncoder().encode(`${before ?? ""}${JSON.stringify(rows)}`);
  return [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
