import { and, count, eq, gt, like, notLike, sql } from "drizzle-orm";
import type { CallCount } from "../../../core/webhooks/error-rates.ts";
import { listed, oneOf, open } from "../database.ts";
import { type Databases, fromEvery } from "../databases.ts";
import { deadLetter, usage, webhook } from "../schema.ts";

/** The data for alert conditions, and the receivers. */

export interface AlertReceiver {
  scope: number;
  id: string;
  eventTypes: string[];
}

/** The enabled webhooks of all projects that subscribe to alerts; there are few, or none. */
export async function alertReceivers(env: Databases): Promise<AlertReceiver[]> {
  const rows = await fromEvery(env, ({ DB }) =>
    open(DB)
      .select({ scope: webhook.scope, id: webhook.id, types: webhook.eventTypes })
      .from(webhook)
      .where(and(eq(webhook.enabled, true), like(webhook.eventTypes, '%"alert.%')))
      .all(),
  );
  return rows.map(({ types, ...row }) => ({ ...row, eventTypes: JSON.parse(types ?? "[]") as string[] }));
}

/**
 * Messages of some scopes that have failed since a time. Messages about alerts are excluded: they would keep an alert
 * active.
 */
export async function recentDeadLetters(
  env: Databases,
  scopes: readonly number[],
  since: number,
): Promise<{ scope: number; count: number }[]> {
  const recent = and(oneOf(deadLetter.scope, scopes), gt(deadLetter.diedAt, since));
  return fromEvery(env, ({ DB }) =>
    open(DB)
      .select({ scope: deadLetter.scope, count: count() })
      .from(deadLetter)
      .where(and(recent, notLike(deadLetter.events, '%"type":"alert.%')))
      .groupBy(deadLetter.scope)
      .all(),
  );
}

/** Calls of some scopes in a month ("2026-11") so far, and how many of them failed. */
export async function callCounts(db: D1Database, scopes: readonly number[], month: string): Promise<CallCount[]> {
  return open(db).all<CallCount>(
    sql`SELECT ${usage.project} * 2 + ${usage.live} AS scope, sum(one.value ->> 0) AS calls, sum(coalesce(one.value ->> 3, 0)) AS failures
        FROM ${listed(scopes)} AS asked CROSS JOIN ${usage} ON ${usage.project} = asked.value >> 1 AND ${usage.month} = ${month}
          AND ${usage.live} = asked.value & 1, json_each(${usage.hours}) AS one GROUP BY 1`,
  );
}
