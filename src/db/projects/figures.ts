import { type Databases, everyDatabase } from "../databases.ts";
/** Figures of the whole deployment, for metrics: a few bounded queries in one batch. */
export interface DatabaseFigures {
  /** Enabled webhooks of all projects. */
  webhooks: number;
  /** Some of them, whose queues are asked for. */
  asked: { scope: number; id: string }[];
  /** At most `MAX_COUNTED`. */
  deadLetters: number;
  /** Different users since the hour, and since the day (UTC) began. */
  usersThisHour: number;
  usersToday: number;
  /** The last migration that was applied: "0007_rows.sql". */
  schema: string | undefined;
}

/** Dead letters are counted up to here, as each that is counted is read. */
export const MAX_COUNTED = 10_000;

const DAY_MS = 24 * 3600_000;

/**
 * Of the users of each hour stands by how many hours their previous activity lies back (db/customers/stats.ts): who was active before
 * within the day was counted in that hour. Scope by scope, as the key begins with it.
 */
const ACTIVE_USERS = `SELECT sum(CASE WHEN hour = CAST(?2 AS INTEGER) THEN count ELSE 0 END) AS this_hour,
     sum(CASE WHEN gap > hour THEN count ELSE 0 END) AS today FROM
   (SELECT CAST(stat.name AS INTEGER) AS gap, CAST(substr(one.key, 2) AS INTEGER) AS hour, one.value AS count
    FROM project CROSS JOIN (SELECT 0 AS live UNION ALL SELECT 1) AS half
      CROSS JOIN stat ON stat.scope = project.id * 2 + half.live AND stat.day = CAST(?1 AS INTEGER) AND stat.kind = 'user',
      json_each(stat.hours) AS one)`;

const LAST_MIGRATION = "SELECT name FROM d1_migrations ORDER BY name DESC LIMIT 1";

/** The last migration that a database has had; undefined where it has had none. */
export async function lastMigrationOf(db: D1Database): Promise<string | undefined> {
  return (await db.prepare(LAST_MIGRATION).first<{ name: string }>())?.name;
}

/** The last migration that was applied, of the database that has the fewest; undefined where one has none. */
export async function lastMigration(env: Databases): Promise<string | undefined> {
  return earliest(await Promise.all(everyDatabase(env).map(({ DB }) => lastMigrationOf(DB))));
}

/** Of names of migrations; undefined among them: one has none. */
function earliest(names: readonly (string | undefined)[]): string | undefined {
  return names.reduce((first, name) =>
    first !== undefined && name !== undefined && name < first ? name : name && first,
  );
}

/**
 * Of all databases together.
 * @param most webhooks whose queues will be asked for
 */
export async function databaseFigures(env: Databases, now: number, most: number): Promise<DatabaseFigures> {
  const all = await Promise.all(everyDatabase(env).map(({ DB }) => figuresOf(DB, now, most)));
  return all.reduce((sum, one) => ({
    webhooks: sum.webhooks + one.webhooks,
    asked: [...sum.asked, ...one.asked].slice(0, most),
    deadLetters: Math.min(MAX_COUNTED, sum.deadLetters + one.deadLetters),
    usersThisHour: sum.usersThisHour + one.usersThisHour,
    usersToday: sum.usersToday + one.usersToday,
    schema: earliest([sum.schema, one.schema]),
  }));
}

async function figuresOf(db: D1Database, now: number, most: number): Promise<DatabaseFigures> {
  const [webhooks, asked, letters, active, schema] = await db.batch<Record<string, unknown>>([
    db.prepare("SELECT count(*) AS count FROM webhook WHERE enabled = 1"),
    db.prepare("SELECT scope, id FROM webhook WHERE enabled = 1 LIMIT ?").bind(most),
    db.prepare("SELECT count(*) AS count FROM (SELECT 1 FROM dead_letter LIMIT ?)").bind(MAX_COUNTED),
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
