import { and, desc, eq, gt, lt } from "drizzle-orm";
import { open } from "./database.ts";
import { event } from "./schema.ts";

export interface EventFilter {
  limit: number;
  createdBefore?: number;
  createdAfter?: number;
}

/** Events of a scope, newest first. Each doc is a JSON TrackEvent. */
export async function listEvents(
  db: D1Database,
  scope: number,
  { limit, createdBefore, createdAfter }: EventFilter,
): Promise<{ docs: string[]; hasMore: boolean }> {
  const rows = await open(db)
    .select({ doc: event.doc })
    .from(event)
    .where(
      and(
        eq(event.scope, scope),
        createdBefore === undefined ? undefined : lt(event.createdAt, createdBefore),
        createdAfter === undefined ? undefined : gt(event.createdAt, createdAfter),
      ),
    )
    .orderBy(desc(event.createdAt), desc(event.id))
    .limit(limit + 1)
    .all();
  return { docs: rows.slice(0, limit).map((row) => row.doc), hasMore: rows.length > limit };
}

export async function findEvent(db: D1Database, scope: number, id: string): Promise<string | undefined> {
  const row = await open(db)
    .select({ doc: event.doc })
    .from(event)
    .where(and(eq(event.scope, scope), eq(event.id, id)))
    .get();
  return row?.doc;
}

/** Deletes an event; tells whether there was one. */
export async function deleteEvent(db: D1Database, scope: number, id: string): Promise<boolean> {
  const rows = await open(db)
    .delete(event)
    .where(and(eq(event.scope, scope), eq(event.id, id)))
    .returning({ id: event.id });
  return rows.length > 0;
}
