import type { Env } from "../platform/env.ts";
import { CALLS, callMain, type DatabaseCall } from "../platform/processes.ts";

/** One per environment: caches are keyed by it. */
const made = new WeakMap<Env, Env>();

/** In a helper process of `npm start`, the environment with the databases of the main one. */
export function withMainDatabases(env: Env): Env {
  if (!env.MAIN) return env;
  const known = made.get(env);
  if (known) return known;
  const names = (env.MAIN_DATABASES ?? "").split(" ").filter(Boolean);
  const own = { ...env, ...Object.fromEntries(names.map((name) => [name, new MainDatabase(env, name)])) };
  made.set(env, own);
  return own;
}

/** Runs a helper's statements, in the main process: the results, or rows as lists. */
export function runStatements(env: Env, { database, statements, raw }: DatabaseCall): Promise<unknown> {
  const db = Reflect.get(env, database) as D1Database;
  const prepared = statements.map(({ sql, params }) => db.prepare(sql).bind(...params));
  if (!raw) return db.batch(prepared);
  return raw.columnNames ? prepared[0].raw({ columnNames: true }) : prepared[0].raw();
}

/** The part of D1Database that queries use. Values are those of JSON, as between D1 and any Worker. */
class MainDatabase {
  readonly #env: Env;
  readonly #name: string;

  constructor(env: Env, name: string) {
    this.#env = env;
    this.#name = name;
  }

  prepare(sql: string): MainStatement {
    return new MainStatement(this, sql, []);
  }

  batch(statements: readonly MainStatement[]): Promise<D1Result[]> {
    return this.run(statements.map(({ sql, params }) => ({ sql, params })));
  }

  run<T>(statements: DatabaseCall["statements"], raw?: DatabaseCall["raw"]): Promise<T> {
    const call: DatabaseCall = { database: this.#name, statements, ...(raw && { raw }) };
    return callMain(this.#env, CALLS.database, call);
  }
}

class MainStatement {
  readonly #database: MainDatabase;
  readonly sql: string;
  readonly params: readonly unknown[];

  constructor(database: MainDatabase, sql: string, params: readonly unknown[]) {
    this.#database = database;
    this.sql = sql;
    this.params = params;
  }

  bind(...params: unknown[]): MainStatement {
    return new MainStatement(this.#database, this.sql, params);
  }

  async all(): Promise<D1Result> {
    return (await this.#database.batch([this]))[0];
  }

  run(): Promise<D1Result> {
    return this.all();
  }

  async first(column?: string): Promise<unknown> {
    const [row = null] = (await this.all()).results as Record<string, unknown>[];
    return row && column !== undefined ? row[column] : row;
  }

  raw({ columnNames = false } = {}): Promise<unknown[][]> {
    return this.#database.run([{ sql: this.sql, params: this.params }], { columnNames });
  }
}
