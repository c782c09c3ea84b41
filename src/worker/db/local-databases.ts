import type { Env } from "../platform/env.ts";
import { isDatabaseBinding } from "../platform/jurisdiction.ts";
import { CALLS, callMain, type DatabaseCall } from "../platform/processes.ts";

/** One per environment: caches are keyed by it. */
const made = new WeakMap<Env, Env>();

/**
 * The environment of requests on a machine of one's own. In a helper process of `npm start`, with the databases of the main one. Elsewhere,
 * with databases that wait while another program, such as a command, writes them: workerd does not.
 */
export function withLocalDatabases(env: Env): Env {
  const isLocal = env.OUTBOUND !== undefined || env.ALLOW_PRIVATE_HOSTS === "true";
  if (!env.MAIN && !isLocal) return env;
  const known = made.get(env);
  if (known) return known;
  const names = env.MAIN ? (env.MAIN_DATABASES ?? "").split(" ").filter(Boolean) : Object.keys(env);
  const run = (database: string): Run =>
    env.MAIN
      ? (statements, raw) => callMain(env, CALLS.database, { database, statements, ...(raw && { raw }) })
      : (statements, raw) => patiently(() => runStatements(env, { database, statements, raw }));
  const own = names.filter(isDatabaseBinding).map((name) => [name, new LocalDatabase(run(name))]);
  const all = { ...env, ...Object.fromEntries(own) };
  made.set(env, all);
  return all;
}

/** Runs statements in one transaction: the results, or rows as lists. */
export function runStatements(env: Env, { database, statements, raw }: DatabaseCall): Promise<unknown> {
  const db = Reflect.get(env, database) as D1Database;
  const prepared = statements.map(({ sql, params }) => db.prepare(sql).bind(...params));
  if (!raw) return db.batch(prepared);
  return raw.columnNames ? prepared[0].raw({ columnNames: true }) : prepared[0].raw();
}

/** Before each further attempt [ms]. */
const WAITS_MS = [20, 50, 100, 200, 400, 800];

/** Miniflare reads the commit token, too, within a transaction, which it takes for each query (database.worker.js of miniflare 5). */
const LOCKED = /database is locked|SQLITE_BUSY|session commit token/;

/** Repeats what another program's lock prevented: nothing of a transaction that could not get it is stored. */
async function patiently(run: () => Promise<unknown>): Promise<unknown> {
  for (const wait of WAITS_MS) {
    try {
      return await run();
    } catch (error) {
      if (!LOCKED.test(String(error))) throw error;
      await scheduler.wait(wait);
    }
  }
  return run();
}

type Run = (statements: DatabaseCall["statements"], raw?: DatabaseCall["raw"]) => Promise<unknown>;

/** The part of D1Database that queries use. Values are those of JSON, as between D1 and any Worker. */
class LocalDatabase {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  prepare(sql: string): LocalStatement {
    return new LocalStatement(this.#run, sql, []);
  }

  batch(statements: readonly LocalStatement[]): Promise<D1Result[]> {
    return this.#run(statements.map(({ sql, params }) => ({ sql, params }))) as Promise<D1Result[]>;
  }
}

class LocalStatement {
  readonly #run: Run;
  readonly sql: string;
  readonly params: readonly unknown[];

  constructor(run: Run, sql: string, params: readonly unknown[]) {
    this.#run = run;
    this.sql = sql;
    this.params = params;
  }

  bind(...params: unknown[]): LocalStatement {
    return new LocalStatement(this.#run, this.sql, params);
  }

  async all(): Promise<D1Result> {
    return ((await this.#run([this])) as D1Result[])[0];
  }

  run(): Promise<D1Result> {
    return this.all();
  }

  async first(column?: string): Promise<unknown> {
    const [row = null] = (await this.all()).results as Record<string, unknown>[];
    return row && column !== undefined ? row[column] : row;
  }

  raw({ columnNames = false } = {}): Promise<unknown[][]> {
    return this.#run([{ sql: this.sql, params: this.params }], { columnNames }) as Promise<unknown[][]>;
  }
}
