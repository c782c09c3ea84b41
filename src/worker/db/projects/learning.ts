import { type Except, listOf, notListed } from "../except.ts";

/** A project's opt-in to learning from its devices; absent values have the default. */
export interface LearningSettings {
  enabled?: boolean;
  /** Correct arrival times by the residual model. */
  eta?: boolean;
  minimumDevices?: number;
}

export const DEFAULT_LEARNING = { enabled: false, eta: false, minimumDevices: 3 } as const satisfies LearningSettings;

/** A scope that learns. */
export interface LearningScope {
  scope: number;
  minimumDevices: number;
}

/**
 * The scopes of this database that learn: the live halves of projects that enabled it and have users here. A database
 * also has copies of the projects of others.
 */
export async function learningScopes(db: D1Database, except: Except): Promise<LearningScope[]> {
  const { results } = await db
    .prepare(
      `SELECT id * 2 + 1 AS scope, coalesce(settings ->> '$.learning.minimumDevices', ${DEFAULT_LEARNING.minimumDevices}) AS minimumDevices
       FROM project
       WHERE json_valid(settings) AND settings ->> '$.learning.enabled' = 1
         AND ${notListed("id * 2 + 1", "?1")}
         AND EXISTS (SELECT 1 FROM user WHERE user.scope = project.id * 2 + 1)`,
    )
    .bind(listOf(except))
    .all<LearningScope>();
  return results;
}

/** Ids of the projects that have learning enabled, wherever their users are. */
export async function learningProjects(db: D1Database): Promise<Set<number>> {
  const { results } = await db
    .prepare("SELECT id FROM project WHERE json_valid(settings) AND settings ->> '$.learning.enabled' = 1")
    .all<{ id: number }>();
  return new Set(results.map(({ id }) => id));
}

/** A user that moved on or after a day. */
export interface RecentUser {
  id: string;
  deviceId: string;
  updatedAt: number;
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
): Promise<RecentUser[]> {
  const { results } = await db
    .prepare(
      `SELECT id, device_id AS deviceId, updated_at AS updatedAt FROM user
       WHERE scope = ?1 AND day >= ?2 AND (updated_at, id) > (?3, ?4) ORDER BY day, updated_at, id LIMIT ?5`,
    )
    .bind(scope, Math.max(day, Math.floor(after / 86_400_000)), after, afterId, limit)
    .all<RecentUser>();
  return results;
}

/** Which of some users exist. */
export async function usersThere(
  db: D1Database,
  scope: number,
  users: readonly Pick<RecentUser, "id">[],
): Promise<Set<string>> {
  const { results } = await db
    .prepare("SELECT id FROM user WHERE scope = ?1 AND id IN (SELECT value FROM json_each(?2))")
    .bind(scope, JSON.stringify(users.map(({ id }) => id)))
    .all<{ id: string }>();
  return new Set(results.map(({ id }) => id));
}
