import { cellAt } from "../geo/cells.ts";
import type { TrackEvent, UserState } from "../tracking/types.ts";

/** Resolution of the cell by which users are found: edges of about 200 m. */
export const USER_CELL_RESOLUTION = 9;

/** A user's state with the number of its writes. */
export interface VersionedUser {
  version: number;
  state: UserState;
}

/**
 * Writes what one device's tracker has gathered, all or nothing: users as they are now, where they are inside, and the
 * events. Safe to repeat: an older version never replaces a newer one, an event is stored once. Each list is one bound
 * parameter.
 */
export async function storeTracked(
  db: D1Database,
  scope: number,
  users: readonly VersionedUser[],
  events: readonly TrackEvent[],
): Promise<void> {
  const statements: D1PreparedStatement[] = [];
  if (users.length > 0) {
    const rows = users.map(({ version, state }) => ({
      id: state._id,
      userId: state.userId ?? null,
      deviceId: state.deviceId,
      latitude: state.location.latitude,
      longitude: state.location.longitude,
      cell: cellAt(state.location, USER_CELL_RESOLUTION),
      version,
      createdAt: state.createdAt,
      updatedAt: state.updatedAt,
      metadata: state.metadata ? JSON.stringify(state.metadata) : null,
      doc: JSON.stringify({ ...state, last: undefined }),
    }));
    const ids = JSON.stringify(rows.map((row) => row.id));
    const inside = users.flatMap(({ state }) =>
      Object.keys(state.geofences).map((geofence) => ({ geofence, user: state._id })),
    );
    statements.push(
      db
        .prepare(
          `INSERT INTO user (scope, id, user_id, device_id, latitude, longitude, cell, version, created_at, updated_at, metadata, doc)
           SELECT ?1, value->>'id', value->>'userId', value->>'deviceId', value->>'latitude', value->>'longitude', value->>'cell',
             value->>'version', value->>'createdAt', value->>'updatedAt', value->>'metadata', value->>'doc' FROM json_each(?2) WHERE true
           ON CONFLICT (scope, id) DO UPDATE SET user_id = excluded.user_id, latitude = excluded.latitude, longitude = excluded.longitude,
             cell = excluded.cell, version = excluded.version, updated_at = excluded.updated_at, metadata = excluded.metadata, doc = excluded.doc
           WHERE excluded.version >= user.version`,
        )
        .bind(scope, JSON.stringify(rows)),
      db
        .prepare("DELETE FROM presence WHERE scope = ?1 AND user IN (SELECT value FROM json_each(?2))")
        .bind(scope, ids),
    );
    if (inside.length > 0) {
      statements.push(
        db
          .prepare("INSERT OR IGNORE INTO presence SELECT ?1, value->>'geofence', value->>'user' FROM json_each(?2)")
          .bind(scope, JSON.stringify(inside)),
      );
    }
  }
  if (events.length > 0) {
    const rows = events.map((event) => ({
      id: event._id,
      type: event.type,
      user: event.user._id,
      createdAt: event.createdAt,
      doc: JSON.stringify(event),
    }));
    statements.push(
      db
        .prepare(
          `INSERT OR IGNORE INTO event (scope, id, type, user, created_at, doc)
           SELECT ?1, value->>'id', value->>'type', value->>'user', value->>'createdAt', value->>'doc' FROM json_each(?2)`,
        )
        .bind(scope, JSON.stringify(rows)),
    );
  }
  if (statements.length > 0) await db.batch(statements);
}

/** Deletes all that is known of a user: its row, where it is inside, its events. */
export async function deleteTracked(db: D1Database, scope: number, id: string): Promise<void> {
  await db.batch([
    db.prepare("DELETE FROM event WHERE scope = ?1 AND user = ?2").bind(scope, id),
    db.prepare("DELETE FROM presence WHERE scope = ?1 AND user = ?2").bind(scope, id),
    db.prepare("DELETE FROM user WHERE scope = ?1 AND id = ?2").bind(scope, id),
  ]);
}
