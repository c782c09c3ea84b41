import { and, desc, eq, isNull } from "drizzle-orm";
import type { Trip } from "../../../core/tracking/types/trip.ts";
import { open } from "../database.ts";
import { commonDatabase, type Databases, fromEvery, hasMore } from "../databases.ts";
import { type Except, listOf, notListed } from "../except.ts";
import { tripShare } from "../schema.ts";

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
  trip: string,
  limit: number,
): Promise<{ rows: TripShareRow[]; hasMore: boolean }> {
  const rows = await open(db)
    .select()
    .from(tripShare)
    .where(and(eq(tripShare.scope, scope), eq(tripShare.trip, trip)))
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
    disabled: row.disabled !== 0,
    blockedCountries: row.blocked ? (JSON.parse(row.blocked) as string[]) : [],
  };
}

interface ShareRow {
  scope: number;
  shows: string;
  expiresAt: number;
  revokedAt: number | null;
  doc: string;
  disabled: number;
  blocked: string | null;
}

const OF_PROJECT = `project.disabled,
  CASE WHEN json_valid(project.settings) THEN project.settings -> '$.blockedCountries' END AS blocked`;

async function findShare({ DB }: Databases, hash: string): Promise<ShareRow[]> {
  const { results } = await DB.prepare(
    `SELECT s.scope, s.shows, s.expires_at AS expiresAt, s.revoked_at AS revokedAt, trip.doc, ${OF_PROJECT}
     FROM trip_share s JOIN trip ON trip.scope = s.scope AND trip.id = s.trip LEFT JOIN project ON project.id = s.scope / 2
     WHERE s.hash = ?`,
  )
    .bind(hash)
    .all<ShareRow>();
  return results;
}

/** The project as stored in the first database, which is authoritative. */
async function projectOf(env: Databases, scope: number): Promise<Pick<ShareRow, "disabled" | "blocked">> {
  const row = await commonDatabase(env)
    .prepare(`SELECT ${OF_PROJECT} FROM project WHERE id = ?`)
    .bind(scope >> 1)
    .first<Pick<ShareRow, "disabled" | "blocked">>();
  return row ?? { disabled: 1, blocked: null };
}

/** The last location of a trip. */
export async function lastPoint(
  db: D1Database,
  scope: number,
  trip: string,
): Promise<{ at: number; latitude: number; longitude: number; accuracy: number } | undefined> {
  const row = await db
    .prepare(
      "SELECT at, latitude, longitude, accuracy FROM trip_location WHERE scope = ? AND trip = ? ORDER BY at DESC LIMIT 1",
    )
    .bind(scope, trip)
    .first<{ at: number; latitude: number; longitude: number; accuracy: number }>();
  return row ?? undefined;
}

/** Deletes links that ended long ago, at most `most`. */
export async function deleteOldShares(db: D1Database, now: number, most: number, except: Except): Promise<void> {
  await db
    .prepare(
      `DELETE FROM trip_share WHERE (scope, id) IN
       (SELECT scope, id FROM trip_share WHERE expires_at < ?1 AND ${notListed("scope", "?3")}
          ORDER BY expires_at LIMIT ?2)`,
    )
    .bind(now - KEPT_DAYS * 24 * 3600 * 1000, most, listOf(except))
    .run();
}
