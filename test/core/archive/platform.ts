import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { EventRow } from "../../../src/core/archive/event-row.ts";

/** A database and a bucket in memory behind the bindings' interfaces, as far as the archive uses them; any call of theirs may be made to fail. */

type Value = string | number | null | ArrayBuffer;

class Statement {
  readonly #database: DatabaseSync;
  readonly #text: string;
  #values: Value[] = [];
  readonly #step: () => void;

  constructor(database: DatabaseSync, text: string, step: () => void) {
    this.#database = database;
    this.#text = text;
    this.#step = step;
  }

  bind(...values: Value[]): this {
    this.#values = values;
    return this;
  }

  run() {
    const values = this.#values.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value));
    const statement = this.#database.prepare(this.#text);
    const results = statement.all(...values) as Record<string, unknown>[];
    const changes = this.#database.prepare("SELECT changes() AS n").get();
    return { results, meta: { changes: Number(changes?.n) } };
  }

  async all() {
    this.#step();
    const done = this.run();
    this.#step();
    return done;
  }

  async first() {
    return (await this.all()).results[0] ?? null;
  }

  async raw() {
    return (await this.all()).results.map((row) => Object.values(row));
  }
}

export function platform() {
  const database = new DatabaseSync(":memory:");
  const migrations = join(import.meta.dirname, "../../../migrations");
  for (const file of readdirSync(migrations).sort()) database.exec(readFileSync(join(migrations, file), "utf8"));
  const objects = new Map<string, Uint8Array>();
  let calls = 0;
  let failAt = Infinity;
  /** Before a call does anything, and after it has: an answer may be lost as well as a request. */
  const step = () => {
    if (++calls >= failAt) throw new Error("killed");
  };
  const DB = {
    prepare(text: string) {
      const statement = new Statement(database, text, step);
      return Object.assign(statement, { run: statement.run.bind(statement) });
    },
    async batch(statements: Statement[]) {
      step();
      database.exec("BEGIN");
      let results: ReturnType<Statement["run"]>[];
      try {
        results = statements.map((statement) => statement.run());
        database.exec("COMMIT");
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
      step();
      return results;
    },
  };
  const GEODATA = {
    async put(key: string, bytes: Uint8Array) {
      step();
      objects.set(key, bytes.slice());
      step();
    },
    async get(key: string, options?: { range?: { offset: number; length: number } }) {
      step();
      const { offset = 0, length } = options?.range ?? {};
      const bytes = objects.get(key)?.slice(offset, length === undefined ? undefined : offset + length);
      return bytes ? { arrayBuffer: async () => bytes.buffer } : null;
    },
    async head(key: string) {
      step();
      const bytes = objects.get(key);
      return bytes ? { size: bytes.length } : null;
    },
    async delete(keys: string[]) {
      step();
      for (const key of keys) objects.delete(key);
      step();
    },
  };
  return {
    env: { DB, GEODATA } as unknown,
    database,
    objects,
    calls: () => calls,
    /** From this call on all fail, as they do for a Worker that is no more. */
    failFrom(call: number) {
      calls = 0;
      failAt = call;
    },
  };
}

// These rooms know the platform's types, which tests in Node do not.
const db = (file: string) => import(new URL(`../../../src/worker/db/${file}.ts`, import.meta.url).href);
const objects = (file: string) => import(new URL(`../../../src/worker/objects/${file}.ts`, import.meta.url).href);
export const { archiveRound, movedBefore } = (await objects("rounds/archive-round")) as {
  movedBefore(env: { ARCHIVE_AFTER_DAYS?: string }, now: number): number | undefined;
  archiveRound(
    env: unknown,
    now: number,
    merging?: { objects: number; reads: number; rows: number },
  ): Promise<Record<string, number>>;
};
export const { archiveRounds } = (await objects("rounds/archive-rounds")) as {
  archiveRounds(env: unknown, now: number): Promise<void>;
};
/** What a round told of itself (src/worker/objects/archive-report.ts). */
export interface Report {
  at: number;
  failing: number;
  failed: number;
  figures?: { parts: number; events: number; bytes: number; oldestHot?: number; waiting?: number };
}
export const { nextReport } = (await objects("archive-report")) as {
  nextReport(before: Report | undefined, at: number, isFailed: boolean, figures: Report["figures"]): Report;
};
export const { EventReader } = (await db("customers/event-reader")) as {
  EventReader: new (
    store: unknown,
    scope: number,
    question: object,
  ) => { next(limit: number): Promise<EventRow[]>; count(): Promise<number> };
};
export const { deleteEvent, verifyEvent, findEvent } = (await db("customers/events")) as {
  deleteEvent(store: unknown, scope: number, id: string): Promise<boolean>;
  verifyEvent(store: unknown, scope: number, id: string, verification: number, place: undefined): Promise<boolean>;
  findEvent(store: unknown, scope: number, id: string): Promise<string | undefined>;
};
export const { deleteTracked } = (await db("customers/tracked")) as {
  deleteTracked(db: unknown, scope: number, id: string): Promise<void>;
};
