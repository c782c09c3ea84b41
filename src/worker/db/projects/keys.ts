import { and, asc, eq, gte, isNull, lt, type SQL, sql } from "drizzle-orm";
import { listed, open } from "../database.ts";
import { commonDatabase, type Databases, envIn, FIRST, movingOf, noteHome } from "../databases.ts";
import { apiKey, project } from "../schema.ts";
import { type ProjectSettings, parseSettings } from "./projects.ts";
import { callsIn } from "./usage.ts";

/** A key's project, environment and level, with the project's data needed by a request. */
export interface KeyRecord {
  project: number;
  live: boolean;
  secret: boolean;
  /** project × 2 + live: the first part of every key, row and object name. */
  scope: number;
  disabled: boolean;
  overQuota: boolean;
  /** Its project has a monthly call quota; see overQuota. */
  hasQuota: boolean;
  settings: ProjectSettings;
  /** Epoch of the scope's geofences as last seen by this isolate. */
  fenceEpoch: number;
  /** The same for its beacons; 0 = it has never had any. */
  beaconEpoch: number;
  /** The same for its campaigns. */
  campaignEpoch: number;
  /** The scope has, or has had, trips. */
  hasTrips: boolean;
  /** Binding of the project's database (src/worker/db/databases.ts). */
  database: string;
  /** It is being moved to another one: cached data must be refreshed soon. */
  moving?: true;
  /** Binding of the database from whose jurisdiction it has moved, which may still have data of it. */
  from?: string;
  /** Hash of the key; absent for a session. */
  key?: string;
}

/** The data of a scope needed by a request, which is only in its project's database. */
interface ScopeState {
  fenceEpoch: number;
  beaconEpoch: number;
  campaignEpoch: number;
  hasTrips: boolean;
}

/**
 * The state of a scope whose project is in a further database: the query that found its key has only read the first
 * one.
 */
async function furtherState(
  env: Databases,
  { scope, database, moving, from }: Pick<KeyRecord, "scope" | "database" | "moving" | "from">,
  now: number,
): Promise<ScopeState | undefined> {
  noteHome(env, scope >> 1, { name: database, ...(moving && { moving }), ...(from && { from }) }, now);
  return open(envIn(env, database).DB)
    .select(scopeColumns(sql`${scope}`))
    .from(sql`(SELECT 1)`)
    .get();
}

/** Columns of a query about a scope: what requests need of it. */
export const scopeColumns = (scope: SQL) => ({
  fenceEpoch: sql<number>`coalesce((SELECT epoch FROM fence_epoch WHERE scope = ${scope}), 0)`,
  beaconEpoch: sql<number>`coalesce((SELECT epoch FROM beacon_epoch WHERE scope = ${scope}), 0)`,
  campaignEpoch: sql<number>`coalesce((SELECT epoch FROM campaign_epoch WHERE scope = ${scope}), 0)`,
  hasTrips: sql`EXISTS (SELECT 1 FROM trip WHERE scope = ${scope})`.mapWith(Boolean),
});

/** The same of its project. */
export const PROJECT_COLUMNS = {
  disabled: project.disabled,
  settings: project.settings,
  database: project.database,
  moving: project.moving,
};

interface FoundProject extends ScopeState, Pick<KeyRecord, "project" | "live" | "secret" | "disabled" | "database"> {
  settings: string;
  moving: string | null;
  quota: number | null;
  used: number;
}

/** The record of a project whose row was read in the first database. */
export async function recordOf(
  env: Databases,
  { settings, moving, quota, used, ...row }: FoundProject,
  now: number,
): Promise<KeyRecord> {
  const record: KeyRecord = {
    ...row,
    scope: row.project * 2 + (row.live ? 1 : 0),
    overQuota: quota !== null && used >= quota,
    hasQuota: quota !== null,
    settings: parseSettings(settings),
    ...movingOf(moving),
  };
  return row.database === FIRST ? record : { ...record, ...(await furtherState(env, record, now)) };
}

/**
 * Finds a key by its hash, or by the first characters of it, unless it is revoked, together with its project's state,
 * in one query. `now` [ms] determines the month for the quota.
 */
export async function findCaller(env: Databases, hash: string, now: number): Promise<KeyRecord | undefined> {
  const { hash: key, project: of, live, secret } = apiKey;
  const row = await open(commonDatabase(env))
    .select({
      ...{ key, project: of, live, secret, quota: project.monthlyQuota, used: callsIn(monthOf(now)) },
      ...PROJECT_COLUMNS,
      ...scopeColumns(sql`${of} * 2 + ${live}`),
    })
    .from(apiKey)
    .innerJoin(project, eq(project.id, of))
    // Hex digits sort before "g". With the complete hash, this is one row of the index.
    .where(and(gte(key, hash), lt(key, `${hash}g`), isNull(apiKey.revokedAt)))
    .get();
  return row && recordOf(env, row, now);
}

/** "2026-11" */
export const monthOf = (now: number) => new Date(now).toISOString().slice(0, 7);

/** The displayable data of a key. */
interface KeyHint {
  live: boolean;
  secret: boolean;
  hint: string;
  createdAt: number;
  lastUsedAt: number | null;
}

/** The unrevoked keys of a project, the oldest first. */
export async function listKeys(db: D1Database, of: number): Promise<KeyHint[]> {
  return open(db)
    .select({
      live: apiKey.live,
      secret: apiKey.secret,
      hint: apiKey.hint,
      createdAt: apiKey.createdAt,
      lastUsedAt: apiKey.lastUsedAt,
    })
    .from(apiKey)
    .where(and(eq(apiKey.project, of), isNull(apiKey.revokedAt)))
    .orderBy(asc(apiKey.live), asc(apiKey.secret), asc(apiKey.createdAt))
    .all();
}

/** Replaces all keys of the same kind with a key, in one step. */
export async function replaceKey(
  db: D1Database,
  row: Pick<typeof apiKey.$inferInsert, "hash" | "project" | "live" | "secret" | "hint" | "createdAt">,
): Promise<void> {
  const d1 = open(db);
  const sameKind = and(eq(apiKey.project, row.project), eq(apiKey.live, row.live), eq(apiKey.secret, row.secret));
  await d1.batch([
    d1
      .update(apiKey)
      .set({ revokedAt: row.createdAt })
      .where(and(sameKind, isNull(apiKey.revokedAt))),
    d1.insert(apiKey).values(row),
  ]);
}

/** Stores when keys were last used, all in one statement. */
export async function noteKeyUses(db: D1Database, uses: readonly { hash: string; at: number }[]): Promise<void> {
  if (uses.length === 0) return;
  await open(db).run(
    sql`UPDATE ${apiKey} SET last_used_at = max(coalesce(last_used_at, 0), used.at)
        FROM (SELECT value->>'hash' AS hash, value->>'at' AS at FROM ${listed(uses)}) AS used WHERE ${apiKey.hash} = used.hash`,
  );
}
