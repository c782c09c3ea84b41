import { jsonTexts } from "./json-texts.ts";
import { COUNT_EVENTS, COUNT_USERS } from "./stats-sql.ts";

/** How long figures are kept [months], the current one beside them. */
export const STATS_MONTHS = 13;

const DAY_MS = 24 * 3600_000;

/** A user that was active in an hour, for the first time in it as far as its tracker knows. */
export interface ActiveUser {
  scope: number;
  id: string;
  /** Hours since 1970. */
  hour: number;
}

/**
 * Counts events by type in the hour in which they happened. Stands before the statement that writes them, in the same
 * transaction: an event that the table has already was counted then, however often it arrives.
 * @param text JSON list of {scope, doc}
 */
export function countEvents(db: D1Database, text: string): D1PreparedStatement {
  return db.prepare(COUNT_EVENTS).bind(text);
}

/**
 * Counts active users by hour and by the hours since each was active before. From that follows, exactly, how many
 * different users were active in any span of at most a day: in each of its hours those whose previous hour lies before
 * the span. Stands before the statement that writes the users, whose stored rows know the previous hour: a user that
 * arrives twice is counted once.
 */
export function countUsers(db: D1Database, active: readonly ActiveUser[]): D1PreparedStatement[] {
  return jsonTexts(active.map((one) => JSON.stringify(one))).map((text) => db.prepare(COUNT_USERS).bind(text));
}

/** A count of one hour. */
export interface HourCount {
  /** Hours since 1970. */
  hour: number;
  name: string;
  count: number;
}

/** Counts of a scope in the hours [from, to), those of events by type, of users by gap. */
export async function statsBetween(
  db: D1Database,
  scope: number,
  kind: "event" | "user",
  from: number,
  to: number,
): Promise<HourCount[]> {
  const { results } = await db
    .prepare(
      `SELECT stat.day * 24 + CAST(substr(one.key, 2) AS INTEGER) AS hour, stat.name, one.value AS count
       FROM stat, json_each(stat.hours) AS one
       WHERE stat.scope = ?1 AND stat.day BETWEEN ?2 AND ?3 AND stat.kind = ?4`,
    )
    .bind(scope, Math.floor(from / 24), Math.floor(to / 24), kind)
    .all<HourCount>();
  return results.filter(({ hour }) => hour >= from && hour < to);
}

/** What was counted of an endpoint in one hour. */
export interface HourUsage {
  /** Hours since 1970. */
  hour: number;
  endpoint: string;
  calls: number;
  errors: number;
  updates: number;
}

/** Calls, errors and updates of half a project in the hours [from, to). */
export async function usageBetween(db: D1Database, scope: number, from: number, to: number): Promise<HourUsage[]> {
  const month = (hour: number) => new Date(hour * 3600_000).toISOString().slice(0, 7);
  const { results } = await db
    .prepare(
      `SELECT usage.month, CAST(substr(one.key, 2) AS INTEGER) AS hour, usage.endpoint,
         one.value ->> 0 AS calls, one.value ->> 1 AS errors, one.value ->> 2 AS updates
       FROM usage, json_each(usage.hours) AS one
       WHERE usage.project = ?1 AND usage.month BETWEEN ?2 AND ?3 AND usage.live = ?4`,
    )
    .bind(scope >> 1, month(from), month(to), scope & 1)
    .all<HourUsage & { month: string }>();
  return results
    .map(({ month, ...one }) => ({ ...one, hour: one.hour + Date.parse(`${month}-01T00:00:00Z`) / 3600_000 }))
    .filter(({ hour }) => hour >= from && hour < to);
}

/** Deletes figures older than `STATS_MONTHS`. Scope by scope: the key begins with it. */
export async function deleteOldStats(db: D1Database, now: number): Promise<void> {
  const at = new Date(now);
  const first = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - STATS_MONTHS);
  await db.batch([
    db
      .prepare(
        `DELETE FROM stat WHERE scope IN (SELECT id * 2 FROM project UNION ALL SELECT id * 2 + 1 FROM project) AND day < ?`,
      )
      .bind(first / DAY_MS),
    db
      .prepare("DELETE FROM usage WHERE project IN (SELECT id FROM project) AND month < ?")
      .bind(new Date(first).toISOString().slice(0, 7)),
  ]);
}
