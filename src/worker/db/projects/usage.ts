import { and, asc, desc, eq, gt, type SQL, sql } from "drizzle-orm";
import { listed, open } from "../database.ts";
import { project, usage } from "../schema.ts";

export const HOUR_MS = 3600_000;

export interface UsageRow {
  project: number;
  live: boolean;
  endpoint: string;
  /** "2026-11" */
  month: string;
  /** Hours since the month began, UTC. */
  hour: number;
  calls: number;
  /** Responses with 400 and above, including those over the rate limit, which are not counted as calls. */
  errors: number;
  /** Accepted location updates. */
  updates: number;
  /** Calls with a response of 500 and above. */
  failures: number;
}

/** "h13": the name of an hour in the JSON of a month or a day. */
const HOUR = sql`(SELECT key FROM json_each(excluded.hours))`;
const sumOf = (i: number): SQL =>
  sql`coalesce(hours ->> ('$.' || ${HOUR} || ${`[${i}]`}), 0) + (SELECT value ->> ${`$[${i}]`} FROM json_each(excluded.hours))`;

/** Adds to the counters of months and hours, all rows in one statement. */
export async function addUsage(db: D1Database, rows: readonly UsageRow[]): Promise<void> {
  if (rows.length === 0) return;
  await open(db).run(
    sql`INSERT INTO ${usage} (project, month, live, endpoint, calls, hours)
        SELECT value->>'project', value->>'month', value->>'live', value->>'endpoint', value->>'calls',
          json_object('h' || (value->>'hour'), json_array(value->>'calls', value->>'errors', value->>'updates', value->>'failures'))
        FROM ${listed(rows)} WHERE true
        ON CONFLICT (project, month, live, endpoint) DO UPDATE SET calls = calls + excluded.calls,
          hours = json_set(hours, '$.' || ${HOUR}, json_array(${sql.join([0, 1, 2, 3].map(sumOf), sql`, `)}))`,
  );
}

/** The calls of a project in a month ("2026-11"), the most called endpoints first. */
export async function usageOf(
  db: D1Database,
  of: number,
  month: string,
): Promise<{ endpoint: string; live: boolean; calls: number }[]> {
  return open(db)
    .select({ endpoint: usage.endpoint, live: usage.live, calls: usage.calls })
    .from(usage)
    .where(and(eq(usage.project, of), eq(usage.month, month), gt(usage.calls, 0)))
    .orderBy(desc(usage.calls), asc(usage.endpoint))
    .all();
}

/** How many calls a project may still make in a month ("2026-11"); unlimited without a quota. */
export async function callsLeft(db: D1Database, of: number, month: string): Promise<number> {
  const row = await open(db)
    .select({ quota: project.monthlyQuota, used: callsIn(month) })
    .from(project)
    .where(eq(project.id, of))
    .get();
  if (!row || row.quota === null) return Number.POSITIVE_INFINITY;
  return Math.max(0, row.quota - row.used);
}

/** A column of a query about projects: the calls in a month, 0 without a quota. */
export const callsIn = (month: string): SQL<number> =>
  sql`CASE WHEN project.monthly_quota IS NULL THEN 0 ELSE
    (SELECT coalesce(sum(calls), 0) FROM ${usage} WHERE usage.project = project.id AND usage.month = ${month}) END`;
