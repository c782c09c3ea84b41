import { and, asc, eq, gte, lt, lte, sql } from "drizzle-orm";
import { integer, open } from "../database.ts";
import { type Except, outside } from "../except.ts";
import { HALF, HALVES, keptDays } from "../projects/retention.ts";
import { historyRound, user } from "../schema.ts";

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
  const before = sql`${now} - ${keptDays("updates")} * ${DAY_MS}`;
  const until = sql`coalesce(done.until, 0)`;
  return open(db).all<SilentScope>(
    sql`SELECT ${HALF} AS scope, ${until} AS until, ${before} AS before
        FROM ${HALVES} LEFT JOIN ${historyRound} AS done ON done.scope = ${HALF}
        WHERE ${outside(HALF, except)} AND EXISTS (SELECT 1 FROM ${user} WHERE ${user.scope} = ${HALF}
          AND ${user.day} >= ${until} / ${integer(DAY_MS)} AND ${user.day} <= (${before}) / ${DAY_MS}
          AND ${user.updatedAt} >= ${until} AND ${user.updatedAt} < ${before})
        LIMIT ${limit}`,
  );
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
    open(db)
      .select({ device: user.deviceId, at: user.updatedAt })
      .from(user)
      .where(
        and(
          eq(user.scope, scope),
          and(gte(user.day, Math.floor(from / DAY_MS)), lte(user.day, Math.floor(to / DAY_MS))),
          and(gte(user.updatedAt, from), lt(user.updatedAt, to)),
        ),
      )
      .orderBy(asc(user.day), asc(user.updatedAt))
      .limit(most)
      .all();
  const results = await between(until, before, limit);
  const distinct = (rows: readonly { device: string }[]) => [...new Set(rows.map(({ device }) => device))];
  if (results.length < limit) return { devices: distinct(results), reached: before };
  // Other devices have the same last time: they are read with it, because the next run begins after it.
  const { at } = results[results.length - 1];
  const together = await between(at, at + 1, MAX_AT_ONCE);
  return { devices: distinct([...results, ...together]), reached: at + 1 };
}

export async function noteHistoryRound(db: D1Database, scope: number, reached: number): Promise<void> {
  await open(db)
    .insert(historyRound)
    .values({ scope, until: reached })
    .onConflictDoUpdate({ target: historyRound.scope, set: { until: sql`max(until, excluded.until)` } });
}
