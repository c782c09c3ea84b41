import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { open } from "./database.ts";
import { type ProjectSettings, parseSettings } from "./projects.ts";
import { apiKey, beaconEpoch, fenceEpoch, project, trip, usage } from "./schema.ts";

/** A key's project, environment and level, with what a request needs to know of the project. */
export interface KeyRecord {
  project: number;
  live: boolean;
  secret: boolean;
  /** project × 2 + live: the first part of every key, row and object name. */
  scope: number;
  disabled: boolean;
  overQuota: boolean;
  settings: ProjectSettings;
  /** Epoch of the scope's geofences as last seen by this isolate. */
  fenceEpoch: number;
  /** The same for its beacons; 0 = it has never had any. */
  beaconEpoch: number;
  /** The scope has, or has had, trips. */
  hasTrips: boolean;
  /** Hash of the key; absent where a session stands for it. */
  key?: string;
}

/**
 * Finds a key by its hash, unless it is revoked, together with its project's state, in one query. `now` [ms] gives the
 * month for the quota.
 */
export async function findCaller(db: D1Database, hash: string, now: number): Promise<KeyRecord | undefined> {
  const month = new Date(now).toISOString().slice(0, 7);
  const row = await open(db)
    .select({
      project: apiKey.project,
      live: apiKey.live,
      secret: apiKey.secret,
      disabled: project.disabled,
      quota: project.monthlyQuota,
      settings: project.settings,
      epoch: fenceEpoch.epoch,
      beaconEpoch: beaconEpoch.epoch,
      hasTrips: sql<number>`EXISTS (SELECT 1 FROM ${trip} WHERE ${trip.scope} = ${apiKey.project} * 2 + ${apiKey.live})`,
      used: sql<number>`CASE WHEN ${project.monthlyQuota} IS NULL THEN 0 ELSE (
        SELECT coalesce(sum(${usage.calls}), 0) FROM ${usage}
        WHERE ${usage.project} = ${apiKey.project} AND ${usage.month} = ${month}) END`,
    })
    .from(apiKey)
    .innerJoin(project, eq(project.id, apiKey.project))
    .leftJoin(fenceEpoch, eq(fenceEpoch.scope, sql`${apiKey.project} * 2 + ${apiKey.live}`))
    .leftJoin(beaconEpoch, eq(beaconEpoch.scope, sql`${apiKey.project} * 2 + ${apiKey.live}`))
    .where(and(eq(apiKey.hash, hash), isNull(apiKey.revokedAt)))
    .get();
  if (!row) return undefined;
  return {
    project: row.project,
    live: row.live,
    secret: row.secret,
    scope: row.project * 2 + (row.live ? 1 : 0),
    disabled: row.disabled,
    overQuota: row.quota !== null && row.used >= row.quota,
    settings: parseSettings(row.settings),
    fenceEpoch: row.epoch ?? 0,
    beaconEpoch: row.beaconEpoch ?? 0,
    hasTrips: row.hasTrips === 1,
    key: hash,
  };
}

/** What may be shown of a key. */
export interface KeyHint {
  live: boolean;
  secret: boolean;
  hint: string;
  createdAt: number;
  lastUsedAt: number | null;
}

/** The keys of a project that open it, the oldest first. */
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

/** Puts a key in the place of all that are of its kind, in one step. */
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

/** When keys were used last, all in one statement. */
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
