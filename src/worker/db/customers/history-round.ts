import { type Except, listOf, notListed } from "../except.ts";
import { DEFAULT_RETENTION } from "../projects/retention.ts";

const DAY_MS = 24 * 3600_000;
/** Devices that went silent in one millisecond, at most. */
const MAX_AT_ONCE = 10_000;

/** A scope with silent devices whose updates have expired. */
interface SilentScope {
  scope: number;
  /** Last updates before this were handled in an earlier run [ms]. */
  until: number;
  /** Older updates are deleted [ms]. */
  before: number;
}

/** The scopes with such devices: one index seek each. */
export async function silentScopes(db: D1Database, now: number, limit: number, except: Except): Promise<SilentScope[]> {
  const days = "CASE WHEN json_valid(project.settings) THEN project.settings ->> '$.retention.updates' END";
  const before = `?1 - coalesce(${days}, ${DEFAULT_RETENTION.updates}) * ${DAY_MS}`;
  const { results } = await db
    .prepare(
      `SELECT project.id * 2 + half.live AS scope, coalesce(done.until, 0) AS until, ${before} AS before
       FROM project, (SELECT 0 AS live UNION ALL SELECT 1) AS half
       LEFT JOIN history_round AS done ON done.scope = project.id * 2 + half.live
       WHERE ${notListed("project.id * 2 + half.live", "?3")}
         AND EXISTS (SELECT 1 FROM user WHERE user.scope = project.id * 2 + half.live
         AND user.day >= coalesce(done.until, 0) / ${DAY_MS} AND user.day <= (${before}) / ${DAY_MS}
         AND user.updated_at >= coalesce(done.until, 0) AND user.updated_at < ${before})
       LIMIT ?2`,
    )
    .bind(now, limit, listOf(except))
    .all<SilentScope>();
  return results;
}

/**
 * The devices that went silent in a time range, the earliest first, and the time up to which this run has then come
 * [ms].
 */
export async function silentDevices(
  db: D1Database,
  { scope, until, before }: SilentScope,
  limit: number,
): Promise<{ devices: string[]; reached: number }> {
  const between = (from: number, to: number, most: number) =>
    db
      .prepare(
        `SELECT device_id AS device, updated_at AS at FROM user
         WHERE scope = ?1 AND day >= CAST(?2 AS INTEGER) / ${DAY_MS} AND day <= CAST(?3 AS INTEGER) / ${DAY_MS}
           AND updated_at >= ?2 AND updated_at < ?3 ORDER BY day, updated_at LIMIT ?4`,
      )
      .bind(scope, from, to, most)
      .all<{ device: string; at: number }>();
  const { results } = await between(until, before, limit);
  const distinct = (rows: readonly { device: string }[]) => [...new Set(rows.map(({ device }) => device))];
  if (results.length < limit) return { devices: distinct(results), reached: before };
  // Other devices have the same last time: they are read with it, because the next run begins after it.
  const { at } = results[results.length - 1];
  const together = await between(at, at + 1, MAX_AT_ONCE);
  return { devices: distinct([...results, ...together.results]), reached: at + 1 };
}

export async function noteHistoryRound(db: D1Database, scope: number, reached: number): Promise<void> {
  await db
    .prepare("INSERT INTO history_round VALUES (?1, ?2) ON CONFLICT (scope) DO UPDATE SET until = max(until, ?2)")
    .bind(scope, reached)
    .run();
}
