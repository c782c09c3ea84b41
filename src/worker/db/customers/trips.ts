import { and, asc, desc, eq, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { Trip, TripStatus } from "../../../core/tracking/types/trip.ts";
import { batch, oneOf, open } from "../database.ts";
import { type Except, outside } from "../except.ts";
import { jsonTexts } from "../json-texts.ts";
import { pageOf } from "../page.ts";
import { trip, tripLocation, tripShare } from "../schema.ts";
import type { TripWrite } from "./writes.ts";

const INSERT = sql`INSERT INTO ${trip} (scope, id, external_id, user_id, device_id, user, status, destination_tag,
  destination_external_id, delayed, version, created_at, updated_at, doc)`;

/** The SQL that reads a trip's columns out of its doc. */
function valuesOf(scope: SQL, doc: SQL): SQL {
  const at = (path: string) => sql`${doc}->>${`$.${path}`}`;
  return sql.join(
    [
      ...[scope, at("_id"), at("externalId"), at("userId"), at("deviceId"), at("user"), at("status")],
      ...[at("destination.tag"), at("destination.externalId"), sql`coalesce(${at("delay")} > 0, 0)`],
      ...[at("version"), at("createdAt"), at("updatedAt"), doc],
    ],
    sql`, `,
  );
}

/** Queries that store trips and their points; an older version never overwrites a newer one. */
export function tripStatements(writes: readonly { scope: number; trips?: readonly TripWrite[] }[]): SQL[] {
  const rows = writes.flatMap(({ scope, trips = [] }) =>
    trips.map(({ doc, points }) => `{"scope":${scope},"doc":${doc},"points":${JSON.stringify(points)}}`),
  );
  return jsonTexts(rows).flatMap((text) => [
    sql`${INSERT} SELECT ${valuesOf(sql`value->>'scope'`, sql`value->'doc'`)} FROM json_each(${text}) WHERE true
        ON CONFLICT (scope, id) DO UPDATE SET user_id = excluded.user_id, device_id = excluded.device_id, user = excluded.user,
          status = excluded.status, destination_tag = excluded.destination_tag,
          destination_external_id = excluded.destination_external_id, delayed = excluded.delayed,
          version = excluded.version, updated_at = excluded.updated_at, doc = excluded.doc
        WHERE excluded.version >= trip.version`,
    sql`INSERT OR IGNORE INTO ${tripLocation} (scope, trip, at, latitude, longitude, accuracy)
        SELECT written.value->>'scope', written.value->>'$.doc._id', point.value->>0, point.value->>1, point.value->>2,
          point.value->>3 FROM json_each(${text}) AS written, json_each(written.value, '$.points') AS point`,
  ]);
}

const IS_ACTIVE = sql`status IN ('pending', 'started', 'approaching', 'arrived')`;

/** Stores a new trip; false if an active trip has the same externalId. */
export async function insertTrip(db: D1Database, scope: number, made: Trip): Promise<boolean> {
  const doc = JSON.stringify(made);
  const { meta } = await open(db).run(
    sql`${INSERT} SELECT ${valuesOf(sql`${scope}`, sql`made.doc`)} FROM (SELECT json(${doc}) AS doc) AS made WHERE true
        ON CONFLICT (scope, external_id) WHERE ${IS_ACTIVE} DO NOTHING`,
  );
  return meta.changes > 0;
}

/** Updates a trip that no device has started; false if a device started it meanwhile. */
export async function updatePending(db: D1Database, scope: number, changed: Trip): Promise<boolean> {
  const rows = await open(db)
    .update(trip)
    .set({
      status: changed.status,
      destinationTag: changed.destination?.tag ?? null,
      destinationExternalId: changed.destination?.externalId ?? null,
      delayed: (changed.delay ?? 0) > 0,
      version: changed.version,
      updatedAt: changed.updatedAt,
      doc: JSON.stringify(changed),
    })
    .where(
      and(
        eq(trip.scope, scope),
        eq(trip.id, changed._id),
        sql`${trip.deviceId} IS NULL`,
        lt(trip.version, changed.version),
      ),
    )
    .returning({ id: trip.id });
  return rows.length > 0;
}

/** Claims a trip for a device, unless another device has it. undefined: there is no trip to claim. */
async function claim(db: D1Database, scope: number, deviceId: string, which: SQL) {
  const row = await open(db).get<{ doc: string } | undefined>(
    sql`UPDATE ${trip} SET device_id = ${deviceId}, version = version + 1,
          doc = json_set(doc, '$.deviceId', ${deviceId}, '$.version', version + 1)
        WHERE ${eq(trip.scope, scope)} AND id = (SELECT id FROM ${trip} WHERE scope = ${scope} AND ${which} LIMIT 1)
          AND (device_id IS NULL OR device_id = ${deviceId}) RETURNING doc`,
  );
  return row && (JSON.parse(row.doc) as Trip);
}

/** Claims the oldest trip that waits for a user. */
export function claimWaiting(
  db: D1Database,
  scope: number,
  userId: string,
  deviceId: string,
): Promise<Trip | undefined> {
  return claim(
    db,
    scope,
    deviceId,
    sql`user_id = ${userId} AND ((status = 'pending' AND (device_id IS NULL OR device_id = ${deviceId}))
      OR (status IN ('started', 'approaching', 'arrived') AND device_id IS NULL)) ORDER BY created_at`,
  );
}

/** Claims the active trip with an externalId, if it is for this user or for no specific one. */
export function claimNamed(
  db: D1Database,
  scope: number,
  externalId: string,
  userId: string | undefined,
  deviceId: string,
): Promise<Trip | undefined> {
  return claim(
    db,
    scope,
    deviceId,
    sql`external_id = ${externalId} AND ${IS_ACTIVE} AND (user_id IS NULL OR user_id = ${userId ?? null})`,
  );
}

/** A trip by its _id, else the newest with that externalId. */
export async function findTrip(db: D1Database, scope: number, name: string): Promise<Trip | undefined> {
  const row = await open(db)
    .select({ doc: trip.doc })
    .from(trip)
    .where(and(eq(trip.scope, scope), sql`(${trip.id} = ${name} OR ${trip.externalId} = ${name})`))
    .orderBy(sql`${trip.id} = ${name} DESC`, desc(trip.createdAt), desc(trip.id))
    .get();
  return row && (JSON.parse(row.doc) as Trip);
}

/** Deletes a trip, its locations and its links. */
export async function deleteTrip(db: D1Database, scope: number, id: string): Promise<void> {
  const d1 = open(db);
  await d1.batch([
    d1.delete(tripLocation).where(and(eq(tripLocation.scope, scope), eq(tripLocation.trip, id))),
    d1.delete(tripShare).where(and(eq(tripShare.scope, scope), eq(tripShare.trip, id))),
    d1.delete(trip).where(and(eq(trip.scope, scope), eq(trip.id, id))),
  ]);
}

/** Queries that delete trips with their locations and links. */
export function deleteTripsWhere(scope: number, which: SQL): SQL[] {
  const some = and(eq(trip.scope, scope), which);
  const parts = [tripLocation, tripShare].map(
    (table) =>
      sql`DELETE FROM ${table} WHERE ${eq(table.scope, scope)} AND ${table.trip} IN (SELECT id FROM ${trip} WHERE ${some})`,
  );
  return [...parts, sql`DELETE FROM ${trip} WHERE ${some}`];
}

/** Trips that no user record makes, but that name a person: by their userId, or else by the device that claimed them. */
export const tripsNaming = (name: string): SQL =>
  sql`${trip.user} IS NULL AND (${trip.userId} = ${name} OR (${trip.userId} IS NULL AND ${trip.deviceId} = ${name}))`;

/** Returns whether there was one. */
export async function deleteTripsNaming(db: D1Database, scope: number, name: string): Promise<boolean> {
  const deleted = await batch(db, deleteTripsWhere(scope, tripsNaming(name)));
  return deleted[deleted.length - 1].meta.changes > 0;
}

export const TRIP_ORDERS = ["createdAt", "updatedAt"] as const;

export interface TripFilter {
  limit: number;
  status?: readonly TripStatus[];
  externalId?: readonly string[];
  userId?: string;
  destinationGeofenceTag?: string;
  destinationGeofenceExternalId?: string;
  createdBefore?: number;
  createdAfter?: number;
  delayed?: boolean;
  sortBy: (typeof TRIP_ORDERS)[number];
}

/** Trips of a scope, the newest first. Each doc is a JSON Trip. */
export async function listTrips(
  db: D1Database,
  scope: number,
  filter: TripFilter,
): Promise<{ docs: string[]; hasMore: boolean }> {
  const time = filter.sortBy === "updatedAt" ? trip.updatedAt : trip.createdAt;
  const { rows, hasMore } = await pageOf(filter.limit, time, (also, most) =>
    open(db)
      .select({ doc: trip.doc, time })
      .from(trip)
      .where(and(tripsWhere(scope, filter), also))
      .orderBy(desc(time), desc(trip.id))
      .limit(most)
      .all(),
  );
  return { docs: rows.map(({ doc }) => doc), hasMore };
}

/** The condition for a trip filter, used by lists and exports. */
export function tripsWhere(scope: number, filter: Omit<TripFilter, "limit" | "sortBy">): SQL | undefined {
  const isOverdue = sql`${trip.status} IN ('pending', 'started', 'approaching') AND ${trip.doc} ->> '$.scheduledArrivalAt' < ${Date.now()}`;
  const isLate = sql`(${trip.delayed} OR coalesce(${isOverdue}, 0))`;
  const equals = <T>(value: T | undefined, column: Parameters<typeof eq>[0]) =>
    value === undefined ? undefined : eq(column, value);
  return and(
    eq(trip.scope, scope),
    filter.status && inArray(trip.status, [...filter.status]),
    filter.externalId && oneOf(trip.externalId, filter.externalId),
    equals(filter.userId, trip.userId),
    equals(filter.destinationGeofenceTag, trip.destinationTag),
    equals(filter.destinationGeofenceExternalId, trip.destinationExternalId),
    filter.createdBefore === undefined ? undefined : lt(trip.createdAt, filter.createdBefore),
    filter.createdAfter === undefined ? undefined : gt(trip.createdAt, filter.createdAfter),
    filter.delayed === undefined ? undefined : filter.delayed ? isLate : sql`NOT ${isLate}`,
  );
}

interface TripPoint {
  trip: string;
  at: number;
  latitude: number;
  longitude: number;
  accuracy: number;
}

/** The locations of some trips, in order of time; at most `limit`. */
export async function tripPoints(
  db: D1Database,
  scope: number,
  trips: readonly string[],
  limit: number,
): Promise<TripPoint[]> {
  if (trips.length === 0) return [];
  return open(db)
    .select({
      trip: tripLocation.trip,
      at: tripLocation.at,
      latitude: tripLocation.latitude,
      longitude: tripLocation.longitude,
      accuracy: tripLocation.accuracy,
    })
    .from(tripLocation)
    .where(and(eq(tripLocation.scope, scope), oneOf(tripLocation.trip, trips)))
    .orderBy(asc(tripLocation.trip), asc(tripLocation.at))
    .limit(limit)
    .all();
}

/** Active trips whose last update is before a time [ms], in all scopes. */
export async function idleTrips(
  db: D1Database,
  before: number,
  limit: number,
  except: Except,
): Promise<{ scope: number; trip: Trip }[]> {
  const rows = await open(db)
    .select({ scope: trip.scope, doc: trip.doc })
    .from(trip)
    .where(
      and(
        sql`${trip.status} IN ('pending', 'started', 'approaching', 'arrived')`,
        lt(trip.updatedAt, before),
        outside(trip.scope, except),
      ),
    )
    .orderBy(asc(trip.updatedAt))
    .limit(limit)
    .all();
  return rows.map(({ scope, doc }) => ({ scope, trip: JSON.parse(doc) as Trip }));
}
