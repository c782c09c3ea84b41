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
  /** _ids of user records. */
  records?: readonly string[];
}

export function eventsWhere(scope: number, query: EventQuery): SQL | undefined {
  const { createdBefore, createdAfter, types, userId, confidence, records } = query;
  return and(
    eq(event.scope, scope),
    createdBefore === undefined ? undefined : lt(event.createdAt, createdBefore),
    createdAfter === undefined ? undefined : gt(event.createdAt, createdAfter),
    types && oneOf(event.type, types),
    userId === undefined ? undefined : sql`${event.user} IN (${idsNamed(scope, userId)})`,
    confidence === undefined ? undefined : sql`${event.doc} ->> '$.confidence' = ${confidence}`,
    records && oneOf(event.user, records),
  );
}

/** These _ids, for the archive, which doesn't store users; none without `userId`. */
export function recordIds(scope: number, { userId }: EventQuery): SQL {
  return sql`SELECT DISTINCT id FROM (${idsNamed(scope, userId ?? null)})`;
}
