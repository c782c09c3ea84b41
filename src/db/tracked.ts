import { jsonTexts } from "./json-texts.ts";
import { type ActiveUser, countEvents, countUsers } from "./stats.ts";
import { deleteTripsOf, tripStatements } from "./trips.ts";
import type { EventWrite, UserWrite } from "./writes.ts";

/**
 * Writes what trackers have gathered, all or nothing: users as they are now, the geofences they are inside, and the
 * events. Safe to repeat: an event is stored once, and a newer version of a user is not overwritten. Each list is one
 * bound text; SQLite itself reads the columns out of the docs.
 */
export async function storeTracked(
  db: D1Database,
  users: readonly UserWrite[],
  events: readonly EventWrite[],
): Promise<void> {
  const statements: D1PreparedStatement[] = [];
  const active = users.flatMap(({ scope, id, active }): ActiveUser[] =>
    active === undefined ? [] : [{ scope, id, hour: active }],
  );
  statements.push(...countUsers(db, active));
  const rows = users.map(
    ({ scope, cell, version, doc }) => `{"scope":${scope},"cell":${cell},"version":${version},"doc":${doc}}`,
  );
  for (const text of jsonTexts(rows)) {
    statements.push(
      db
        .prepare(
          `INSERT INTO user (scope, id, user_id, device_id, latitude, longitude, cell, version, created_at, updated_at, metadata, doc)
           SELECT value->>'scope', value->>'$.doc._id', value->>'$.doc.userId', value->>'$.doc.deviceId',
             value->>'$.doc.location.latitude', value->>'$.doc.location.longitude', value->>'cell', value->>'version',
             value->>'$.doc.createdAt', value->>'$.doc.updatedAt', value->'$.doc.metadata', value->'doc' FROM json_each(?) WHERE true
           ON CONFLICT (scope, id) DO UPDATE SET user_id = excluded.user_id, latitude = excluded.latitude, longitude = excluded.longitude,
             cell = excluded.cell, version = excluded.version, updated_at = excluded.updated_at, metadata = excluded.metadata, doc = excluded.doc
           WHERE excluded.version >= user.version`,
        )
        .bind(text),
    );
  }
  const moved = users.filter((user) => user.moved).map(({ scope, doc }) => `{"scope":${scope},"doc":${doc}}`);
  for (const text of jsonTexts(moved)) {
    statements.push(
      db
        .prepare(
          `DELETE FROM presence WHERE (scope, user) IN (SELECT value->>'scope', value->>'$.doc._id' FROM json_each(?))`,
        )
        .bind(text),
      db
        .prepare(
          `INSERT OR IGNORE INTO presence (scope, geofence, user)
           SELECT written.value->>'scope', inside.key, written.value->>'$.doc._id'
           FROM json_each(?) AS written, json_each(written.value, '$.doc.geofences') AS inside`,
        )
        .bind(text),
    );
  }
  for (const text of jsonTexts(events.map(({ scope, doc }) => `{"scope":${scope},"doc":${doc}}`))) {
    statements.push(
      countEvents(db, text),
      db
        .prepare(
          `INSERT OR IGNORE INTO event (scope, id, type, user, created_at, doc)
           SELECT value->>'scope', value->>'$.doc._id', value->>'$.doc.type', value->>'$.doc.user._id', value->>'$.doc.createdAt',
             value->'doc' FROM json_each(?)`,
        )
        .bind(text),
    );
  }
  statements.push(...tripStatements(db, users));
  if (statements.length > 0) await db.batch(statements);
}

/**
 * Deletes all that is known of a user: its row, presences, events and trips. Trips that wait for its userId are deleted
 * with the last record that has this userId.
 */
export async function deleteTracked(db: D1Database, scope: number, id: string): Promise<void> {
  await db.batch([
    ...deleteTripsOf(db, scope, id),
    db
      .prepare(
        `DELETE FROM trip WHERE scope = ?1 AND user IS NULL
           AND user_id = (SELECT user_id FROM user WHERE scope = ?1 AND id = ?2)
           AND NOT EXISTS (SELECT 1 FROM user WHERE scope = ?1 AND user.user_id = trip.user_id AND user.id <> ?2)`,
      )
      .bind(scope, id),
    db.prepare("DELETE FROM event WHERE scope = ?1 AND user = ?2").bind(scope, id),
    db.prepare("DELETE FROM presence WHERE scope = ?1 AND user = ?2").bind(scope, id),
    db.prepare("DELETE FROM user WHERE scope = ?1 AND id = ?2").bind(scope, id),
  ]);
}
