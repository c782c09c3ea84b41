import { jsonTexts } from "./json-texts.ts";
import { type ActiveUser, countEvents, countUsers } from "./stats.ts";
import { deleteTripsOf, tripStatements } from "./trips.ts";
import type { EventWrite, UserWrite } from "./writes.ts";

const toRow = ({ scope, cell, version, doc }: UserWrite) =>
  `{"scope":${scope},"cell":${cell},"version":${version},"doc":${doc}}`;

const DAY_MS = 24 * 3600_000;
const DAY = `CAST(value->>'$.doc.updatedAt' AS INTEGER) / ${DAY_MS}`;

/**
 * A row that is written counts once, and once more for each index with a column that the statement names, whether it changes
 * or not. So the usual write names none of them, and who is found by another cell or day is written by a statement that
 * names that column alone.
 */
const WRITE_USERS = `INSERT INTO user (scope, id, user_id, device_id, latitude, longitude, cell, version, created_at, updated_at, metadata, doc, day)
   SELECT value->>'scope', value->>'$.doc._id', value->>'$.doc.userId', value->>'$.doc.deviceId',
     value->>'$.doc.location.latitude', value->>'$.doc.location.longitude', value->>'cell', value->>'version',
     value->>'$.doc.createdAt', value->>'$.doc.updatedAt', value->'$.doc.metadata', value->'doc', ${DAY} FROM json_each(?) WHERE true
   ON CONFLICT (scope, id) DO UPDATE SET latitude = excluded.latitude, longitude = excluded.longitude,
     version = excluded.version, updated_at = excluded.updated_at, metadata = excluded.metadata, doc = excluded.doc
   WHERE excluded.version > user.version`;

const NEW = `FROM (SELECT value->>'scope' AS scope, value->>'$.doc._id' AS id, value->>'$.doc.userId' AS user_id,
     value->>'$.doc.location.latitude' AS latitude, value->>'$.doc.location.longitude' AS longitude, value->>'cell' AS cell,
     value->>'version' AS version, value->>'$.doc.updatedAt' AS updated_at, value->'$.doc.metadata' AS metadata,
     value->'doc' AS doc, ${DAY} AS day FROM json_each(?)) AS new
   WHERE user.scope = new.scope AND user.id = new.id AND new.version >= user.version`;
const ALL = `latitude = new.latitude, longitude = new.longitude, version = new.version, updated_at = new.updated_at,
     metadata = new.metadata, doc = new.doc`;

const CHANGES_OF_INDEXES = [
  `UPDATE user SET user_id = new.user_id ${NEW} AND user.user_id IS NOT new.user_id`,
  `UPDATE user SET day = new.day, ${ALL} ${NEW} AND user.day <> new.day`,
  `UPDATE user SET cell = new.cell, ${ALL} ${NEW} AND user.cell <> new.cell`,
];

const INSIDE = `SELECT written.value->>'scope', inside.key, written.value->>'$.doc._id'
   FROM json_each(?1) AS written, json_each(written.value, '$.doc.geofences') AS inside`;

const CHANGES_OF_PRESENCE = [
  `DELETE FROM presence WHERE (scope, user) IN (SELECT value->>'scope', value->>'$.doc._id' FROM json_each(?1))
     AND (scope, geofence, user) NOT IN (${INSIDE})`,
  `INSERT OR IGNORE INTO presence (scope, geofence, user) ${INSIDE}`,
];

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
  // First those that may change an index: what they have written, the last of the four leaves alone.
  const indexed = users.filter((user) => !user.settled);
  for (const text of jsonTexts(indexed.map(toRow)))
    for (const change of CHANGES_OF_INDEXES) statements.push(db.prepare(change).bind(text));
  for (const text of jsonTexts(users.map(toRow))) statements.push(db.prepare(WRITE_USERS).bind(text));
  const moved = users.filter((user) => user.moved).map(({ scope, doc }) => `{"scope":${scope},"doc":${doc}}`);
  for (const text of jsonTexts(moved))
    for (const change of CHANGES_OF_PRESENCE) statements.push(db.prepare(change).bind(text));
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
