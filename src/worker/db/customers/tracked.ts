import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import { forgetArchived } from "../archive/archive-changes.ts";
import { batch, integer, prepared, statement } from "../database.ts";
import { jsonGroups, jsonTexts } from "../json-texts.ts";
import { event, presence, segment, segmentDue, segmentMember, trip, unlocatedUser, user, userArea } from "../schema.ts";
import { type ActiveUser, type Count, countEvents, countUsers } from "./stats.ts";
import { deleteTripsWhere, tripStatements } from "./trips.ts";
import type { EventWrite, UserWrite } from "./writes.ts";

/** The fields of a UserState used here. */
interface Doc {
  userId?: string;
  updatedAt: number;
  geofences?: Record<string, unknown>;
  computed?: { segments: { _id: string }[]; due?: number };
}

const toRow = ({ scope, cell, areas, version, since, doc }: UserWrite) =>
  `{"scope":${scope},"cell":${cell},"areas":[${areas.join()}],"version":${version},"since":${since},"doc":${doc}}`;

const DAY_MS = 24 * 3600_000;

/**
 * A user without its doc: {scope, id, cell, areas, version, day, userId, inside, segments, due}, for the statements that don't write
 * the doc. Each statement parses its JSON again, and the doc is nine tenths of it.
 */
function toSlim({ scope, id, cell, areas, version, doc }: UserWrite): string {
  const { userId, updatedAt, geofences = {}, computed } = JSON.parse(doc) as Doc;
  const day = Math.floor(updatedAt / DAY_MS);
  const slim = { scope, id, cell, areas, version, day, userId, inside: Object.keys(geofences) };
  if (!computed) return JSON.stringify(slim);
  return JSON.stringify({ ...slim, segments: computed.segments.map(({ _id }) => _id), due: computed.due });
}

function toAsked({ scope, id, since, version, segments, doc }: UserWrite): string {
  if (!segments) return JSON.stringify({ scope, id, since });
  return JSON.stringify({ scope, id, since, version, computed: (JSON.parse(doc) as Doc).computed });
}

/**
 * A list of rows, each a string built once: SQLite rebuilds it for each column that is read directly from json_each.
 */
const rowsOf = (text: SQLWrapper) =>
  sql`(WITH made AS MATERIALIZED (SELECT value FROM json_each(${text})) SELECT value FROM made)`;

/**
 * Writing a row counts once, and once more for each index with a column that the statement lists, whether it changes or
 * not. So the usual statement lists none of them, and a changed day or userId is written by a statement with only that
 * column.
 */
const writing = prepared(
  (text) => sql`INSERT INTO ${user} (scope, id, user_id, device_id, latitude, longitude, cell,
     areas, version, created_at, updated_at, metadata, doc, day)
   SELECT value->>'scope', value->>'$.doc._id', value->>'$.doc.userId', value->>'$.doc.deviceId',
     value->>'$.doc.location.latitude', value->>'$.doc.location.longitude', value->>'cell', value->'areas', value->>'version',
     value->>'$.doc.createdAt', value->>'$.doc.updatedAt', value->'$.doc.metadata', value->'doc',
     CAST(value->>'$.doc.updatedAt' AS INTEGER) / ${integer(DAY_MS)} FROM ${rowsOf(text)} WHERE true
   ON CONFLICT (scope, id) DO UPDATE SET latitude = excluded.latitude, longitude = excluded.longitude, cell = excluded.cell,
     areas = excluded.areas, version = excluded.version, updated_at = excluded.updated_at, metadata = excluded.metadata, doc = excluded.doc
   WHERE excluded.version > user.version`,
);

/** For users with no change outside the row, provided that the database has the version since which that is so. */
const updating = (text: SQLWrapper) => sql`UPDATE ${user} SET latitude = new.latitude, longitude = new.longitude, cell =
     new.cell, areas = new.areas,
     version = new.version, updated_at = new.updated_at, metadata = new.metadata, doc = new.doc
   FROM (SELECT value->>'scope' AS scope, value->>'$.doc._id' AS id, value->>'$.doc.location.latitude' AS latitude,
     value->>'$.doc.location.longitude' AS longitude, value->>'cell' AS cell, value->'areas' AS areas, value->>'version' AS version,
     value->>'since' AS since, value->>'$.doc.updatedAt' AS updated_at, value->'$.doc.metadata' AS metadata, value->'doc' AS doc
     FROM ${rowsOf(text)}) AS new
   WHERE user.scope = new.scope AND user.id = new.id AND user.version >= new.since AND user.version < new.version`;

