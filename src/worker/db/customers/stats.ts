import { type Except, listOf, scopesOfProjects } from "../except.ts";
import { jsonTexts } from "../json-texts.ts";
import { ADD_COUNTS, MAX_GAP, NEW_EVENTS, NEWLY_ACTIVE } from "./stats-sql.ts";
import type { EventWrite } from "./writes.ts";

/** Retention of statistics [months], in addition to the current one. */
const STATS_MONTHS = 13;

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

/** A user that was active in an hour, for the first time as far as its tracker knows. */
export interface ActiveUser {
  scope: number;
  id: string;
  /** Hours since 1970. */
  hour: number;
}

/** The fields of a TrackEvent used here. */
interface CountedEvent {
  _id: string;
  type: string;
  createdAt: number;
  counts?: string[];
}

/**
 * A count for an hour: events of a type, users by the hours since their previous activity, or what campaigns count
 * (src/core/engagement/send.ts).
 */
export interface Count {
  scope: number;
  kind: "event" | "user" | "campaign";
  /** Type of the events, or the hours as a string. */
  name: string;
  /** Hours since 1970. */
  hour: number;
  count: number;
}

/**
 * Counts events by type in the hour in which they happened. It comes before the statement that writes them, in the same
 * transaction: an event already in the table was counted then, however often it arrives.
 */
export function countEvents(db: D1Database, events: readonly EventWrite[]): D1PreparedStatement[] {
  const rows = events.flatMap(({ scope, doc }) => {
    const { _id: id, type, createdAt, counts = [] } = JSON.parse(doc) as CountedEvent;
    const hour = Math.floor(createdAt / HOUR_MS);
    const own = JSON.stringify({ scope, id, kind: "event", name: type, hour });
    return [own, ...counts.map((name) => JSON.stringify({ scope, id, kind: "campaign", name, hour }))];
  });
  return jsonTexts(rows).map((text) => db.prepare(NEW_EVENTS).bind(text));
}

/**
 * Counts active users by hour and by the hours since their previous activity. From that follows exactly how many
 * different users were active in any span of at most a day: in each of its hours, those whose previous hour is before
 * the span. It comes before the statement that writes the users, whose stored rows have the previous hour: a user that
 * arrives twice is counted once.
 */
export function countUsers(db: D1Database, active: readonly ActiveUser[]): D1PreparedStatement[] {
  return jsonTexts(active.map((one) => JSON.stringify(one))).map((text) => db.prepare(NEWLY_ACTIVE).bind(text));
}

/** Adds counts to the statistics: one row for each scope, day, kind and name among them. */
export async function addCounts(db: D1Database, counts: readonly Count[]): Promise<void> {
  const texts = jsonTexts(counts.map((one) => JSON.stringify(one)));
  if (texts.length > 0) await db.batch(texts.map((text) => db.prepare(ADD_COUNTS).bind(text)));
}

/** Consecutive steps of the same length: [from, to), both in hours since 1970. */
interface StepRun {
  from: number;
  to: number;
  /** Length of each step [hours]. */
  length: number;
}

/** A count of one step. */
interface StepCount {
  /** Number of the step within its run. */
  step: number;
  /** Type of the events. */
  name: string;
  count: number;
}

/**
 * Events of a scope by type, or its active users, each once per step. Bound numbers are REAL in D1, and 5.0 / 24 is not
 * an integer: hence the casts.
 */
export async function statsOf(
  db: D1Database,
  scope: number,
  kind: "event" | "user",
  { from, to, length }: StepRun,
): Promise<StepCount[]> {
  // Users active before within the same step were counted in that hour.
  const gap = "CAST(name AS INTEGER)";
  const [first, each] = ["CAST(?2 AS INTEGER)", "CAST(?4 AS INTEGER)"];
  const counts = kind === "event" ? "true" : `(${gap} = ${MAX_GAP} OR ${gap} > (hour - ${first}) % ${each})`;
  const { results } = await db
    .prepare(
      `SELECT (hour - ${first}) / ${each} AS step, ${kind === "event" ? "name" : "''"} AS name, sum(count) AS count FROM
         (SELECT stat.day * 24 + CAST(substr(one.key, 2) AS INTEGER) AS hour, stat.name, one.value AS count
          FROM stat, json_each(stat.hours) AS one
          WHERE stat.scope = ?1 AND stat.day BETWEEN ${first} / 24 AND CAST(?3 AS INTEGER) / 24 AND stat.kind = ?5)
       WHERE hour >= ?2 AND hour < ?3 AND ${counts} GROUP BY 1, 2`,
    )
    .bind(scope, from, to, length, kind)
    .all<StepCount>();
  return results;
}

/** Usage of an endpoint in one step. */
interface StepUsage {
  /** Number of the step within its run. */
  step: number;
  endpoint: string;
  calls: number;
  errors: number;
  failures: number;
  updates: number;
}

/** Calls, errors, failures and updates of a scope by endpoint. */
export async function usageOfSteps(db: D1Database, scope: number, { from, to, length }: StepRun): Promise<StepUsage[]> {
  const month = (hour: number) => new Date(hour * 3600_000).toISOString().slice(0, 7);
  const { results } = await db
    .prepare(
      `SELECT (hour - CAST(?1 AS INTEGER)) / CAST(?3 AS INTEGER) AS step, endpoint, sum(calls) AS calls, sum(errors) AS errors, sum(failures) AS failures, sum(updates) AS updates FROM
         (SELECT unixepoch(usage.month || '-01') / 3600 + CAST(substr(one.key, 2) AS INTEGER) AS hour, usage.endpoint,
            one.value ->> 0 AS calls, one.value ->> 1 AS errors, one.value ->> 2 AS updates,
            coalesce(one.value ->> 3, 0) AS failures
          FROM usage, json_each(usage.hours) AS one
          WHERE usage.project = ?4 AND usage.month BETWEEN ?5 AND ?6 AND usage.live = ?7)
       WHERE hour >= ?1 AND hour < ?2 GROUP BY 1, 2`,
    )
    .bind(from, to, length, scope >> 1, month(from), month(to), scope & 1)
    .all<StepUsage>();
  return results;
}

/** Deletes statistics older than `STATS_MONTHS`, scope by scope: the key begins with it. */
export async function deleteOldStats(db: D1Database, now: number, except: Except): Promise<void> {
  const at = new Date(now);
  const first = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - STATS_MONTHS);
  await db.batch([
    db
      .prepare(`DELETE FROM stat WHERE scope IN ${scopesOfProjects("?2")} AND day < ?1`)
      .bind(first / DAY_MS, listOf(except)),
    db
      .prepare("DELETE FROM usage WHERE project IN (SELECT id FROM project) AND month < ?")
      .bind(new Date(first).toISOString().slice(0, 7)),
  ]);
}
