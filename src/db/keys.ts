import { and, eq, isNull, sql } from "drizzle-orm";
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
  };
}
