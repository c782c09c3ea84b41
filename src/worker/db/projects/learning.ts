import { and, eq, sql } from "drizzle-orm";
import { oneOf, open } from "../database.ts";
import { type Except, outside } from "../except.ts";
import { project, user } from "../schema.ts";

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

const IS_ENABLED = sql`json_valid(${project.settings}) AND ${project.settings} ->> '$.learning.enabled' = 1`;

/**
 * The scopes of this database that learn: the live halves of projects that enabled it and have users here. A database
 * also has copies of the projects of others.
 */
export async function learningScopes(db: D1Database, except: Except): Promise<LearningScope[]> {
  const scope = sql<number>`${project.id} * 2 + 1`;
  const minimum = sql<number>`coalesce(${project.settings} ->> '$.learning.minimumDevices', ${DEFAULT_LEARNING.minimumDevices})`;
  return open(db)
    .select({ scope, minimumDevices: minimum })
    .from(project)
    .where(and(IS_ENABLED, outside(scope, except), sql`EXISTS (SELECT 1 FROM ${user} WHERE ${user.scope} = ${scope})`))
    .all();
}

/** Ids of the projects that have learning enabled, wherever their users are. */
export async function learningProjects(db: D1Database): Promise<Set<number>> {
  const rows = await open(db).select({ id: project.id }).from(project).where(IS_ENABLED).all();
  return new Set(rows.map(({ id }) => id));
}

/** Which of some users exist. */
export async function usersThere(
  db: D1Database,
  scope: number,
  users: readonly { id: string }[],
): Promise<Set<string>> {
  const some = oneOf(
    user.id,
    users.map(({ id }) => id),
  );
  const rows = await open(db)
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.scope, scope), some))
    .all();
  return new Set(rows.map(({ id }) => id));
}