const writingSame = prepared(updating);

/** The same for users with computed segments: the hourly run may have changed those of the row. */
const writingSameSegments = prepared(
  (text) => sql`${updating(text)} AND user.doc->'$.computed' IS new.doc->'$.computed'`,
);

/** Of some {scope, id, since, computed}, those for which the database is out of date. */
const behindOf = prepared(
  (asked) => sql`SELECT written.key AS n FROM json_each(${asked}) AS written
   LEFT JOIN ${user} ON user.scope = written.value->>'scope' AND user.id = written.value->>'id'
   WHERE coalesce(user.version, -1) < written.value->>'since'
     OR (written.value->'computed' IS NOT NULL AND user.version < written.value->>'version'
       AND user.doc->'$.computed' IS NOT written.value->'computed')`,
);

/**
 * Users with a changed day: ?1 without docs, ?2 with docs, which are read only for these. A template would bind the docs
 * once for each column.
 */
const WRITE_DAY = `UPDATE user SET day = new.day, latitude = ?2->new.key->>'$.doc.location.latitude',
     longitude = ?2->new.key->>'$.doc.location.longitude', cell = ?2->new.key->>'cell', areas = ?2->new.key->'areas', version = new.version,
     updated_at = ?2->new.key->>'$.doc.updatedAt', metadata = ?2->new.key->'$.doc.metadata', doc = ?2->new.key->'doc'
   FROM (SELECT key, value->>'scope' AS scope, value->>'id' AS id, value->>'version' AS version, value->>'day' AS day FROM json_each(?1)) AS new
   WHERE user.scope = new.scope AND user.id = new.id AND new.version >= user.version AND user.day <> new.day`;

/** A written user joined with the row that it replaces; an older version replaces nothing. */
const replaced = (slim: SQLWrapper) => sql`FROM json_each(${slim}) AS written JOIN ${user} ON user.scope =
     written.value->>'scope'
     AND user.id = written.value->>'id' AND user.version < written.value->>'version'`;
/** A written user that its row now contains. */
const stored = (slim: SQLWrapper) => sql`FROM json_each(${slim}) AS written JOIN ${user} ON user.scope =
     written.value->>'scope'
     AND user.id = written.value->>'id' AND user.version = written.value->>'version'`;

/**
 * Obsolete rows of a user are found by its row before that is written. An area that replaces another is one row, not
 * two.
 */
const beforeUsers = [
  prepared(
    (slim) => sql`UPDATE OR IGNORE ${userArea} SET cell = moved.next FROM
     (SELECT user.scope, user.id, min(old.value) AS last, written.value->>'cell' AS next
      ${replaced(slim)}, json_each(coalesce(user.areas, json_array(user.cell))) AS old
      WHERE old.value NOT IN (SELECT value FROM json_each(written.value, '$.areas')) GROUP BY 1, 2) AS moved
   WHERE user_area.scope = moved.scope AND user_area.cell = moved.last AND user_area.user = moved.id`,
  ),
  prepared(
    (slim) => sql`DELETE FROM ${userArea} WHERE (scope, cell, user) IN (SELECT user.scope, old.value, user.id
     ${replaced(slim)}, json_each(coalesce(user.areas, json_array(user.cell))) AS old
     WHERE old.value NOT IN (SELECT value FROM json_each(written.value, '$.areas')))`,
  ),
  prepared(
    (slim) => sql`DELETE FROM ${presence} WHERE (scope, geofence, user) IN (SELECT user.scope, old.key, user.id
     ${replaced(slim)}, json_each(user.doc, '$.geofences') AS old
     WHERE old.key NOT IN (SELECT value FROM json_each(written.value, '$.inside')))`,
  ),
  prepared(
    (slim) => sql`UPDATE ${user} SET user_id = new.user_id
     FROM (SELECT value->>'scope' AS scope, value->>'id' AS id, value->>'userId' AS user_id, value->>'version' AS version
       FROM json_each(${slim})) AS new
     WHERE user.scope = new.scope AND user.id = new.id AND new.version >= user.version AND user.user_id IS NOT new.user_id`,
  ),
];

const afterUsers = [
  prepared(
    (slim) => sql`INSERT OR IGNORE INTO ${userArea} (scope, cell, user) SELECT user.scope, area.value, user.id
     ${stored(slim)}, json_each(written.value, '$.areas') AS area`,
  ),
  prepared(
    (slim) => sql`INSERT OR IGNORE INTO ${presence} (scope, geofence, user) SELECT user.scope, inside.value, user.id
     ${stored(slim)}, json_each(written.value, '$.inside') AS inside`,
  ),
];

