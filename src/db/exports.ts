import { and, asc, count, desc, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import { open } from "./database.ts";
import { type EventFilter, eventsWhere } from "./events.ts";
import { type GeofenceFilter, geofencesWhere } from "./geofences.ts";
import { event, type GeofenceRow, geofence, trip, user } from "./schema.ts";
import { type TripFilter, tripsWhere } from "./trips.ts";
import { type UserFilter, usersWhere } from "./users.ts";

/** A table read from its first row to its last, page by page, whatever is written meanwhile. */
export interface Reading<Row> {
  /** How many rows there are now. */
  count(): Promise<number>;
  /** The next rows, at most `limit`; fewer = these were the last. */
  next(limit: number): Promise<Row[]>;
}

type Page = (limit: number, after: SQL | undefined) => Promise<{ row: unknown; time?: number; id: string }[]>;

/**
 * Events, trips and geofences go from the newest to the oldest by when they were created, which never changes: what is
 * added during the export comes before its first row, and is not in it.
 */
function byCreation<Row>(table: typeof event | typeof trip | typeof geofence, all: () => Promise<number>, page: Page) {
  let after: SQL | undefined;
  return {
    count: all,
    async next(limit: number): Promise<Row[]> {
      const rows = await page(limit, after);
      const last = rows[rows.length - 1];
      if (last) after = sql`(${table.createdAt}, ${table.id}) < (${last.time}, ${last.id})`;
      return rows.map(({ row }) => row as Row);
    },
  } satisfies Reading<Row>;
}

type Filter<T extends { limit: number }> = Omit<T, "limit">;

/** Each row is a JSON TrackEvent. `of`: those of one user record. */
export function readEvents(db: D1Database, scope: number, filter: Filter<EventFilter>, of?: string): Reading<string> {
  const where = and(eventsWhere(scope, filter), of === undefined ? undefined : eq(event.user, of));
  return byCreation(event, countOf(db, event, where), (limit, after) =>
    open(db)
      .select({ row: event.doc, time: event.createdAt, id: event.id })
      .from(event)
      .where(and(where, after))
      .orderBy(desc(event.createdAt), desc(event.id))
      .limit(limit)
      .all(),
  );
}

/** Each row is a JSON Trip. `of`: those that a user record made, or that wait for its userId. */
export function readTrips(
  db: D1Database,
  scope: number,
  filter: Omit<TripFilter, "limit" | "sortBy">,
  of?: { id: string; userId: string | undefined },
): Reading<string> {
  const made = of && eq(trip.user, of.id);
  const waiting = of?.userId === undefined ? undefined : and(isNull(trip.user), eq(trip.userId, of.userId));
  const where = and(tripsWhere(scope, filter), of && or(made, waiting));
  return byCreation(trip, countOf(db, trip, where), (limit, after) =>
    open(db)
      .select({ row: trip.doc, time: trip.createdAt, id: trip.id })
      .from(trip)
      .where(and(where, after))
      .orderBy(desc(trip.createdAt), desc(trip.id))
      .limit(limit)
      .all(),
  );
}

export function readGeofences(
  db: D1Database,
  scope: number,
  filter: Filter<GeofenceFilter>,
  now: number,
): Reading<GeofenceRow> {
  const where = geofencesWhere(scope, filter, now);
  return byCreation(geofence, countOf(db, geofence, where), (limit, after) =>
    open(db)
      .select({ row: geofence, time: geofence.createdAt, id: geofence.id })
      .from(geofence)
      .where(and(where, after))
      .orderBy(desc(geofence.createdAt), desc(geofence.id))
      .limit(limit)
      .all(),
  );
}

/**
 * Users by their _id, each row a JSON UserState: by the time of their last update, one who moves during the export
 * would move to a page that has been read.
 */
export function readUsers(db: D1Database, scope: number, filter: Filter<UserFilter>): Reading<string> {
  const where = usersWhere(scope, filter);
  let last = "";
  return {
    count: countOf(db, user, where),
    async next(limit) {
      const rows = await open(db)
        .select({ doc: user.doc, id: user.id })
        .from(user)
        .where(and(where, gt(user.id, last)))
        .orderBy(asc(user.id))
        .limit(limit)
        .all();
      last = rows[rows.length - 1]?.id ?? last;
      return rows.map(({ doc }) => doc);
    },
  };
}

function countOf(
  db: D1Database,
  table: typeof event | typeof trip | typeof geofence | typeof user,
  where: SQL | undefined,
): () => Promise<number> {
  return async () => {
    const row = await open(db).select({ rows: count() }).from(table).where(where).get();
    return row?.rows ?? 0;
  };
}
