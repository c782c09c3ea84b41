import { and, count, desc, eq, gt, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { Others } from "../../../core/engagement/segments/rule.ts";
import type { ComputedSegment } from "../../../core/engagement/segments/segment.ts";
import { type Counts, DAY_MS, type PastVisits } from "../../../core/engagement/segments/visits.ts";
import type { Memberships } from "../../../core/tracking/types/state.ts";
import { batch, integer, listed, oneOf, open } from "../database.ts";
import { type Except, outside } from "../except.ts";
import { jsonTexts } from "../json-texts.ts";
import { pageOf } from "../page.ts";
import { campaignEpoch, event, segment, segmentDue, segmentMember, segmentPass, user } from "../schema.ts";
import { nextEpoch } from "./epochs.ts";

export async function countSegments(db: D1Database, scope: number): Promise<number> {
  return open(db).$count(segment, eq(segment.scope, scope));
}

/** Another segment of the scope has this externalId. */
export class ExternalIdTaken extends Error {}

/**
 * Creates a segment, or replaces it; the users of the scope are compared again. Returns the new epoch.
 * @throws ExternalIdTaken
 */
export async function writeSegment(db: D1Database, scope: number, one: ComputedSegment): Promise<number> {
  const { _id: id, externalId, createdAt, updatedAt } = one;
  const set = { externalId, updatedAt, doc: JSON.stringify(one) };
  try {
    const [epochs] = await batch<[{ epoch: number }]>(db, [
      nextEpoch(campaignEpoch, scope),
      open(db)
        .insert(segment)
        .values({ scope, id, createdAt, ...set })
        .onConflictDoUpdate({ target: [segment.scope, segment.id], set }),
      beginPass(scope, updatedAt),
    ]);
    return epochs.results[0].epoch;
  } catch (error) {
    const cause = error instanceof Error ? `${error.message} ${error.cause}` : "";
    if (/UNIQUE constraint/.test(cause)) throw new ExternalIdTaken();
    throw error;
  }
}

/** The users of a scope are compared with its rules, from the first one. */
function beginPass(scope: number, now: number): SQL {
  return sql`INSERT INTO ${segmentPass} (scope, since, reached) VALUES (${scope}, ${now}, '')
    ON CONFLICT (scope) DO UPDATE SET since = max(since + 1, excluded.since), reached = ''`;
}

/** A segment by its _id or externalId, as JSON. */
export async function findSegment(db: D1Database, scope: number, name: string): Promise<string | undefined> {
  const rows = await open(db)
    .select({ id: segment.id, doc: segment.doc })
    .from(segment)
    .where(and(eq(segment.scope, scope), or(eq(segment.id, name), eq(segment.externalId, name))))
    .all();
  return (rows.find(({ id }) => id === name) ?? rows[0])?.doc;
}

/** Deletes a segment; the hourly run removes its members. Returns the new epoch. */
export async function deleteSegment(db: D1Database, scope: number, id: string, now: number): Promise<number> {
  const [epochs] = await batch<[{ epoch: number }]>(db, [
    nextEpoch(campaignEpoch, scope),
    sql`DELETE FROM ${segment} WHERE ${eq(segment.scope, scope)} AND ${eq(segment.id, id)}`,
    beginPass(scope, now),
  ]);
  return epochs.results[0].epoch;
}

/** Segments of a scope, newest first, as JSON. */
export async function listSegments(
  db: D1Database,
  scope: number,
  { limit, createdBefore, createdAfter }: { limit: number; createdBefore?: number; createdAfter?: number },
): Promise<{ docs: string[]; hasMore: boolean }> {
  const { rows, hasMore } = await pageOf(limit, segment.createdAt, (also, most) =>
    open(db)
      .select({ doc: segment.doc, time: segment.createdAt })
      .from(segment)
      .where(
        and(
          eq(segment.scope, scope),
          createdBefore === undefined ? undefined : lt(segment.createdAt, createdBefore),
          createdAfter === undefined ? undefined : gt(segment.createdAt, createdAfter),
          also,
        ),
      )
      .orderBy(desc(segment.createdAt), desc(segment.id))
      .limit(most)
      .all(),
  );
  return { docs: rows.map(({ doc }) => doc), hasMore };
}

/** The segments of a scope, as JSON. */
export async function segmentDocs(db: D1Database, scope: number): Promise<string[]> {
  const rows = await open(db).select({ doc: segment.doc }).from(segment).where(eq(segment.scope, scope)).all();
  return rows.map(({ doc }) => doc);
}

/** The number of members by segment, and whether the users of the scope are still being compared. */
export async function segmentSizes(
  db: D1Database,
  scope: number,
  id?: string,
): Promise<{ sizes: ReadonlyMap<string, number>; isComputing: boolean }> {
  const own = id === undefined ? undefined : eq(segmentMember.segment, id);
  const [rows, passes] = await open(db).batch([
    open(db)
      .select({ id: segmentMember.segment, size: count() })
      .from(segmentMember)
      .where(and(eq(segmentMember.scope, scope), own))
      .groupBy(segmentMember.segment),
    open(db).select({ since: segmentPass.since }).from(segmentPass).where(eq(segmentPass.scope, scope)),
  ]);
  return { sizes: new Map(rows.map(({ id: one, size }) => [one, size])), isComputing: passes.length > 0 };
}

/** Members of a segment, in order of their _ids. */
export async function segmentUsers(
  db: D1Database,
  scope: number,
  id: string,
  { limit, after }: { limit: number; after?: string },
): Promise<{ docs: string[]; hasMore: boolean }> {
  const rows = await open(db)
    .select({ doc: user.doc })
    .from(segmentMember)
    .innerJoin(user, and(eq(user.scope, segmentMember.scope), eq(user.id, segmentMember.user)))
    .where(
      and(
        eq(segmentMember.scope, scope),
        eq(segmentMember.segment, id),
        after === undefined ? undefined : gt(segmentMember.user, after),
      ),
    )
    .orderBy(segmentMember.user)
    .limit(limit + 1)
    .all();
  return { docs: rows.slice(0, limit).map(({ doc }) => doc), hasMore: rows.length > limit };
}

/** A user as the hourly run compares it. */
export interface ComparedUser {
  id: string;
  version: number;
  /** JSON UserState. */
  doc: string;
}

/** Users of a scope in order of their _ids, after one. */
export async function usersAfter(db: D1Database, scope: number, after: string, most: number): Promise<ComparedUser[]> {
  return open(db)
    .select({ id: user.id, version: user.version, doc: user.doc })
    .from(user)
    .where(and(eq(user.scope, scope), gt(user.id, after)))
    .orderBy(user.id)
    .limit(most)
    .all();
}

export interface DueUser extends ComparedUser {
  scope: number;
}

/** Users whose segments time alone may have changed, the longest ago first. */
export async function dueUsers(db: D1Database, now: number, most: number, except: Except): Promise<DueUser[]> {
  const { scope, user: id, at } = segmentDue;
  return open(db)
    .select({ scope, id, version: user.version, doc: user.doc })
    .from(segmentDue)
    .innerJoin(user, and(eq(user.scope, scope), eq(user.id, id)))
    .where(and(lte(at, now), outside(scope, except)))
    .orderBy(at)
    .limit(most)
    .all();
}

/** Most days of visits read together. */
const MAX_PAST = 100_000;

/** Entries of geofences and places by user and day, as far back as the database has events (the archive is not read). */
export async function pastVisits(
  db: D1Database,
  scope: number,
  users: readonly string[],
  since: number,
): Promise<Map<string, PastVisits[]>> {
  const { user: of, type, createdAt, doc } = event;
  const rows = await open(db).all<Omit<PastVisits, "categories"> & { user: string; categories: string | null }>(
    sql`SELECT ${of}, ${type}, ${createdAt} / ${integer(DAY_MS)} AS day, count(*) AS visits, ${doc}->>'$.geofence._id' AS fence,
          ${doc}->>'$.geofence.tag' AS tag, ${doc}->>'$.place.chain.slug' AS chain, ${doc}->'$.place.categories' AS categories
        FROM ${listed(users)} AS one CROSS JOIN ${event} ON ${event.scope} = ${scope} AND ${of} = one.value AND ${createdAt} >= ${since}
          AND ${type} IN ('user.entered_geofence', 'user.entered_place')
        GROUP BY 1, 2, 3, 5, 6, 7, 8 LIMIT ${MAX_PAST}`,
  );
  const found = new Map<string, PastVisits[]>();
  for (const { user: id, categories, ...row } of rows) {
    const past = found.get(id) ?? [];
    past.push({ ...row, categories: categories === null ? [] : (JSON.parse(categories) as string[]) });
    found.set(id, past);
  }
  return found;
}

/** Visits of a user as its row has them, as JSON; undefined: none. */
export async function storedVisits(db: D1Database, scope: number, id: string): Promise<string | undefined> {
  const row = await open(db)
    .select({ days: sql<string | null>`${user.doc} -> '$.visitDays'` })
    .from(user)
    .where(and(eq(user.scope, scope), eq(user.id, id)))
    .get();
  return row?.days ?? undefined;
}

/** What the other records of each user's userId have; users without others are absent. */
export async function othersOf(
  db: D1Database,
  scope: number,
  users: readonly { id: string; userId?: string | undefined }[],
): Promise<Map<string, Others>> {
  const named = users.filter(({ userId }) => userId !== undefined);
  if (named.length === 0) return new Map();
  const asked = sql`json_each(${JSON.stringify(named)}) AS one`;
  const isOther = sql`${user.scope} = ${scope} AND ${user.userId} = one.value->>'userId' AND ${user.id} <> one.value->>'id'`;
  const rows = await open(db).all<{ id: string; updatedAt: number; createdAt: number; visits: string }>(
    sql`SELECT one.value->>'id' AS id, max(${user.updatedAt}) AS updatedAt, min(${user.createdAt}) AS createdAt,
          json_group_array(json(coalesce(${user.doc}->'$.visitDays', '{}'))) AS visits
        FROM ${asked} CROSS JOIN ${user} ON ${isOther} GROUP BY 1`,
  );
  return new Map(rows.map(({ id, visits, ...times }) => [id, { ...times, visits: JSON.parse(visits) as Counts[] }]));
}

/** The next hourly run compares the other records of a userId, because one of them has changed. */
export async function compareOthers(db: D1Database, scope: number, id: string, userId: string, now: number) {
  const others = sql`${eq(user.scope, scope)} AND ${eq(user.userId, userId)} AND ${user.id} <> ${id}`;
  await batch(db, [
    sql`INSERT INTO ${segmentDue} (scope, user, at) SELECT ${user.scope}, ${user.id}, ${now} FROM ${user} WHERE ${others}
          ON CONFLICT (scope, user) DO UPDATE SET at = min(at, excluded.at)`,
  ]);
}

/** New memberships of a user, if it still has the version that was compared. */
export interface MemberWrite {
  id: string;
  version: number;
  computed: Memberships;
  /** If they were completed from events. */
  visitDays?: Counts;
}

/**
 * Writes memberships, with the docs that list them. A user that its tracker has written meanwhile is left alone: it is
 * due at once.
 */
export async function writeMembers(
  db: D1Database,
  scope: number,
  writes: readonly MemberWrite[],
  now: number,
): Promise<void> {
  const rows = writes.map(({ id, version, computed, visitDays }) =>
    JSON.stringify({
      scope,
      id,
      version,
      computed,
      visitDays,
      ids: computed.segments.map(({ _id }) => _id),
      due: computed.due,
    }),
  );
  const named = sql`user.scope = written.value->>'scope' AND user.id = written.value->>'id'`;
  const isSame = sql`user.version = written.value->>'version'`;
  for (const text of jsonTexts(rows)) {
    const written = sql`json_each(${text}) AS written`;
    // The list first: in the other order, SQLite would read every user of the scope.
    const same = sql`FROM ${written} CROSS JOIN ${user} ON ${named} AND ${isSame}`;
    await batch(db, [
      sql`DELETE FROM ${segmentMember} WHERE (scope, segment, user) IN (SELECT user.scope, old.value->>'_id', user.id
            ${same}, json_each(user.doc, '$.computed.segments') AS old
            WHERE old.value->>'_id' NOT IN (SELECT value FROM json_each(written.value, '$.ids')))`,
      sql`INSERT OR IGNORE INTO ${segmentMember} (scope, segment, user) SELECT user.scope, one.value, user.id
            ${same}, json_each(written.value, '$.ids') AS one`,
      sql`DELETE FROM ${segmentDue} WHERE (scope, user) IN (SELECT user.scope, user.id ${same} WHERE written.value->>'due' IS NULL)`,
      sql`INSERT INTO ${segmentDue} (scope, user, at) SELECT user.scope, user.id, written.value->>'due'
            ${same} WHERE written.value->>'due' IS NOT NULL
            ON CONFLICT (scope, user) DO UPDATE SET at = excluded.at`,
      sql`UPDATE ${user} SET doc = CASE WHEN written.value->'visitDays' IS NULL
              THEN json_set(user.doc, '$.computed', written.value->'computed')
              ELSE json_set(user.doc, '$.computed', written.value->'computed', '$.visitDays', written.value->'visitDays') END
            FROM ${written} WHERE ${named} AND ${isSame}`,
      sql`INSERT INTO ${segmentDue} (scope, user, at) SELECT user.scope, user.id, ${now}
            FROM ${written} CROSS JOIN ${user} ON ${named} AND user.version <> written.value->>'version' WHERE true
            ON CONFLICT (scope, user) DO UPDATE SET at = min(at, excluded.at)`,
    ]);
  }
}

/** Users whose docs cannot be read are not due. */
export async function dropDue(db: D1Database, scope: number, ids: readonly string[]): Promise<void> {
  await open(db)
    .delete(segmentDue)
    .where(and(eq(segmentDue.scope, scope), oneOf(segmentDue.user, ids)));
}

/** Drops due times of users that no longer exist. */
export async function dropLostDue(db: D1Database, now: number, except: Except): Promise<void> {
  const { scope, user: id, at } = segmentDue;
  await open(db).run(
    sql`DELETE FROM ${segmentDue} WHERE ${lte(at, now)} AND ${outside(scope, except)}
          AND NOT EXISTS (SELECT 1 FROM ${user} WHERE ${user.scope} = ${scope} AND ${user.id} = ${id})`,
  );
}

export interface Pass {
  scope: number;
  since: number;
  reached: string;
}

/** Passes that have not ended, the oldest first. */
export async function passes(db: D1Database, most: number, except: Except): Promise<Pass[]> {
  const others = outside(segmentPass.scope, except);
  return open(db).select().from(segmentPass).where(others).orderBy(segmentPass.since).limit(most).all();
}

/** The pass of one scope. */
export async function passOf(db: D1Database, scope: number): Promise<Pass | undefined> {
  return open(db).select().from(segmentPass).where(eq(segmentPass.scope, scope)).get();
}

/** Notes how far a pass has come, unless a change has begun it again. `reached` undefined: it has ended. */
export async function notePass(db: D1Database, { scope, since }: Pass, reached: string | undefined): Promise<void> {
  const own = and(eq(segmentPass.scope, scope), eq(segmentPass.since, since));
  if (reached === undefined) await open(db).delete(segmentPass).where(own);
  else await open(db).update(segmentPass).set({ reached }).where(own);
}
