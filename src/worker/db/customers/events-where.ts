import { and, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import { oneOf } from "../database.ts";
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
    types && oneOf(event.type, types),
    userId === undefined ? undefined : sql`${event.user} IN (${idsNamed(scope, userId)})`,
    confidence === undefined ? undefined : sql`${event.doc} ->> '$.confidence' = ${confidence}`,
    record === undefined ? undefined : eq(event.user, record),
  );
}

/** These _ids, for the archive, which doesn't store users; none without `userId`. */
export function recordIds(scope: number, { userId }: EventQuery): SQL {
  return sql`SELECT DISTINCT id FROM (${idsNamed(scope, userId ?? null)})`;
}
