import { and, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import { event } from "../schema.ts";
import { idsNamed } from "./users.ts";

/** A filter for a scope's events, used by lists and exports. */
export interface EventQuery {
  createdBefore?: number;
  createdAfter?: number;
  types?: readonly string[];
  /** An _id, userId or deviceId. */
  userId?: string;
  confidence?: number;
  /** The _id of one user record. */
  record?: string;
}

export function eventsWhere(scope: number, query: EventQuery): SQL | undefined {
  const { createdBefore, createdAfter, types, userId, confidence, record } = query;
  return and(
    eq(event.scope, scope),
    createdBefore === undefined ? undefined : lt(event.createdAt, createdBefore),
    createdAfter === undefined ? undefined : gt(event.createdAt, createdAfter),
    types && sql`${event.type} IN (SELECT value FROM json_each(${JSON.stringify(types)}))`,
    userId === undefined ? undefined : sql`${event.user} IN (${idsNamed(scope, userId)})`,
    confidence === undefined ? undefined : sql`${event.doc} ->> '$.confidence' = ${confidence}`,
    record === undefined ? undefined : eq(event.user, record),
  );
}

/** These _ids, for the archive, which doesn't store users; none without `userId`. */
export function recordIds(db: D1Database, scope: number, { userId }: EventQuery): D1PreparedStatement {
  return db
    .prepare(
      `SELECT id FROM user WHERE scope = ?1 AND id = ?2 UNION SELECT id FROM user WHERE scope = ?1 AND user_id = ?2
       UNION SELECT id FROM user WHERE scope = ?1 AND device_id = ?2`,
    )
    .bind(scope, userId ?? null);
}
