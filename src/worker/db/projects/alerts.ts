import type { CallCount } from "../../../core/webhooks/error-rates.ts";
import { type Databases, fromEvery } from "../databases.ts";

/** The data for alert conditions, and the receivers. */

export interface AlertReceiver {
  scope: number;
  id: string;
  eventTypes: string[];
}

/** The enabled webhooks of all projects that subscribe to alerts; there are few, or none. */
export async function alertReceivers(env: Databases): Promise<AlertReceiver[]> {
  const rows = await fromEvery(env, async ({ DB }) => {
    const { results } = await DB.prepare(
      `SELECT scope, id, event_types AS types FROM webhook WHERE enabled = 1 AND event_types LIKE '%"alert.%'`,
    ).all<{ scope: number; id: string; types: string }>();
    return results;
  });
  return rows.map(({ types, ...row }) => ({ ...row, eventTypes: JSON.parse(types) as string[] }));
}

const SCOPES = "(SELECT value FROM json_each(?1))";

/**
 * Messages of some scopes that have failed since a time. Messages about alerts are excluded: they would keep an alert
 * active.
 */
export async function recentDeadLetters(
  env: Databases,
  scopes: readonly number[],
  since: number,
): Promise<{ scope: number; count: number }[]> {
  return fromEvery(env, async ({ DB }) => {
    const { results } = await DB.prepare(
      `SELECT scope, count(*) AS count FROM dead_letter
       WHERE scope IN ${SCOPES} AND died_at > ?2 AND events NOT LIKE '%"type":"alert.%' GROUP BY scope`,
    )
      .bind(JSON.stringify(scopes), since)
      .all<{ scope: number; count: number }>();
    return results;
  });
}

/** Calls of some scopes in a month ("2026-11") so far, and how many of them failed. */
export async function callCounts(db: D1Database, scopes: readonly number[], month: string): Promise<CallCount[]> {
  const { results } = await db
    .prepare(
      `SELECT usage.project * 2 + usage.live AS scope, sum(one.value ->> 0) AS calls, sum(coalesce(one.value ->> 3, 0)) AS failures
       FROM json_each(?1) AS asked CROSS JOIN usage ON usage.project = asked.value >> 1 AND usage.month = ?2 AND usage.live = asked.value & 1,
         json_each(usage.hours) AS one GROUP BY 1`,
    )
    .bind(JSON.stringify(scopes), month)
    .all<CallCount>();
  return results;
}
