import { and, desc, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import { open } from "./database.ts";
import { pageOf } from "./page.ts";
import { event } from "./schema.ts";

export interface EventFilter {
  limit: number;
  createdBefore?: number;
  createdAfter?: number;
  types?: readonly string[];
  /** An _id, userId or deviceId. */
  userId?: string;
  confidence?: number;
}

/** Events of a scope, newest first. Each doc is a JSON TrackEvent. */
export async function listEvents(
  db: D1Database,
  scope: number,
  filter: EventFilter,
): Promise<{ docs: string[]; hasMore: boolean }> {
  const { rows, hasMore } = await pageOf(filter.limit, event.createdAt, (also, most) =>
    open(db)
      .select({ doc: event.doc, time: event.createdAt })
      .from(event)
      .where(and(eventsWhere(scope, filter), also))
      .orderBy(desc(event.createdAt), desc(event.id))
      .limit(most)
      .all(),
  );
  return { docs: rows.map((row) => row.doc), hasMore };
}

/** Which events of a scope a filter means; lists and exports ask for the same. */
export function eventsWhere(scope: number, filter: Omit<EventFilter, "limit">): SQL | undefined {
  const { createdBefore, createdAfter, types, userId, confidence } = filter;
  return and(
    eq(event.scope, scope),
    createdBefore === undefined ? undefined : lt(event.createdAt, createdBefore),
    createdAfter === undefined ? undefined : gt(event.createdAt, createdAfter),
    types && sql`${event.type} IN (SELECT value FROM json_each(${JSON.stringify(types)}))`,
    userId === undefined ? undefined : sql`${event.user} IN (${idsOf(scope, userId)})`,
    confidence === undefined ? undefined : sql`${event.doc} ->> '$.confidence' = ${confidence}`,
  );
}

/** The _ids that a name means: of the record with it, of its user, of its device. */
function idsOf(scope: number, name: string): SQL {
  return sql`SELECT id FROM user WHERE scope = ${scope} AND (id = ${name} OR user_id = ${name} OR device_id = ${name})`;
}

export async function findEvent(db: D1Database, scope: number, id: string): Promise<string | undefined> {
  const row = await open(db)
    .select({ doc: event.doc })
    .from(event)
    .where(and(eq(event.scope, scope), eq(event.id, id)))
    .get();
  return row?.doc;
}

/** Deletes an event. Returns whether there was one. */
export async function deleteEvent(db: D1Database, scope: number, id: string): Promise<boolean> {
  const rows = await open(db)
    .delete(event)
    .where(and(eq(event.scope, scope), eq(event.id, id)))
    .returning({ id: event.id });
  return rows.length > 0;
}

/** Notes in an event whether it was confirmed or rejected. Returns whether there is such an event. */
export async function verifyEvent(
  db: D1Database,
  scope: number,
  id: string,
  verification: number,
  verifiedPlaceId: string | undefined,
): Promise<boolean> {
  const { results } = await db
    .prepare(
      `UPDATE event SET doc = CASE WHEN ?4 IS NULL THEN json_set(doc, '$.verification', ?3)
         ELSE json_set(doc, '$.verification', ?3, '$.verifiedPlaceId', ?4) END
       WHERE scope = ?1 AND id = ?2 RETURNING id`,
    )
    .bind(scope, id, verification, verifiedPlaceId ?? null)
    .run();
  return results.length > 0;
}
