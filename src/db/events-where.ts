import { and, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import { event } from "./schema.ts";

/** Which events of a scope are asked for; lists and exports ask the same way. */
export interface EventQuestion {
  createdBefore?: number;
  createdAfter?: number;
  types?: readonly string[];
  /** An _id, userId or deviceId. */
  userId?: string;
  confidence?: number;
  /** The _id of one user record. */
  record?: string;
}

export function eventsWhere(scope: number, question: EventQuestion): SQL | undefined {
  const { createdBefore, createdAfter, types, userId, confidence, record } = question;
  return and(
    eq(event.scope, scope),
    createdBefore === undefined ? undefined : lt(event.createdAt, createdBefore),
    createdAfter === undefined ? undefined : gt(event.createdAt, createdAfter),
    types && sql`${event.type} IN (SELECT value FROM json_each(${JSON.stringify(types)}))`,
    userId === undefined ? undefined : sql`${event.user} IN (${idsOf(scope, userId)})`,
    confidence === undefined ? undefined : sql`${event.doc} ->> '$.confidence' = ${confidence}`,
    record === undefined ? undefined : eq(event.user, record),
  );
}

/** The _ids that a name means: of the record with it, of its user, of its device. */
function idsOf(scope: number, name: string): SQL {
  return sql`SELECT id FROM user WHERE scope = ${scope} AND (id = ${name} OR user_id = ${name} OR device_id = ${name})`;
}

/** These _ids, for the archive, which knows no users; none where no name is asked for. */
export function recordIds(db: D1Database, scope: number, { userId }: EventQuestion): D1PreparedStatement {
  return db
    .prepare("SELECT id FROM user WHERE ?2 IS NOT NULL AND scope = ?1 AND (id = ?2 OR user_id = ?2 OR device_id = ?2)")
    .bind(scope, userId ?? null);
}
