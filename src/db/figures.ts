/** Figures of the whole deployment, for metrics: a few bounded queries in one batch. */
export interface DatabaseFigures {
  /** Enabled webhooks of all projects. */
  webhooks: number;
  /** Some of them, whose queues are asked for. */
  asked: { scope: number; id: string }[];
  /** At most `MOST_COUNTED`. */
  deadLetters: number;
  /** Different users since the hour, and since the day (UTC) began. */
  usersThisHour: number;
  usersToday: number;
  /** The last migration that was applied: "0007_rows.sql". */
  schema: string | undefined;
}

/** Dead letters are counted up to here, as each that is counted is read. */
export const MOST_COUNTED = 10_000;

const DAY_MS = 24 * 3600_000;

/**
 * Of the users of each hour stands by how many hours their previous activity lies back (db/stats.ts): who was active before
 * within the day was counted in that hour. Scope by scope, as the key begins with it.
 */
const ACTIVE_USERS = `SELECT sum(CASE WHEN hour = CAST(?2 AS INTEGER) THEN count ELSE 0 END) AS this_hour,
     sum(CASE WHEN gap > hour THEN count ELSE 0 END) AS today FROM
   (SELECT CAST(stat.name AS INTEGER) AS gap, CAST(substr(one.key, 2) AS INTEGER) AS hour, one.value AS count
    FROM project CROSS JOIN (SELECT 0 AS live UNION ALL SELECT 1) AS half
      CROSS JOIN stat ON stat.scope = project.id * 2 + half.live AND stat.day = CAST(?1 AS INTEGER) AND stat.kind = 'user',
      json_each(stat.hours) AS one)`;

const LAST_MIGRATION = "SELECT name FROM d1_migrations ORDER BY name DESC LIMIT 1";

/** The last migration that was applied; undefined where none was. */
export async function lastMigration(db: D1Database): Promise<string | undefined> {
  const row = await db.prepare(LAST_MIGRATION).first<{ name: string }>();
  return row?.name;
}

/** @param most webhooks whose queues will be asked for */
export async function databaseFigures(db: D1Database, now: number, most: number): Promise<DatabaseFigures> {
  const [webhooks, asked, letters, active, schema] = await db.batch<Record<string, unknown>>([
    db.prepare("SELECT count(*) AS count FROM webhook WHERE enabled = 1"),
    db.prepare("SELECT scope, id FROM webhook WHERE enabled = 1 LIMIT ?").bind(most),
    db.prepare("SELECT count(*) AS count FROM (SELECT 1 FROM dead_letter LIMIT ?)").bind(MOST_COUNTED),
    db.prepare(ACTIVE_USERS).bind(Math.floor(now / DAY_MS), Math.floor((now % DAY_MS) / 3600_000)),
    db.prepare(LAST_MIGRATION),
  ]);
  return {
    webhooks: Number(webhooks.results[0].count),
    asked: asked.results as unknown as { scope: number; id: string }[],
    deadLetters: Number(letters.results[0].count),
    usersThisHour: Number(active.results[0].this_hour ?? 0),
    usersToday: Number(active.results[0].today ?? 0),
    schema: schema.results[0]?.name as string | undefined,
  };
}
