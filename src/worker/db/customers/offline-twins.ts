import { and, between, eq, sql } from "drizzle-orm";
import type { NewReport } from "../../../core/tracking/offline.ts";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import { open } from "../database.ts";
import { event } from "../schema.ts";

/** The server's event that is the same as one reported by a phone, the nearest in time; undefined: none. */
export async function findOfflineTwin(
  db: D1Database,
  scope: number,
  user: string,
  { type, geofence, at }: NewReport,
  within: number,
): Promise<TrackEvent | undefined> {
  const near = and(eq(event.scope, scope), eq(event.user, user), between(event.createdAt, at - within, at + within));
  const row = await open(db)
    .select({ doc: event.doc })
    .from(event)
    .where(and(near, eq(event.type, type), sql`${event.doc} ->> '$.geofence._id' = ${geofence}`))
    .orderBy(sql`abs(${event.createdAt} - ${at})`)
    .limit(1)
    .get();
  return row && (JSON.parse(row.doc) as TrackEvent);
}
