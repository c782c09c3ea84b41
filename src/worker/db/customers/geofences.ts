import { and, desc, eq, gt, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import { oneOf, open } from "../database.ts";
import { type Except, outside } from "../except.ts";
import { pageOf } from "../page.ts";
import { fenceEpoch, type GeofenceRow, geofence, geofenceTombstone, presence, user } from "../schema.ts";
import { metadataMatches } from "./metadata-filter.ts";
import { hasInName } from "./named.ts";

export type { GeofenceRow } from "../schema.ts";

/** The columns of a geofence set by a caller; id, times and epoch are set here. */
export type GeofenceValues = Omit<GeofenceRow, "scope" | "id" | "createdAt" | "updatedAt" | "epoch">;

/** How a path identifies a geofence: by its id, or by tag and externalId. */
export type GeofenceName = { id: string } | { tag: string; externalId: string };

interface Written {
  row: GeofenceRow;
  epoch: number;
}

/** Creates a geofence. undefined: another one has the same tag and externalId. */
export async function insertGeofence(
  db: D1Database,
  scope: number,
  id: string,
  values: GeofenceValues,
  now: number,
): Promise<Written | undefined> {
  const d = open(db);
  const [epochs, , , , rows] = await d.batch([
    nextEpoch(db, scope),
    ...deleteExpired(db, scope, now),
    d
      .insert(geofence)
      .values({ ...values, scope, id, createdAt: now, updatedAt: now, epoch: currentEpoch(scope) })
      .onConflictDoNothing()
      .returning(),
  ]);
  return rows[0] && { row: rows[0], epoch: epochs[0].epoch };
}

/** Replaces the geofence with this tag and externalId, or creates it with the id given. */
export async function upsertGeofence(
  db: D1Database,
  scope: number,
  id: string,
  values: GeofenceValues,
  now: number,
): Promise<Written> {
  const d = open(db);
  const epoch = currentEpoch(scope);
  const [epochs, , , , rows] = await d.batch([
    nextEpoch(db, scope),
    ...deleteExpired(db, scope, now),
    d
      .insert(geofence)
      .values({ ...values, scope, id, createdAt: now, updatedAt: now, epoch })
      .onConflictDoUpdate({
        target: [geofence.scope, geofence.tag, geofence.externalId],
        targetWhere: sql`tag IS NOT NULL AND external_id IS NOT NULL`,
        set: { ...values, updatedAt: now, epoch },
      })
      .returning(),
  ]);
  return { row: rows[0], epoch: epochs[0].epoch };
}

/**
 * Replaces the geofence with this id. undefined: it doesn't exist. Throws `PairTaken` if another one has the new pair.
 */
export async function updateGeofence(
  db: D1Database,
  scope: number,
  id: string,
  values: GeofenceValues,
  now: number,
): Promise<Written | undefined> {
  const d = open(db);
  try {
    const [epochs, , , , rows] = await d.batch([
      nextEpoch(db, scope),
      ...deleteExpired(db, scope, now),
      d
        .update(geofence)
        .set({ ...values, updatedAt: now, epoch: currentEpoch(scope) })
        .where(and(eq(geofence.scope, scope), eq(geofence.id, id)))
        .returning(),
    ]);
    return rows[0] && { row: rows[0], epoch: epochs[0].epoch };
  } catch (error) {
    const cause = error instanceof Error ? `${error.message} ${error.cause}` : "";
    if (/UNIQUE constraint/.test(cause)) throw new PairTaken();
    throw error;
  }
}

/** Another geofence of the scope has this tag and externalId. */
export class PairTaken extends Error {}

/**
 * Deletes a geofence and leaves a tombstone, which updates the indexes. Returns the new epoch; undefined: not found.
 */
export async function deleteGeofence(
  db: D1Database,
  scope: number,
  name: GeofenceName,
  now: number,
): Promise<number | undefined> {
  const d = open(db);
  const row = await d
    .select({ id: geofence.id })
    .from(geofence)
    .where(and(named(scope, name), notExpired(now)))
    .get();
  if (!row) return undefined;
  const [epochs] = await d.batch([
    nextEpoch(db, scope),
    d.insert(geofenceTombstone).values({ scope, epoch: currentEpoch(scope), id: row.id }),
    d.delete(geofence).where(named(scope, { id: row.id })),
    d.delete(presence).where(and(eq(presence.scope, scope), eq(presence.geofence, row.id))),
  ]);
  return epochs[0].epoch;
}

export async function findGeofence(
  db: D1Database,
  scope: number,
  name: GeofenceName,
  now: number,
): Promise<GeofenceRow | undefined> {
  return open(db)
    .select()
    .from(geofence)
    .where(and(named(scope, name), notExpired(now)))
    .get();
}

/** Some geofences by _id. Those that do not exist are missing. */
export async function geofencesById(
  db: D1Database,
  scope: number,
  ids: readonly string[],
  now: number,
): Promise<GeofenceRow[]> {
  if (ids.length === 0) return [];
  return open(db)
    .select()
    .from(geofence)
    .where(and(eq(geofence.scope, scope), oneOf(geofence.id, ids), notExpired(now)))
    .all();
}

export interface GeofenceFilter {
  limit: number;
  createdBefore?: number;
  createdAfter?: number;
  updatedBefore?: number;
  updatedAfter?: number;
  tag?: string;
  externalId?: string;
  /** A part of a description, tag or externalId, or an id. */
  search?: string;
  metadata?: Record<string, string | number | boolean>;
}

/** Geofences of a scope, newest first, and whether there are more than `limit`. */
export async function listGeofences(
  db: D1Database,
  scope: number,
  filter: GeofenceFilter,
  now: number,
): Promise<{ rows: GeofenceRow[]; hasMore: boolean }> {
  const { rows, hasMore } = await pageOf(filter.limit, geofence.createdAt, (also, most) =>
    open(db)
      .select({ row: geofence, time: geofence.createdAt })
      .from(geofence)
      .where(and(geofencesWhere(scope, filter, now), also))
      .orderBy(desc(geofence.createdAt), desc(geofence.id))
      .limit(most)
      .all(),
  );
  return { rows: rows.map(({ row }) => row), hasMore };
}

/** The condition for a geofence filter, used by lists and exports. */
export function geofencesWhere(scope: number, filter: Omit<GeofenceFilter, "limit">, now: number): SQL | undefined {
  return and(
    eq(geofence.scope, scope),
    notExpired(now),
    filter.createdBefore === undefined ? undefined : lt(geofence.createdAt, filter.createdBefore),
    filter.createdAfter === undefined ? undefined : gt(geofence.createdAt, filter.createdAfter),
    filter.updatedBefore === undefined ? undefined : lt(geofence.updatedAt, filter.updatedBefore),
    filter.updatedAfter === undefined ? undefined : gt(geofence.updatedAt, filter.updatedAfter),
    filter.tag === undefined ? undefined : eq(geofence.tag, filter.tag),
    filter.externalId === undefined ? undefined : eq(geofence.externalId, filter.externalId),
    filter.search === undefined
      ? undefined
      : hasInName(filter.search, geofence.id, [geofence.description, geofence.tag, geofence.externalId]),
    filter.metadata && metadataMatches(geofence.metadata, filter.metadata),
  );
}

/** The users that are inside a geofence now, newest update first. */
export async function usersInside(
  db: D1Database,
  scope: number,
  id: string,
  limit: number,
): Promise<{ docs: string[]; hasMore: boolean }> {
  const rows = await open(db)
    .select({ doc: user.doc })
    .from(presence)
    .innerJoin(user, and(eq(user.scope, presence.scope), eq(user.id, presence.user)))
    .where(and(eq(presence.scope, scope), eq(presence.geofence, id)))
    .orderBy(desc(user.updatedAt))
    .limit(limit + 1)
    .all();
  return { docs: rows.slice(0, limit).map((row) => row.doc), hasMore: rows.length > limit };
}

/** The next page of rows changed after (epoch, id) `from` and not after epoch `until`, in that order. */
export async function geofenceChanges(
  db: D1Database,
  scope: number,
  from: { epoch: number; id: string },
  until: number,
  limit: number,
): Promise<GeofenceRow[]> {
  return open(db)
    .select()
    .from(geofence)
    .where(
      and(
        eq(geofence.scope, scope),
        sql`(${geofence.epoch}, ${geofence.id}) > (${from.epoch}, ${from.id})`,
        sql`${geofence.epoch} <= ${until}`,
      ),
    )
    .orderBy(geofence.epoch, geofence.id)
    .limit(limit)
    .all();
}

/** Ids of the geofences of a scope that were deleted after epoch `since`. */
export async function geofenceTombstones(db: D1Database, scope: number, since: number): Promise<string[]> {
  const rows = await open(db)
    .select({ id: geofenceTombstone.id })
    .from(geofenceTombstone)
    .where(and(eq(geofenceTombstone.scope, scope), gt(geofenceTombstone.epoch, since)))
    .all();
  return rows.map((row) => row.id);
}

export async function readFenceEpoch(db: D1Database, scope: number): Promise<number> {
  const row = await open(db).select().from(fenceEpoch).where(eq(fenceEpoch.scope, scope)).get();
  return row?.epoch ?? 0;
}

/** The scopes of the first `limit` geofences past their `deleteAfter`. */
export async function scopesWithExpiredGeofences(
  db: D1Database,
  now: number,
  limit: number,
  except: Except,
): Promise<Set<number>> {
  const rows = await open(db)
    .select({ scope: geofence.scope })
    .from(geofence)
    .where(and(lte(geofence.deleteAfter, now), outside(geofence.scope, except)))
    .limit(limit)
    .all();
  return new Set(rows.map(({ scope }) => scope));
}

/** Deletes a scope's geofences past their `deleteAfter`. */
export async function deleteExpiredGeofences(db: D1Database, scope: number, now: number): Promise<void> {
  await open(db).batch([nextEpoch(db, scope), ...deleteExpired(db, scope, now)]);
}

/**
 * Inside a batch after `nextEpoch`: deletes the scope's geofences that are past their `deleteAfter`, and leaves
 * tombstones. Every write begins with this, so that an expired geofence never occupies a tag and externalId.
 */
export function deleteExpired(db: D1Database, scope: number, now: number) {
  const d = open(db);
  // The plus prevents SQLite from reading all geofences of the scope; few are expired at any time.
  const expired = sql`+geofence.scope = ${scope} AND ${lte(geofence.deleteAfter, now)}`;
  return [
    d
      .insert(geofenceTombstone)
      .select(sql`SELECT scope, ${currentEpoch(scope)}, id FROM geofence WHERE ${expired}`)
      .onConflictDoNothing(),
    d
      .delete(presence)
      .where(and(eq(presence.scope, scope), sql`${presence.geofence} IN (SELECT id FROM geofence WHERE ${expired})`)),
    d.delete(geofence).where(expired),
  ] as const;
}

function named(scope: number, name: GeofenceName): SQL | undefined {
  return "id" in name
    ? and(eq(geofence.scope, scope), eq(geofence.id, name.id))
    : and(eq(geofence.scope, scope), eq(geofence.tag, name.tag), eq(geofence.externalId, name.externalId));
}

function notExpired(now: number): SQL | undefined {
  return or(isNull(geofence.deleteAfter), gt(geofence.deleteAfter, now));
}

export function nextEpoch(db: D1Database, scope: number) {
  return open(db)
    .insert(fenceEpoch)
    .values({ scope, epoch: 1 })
    .onConflictDoUpdate({ target: fenceEpoch.scope, set: { epoch: sql`${fenceEpoch.epoch} + 1` } })
    .returning({ epoch: fenceEpoch.epoch });
}

/** Inside a batch after `nextEpoch`: the epoch of this change. */
export function currentEpoch(scope: number): SQL<number> {
  return sql<number>`(SELECT epoch FROM fence_epoch WHERE scope = ${scope})`;
}
