import { and, asc, eq, lt, lte, type SQL, sql } from "drizzle-orm";
import { batch, oneOf, open } from "../database.ts";
import { type Except, outside } from "../except.ts";
import { deadLetter, event, project, trip, tripLocation, tripShare, unlocatedUser, user } from "../schema.ts";
import { usersThere } from "./learning.ts";

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
const ENDED = sql`${trip.status} IN ('completed', 'canceled', 'expired')`;

const SUBJECTS = {
  users: { table: user, time: user.updatedAt },
  unlocatedUsers: { table: unlocatedUser, time: sql`((${unlocatedUser.day} + 1) * ${DAY_MS})` },
  events: { table: event, time: event.createdAt },
  trips: { table: trip, time: trip.createdAt },
  locations: { table: tripLocation, time: tripLocation.at },
};
type Subject = keyof typeof SUBJECTS;

/** Both scopes of each project, as `half.live` and this. */
export const HALVES = sql`${project}, (SELECT 0 AS live UNION ALL SELECT 1) AS half`;
export const HALF = sql`${project.id} * 2 + half.live`;

/** A project's retention [days]. Invalid JSON in its settings must not block the other projects. */
export const keptDays = (subject: keyof Retention): SQL =>
  sql`coalesce(CASE WHEN json_valid(${project.settings}) THEN ${project.settings} ->> ${`$.retention.${subject}`} END, ${DEFAULT_RETENTION[subject]})`;

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
  const before = sql`${now} - ${keptDays(subject === "unlocatedUsers" ? "users" : subject)} * ${DAY_MS}`;
  // A user's index has days.
  const also = {
    trips: ENDED,
    users: sql`${user.day} <= (${before}) / ${DAY_MS}`,
    unlocatedUsers: sql`${unlocatedUser.day} <= (${before}) / ${DAY_MS}`,
    events: undefined,
    locations: undefined,
  };
  return open(db).all<Outlived>(
    sql`SELECT ${HALF} AS scope, ${before} AS before FROM ${HALVES} WHERE ${outside(HALF, except)}
          AND EXISTS (SELECT 1 FROM ${table} WHERE ${and(sql`${table.scope} = ${HALF}`, sql`${time} < ${before}`, also[subject])})
        LIMIT ${limit}`,
  );
}

/** Deletes the oldest events of a scope, at most `most`, in small statements. Returns how many. */
export async function deleteOldEvents(db: D1Database, { scope, before }: Outlived, most: number): Promise<number> {
  const old = and(eq(event.scope, scope), lt(event.createdAt, before));
  return inPieces(most, (limit) => {
    const oldest = open(db).select({ id: event.id }).from(event).where(old).orderBy(asc(event.createdAt)).limit(limit);
    return deleted(db, limit, sql`DELETE FROM ${event} WHERE ${eq(event.scope, scope)} AND id IN ${oldest}`);
  });
}

/** The users of a scope whose last update is oldest. */
export async function oldUsers(
  db: D1Database,
  { scope, before }: Outlived,
  limit: number,
): Promise<{ id: string; deviceId: string }[]> {
  return open(db)
    .select({ id: user.id, deviceId: user.deviceId })
    .from(user)
    .where(and(eq(user.scope, scope), lte(user.day, before / DAY_MS), lt(user.updatedAt, before)))
    .orderBy(asc(user.day), asc(user.updatedAt))
    .limit(limit)
    .all();
}

/**
 * The users of a scope without a location whose last conversion is oldest. Rows of users that have been located since
 * are deleted: their users expire by themselves.
 */
export async function oldUnlocatedUsers(
  db: D1Database,
  { scope, before }: Outlived,
  limit: number,
): Promise<{ id: string; deviceId: string }[]> {
  const { id, deviceId, day } = unlocatedUser;
  const old = and(eq(unlocatedUser.scope, scope), lt(day, Math.floor(before / DAY_MS)));
  const rows = await open(db).select({ id, deviceId }).from(unlocatedUser).where(old).orderBy(asc(day)).limit(limit);
  const located = await usersThere(db, scope, rows);
  if (located.size > 0)
    await open(db)
      .delete(unlocatedUser)
      .where(and(old, oneOf(id, [...located])));
  return rows.filter((row) => !located.has(row.id));
}

/** Deletes the oldest ended trips of a scope with their locations. Returns how many. */
export async function deleteOldTrips(db: D1Database, { scope, before }: Outlived, most: number): Promise<number> {
  const ended = and(eq(trip.scope, scope), lt(trip.createdAt, before), ENDED);
  return inPieces(most, async (limit) => {
    const few = Math.min(limit, TRIPS_AT_ONCE);
    const old = open(db).select({ id: trip.id }).from(trip).where(ended).orderBy(asc(trip.createdAt)).limit(few);
    const [, , trips] = await batch(db, [
      sql`DELETE FROM ${tripLocation} WHERE ${eq(tripLocation.scope, scope)} AND ${tripLocation.trip} IN ${old}`,
      sql`DELETE FROM ${tripShare} WHERE ${eq(tripShare.scope, scope)} AND ${tripShare.trip} IN ${old}`,
      sql`DELETE FROM ${trip} WHERE ${eq(trip.scope, scope)} AND ${trip.id} IN ${old}`,
    ]);
    return { asked: few, deleted: trips.meta.changes };
  });
}

/** Deletes the oldest locations of a scope's trips. Returns how many. */
export async function deleteOldLocations(db: D1Database, { scope, before }: Outlived, most: number): Promise<number> {
  const { trip: of, at } = tripLocation;
  const old = and(eq(tripLocation.scope, scope), lt(at, before));
  return inPieces(most, (limit) => {
    const oldest = open(db).select({ of, at }).from(tripLocation).where(old).orderBy(asc(at)).limit(limit);
    return deleted(
      ...([db, limit] as const),
      sql`DELETE FROM ${tripLocation} WHERE ${eq(tripLocation.scope, scope)} AND (trip, at) IN ${oldest}`,
    );
  });
}

/** Deletes the oldest dead letters that were not replayed in time, in one statement. Returns how many. */
export async function deleteOldDeadLetters(
  db: D1Database,
  now: number,
  limit: number,
  except: Except,
): Promise<number> {
  const { scope, webhook, id, diedAt } = deadLetter;
  const old = open(db)
    .select({ scope, webhook, id })
    .from(deadLetter)
    .where(and(lt(diedAt, now - DEAD_LETTER_DAYS * DAY_MS), outside(scope, except)))
    .orderBy(asc(diedAt))
    .limit(limit);
  return (await deleted(db, limit, sql`DELETE FROM ${deadLetter} WHERE (scope, webhook, id) IN ${old}`)).deleted;
}

interface Piece {
  asked: number;
  deleted: number;
}

async function deleted(db: D1Database, asked: number, query: SQL): Promise<Piece> {
  return { asked, deleted: (await open(db).run(query)).meta.changes };
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
