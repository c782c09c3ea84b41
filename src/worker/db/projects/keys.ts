import { and, asc, eq, gte, isNull, lt, sql } from "drizzle-orm";
import { open } from "../database.ts";
import { commonDatabase, type Databases, envIn, FIRST, movingOf, noteHome } from "../databases.ts";
import { apiKey, beaconEpoch, campaignEpoch, fenceEpoch, project, trip, usage } from "../schema.ts";
import { type ProjectSettings, parseSettings } from "./projects.ts";

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
export async function furtherState(
  env: Databases,
  { scope, database, moving, from }: Pick<KeyRecord, "scope" | "database" | "moving" | "from">,
  now: number,
): Promise<ScopeState> {
  noteHome(env, scope >> 1, { name: database, ...(moving && { moving }), ...(from && { from }) }, now);
  const row = await envIn(env, database)
    .DB.prepare(
      `SELECT (SELECT epoch FROM fence_epoch WHERE scope = ?1) AS fences, (SELECT epoch FROM beacon_epoch WHERE scope = ?1) AS beacons,
         (SELECT epoch FROM campaign_epoch WHERE scope = ?1) AS campaigns, EXISTS (SELECT 1 FROM trip WHERE scope = ?1) AS trips`,
    )
    .bind(scope)
    .first<{ fences: number | null; beacons: number | null; campaigns: number | null; trips: number }>();
  return {
    fenceEpoch: row?.fences ?? 0,
    beaconEpoch: row?.beacons ?? 0,
    campaignEpoch: row?.campaigns ?? 0,
    hasTrips: row?.trips === 1,
  };
}

/**
 * Finds a key by its hash, or by the first characters of it, unless it is revoked, together with its project's state,
 * in one query. `now` [ms] determines the month for the quota.
 */
export async function findCaller(env: Databases, hash: string, now: number): Promise<KeyRecord | undefined> {
  const month = new Date(now).toISOString().slice(0, 7);
  const row = await open(commonDatabase(env))
    .select({
      hash: apiKey.hash,
      project: apiKey.project,
      live: apiKey.live,
      secret: apiKey.secret,
      disabled: project.disabled,
      quota: project.monthlyQuota,
      settings: project.settings,
      database: project.database,
      moving: project.moving,
      epoch: fenceEpoch.epoch,
      beaconEpoch: beaconEpoch.epoch,
      campaignEpoch: campaignEpoch.epoch,
      hasTrips: sql<number>`EXISTS (SELECT 1 FROM ${trip} WHERE ${trip.scope} = ${apiKey.project} * 2 + ${apiKey.live})`,
      used: sql<number>`CASE WHEN ${project.monthlyQuota} IS NULL THEN 0 ELSE (
        SELECT coalesce(sum(${usage.calls}), 0) FROM ${usage}
        WHERE ${usage.project} = ${apiKey.project} AND ${usage.month} = ${month}) END`,
    })
    .from(apiKey)
    .innerJoin(project, eq(project.id, apiKey.project))
    .leftJoin(fenceEpoch, eq(fenceEpoch.scope, sql`${apiKey.project} * 2 + ${apiKey.live}`))
    .leftJoin(beaconEpoch, eq(beaconEpoch.scope, sql`${apiKey.project} * 2 + ${apiKey.live}`))
    .leftJoin(campaignEpoch, eq(campaignEpoch.scope, sql`${apiKey.project} * 2 + ${apiKey.live}`))
    // Hex digits sort before "g". With the complete hash, this is one row of the index.
    .where(and(gte(apiKey.hash, hash), lt(apiKey.hash, `${hash}g`), isNull(apiKey.revokedAt)))
    .get();
  if (!row) return undefined;
  const record: KeyRecord = {
    project: row.project,
    live: row.live,
    secret: row.secret,
    scope: row.project * 2 + (row.live ? 1 : 0),
    disabled: row.disabled,
    overQuota: row.quota !== null && row.used >= row.quota,
    hasQuota: row.quota !== null,
    settings: parseSettings(row.settings),
    fenceEpoch: row.epoch ?? 0,
    beaconEpoch: row.beaconEpoch ?? 0,
    campaignEpoch: row.campaignEpoch ?? 0,
    hasTrips: row.hasTrips === 1,
    database: row.database,
    ...movingOf(row.moving),
    key: row.hash,
  };
  return row.database === FIRST ? record : { ...record, ...(await furtherState(env, record, now)) };
}

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
  await db
    .prepare(
      `UPDATE api_key SET last_used_at = max(coalesce(last_used_at, 0), used.at)
       FROM (SELECT value->>'hash' AS hash, value->>'at' AS at FROM json_each(?)) AS used WHERE api_key.hash = used.hash`,
    )
    .bind(JSON.stringify(uses))
    .run();
}
