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
const HOUR = (hours: string) => `(SELECT key FROM json_each(${hours}))`;
const NEW = (i: number) => `(SELECT value ->> '$[${i}]' FROM json_each(excluded.hours))`;
const SUM = (i: number) => `coalesce(hours ->> ('$.' || ${HOUR("excluded.hours")} || '[${i}]'), 0) + ${NEW(i)}`;

/** Adds to the counters of months and hours, all rows in one statement. */
export async function addUsage(db: D1Database, rows: readonly UsageRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .prepare(
      `INSERT INTO usage (project, month, live, endpoint, calls, hours)
       SELECT value->>'project', value->>'month', value->>'live', value->>'endpoint', value->>'calls',
         json_object('h' || (value->>'hour'), json_array(value->>'calls', value->>'errors', value->>'updates', value->>'failures'))
       FROM json_each(?) WHERE true
       ON CONFLICT (project, month, live, endpoint) DO UPDATE SET calls = calls + excluded.calls,
         hours = json_set(hours, '$.' || ${HOUR("excluded.hours")}, json_array(${SUM(0)}, ${SUM(1)}, ${SUM(2)}, ${SUM(3)}))`,
    )
    .bind(JSON.stringify(rows))
    .run();
}

/** The calls of a project in a month ("2026-11"), the most called endpoints first. */
export async function usageOf(
  db: D1Database,
  project: number,
  month: string,
): Promise<{ endpoint: string; live: boolean; calls: number }[]> {
  const { results } = await db
    .prepare(
      "SELECT endpoint, live, calls FROM usage WHERE project = ?1 AND month = ?2 AND calls > 0 ORDER BY calls DESC, endpoint",
    )
    .bind(project, month)
    .all<{ endpoint: string; live: number; calls: number }>();
  return results.map((row) => ({ ...row, live: row.live === 1 }));
}

/** How many calls a project may still make in a month ("2026-11"); unlimited without a quota. */
export async function callsLeft(db: D1Database, project: number, month: string): Promise<number> {
  const row = await db
    .prepare(
      `SELECT monthly_quota AS quota, (SELECT coalesce(sum(calls), 0) FROM usage WHERE project = ?1 AND month = ?2) AS used
       FROM project WHERE id = ?1`,
    )
    .bind(project, month)
    .first<{ quota: number | null; used: number }>();
  if (!row || row.quota === null) return Number.POSITIVE_INFINITY;
  return Math.max(0, row.quota - row.used);
}