/** The same for users with computed segments: rows of `segment_member` are those that the replaced doc lists. */
const beforeMembers = prepared(
  (slim) => sql`DELETE FROM ${segmentMember} WHERE (scope, segment, user) IN (SELECT user.scope,
     old.value->>'_id', user.id
     ${replaced(slim)}, json_each(user.doc, '$.computed.segments') AS old
     WHERE old.value->>'_id' NOT IN (SELECT value FROM json_each(written.value, '$.segments')))`,
);
const afterMembers = [
  prepared(
    (slim) => sql`INSERT OR IGNORE INTO ${segmentMember} (scope, segment, user) SELECT user.scope, one.value, user.id
     ${stored(slim)}, json_each(written.value, '$.segments') AS one`,
  ),
  prepared(
    (slim) => sql`INSERT INTO ${segmentDue} (scope, user, at) SELECT user.scope, user.id, written.value->>'due'
     ${stored(slim)} WHERE written.value->>'due' IS NOT NULL
     ON CONFLICT (scope, user) DO UPDATE SET at = excluded.at`,
  ),
];

const writingEvents = prepared(
  (text) => sql`INSERT OR IGNORE INTO ${event} (scope, id, type, user, created_at, doc)
          SELECT value->>'scope', value->>'$.doc._id', value->>'$.doc.type', value->>'$.doc.user._id', value->>'$.doc.createdAt',
            value->'doc' FROM ${rowsOf(text)}`,
);

/** The users of events without a location, in the day of their last one: nothing else names them. */
const writingUnlocated = prepared(
  (text) => sql`INSERT INTO ${unlocatedUser} (scope, id, user_id, device_id, day)
    SELECT value->>'scope', value->>'$.doc.user._id', value->>'$.doc.user.userId', value->>'$.doc.user.deviceId',
      max(CAST(value->>'$.doc.actualCreatedAt' AS INTEGER) / ${integer(DAY_MS)}) FROM ${rowsOf(text)}
    WHERE value->>'$.doc.user.deviceId' IS NOT NULL GROUP BY 1, 2
    ON CONFLICT (scope, id) DO UPDATE SET day = excluded.day WHERE excluded.day > day`,
);

/** Metadata has no objects and escapes quotes, so that only a location of the event itself matches. */
const isLocated = ({ doc }: EventWrite) => doc.includes('"location":{');

/**
 * The newest version of each user. Two versions of a user in one batch would leave the userId and day of the first: the statements for
 * these columns find no row before it is inserted.
 */
function newestOf(users: readonly UserWrite[]): UserWrite[] {
  const newest = new Map<string, UserWrite>();
  for (const one of users) {
    const key = `${one.scope} ${one.id}`;
    const other = newest.get(key);
    const [older, newer] = other && other.version > one.version ? [one, other] : [other, one];
    // What the older one would have written outside the row, the newer one must write.
    const isWhole = older !== undefined && older.since >= older.version;
    newest.set(key, isWhole ? { ...newer, since: newer.version } : newer);
  }
  return [...newest.values()];
}

/**
 * Writes the trackers' data, all or nothing: users as they are now, their areas, the geofences they are inside, and the
 * events. Safe to repeat: an event is stored once, and a newer version of a user is not overwritten. Each list is one
 * bound string; SQLite itself reads the columns from the docs.
 * @returns counts of users and events seen for the first time
 */
