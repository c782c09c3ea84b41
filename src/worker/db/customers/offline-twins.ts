import type { NewReport } from "../../../core/tracking/offline.ts";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";

/** The server's event that is the same as one reported by a phone, the nearest in time; undefined: none. */
export async function findOfflineTwin(
  db: D1Database,
  scope: number,
  user: string,
  { type, geofence, at }: NewReport,
  within: number,
): Promise<TrackEvent | undefined> {
  const row = await db
    .prepare(
      `SELECT doc FROM event WHERE scope = ?1 AND user = ?2 AND created_at BETWEEN ?3 AND ?4 AND type = ?5
         AND doc ->> '$.geofence._id' = ?6 ORDER BY abs(created_at - ?7) LIMIT 1`,
    )
    .bind(scope, user, at - within, at + within, type, geofence, at)
    .first<{ doc: string }>();
  return row ? (JSON.parse(row.doc) as TrackEvent) : undefined;
}
