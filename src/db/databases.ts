import { BoundedMap } from "../geo/bounded-map.ts";
import { BELIEVED_MOVING_MS, BELIEVED_MS } from "./believed.ts";

/**
 * Which database a project lives in. The first, `DB`, holds what is common: members, projects, keys, usage, the audit log. What a
 * project owns, which is every table with a scope, lies in the database that its row names. With one database, which is the default,
 * nothing is asked and nothing is made.
 */

/** Bindings among which are databases: DB, and DB_2, DB_3 … where wrangler.toml names them. */
export interface Databases {
  /** Of the project that a call or a round is about. As the platform hands it over: the first. */
  DB: D1Database;
  /** The first, where DB is another. */
  COMMON_DB?: D1Database;
}

/** The binding of the first database. */
export const FIRST = "DB";
const FURTHER = /^DB_[1-9]\d*$/;

const MAX_PROJECTS = 10_000;

/** What this isolate knows of an environment: its databases, and where projects live. */
interface Known {
  /** Environments by the binding that stands in DB; undefined where there is one database. */
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

/** The database of what is common: members, projects, keys, usage, the audit log, signing keys. */
export function commonDatabase(env: Databases): D1Database {
  return env.COMMON_DB ?? env.DB;
}

/** The bindings of all databases, the first at first. */
export function databaseNames(env: Databases): string[] {
  return [...(knownOf(env).envs?.keys() ?? [FIRST])];
}

/** A project's database has no binding. */
export class UnboundDatabase extends Error {
  override name = "UnboundDatabase";
}

/**
 * The environment of a project that lives in a database: its DB is that one.
 * @param name a binding
 * @throws UnboundDatabase when wrangler.toml does not name it
 */
export function envIn<E extends Databases>(env: E, name: string): E {
  if (name === FIRST && !env.COMMON_DB) return env;
  const found = knownOf(env).envs?.get(name);
  if (!found)
    throw new UnboundDatabase(`The database ${name}, in which projects live, is not bound: see wrangler.toml.`);
  return found as E;
}

/** The environments of all databases, the first at first: for what goes over all projects. */
export function everyDatabase<E extends Databases>(env: E): E[] {
  const { envs } = knownOf(env);
  return envs ? ([...envs.values()] as E[]) : [env];
}

/** Are there more databases than one? */
export function hasMore(env: Databases): boolean {
  return knownOf(env).envs !== undefined;
}

/** The environment of a scope, from what this isolate knows, or the first database. No promise where there is one database, or it is known. */
export function envOf<E extends Databases>(env: E, scope: number, now = Date.now()): E | Promise<E> {
  const { envs, projects } = knownOf(env);
  if (!envs) return env;
  const project = Math.floor(scope / 2);
  const entry = projects.get(project);
  if (entry && now < entry.until && now >= entry.asked) return envIn(env, entry.name);
  return ask(env, project, now);
}

/** The same for several scopes at once: those of each database by themselves. */
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

/** What was read elsewhere of where a project lives, at `asked` [ms]. */
export function noteDatabase(env: Databases, project: number, name: string, isMoving: boolean, asked: number): void {
  const { projects } = knownOf(env);
  projects.set(project, { name, asked, until: asked + (isMoving ? BELIEVED_MOVING_MS : BELIEVED_MS) });
}

/**
 * What a query finds in all databases together. What a database still holds of a project that has left it, or already of one that is
 * coming, is left out.
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