export async function storeTracked(
  db: D1Database,
  users: readonly UserWrite[],
  events: readonly EventWrite[],
): Promise<Count[]> {
  const statements: D1PreparedStatement[] = [];
  const counting = new Set<number>();
  const add = (one: D1PreparedStatement) => statements.push(one) - 1;
  const active = users.flatMap(({ scope, id, active, doc }): ActiveUser[] =>
    active === undefined ? [] : [{ scope, id, userId: (JSON.parse(doc) as { userId?: string }).userId, hour: active }],
  );
  for (const query of countUsers(db, active)) counting.add(add(query));
  const newest = newestOf(users);
  const same = newest.filter(({ since, version }) => since < version);
  const asked = `[${same.map(toAsked).join()}]`;
  const behind = same.length > 0 ? add(behindOf(db, asked)) : undefined;
  for (const [query, some] of [
    [writingSame, same.filter(({ segments }) => !segments)],
    [writingSameSegments, same.filter(({ segments }) => segments)],
  ] as const)
    for (const text of jsonTexts(some.map(toRow))) add(query(db, text));
  for (const some of jsonGroups(
    newest.filter(({ since, version }) => since >= version),
    ({ doc }) => doc.length,
  )) {
    const slim = `[${some.map(toSlim).join()}]`;
    const text = `[${some.map(toRow).join()}]`;
    const hasSegments = some.some(({ segments }) => segments);
    for (const query of beforeUsers) add(query(db, slim));
    if (hasSegments) add(beforeMembers(db, slim));
    statements.push(db.prepare(WRITE_DAY).bind(slim, text));
    add(writing(db, text));
    for (const query of afterUsers) add(query(db, slim));
    if (hasSegments) for (const query of afterMembers) add(query(db, slim));
  }
  for (const query of countEvents(db, events)) counting.add(add(query));
  const toDoc = ({ scope, doc }: EventWrite) => `{"scope":${scope},"doc":${doc}}`;
  for (const text of jsonTexts(events.map(toDoc))) add(writingEvents(db, text));
  for (const text of jsonTexts(events.filter((one) => !isLocated(one)).map(toDoc))) add(writingUnlocated(db, text));
  for (const query of tripStatements(users)) add(statement(db, query));
  if (statements.length === 0) return [];
  const answers = await db.batch(statements);
  if (behind !== undefined && answers[behind].results.length > 0) {
    // A stopped machine lost earlier changes of these: write them in full.
    const lost = (answers[behind].results as { n: number }[]).map(({ n }) => same[n]);
    await storeTracked(
      db,
      lost.map((user) => ({ ...user, since: user.version, active: undefined, trips: undefined })),
      [],
    );
  }
  return answers.flatMap(({ results }, i) => (counting.has(i) ? (results as Count[]) : []));
}

/**
 * Deletes all data of a user: its row, presences, events and trips. Trips that wait for its userId are deleted with the
 * last record that has this userId.
 */
export async function deleteTracked(db: D1Database, scope: number, id: string): Promise<void> {
  const row = and(eq(user.scope, scope), eq(user.id, id));
  const unlocated = and(eq(unlocatedUser.scope, scope), eq(unlocatedUser.id, id));
  const userId = sql`(SELECT user_id FROM ${user} WHERE ${row} UNION SELECT user_id FROM ${unlocatedUser} WHERE ${unlocated}
    ORDER BY 1 DESC LIMIT 1)`;
  const others = (table: typeof user | typeof unlocatedUser) =>
    sql`SELECT 1 FROM ${table} WHERE ${eq(table.scope, scope)} AND ${table.userId} = ${userId} AND ${table.id} <> ${id}`;
  await batch(db, [
    ...deleteTripsWhere(scope, eq(trip.user, id)),
    ...deleteTripsWhere(
      scope,
      sql`${trip.user} IS NULL AND ${trip.userId} = ${userId} AND NOT EXISTS (${others(user)}) AND NOT EXISTS (${others(unlocatedUser)})`,
    ),
    sql`DELETE FROM ${event} WHERE ${eq(event.scope, scope)} AND ${eq(event.user, id)}`,
    ...forgetArchived(scope, id),
    sql`DELETE FROM ${presence} WHERE ${eq(presence.scope, scope)} AND ${eq(presence.user, id)}`,
    sql`DELETE FROM ${userArea} WHERE ${eq(userArea.scope, scope)} AND ${eq(userArea.user, id)} AND ${userArea.cell} IN
          (SELECT area.value FROM ${user}, json_each(coalesce(${user.areas}, json_array(${user.cell}))) AS area WHERE ${row})`,
    sql`DELETE FROM ${segmentMember} WHERE ${eq(segmentMember.scope, scope)} AND ${eq(segmentMember.user, id)}
          AND ${segmentMember.segment} IN (SELECT id FROM ${segment} WHERE ${eq(segment.scope, scope)}
            UNION SELECT one.value->>'_id' FROM ${user}, json_each(${user.doc}, '$.computed.segments') AS one WHERE ${row})`,
    sql`DELETE FROM ${segmentDue} WHERE ${eq(segmentDue.scope, scope)} AND ${eq(segmentDue.user, id)}`,
    sql`DELETE FROM ${user} WHERE ${row}`,
    sql`DELETE FROM ${unlocatedUser} WHERE ${unlocated}`,
  ]);
}
