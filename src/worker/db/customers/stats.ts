import { sql } from "drizzle-orm";
import { batch, integer, open } from "../database.ts";
import { type Except, scopesOfProjects } from "../except.ts";
import { jsonTexts } from "../json-texts.ts";
import { project, stat, usage } from "../schema.ts";
import { addingCounts, MAX_GAP, newEvents, newlyActive } from "./stats-sql.ts";
import type { EventWrite } from "./writes.ts";

/** Retention of statistics [months], in addition to the current one. */
const STATS_MONTHS = 13;

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

/** A user that was active in an hour, for the first time as far as its tracker knows. */
export interface ActiveUser {
  scope: number;
  id: string;
  userId: string | undefined;
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
  return jsonTexts(rows).map((text) => newEvents(db, text));
}

/**
 * Counts active users, on whichever devices, by hour and by the hours since their previous activity. From that follows exactly how many
 * different users were active in any span of at most a day: in each of its hours, those whose previous hour is before
 * the span. It comes before the statement that writes the users, whose stored rows have the previous hour: a user that
 * arrives twice is counted once.
 */
export function countUsers(db: D1Database, active: readonly ActiveUser[]): D1PreparedStatement[] {
  return jsonTexts(active.map((one) => JSON.stringify(one))).map((text) => newlyActive(db, text));
}

/** Adds counts to the statistics: one row for each scope, day, kind and name among them. */
export async function addCounts(db: D1Database, counts: readonly Count[]): Promise<void> {
  const texts = jsonTexts(counts.map((one) => JSON.stringify(one)));
  if (texts.length > 0) await batch(db, texts.map(addingCounts));
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
  const gap = sql`CAST(name AS INTEGER)`;
  const [first, each] = [from, length].map(integer);
  const counts = kind === "event" ? sql`true` : sql`(${gap} = ${MAX_GAP} OR ${gap} > (hour - ${first}) % ${each})`;
  return open(db).all<StepCount>(
    sql`SELECT (hour - ${first}) / ${each} AS step, ${kind === "event" ? sql`name` : sql`''`} AS name, sum(count) AS count FROM
          (SELECT ${stat.day} * 24 + CAST(substr(one.key, 2) AS INTEGER) AS hour, ${stat.name}, one.value AS count
           FROM ${stat}, json_each(${stat.hours}) AS one WHERE ${stat.scope} = ${scope}
             AND ${stat.day} BETWEEN ${first} / 24 AND ${integer(to)} / 24 AND ${stat.kind} = ${kind})
        WHERE hour >= ${from} AND hour < ${to} AND ${counts} GROUP BY 1, 2`,
  );
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
  return open(db).all<StepUsage>(
    sql`SELECT (hour - ${integer(from)}) / ${integer(length)} AS step, endpoint, sum(calls) AS calls,
          sum(errors) AS errors, sum(failures) AS failures, sum(updates) AS updates FROM
          (SELECT unixepoch(${usage.month} || '-01') / 3600 + CAST(substr(one.key, 2) AS INTEGER) AS hour, ${usage.endpoint},
             one.value ->> 0 AS calls, one.value ->> 1 AS errors, one.value ->> 2 AS updates,
             coalesce(one.value ->> 3, 0) AS failures
           FROM ${usage}, json_each(${usage.hours}) AS one WHERE ${usage.project} = ${scope >> 1}
             AND ${usage.month} BETWEEN ${month(from)} AND ${month(to)} AND ${usage.live} = ${scope & 1})
        WHERE hour >= ${from} AND hour < ${to} GROUP BY 1, 2`,
  );
}

/** Deletes statistics older than `STATS_MONTHS`, scope by scope: the key begins with it. */
export async function deleteOldStats(db: D1Database, now: number, except: Except): Promise<void> {
  const at = new Date(now);
  const first = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - STATS_MONTHS);
  const month = new Date(first).toISOString().slice(0, 7);
  await batch(db, [
    sql`DELETE FROM ${stat} WHERE ${stat.scope} IN ${scopesOfProjects(except)} AND ${stat.day} < ${first / DAY_MS}`,
    sql`DELETE FROM ${usage} WHERE ${usage.project} IN (SELECT id FROM ${project}) AND ${usage.month} < ${month}`,
  ]);
}
