import { sql } from "drizzle-orm";
import { batch, integer, open } from "../database.ts";
import { type Databases, everyDatabase } from "../databases.ts";
import { deadLetter, project, stat, webhook } from "../schema.ts";

/** Statistics of the complete deployment, for metrics: a few bounded queries in one batch. */
export interface DatabaseFigures {
  /** Enabled webhooks of all projects. */
  webhooks: number;
  /** Some of them, to query their queues. */
  asked: { scope: number; id: string }[];
  /** At most `MAX_COUNTED`. */
  deadLetters: number;
  /** Different users since the start of the hour and of the day (UTC). */
  usersThisHour: number;
  usersToday: number;
  /** The last applied migration: "0007_rows.sql". */
  schema: string | undefined;
}

/** Maximum number of counted dead letters, because counting reads each of them. */
export const MAX_COUNTED = 10_000;

const DAY_MS = 24 * 3600_000;

/**
 * The users of each hour are stored by hours since their previous activity (db/customers/stats.ts): users active
 * earlier in the day were counted in that hour. Scope by scope, because the key begins with it.
 */
const activeUsers = (now: number) =>
  sql`SELECT coalesce(sum(CASE WHEN hour = ${integer(Math.floor((now % DAY_MS) / 3600_000))} THEN count ELSE 0 END), 0) AS thisHour,
        coalesce(sum(CASE WHEN gap > hour THEN count ELSE 0 END), 0) AS today FROM
      (SELECT CAST(${stat.name} AS INTEGER) AS gap, CAST(substr(one.key, 2) AS INTEGER) AS hour, one.value AS count
       FROM ${project} CROSS JOIN (SELECT 0 AS live UNION ALL SELECT 1) AS half
         CROSS JOIN ${stat} ON ${stat.scope} = ${project.id} * 2 + half.live
           AND ${stat.day} = ${integer(Math.floor(now / DAY_MS))} AND ${stat.kind} = 'user',
         json_each(${stat.hours}) AS one)`;

/** The table is wrangler's. */
const LAST_MIGRATION = sql`SELECT name FROM d1_migrations ORDER BY name DESC LIMIT 1`;

/** The last migration applied to a database; undefined if there is none. */
export async function lastMigrationOf(db: D1Database): Promise<string | undefined> {
  return (await open(db).get<{ name: string } | undefined>(LAST_MIGRATION))?.name;
}

/** The last migration applied to all databases, that is, of the one with the fewest; undefined if one has none. */
export async function lastMigration(env: Databases): Promise<string | undefined> {
  return earliest(await Promise.all(everyDatabase(env).map(({ DB }) => lastMigrationOf(DB))));
}

/** The earliest of some migration names; undefined if one of them is undefined. */
function earliest(names: readonly (string | undefined)[]): string | undefined {
  return names.reduce((first, name) =>
    first !== undefined && name !== undefined && name < first ? name : name && first,
  );
}

/**
 * Totals of all databases.
 * @param most maximum number of webhooks whose queues will be queried
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
  const enabled = sql`FROM ${webhook} WHERE ${webhook.enabled} = 1`;
  const [webhooks, asked, letters, active, schema] = await batch<
    [
      { count: number },
      { scope: number; id: string },
      { count: number },
      { thisHour: number; today: number },
      { name: string },
    ]
  >(db, [
    sql`SELECT count(*) AS count ${enabled}`,
    sql`SELECT scope, id ${enabled} LIMIT ${most}`,
    sql`SELECT count(*) AS count FROM (SELECT 1 FROM ${deadLetter} LIMIT ${MAX_COUNTED})`,
    activeUsers(now),
    LAST_MIGRATION,
  ]);
  return {
    webhooks: webhooks.results[0].count,
    asked: asked.results,
    deadLetters: letters.results[0].count,
    usersThisHour: active.results[0].thisHour,
    usersToday: active.results[0].today,
    schema: schema.results[0]?.name,
  };
}
