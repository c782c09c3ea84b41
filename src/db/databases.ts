import { BoundedMap } from "../geo/bounded-map.ts";
import { BELIEVED_MOVING_MS, BELIEVED_MS } from "./believed.ts";

/**
 * The database of each project. The first one, `DB`, stores the common tables: members, projects, keys, usage, the
 * audit log. A project's tables (all tables with a scope) are in the database given in its row. With one database,
 * which is the default, nothing is looked up.
 */

/** Bindings that include the databases: DB, and DB_2, DB_3 … as configured in wrangler.toml. */
export interface Databases {
  /** The database of the project of a call or scheduled run. The platform sets it to the first one. */
  DB: D1Database;
  /** The first one, if DB is another. */
  COMMON_DB?: D1Database;
}

/** The binding of the first database. */
export const FIRST = "DB";
const FURTHER = /^DB_[1-9]\d*$/;

const MAX_PROJECTS = 10_000;

/** An isolate's cache for an environment: its databases, and the location of projects. */
interface Known {
  /** Environments by their binding for DB; undefined if there is only one database. */
  envs: Map<string, Databases> | undefined;
  projects: Map<number, { name: string; until: number; asked: number }>;
}

const known = new WeakMap<object, Known>();

function knownOf(env: Databases): Known {
  const own = known.get(env);
  if (own) return own;
  const further = Object.keys(env).filter((name) => FURTHER.test(name));
  further.sort((a, b) => Number(a.slice(3)) - Number(b.slice(3)));
  const made: Known = { envs: further.length > 0 ? new Map() : undefined, projects: new BoundedMap(MAX_PROJECTS) };
  known.set(env, made);
  made.envs?.set(FIRST, env);
  for (const name of further) {
    const its = { ...env, DB: (env as unknown as Record<string, D1Database>)[name], COMMON_DB: env.DB };
    made.envs?.set(name, its);
    known.set(its, made);
  }
  return made;
}

/** The database of the common tables: members, projects, keys, usage, the audit log, signing keys. */
export function commonDatabase(env: Databases): D1Database {
  return env.COMMON_DB ?? env.DB;
}

/** The bindings of all databases, starting with the first. */
export function databaseNames(env: Databases): string[] {
  return [...(knownOf(env).envs?.keys() ?? [FIRST])];
}

/** A project's database has no binding. */
class UnboundDatabase extends Error {
  override name = "UnboundDatabase";
}

/**
 * The environment of a project in a given database, as its DB.
 * @param name a binding
 * @throws UnboundDatabase if wrangler.toml doesn't bind it
 */
export function envIn<E extends Databases>(env: E, name: string): E {
  if (name === FIRST && !env.COMMON_DB) return env;
  const found = knownOf(env).envs?.get(name);
  if (!found)
    throw new UnboundDatabase(`The database ${name}, which stores projects, is not bound: see wrangler.toml.`);
  return found as E;
}

/** The environments of all databases, starting with the first: for work on all projects. */
export function everyDatabase<E extends Databases>(env: E): E[] {
  const { envs } = knownOf(env);
  return envs ? ([...envs.values()] as E[]) : [env];
}

/** Are there more databases than one? */
export function hasMore(env: Databases): boolean {
  return knownOf(env).envs !== undefined;
}

/**
 * The environment of a scope, from this isolate's cache or the first database. Not a promise if there is only one
 * database, or the location is cached.
 */
export function envOf<E extends Databases>(env: E, scope: number, now = Date.now()): E | Promise<E> {
  const { envs, projects } = knownOf(env);
  if (!envs) return env;
  const project = Math.floor(scope / 2);
  const entry = projects.get(project);
  if (entry && now < entry.until && now >= entry.asked) return envIn(env, entry.name);
  return ask(env, project, now);
}

/** The same for several scopes, grouped by database. */
export async function byDatabase<E extends Databases>(env: E, scopes: Iterable<number>): Promise<Map<E, number[]>> {
  const found = new Map<E, number[]>();
  for (const scope of new Set(scopes)) {
    const own = await envOf(env, scope);
    found.set(own, [...(found.get(own) ?? []), scope]);
  }
  return found;
}

async function ask<E extends Databases>(env: E, project: number, now: number): Promise<E> {
  const row = await commonDatabase(env)
    .prepare(`SELECT "database" AS name, moving FROM project WHERE id = ?`)
    .bind(project)
    .first<{ name: string; moving: string | null }>();
  const name = row?.name ?? FIRST;
  noteDatabase(env, project, name, row ? row.moving !== null : false, now);
  return envIn(env, name);
}

/** Caches the location of a project that was read elsewhere, at `asked` [ms]. */
export function noteDatabase(env: Databases, project: number, name: string, isMoving: boolean, asked: number): void {
  const { projects } = knownOf(env);
  projects.set(project, { name, asked, until: asked + (isMoving ? BELIEVED_MOVING_MS : BELIEVED_MS) });
}

/**
 * Runs a query on all databases and combines the rows. Skips rows of projects that have moved away, or that are still
 * being moved in.
 */
export async function fromEvery<E extends Databases, Row extends { scope: number }>(
  env: E,
  find: (env: E) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const all = await Promise.all(everyDatabase(env).map(async (one) => ({ one, rows: await find(one) })));
  if (all.length === 1) return [...all[0].rows];
  const found: Row[] = [];
  for (const { one, rows } of all) {
    for (const row of rows) if ((await envOf(env, row.scope)) === one) found.push(row);
  }
  return found;
}
