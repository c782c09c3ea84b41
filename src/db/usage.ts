export interface UsageRow {
  project: number;
  live: boolean;
  endpoint: string;
  /** "2026-11" */
  month: string;
  calls: number;
}

/** Adds calls to the month's counters, all rows in one statement. */
export async function addUsage(db: D1Database, rows: readonly UsageRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .prepare(
      `INSERT INTO usage (project, month, live, endpoint, calls)
       SELECT value->>'project', value->>'month', value->>'live', value->>'endpoint', value->>'calls' FROM json_each(?) WHERE true
       ON CONFLICT (project, month, live, endpoint) DO UPDATE SET calls = calls + excluded.calls`,
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
    .prepare("SELECT endpoint, live, calls FROM usage WHERE project = ?1 AND month = ?2 ORDER BY calls DESC, endpoint")
    .bind(project, month)
    .all<{ endpoint: string; live: number; calls: number }>();
  return results.map((row) => ({ ...row, live: row.live === 1 }));
}
