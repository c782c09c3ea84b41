import { and, between, desc, eq, gt, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import type { PackedCell } from "../../../core/geo/cells/cells.ts";
import { batch, integer, listed, oneOf, open } from "../database.ts";
import { type Except, scopesOfProjects } from "../except.ts";
import { pageOf } from "../page.ts";
import { unlocatedUser, user, userArea } from "../schema.ts";
import { metadataMatches } from "./metadata-filter.ts";
import { hasInName } from "./named.ts";

const DAY_MS = 24 * 3600_000;

/**
 * The _ids that a name matches: of the record, of its user, or of its device. Each is queried separately, and only for
 * its _id, which is in the index: with one OR condition, or complete rows, SQLite would read all of the scope.
 */
export function idsNamed(scope: number, name: string | null): SQL {
  const union = (parts: SQL[]) => sql.join(parts, sql` UNION ALL `);
  const namedIn = (table: typeof user | typeof unlocatedUser) =>
    union(
      [table.id, table.userId, table.deviceId].map(
        (column) => sql`SELECT ${table.id} FROM ${table} WHERE ${table.scope} = ${scope} AND ${column} = ${name}`,
      ),
    );
  // D1 allows five terms in a compound SELECT.
  return union([user, unlocatedUser].map((table) => sql`SELECT id FROM (${namedIn(table)})`));
}

/** The newest record with this name: an _id, else a userId, else a deviceId. The doc is a JSON UserState. */
export async function findUser(
  db: D1Database,
  scope: number,
  name: string,
): Promise<{ id: string; deviceId: string; doc: string } | undefined> {
  return open(db)
    .select({ id: user.id, deviceId: user.deviceId, doc: user.doc })
    .from(user)
    .where(and(eq(user.scope, scope), sql`${user.id} IN (${idsNamed(scope, name)})`))
    .orderBy(
      sql`CASE WHEN ${user.id} = ${name} THEN 0 WHEN ${user.userId} = ${name} THEN 1 ELSE 2 END`,
      desc(user.updatedAt),
    )
    .get();
}

/** A record of a user. */
export interface UserRecord {
  id: string;
  userId: string | null;
  deviceId: string;
}

/**
 * All records with this name, also of users without a location: the one with that _id, else all with that userId, else
 * all of that device.
 */
export async function findUserRecords(db: D1Database, scope: number, name: string): Promise<UserRecord[]> {
  const recordsIn = (table: typeof user | typeof unlocatedUser) =>
    open(db)
      .select({ id: table.id, userId: table.userId, deviceId: table.deviceId })
      .from(table)
      .where(and(eq(table.scope, scope), sql`${table.id} IN (${idsNamed(scope, name)})`));
  const [located, unlocated] = await open(db).batch([recordsIn(user), recordsIn(unlocatedUser)]);
  const known = new Set(located.map(({ id }) => id));
  const rows = [...located, ...unlocated.filter(({ id }) => !known.has(id))];
  for (const key of ["id", "userId", "deviceId"] as const) {
    const some = rows.filter((row) => row[key] === name);
    if (some.length > 0) return some;
  }
  return [];
}

export interface UserFilter {
  limit: number;
  updatedBefore?: number;
  updatedAfter?: number;
  /** Part of a userId, deviceId or description; or a whole _id. */
  search?: string;
  metadata?: Record<string, string | number | boolean>;
  /** The externalId of a segment that the user is in. */
  segment?: string;
  /** The user has one of these tags. */
  userTags?: readonly string[];
}

/** Users of a scope, newest update first. */
export async function listUsers(
  db: D1Database,
  scope: number,
  filter: UserFilter,
): Promise<{ docs: string[]; hasMore: boolean }> {
  const { rows, hasMore } = await pageOf(filter.limit, user.updatedAt, (also, most) =>
    open(db)
      .select({ doc: user.doc, time: user.updatedAt })
      .from(user)
      // Day by day, by the index, and only as many days as the page needs: without a limit on the day, SQLite sorts
      // all.
      .where(and(usersWhere(scope, filter), gte(user.day, 0), also))
      .orderBy(desc(user.day), desc(user.updatedAt), desc(user.id))
      .limit(most)
      .all(),
  );
  return { docs: rows.map((row) => row.doc), hasMore };
}

/** The condition for a user filter, used by lists and exports. */
export function usersWhere(scope: number, filter: Omit<UserFilter, "limit">): SQL | undefined {
  const { updatedBefore, updatedAfter, search, metadata, segment, userTags } = filter;
  return and(
    eq(user.scope, scope),
    updatedBefore === undefined
      ? undefined
      : and(lt(user.updatedAt, updatedBefore), lte(user.day, Math.floor(updatedBefore / DAY_MS))),
    updatedAfter === undefined
      ? undefined
      : and(gt(user.updatedAt, updatedAfter), gte(user.day, Math.floor(updatedAfter / DAY_MS))),
    search === undefined
      ? undefined
      : hasInName(search, user.id, [user.userId, user.deviceId, sql`${user.doc} ->> '$.description'`]),
    metadata && metadataMatches(user.metadata, metadata),
    segment === undefined
      ? undefined
      : sql`(EXISTS (SELECT 1 FROM json_each(${user.doc}, '$.segments') one WHERE one.value ->> 'externalId' = ${segment})
          OR EXISTS (SELECT 1 FROM segment_member AS member WHERE member.scope = ${scope} AND member.user = ${user.id}
            AND member.segment = (SELECT id FROM segment WHERE scope = ${scope} AND external_id = ${segment})))`,
    userTags && hasTag(userTags),
  );
}

function hasTag(tags: readonly string[]): SQL {
  return sql`EXISTS (SELECT 1 FROM json_each(${user.doc}, '$.userTags') one
    WHERE ${oneOf(sql`one.value`, tags)})`;
}

interface UserPosition {
  id: string;
  latitude: number;
  longitude: number;
}

/**
 * The positions of users found in some areas; each area is a key range of cells (src/core/geo/cells/cells.ts).
 * @param latitudes only those between, inclusive [°]: a user is also found in areas it has left
 */
export async function userPositions(
  db: D1Database,
  scope: number,
  ranges: readonly (readonly [low: PackedCell, high: PackedCell])[],
  latitudes: readonly [south: number, north: number],
  { metadata, userTags }: Pick<UserFilter, "metadata" | "userTags"> = {},
): Promise<UserPosition[]> {
  return (
    open(db)
      .selectDistinct({ id: user.id, latitude: user.latitude, longitude: user.longitude })
      .from(sql`${listed(ranges)} AS area`)
      // Areas, then their users, then their rows: SQLite may start a JOIN with every user of the scope.
      .crossJoin(userArea)
      .crossJoin(user)
      .where(
        and(
          sql`${userArea.scope} = ${scope} AND ${userArea.cell} >= area.value ->> 0 AND ${userArea.cell} < area.value ->> 1`,
          and(eq(user.scope, userArea.scope), eq(user.id, userArea.user)),
          and(between(user.latitude, ...latitudes), metadata && metadataMatches(user.metadata, metadata)),
          userTags && hasTag(userTags),
        ),
      )
      .all()
  );
}

/** The docs of some users, by _id. */
export async function userDocs(db: D1Database, scope: number, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await open(db)
    .select({ id: user.id, doc: user.doc })
    .from(user)
    .where(and(eq(user.scope, scope), oneOf(user.id, ids)))
    .all();
  return new Map(rows.map((row) => [row.id, row.doc]));
}

/** The records of a userId, the most recently updated first. */
export async function recordsOfUser(
  db: D1Database,
  scope: number,
  userId: string,
): Promise<{ id: string; deviceId: string }[]> {
  return open(db)
    .select({ id: user.id, deviceId: user.deviceId })
    .from(user)
    .where(
      and(
        eq(user.scope, scope),
        sql`${user.id} IN (SELECT id FROM user WHERE scope = ${scope} AND user_id = ${userId})`,
      ),
    )
    .orderBy(desc(user.updatedAt))
    .limit(100)
    .all();
}

/**
 * Fills in columns that an earlier release didn't write although they existed: users' days, and, within two days of the
 * change, the area by which they are found.
 */
export async function repairUsers(db: D1Database, now: number, except: Except): Promise<void> {
  const scopes = scopesOfProjects(except);
  await batch(db, [
    sql`UPDATE ${user} SET day = updated_at / ${integer(DAY_MS)} WHERE (scope, id) IN
          (SELECT scope, id FROM ${user} WHERE day = 0 AND scope IN ${scopes})`,
    sql`INSERT OR IGNORE INTO ${userArea} (scope, cell, user) SELECT scope, cell, id FROM ${user}
        WHERE scope IN ${scopes} AND day >= ${Math.floor(now / DAY_MS) - 2} AND areas IS NULL
          AND EXISTS (SELECT 1 FROM d1_migrations WHERE name = '0010_areas.sql'
            AND applied_at > datetime(${Math.floor(now / 1000) - 2 * 24 * 3600}, 'unixepoch'))`,
  ]);
}

/** The users of a device as the database has them: the version of each, and the JSON of its state. */
export async function usersOfDevice(db: D1Database, scope: number, deviceId: string) {
  const where = and(eq(user.scope, scope), eq(user.deviceId, deviceId));
  return open(db).select({ version: user.version, doc: user.doc }).from(user).where(where).orderBy(user.id).all();
}

/** Does the database have a user of this device? */
export async function isKnownDevice(db: D1Database, scope: number, deviceId: string): Promise<boolean> {
  const where = and(eq(user.scope, scope), eq(user.deviceId, deviceId));
  return (await open(db).select({ scope: user.scope }).from(user).where(where).limit(1).get()) !== undefined;
}
