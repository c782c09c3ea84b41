import { and, asc, desc, eq, isNull, lt, sql } from "drizzle-orm";
import type { Trip } from "../../../core/tracking/types/trip.ts";
import { open } from "../database.ts";
import { commonDatabase, type Databases, fromEvery, hasMore } from "../databases.ts";
import { type Except, outside } from "../except.ts";
import { project, trip, tripLocation, tripShare } from "../schema.ts";

export type TripShareRow = typeof tripShare.$inferSelect;

/** How long an ended link is still reported as ended [days]; after that, it is unknown. */
const KEPT_DAYS = 30;

export async function insertShare(db: D1Database, row: TripShareRow): Promise<void> {
  await open(db).insert(tripShare).values(row);
}

/** The links of a trip, newest first. */
export async function sharesOfTrip(
  db: D1Database,
  scope: number,
  of: string,
  limit: number,
): Promise<{ rows: TripShareRow[]; hasMore: boolean }> {
  const rows = await open(db)
    .select()
    .from(tripShare)
    .where(and(eq(tripShare.scope, scope), eq(tripShare.trip, of)))
    .orderBy(desc(tripShare.createdAt), desc(tripShare.id))
    .limit(limit + 1)
    .all();
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** Revokes a link now; the time of an earlier revocation stays. Returns whether the link exists. */
export async function revokeShare(db: D1Database, scope: number, id: string, now: number): Promise<boolean> {
  const named = and(eq(tripShare.scope, scope), eq(tripShare.id, id));
  const [, rows] = await open(db).batch([
    open(db)
      .update(tripShare)
      .set({ revokedAt: now })
      .where(and(named, isNull(tripShare.revokedAt))),
    open(db).select({ id: tripShare.id }).from(tripShare).where(named),
  ]);
  return rows.length > 0;
}

/** A link with its trip, and whether its project may serve it. */
export interface OpenedShare {
  scope: number;
  share: Pick<TripShareRow, "expiresAt" | "revokedAt"> & { shows: string };
  trip: Trip;
  disabled: boolean;
  blockedCountries: readonly string[];
}

/** The link with this token hash; undefined if there is none, or its trip was deleted. */
export async function openShare(env: Databases, hash: string): Promise<OpenedShare | undefined> {
  const [found] = await fromEvery(env, (one) => findShare(one, hash));
  const row = found && { ...found, ...(hasMore(env) && (await projectOf(env, found.scope))) };
  if (!row) return undefined;
  const { scope, shows, expiresAt, revokedAt } = row;
  return {
    scope,
    share: { shows, expiresAt, revokedAt },
    trip: JSON.parse(row.doc) as Trip,
    disabled: row.disabled !== false,
    blockedCountries: row.blocked ? (JSON.parse(row.blocked) as string[]) : [],
  };
}

const OF_PROJECT = {
  disabled: project.disabled,
  blocked: sql<
    string | null
  >`CASE WHEN json_valid(${project.settings}) THEN ${project.settings} -> '$.blockedCountries' END`,
};

function findShare({ DB }: Databases, hash: string) {
  const { scope, shows, expiresAt, revokedAt } = tripShare;
  return open(DB)
    .select({ scope, shows, expiresAt, revokedAt, doc: trip.doc, ...OF_PROJECT })
    .from(tripShare)
    .innerJoin(trip, and(eq(trip.scope, scope), eq(trip.id, tripShare.trip)))
    .leftJoin(project, eq(project.id, sql`${scope} / 2`))
    .where(eq(tripShare.hash, hash))
    .all();
}

/** The project as stored in the first database, which is authoritative. */
async function projectOf(env: Databases, scope: number): Promise<{ disabled: boolean; blocked: string | null }> {
  const named = eq(project.id, scope >> 1);
  const row = await open(commonDatabase(env)).select(OF_PROJECT).from(project).where(named).get();
  return row ?? { disabled: true, blocked: null };
}

/** The last location of a trip. */
export async function lastPoint(
  db: D1Database,
  scope: number,
  of: string,
): Promise<{ at: number; latitude: number; longitude: number; accuracy: number } | undefined> {
  const { at, latitude, longitude, accuracy } = tripLocation;
  return open(db)
    .select({ at, latitude, longitude, accuracy })
    .from(tripLocation)
    .where(and(eq(tripLocation.scope, scope), eq(tripLocation.trip, of)))
    .orderBy(desc(at))
    .limit(1)
    .get();
}

/** Deletes links that ended long ago, at most `most`. */
export async function deleteOldShares(db: D1Database, now: number, most: number, except: Except): Promise<void> {
  const { scope, id, expiresAt } = tripShare;
  const old = open(db)
    .select({ scope, id })
    .from(tripShare)
    .where(and(lt(expiresAt, now - KEPT_DAYS * 24 * 3600 * 1000), outside(scope, except)))
    .orderBy(asc(expiresAt))
    .limit(most);
  await open(db).run(sql`DELETE FROM ${tripShare} WHERE (scope, id) IN ${old}`);
}
