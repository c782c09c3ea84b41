import { and, asc, gte, sql } from "drizzle-orm";
import { open } from "../database.ts";
import { user } from "../schema.ts";
import { type UserFilter, usersWhere } from "./users.ts";

/** A user that moved on or after a day. */
export interface RecentUser {
  id: string;
  userId: string | null;
  deviceId: string;
  updatedAt: number;
  /** Null also if it was not asked for. */
  description: string | null;
}

/**
 * Users with an update on this day (since 1970) or later, ordered by their last update and id, after a position in that
 * order: several users can have the same time. A user that moves meanwhile comes again later.
 */
export async function usersSince(
  db: D1Database,
  scope: number,
  { day, after, afterId = "" }: { day: number; after: number; afterId?: string | undefined },
  limit: number,
  { search, metadata, segment, userTags }: Pick<UserFilter, "search" | "metadata" | "segment" | "userTags"> = {},
  isNamed = false,
): Promise<RecentUser[]> {
  const from = gte(user.day, Math.max(day, Math.floor(after / 86_400_000)));
  return open(db)
    .select({
      ...{ id: user.id, userId: user.userId, deviceId: user.deviceId, updatedAt: user.updatedAt },
      description: isNamed ? sql<string | null>`${user.doc} ->> '$.description'` : sql<null>`NULL`,
    })
    .from(user)
    .where(
      and(
        usersWhere(scope, { search, metadata, segment, userTags }),
        from,
        sql`(${user.updatedAt}, ${user.id}) > (${after}, ${afterId})`,
      ),
    )
    .orderBy(asc(user.day), asc(user.updatedAt), asc(user.id))
    .limit(limit)
    .all();
}
