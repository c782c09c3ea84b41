import { eq } from "drizzle-orm";
import { BoundedMap } from "../../core/geo/bounded-map.ts";
import type { Env } from "../platform/env.ts";
import { bucketWithFallback } from "../platform/fallback-bucket.ts";
import { compareBindings, isDatabaseBinding, type Jurisdiction, jurisdictionOf } from "../platform/jurisdiction.ts";
import { derived, projectBucket, residentEnv, Unbound, unrestricted } from "../platform/residence.ts";
import { BELIEVED_MOVING_MS, BELIEVED_MS } from "./believed.ts";
import { open } from "./database.ts";
import { project } from "./schema.ts";

/**
 * The database of each project. The first one, `DB`, stores the common tables: members, projects, keys, usage, the
 * audit log. A project's tables (all tables with a scope) are in the database given in its row. With one database,
 * which is the default, nothing is looked up. A database may be in a jurisdiction, which is then that of the project's
 * Durable Objects and files, too.
 */

/** Bindings that include the databases: DB, DB_2 …, DB_EU … as configured in wrangler.toml. */
export interface Databases {
  /** The database of the project of a call or scheduled run. The platform sets it to the first one. */
  DB: D1Database;
  /** The first one, if DB is another. */
  COMMON_DB?: D1Database;
  /** The jurisdiction to which it is restricted (src/worker/platform/residence.ts). */
  JURISDICTION?: Jurisdiction;
}

/** The binding of the first database. */
export const FIRST = "DB";

const MAX_PROJECTS = 10_000;

/** Where a project is. */
export interface Home {
  /** Binding of its database. */
  name: string;
  /** It is moving: cached data must be refreshed soon. */
  moving?: true;
  /** It has moved here from this database in another jurisdiction, which may still have objects and files of it. */
  from?: string;
}

/** An isolate's cache for an environment: its databases, and the location of projects. */
interface Known {
  /** Environments by their binding for DB; undefined if there is only one database. */
  envs: Map<string, Databases> | undefined;
  /** The same for projects that have moved there from another jurisdiction, by both bindings. */
  arriving: Map<string, Databases>;
  projects: Map<number, { home: Home; until: number; asked: number }>;
}

const known = new WeakMap<object, Known>();

function knownOf(env: Databases): Known {
  const original = unrestricted(env);
  const own = known.get(original);
  if (own) return own;
  const further = Object.keys(original).filter((name) => name !== FIRST && isDatabaseBinding(name));
  further.sort(compareBindings);
  const made: Known = {
    envs: further.length > 0 ? new Map() : undefined,
    arriving: new Map(),
    projects: new BoundedMap(MAX_PROJECTS),
  };
  known.set(original, made);
  made.envs?.set(FIRST, original);
  for (const name of further) {
    const resident = residentEnv(original, jurisdictionOf(name));
    const DB = Reflect.get(original, name) as D1Database;
    made.envs?.set(name, derived({ ...resident, DB, COMMON_DB: original.DB }, original));
  }
  return made;
}

/** The database of the common tables: members, projects, keys, usage, the audit log, signing keys. */
export function commonDatabase(env: Databases): D1Database {
  return env.COMMON_DB ?? env.DB;
}

/** The binding of an environment's database. */
export function databaseOf(env: Databases): string {
  for (const [name, { DB }] of knownOf(env).envs ?? []) if (DB === env.DB) return name;
  return FIRST;
}

/** The bindings of all databases, starting with the first. */
export function databaseNames(env: Databases): string[] {
  return [...(knownOf(env).envs?.keys() ?? [FIRST])];
}

/**
 * The environment of a project in a given database, as its DB; Durable Objects and the bucket are those of the
 * database's jurisdiction.
 * @param name a binding
 * @param from the binding of the database from which the project has moved, if that is in another jurisdiction
 * @throws Unbound if wrangler.toml doesn't bind it
 */
export function envIn<E extends Databases>(env: E, name: string, from?: string): E {
  if (name === FIRST && from === undefined && !env.COMMON_DB && env.JURISDICTION === undefined) return env;
  if (name === FIRST && from === undefined) return unrestricted(env);
  const { envs, arriving } = knownOf(env);
  const found = envs?.get(name);
  if (!found) throw new Unbound(`The database ${name}, which stores projects, is not bound: see wrangler.toml.`);
  if (from === undefined || jurisdictionOf(from) === jurisdictionOf(name)) return found as E;
  const key = `${name}<${from}`;
  let own = arriving.get(key);
  if (!own) {
    const [here, there] = [found, envIn(found, from)].map((one) =>
      projectBucket(one as Databases & Pick<Env, "GEODATA">),
    );
    own = here === there ? found : derived({ ...found, BUCKET: bucketWithFallback(here, there) }, found);
    arriving.set(key, own);
  }
  return own as E;
}

/** The environments of all databases, starting with the first: for work on all projects. */
export function everyDatabase<E extends Databases>(env: E): E[] {
  const { envs } = knownOf(env);
  return envs ? ([...envs.values()] as E[]) : [env];
}

/** One environment for each jurisdiction with databases, starting with that without: for what is not of a project. */
export function everyResidence<E extends Databases>(env: E): E[] {
  const jurisdictions = new Set(databaseNames(env).map(jurisdictionOf));
  return [...jurisdictions].map((jurisdiction) => residentEnv(env, jurisdiction));
}

/** Are projects stored in jurisdictions? */
export function hasJurisdictions(env: Databases): boolean {
  return hasMore(env) && databaseNames(env).some((name) => jurisdictionOf(name) !== undefined);
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
  const entry = projects.get(Math.floor(scope / 2));
  if (entry && now < entry.until && now >= entry.asked) return envIn(env, entry.home.name, entry.home.from);
  return readHome(env, scope, now).then(({ name, from }) => envIn(env, name, from));
}

/** Where the project of a scope is, as this isolate last knew it. */
export function homeOf(env: Databases, scope: number, now = Date.now()): Home | Promise<Home> {
  const entry = knownOf(env).projects.get(Math.floor(scope / 2));
  return entry && now < entry.until && now >= entry.asked ? entry.home : readHome(env, scope, now);
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

/** The same, as the first database has it now. */
export async function readHome(env: Databases, scope: number, now = Date.now()): Promise<Home> {
  const id = Math.floor(scope / 2);
  const { database: name, moving } = project;
  const row = await open(commonDatabase(env)).select({ name, moving }).from(project).where(eq(project.id, id)).get();
  const home = { name: row?.name ?? FIRST, ...movingOf(row?.moving ?? null) };
  noteHome(env, id, home, now);
  return home;
}

const FROM = "from:";
/** The column `moving` of a project that has moved to another jurisdiction, while the former still has data of it. */
export const movingFrom = (source: string): string => `${FROM}${source}`;

/** What the column `moving` of a project's row states. */
export function movingOf(moving: string | null): Pick<Home, "moving" | "from"> {
  if (moving === null) return {};
  return { moving: true, ...(moving.startsWith(FROM) && { from: moving.slice(FROM.length) }) };
}

/** Caches the location of a project that was read elsewhere, at `asked` [ms]. */
export function noteHome(env: Databases, project: number, home: Home, asked: number): void {
  const until = asked + (home.moving ? BELIEVED_MOVING_MS : BELIEVED_MS);
  knownOf(env).projects.set(project, { home, asked, until });
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
    for (const row of rows) if ((await envOf(env, row.scope)).DB === one.DB) found.push(row);
  }
  return found;
}
