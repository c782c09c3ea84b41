import { type Except, listOf, notListed } from "../except.ts";

/** How long data is kept [days]. */
export interface Retention {
  /** Since a user's last update. */
  users: number;
  events: number;
  /** Since their creation. */
  trips: number;
  /** The recorded locations of trips. */
  locations: number;
  /** Updates of devices, with their surroundings: a user's path, and the data for explaining events. */
  updates: number;
}

export const DEFAULT_RETENTION: Retention = { users: 365, events: 365, trips: 90, locations: 7, updates: 7 };

/** Retention of dead letters, regardless of the project's settings [days]. */
const DEAD_LETTER_DAYS = 30;

const DAY_MS = 24 * 3600 * 1000;
/** Maximum rows of one DELETE. */
const ROWS_AT_ONCE = 1000;
/** Maximum trips of one DELETE: each may have thousands of locations. */
const TRIPS_AT_ONCE = 20;

/** A scope that has data past its retention time. */
interface Outlived {
  scope: number;
  /** Older data is deleted [ms]. */
  before: number;
}

/** Only ended trips are deleted; an active one expires first. */
const ENDED = "trip.status IN ('completed', 'canceled', 'expired')";

const SUBJECTS = {
  users: { table: "user", time: "updated_at" },
  events: { table: "event", time: "created_at" },
  trips: { table: "trip", time: "created_at" },
  locations: { table: "trip_location", time: "at" },
} as const;
type Subject = keyof typeof SUBJECTS;

/**
 * The scopes with data past its project's retention. One index seek per scope, so a run with nothing to delete costs
 * little.
 */
export async function scopesWithOutlived(
  db: D1Database,
  subject: Subject,
  now: number,
  limit: number,
  except: Except,
): Promise<Outlived[]> {
  const { table, time } = SUBJECTS[subject];
  // Invalid JSON in a project's settings must not block the other projects.
  const days = `CASE WHEN json_valid(project.settings) THEN project.settings ->> '$.retention.${subject}' END`;
  const before = `?1 - coalesce(${days}, ${DEFAULT_RETENTION[subject]}) * ${DAY_MS}`;
  // A user's index has days.
  const also = { trips: ` AND ${ENDED}`, users: ` AND user.day <= (${before}) / ${DAY_MS}`, events: "", locations: "" }[
    subject
  ];
  const { results } = await db
    .prepare(
      `SELECT project.id * 2 + half.live AS scope, ${before} AS before
       FROM project, (SELECT 0 AS live UNION ALL SELECT 1) AS half
       WHERE ${notListed("project.id * 2 + half.live", "?3")}
         AND EXISTS (SELECT 1 FROM ${table} WHERE ${table}.scope = project.id * 2 + half.live AND ${table}.${time} < ${before}${also})
       LIMIT ?2`,
    )
    .bind(now, limit, listOf(except))
    .all<Outlived>();
  return results;
}

/** Deletes the oldest events of a scope, at most `most`, in small statements. Returns how many. */
export async function deleteOldEvents(db: D1Database, { scope, before }: Outlived, most: number): Promise<number> {
  return inPieces(most, (limit) =>
    deleted(
      limit,
      db
        .prepare(
          `DELETE FROM event WHERE scope = ?1 AND id IN
           (SELECT id FROM event WHERE scope = ?1 AND created_at < ?2 ORDER BY created_at LIMIT ?3)`,
        )
        .bind(scope, before, limit),
    ),
  );
}

/** The users of a scope whose last update is oldest. */
export async function oldUsers(
  db: D1Database,
  { scope, before }: Outlived,
  limit: number,
): Promise<{ id: string; deviceId: string }[]> {
  const { results } = await db
    .prepare(
      "SELECT id, device_id AS deviceId FROM user WHERE scope = ?1 AND day <= ?2 / 86400000 AND updated_at < ?2 ORDER BY day, updated_at LIMIT ?3",
    )
    .bind(scope, before, limit)
    .all<{ id: string; deviceId: string }>();
  return results;
}

/** Deletes the oldest ended trips of a scope with their locations. Returns how many. */
export async function deleteOldTrips(db: D1Database, { scope, before }: Outlived, most: number): Promise<number> {
  const old = `SELECT id FROM trip WHERE scope = ?1 AND created_at < ?2 AND ${ENDED} ORDER BY created_at LIMIT ?3`;
  return inPieces(most, async (limit) => {
    const few = Math.min(limit, TRIPS_AT_ONCE);
    const [, , trips] = await db.batch([
      db.prepare(`DELETE FROM trip_location WHERE scope = ?1 AND trip IN (${old})`).bind(scope, before, few),
      db.prepare(`DELETE FROM trip_share WHERE scope = ?1 AND trip IN (${old})`).bind(scope, before, few),
      db.prepare(`DELETE FROM trip WHERE scope = ?1 AND id IN (${old})`).bind(scope, before, few),
    ]);
    return { asked: few, deleted: trips.meta.changes };
  });
}

/** Deletes the oldest locations of a scope's trips. Returns how many. */
export async function deleteOldLocations(db: D1Database, { scope, before }: Outlived, most: number): Promise<number> {
  return inPieces(most, (limit) =>
    deleted(
      limit,
      db
        .prepare(
          `DELETE FROM trip_location WHERE scope = ?1 AND (trip, at) IN
             (SELECT trip, at FROM trip_location WHERE scope = ?1 AND at < ?2 ORDER BY at LIMIT ?3)`,
        )
        .bind(scope, before, limit),
    ),
  );
}

/** Deletes the oldest dead letters that were not replayed in time, in one statement. Returns how many. */
export async function deleteOldDeadLetters(
  db: D1Database,
  now: number,
  limit: number,
  except: Except,
): Promise<number> {
  const { meta } = await db
    .prepare(
      `DELETE FROM dead_letter WHERE (scope, webhook, id) IN
         (SELECT scope, webhook, id FROM dead_letter WHERE died_at < ?1 AND ${notListed("scope", "?3")}
          ORDER BY died_at LIMIT ?2)`,
    )
    .bind(now - DEAD_LETTER_DAYS * DAY_MS, limit, listOf(except))
    .run();
  return meta.changes;
}

interface Piece {
  asked: number;
  deleted: number;
}

async function deleted(asked: number, statement: D1PreparedStatement): Promise<Piece> {
  return { asked, deleted: (await statement.run()).meta.changes };
}

/** Deletes in batches until one finds fewer rows than its limit. */
async function inPieces(most: number, piece: (limit: number) => Promise<Piece>): Promise<number> {
  let total = 0;
  while (total < most) {
    const one = await piece(Math.min(ROWS_AT_ONCE, most - total));
    total += one.deleted;
    if (one.deleted < one.asked) break;
  }
  return total;
}
