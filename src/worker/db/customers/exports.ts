import { and, asc, desc, eq, gt, or, type SQL, sql } from "drizzle-orm";
import type { EventStore } from "../archive/archive-groups.ts";
import { open } from "../database.ts";
import { type GeofenceRow, geofence, trip, user } from "../schema.ts";
import { EventReader } from "./event-reader.ts";
import type { EventQuery } from "./events-where.ts";
import { type GeofenceFilter, geofencesWhere } from "./geofences.ts";
import { type TripFilter, tripsNaming, tripsWhere } from "./trips.ts";
import { type UserFilter, usersWhere } from "./users.ts";

/** A table read page by page from the first row to the last, regardless of concurrent writes. */
export interface Reading<Row> {
  /** The number of rows after the current place. */
  count(): Promise<number>;
  /** The next rows, at most `limit`; fewer = these were the last. */
  next(limit: number): Promise<Row[]>;
  /** Continues after a place returned by `placeAfter`; false: not a valid place. Call it before reading. */
  seek(place: string): boolean;
  /** The name of the place this many rows further on, or undefined if no row follows it. */
  placeAfter(rows: number): Promise<string | undefined>;
}

type Select = (limit: number, after: SQL | undefined, skip?: number) => Promise<Keyed[]>;
interface Keyed {
  row: unknown;
  time: number;
  id: string;
}

/** "1795352539353-64f…": when a row was created, and its id. */
const PLACE = /^(\d{1,15})-(.{1,256})$/s;

/**
 * Trips and geofences, like events (event-reader.ts), are read from newest to oldest by creation time, which never
 * changes: rows added during the export come before its first row, and are not included.
 */
function byCreation<Row>(
  db: D1Database,
  table: typeof trip | typeof geofence,
  where: SQL | undefined,
  select: Select,
): Reading<Row> {
  let after: SQL | undefined;
  const goBehind = (time: number, id: string) => {
    after = sql`(${table.createdAt}, ${table.id}) < (${time}, ${id})`;
  };
  return {
    count: async () => open(db).$count(table, and(where, after)),
    async next(limit) {
      const rows = await select(limit, after);
      const last = rows[rows.length - 1];
      if (last) goBehind(last.time, last.id);
      return rows.map(({ row }) => row as Row);
    },
    seek(place) {
      const [, time, id] = PLACE.exec(place) ?? [];
      if (id !== undefined) goBehind(Number(time), id);
      return id !== undefined;
    },
    async placeAfter(rows) {
      const [last, more] = await select(2, after, rows - 1);
      return more && `${last.time}-${last.id}`;
    },
  };
}

type Filter<T extends { limit: number }> = Omit<T, "limit">;

/** Rows skipped at a time to name a distant place. */
const PASSED_AT_ONCE = 5_000;

/**
 * Events from D1 and the archive, each row a JSON TrackEvent.
 * @param leftOut called for those that can't be read
 */
export function readEvents(store: EventStore, scope: number, query: EventQuery, leftOut?: () => void): Reading<string> {
  const reader = new EventReader(store, scope, query, leftOut);
  return {
    count: () => reader.count(),
    async next(limit) {
      return (await reader.next(limit)).map(({ doc }) => doc);
    },
    seek(place) {
      const [, time, id] = PLACE.exec(place) ?? [];
      if (id !== undefined) reader.after = { time: Number(time), id };
      return id !== undefined;
    },
    async placeAfter(rows) {
      const ahead = new EventReader(store, scope, query, leftOut);
      ahead.after = reader.after;
      for (let left = rows; left > 0; ) {
        const passed = await ahead.next(Math.min(left, PASSED_AT_ONCE));
        if (passed.length < Math.min(left, PASSED_AT_ONCE)) return undefined;
        left -= passed.length;
      }
      const { after } = ahead;
      const [more] = await ahead.next(1);
      return more && after && `${after.time}-${after.id}`;
    },
  };
}

/** Each row is a JSON Trip. `of`: those of a user record, and those that only name the person (`tripsNaming`). */
export function readTrips(
  db: D1Database,
  scope: number,
  filter: Omit<TripFilter, "limit" | "sortBy">,
  of?: { id?: string; name: string },
): Reading<string> {
  const made = of?.id === undefined ? undefined : eq(trip.user, of.id);
  const where = and(tripsWhere(scope, filter), of && or(made, tripsNaming(of.name)));
  return byCreation(db, trip, where, (limit, after, skip = 0) =>
    open(db)
      .select({ row: trip.doc, time: trip.createdAt, id: trip.id })
      .from(trip)
      .where(and(where, after))
      .orderBy(desc(trip.createdAt), desc(trip.id))
      .limit(limit)
      .offset(skip)
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
  return byCreation(db, geofence, where, (limit, after, skip = 0) =>
    open(db)
      .select({ row: geofence, time: geofence.createdAt, id: geofence.id })
      .from(geofence)
      .where(and(where, after))
      .orderBy(desc(geofence.createdAt), desc(geofence.id))
      .limit(limit)
      .offset(skip)
      .all(),
  );
}

/**
 * Users by their _id, each row a JSON UserState. By the time of the last update, a user that moves during the export
 * would move to a page that has already been read.
 */
export function readUsers(db: D1Database, scope: number, filter: Filter<UserFilter>): Reading<string> {
  const where = usersWhere(scope, filter);
  let last = "";
  const behind = () => and(where, gt(user.id, last));
  const select = (limit: number, skip = 0) =>
    open(db)
      .select({ doc: user.doc, id: user.id })
      .from(user)
      .where(behind())
      .orderBy(asc(user.id))
      .limit(limit)
      .offset(skip)
      .all();
  return {
    count: async () => open(db).$count(user, behind()),
    async next(limit) {
      const rows = await select(limit);
      last = rows[rows.length - 1]?.id ?? last;
      return rows.map(({ doc }) => doc);
    },
    seek(place) {
      last = place;
      return place !== "";
    },
    async placeAfter(rows) {
      const [before, more] = await select(2, rows - 1);
      return more && before.id;
    },
  };
}
