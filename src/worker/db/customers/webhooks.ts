import { and, desc, eq, gt, lt } from "drizzle-orm";
import type { SinkSettings } from "../../../core/webhooks/sink-settings.ts";
import type { WebhookConfig } from "../../../core/webhooks/types.ts";
import { oneOf, open } from "../database.ts";
import { pageOf } from "../page.ts";
import { deadLetter, type WebhookRow, webhook } from "../schema.ts";

export async function insertWebhook(db: D1Database, row: WebhookRow): Promise<void> {
  await open(db).insert(webhook).values(row);
}

export async function countWebhooks(db: D1Database, scope: number): Promise<number> {
  return open(db).$count(webhook, eq(webhook.scope, scope));
}

interface WebhookFilter {
  limit: number;
  createdBefore?: number;
  createdAfter?: number;
}

/** Webhooks of a scope, newest first. */
export async function listWebhooks(
  db: D1Database,
  scope: number,
  { limit, createdBefore, createdAfter }: WebhookFilter,
): Promise<{ rows: WebhookRow[]; hasMore: boolean }> {
  const { rows, hasMore } = await pageOf(limit, webhook.createdAt, (also, most) =>
    open(db)
      .select({ row: webhook, time: webhook.createdAt })
      .from(webhook)
      .where(
        and(
          eq(webhook.scope, scope),
          createdBefore === undefined ? undefined : lt(webhook.createdAt, createdBefore),
          createdAfter === undefined ? undefined : gt(webhook.createdAt, createdAfter),
          also,
        ),
      )
      .orderBy(desc(webhook.createdAt), desc(webhook.id))
      .limit(most)
      .all(),
  );
  return { rows: rows.map(({ row }) => row), hasMore };
}

export async function findWebhook(db: D1Database, scope: number, id: string): Promise<WebhookRow | undefined> {
  return open(db)
    .select()
    .from(webhook)
    .where(and(eq(webhook.scope, scope), eq(webhook.id, id)))
    .get();
}

/** Changes some columns. Returns the new row; undefined: not found. */
export async function updateWebhook(
  db: D1Database,
  scope: number,
  id: string,
  change: Partial<Omit<WebhookRow, "scope" | "id" | "createdAt">>,
): Promise<WebhookRow | undefined> {
  const rows = await open(db)
    .update(webhook)
    .set(change)
    .where(and(eq(webhook.scope, scope), eq(webhook.id, id)))
    .returning();
  return rows[0];
}

/** Deletes a webhook with its dead letters. Returns whether there was one. */
export async function deleteWebhook(db: D1Database, scope: number, id: string): Promise<boolean> {
  const d1 = open(db);
  const [, gone] = await d1.batch([
    d1.delete(deadLetter).where(and(eq(deadLetter.scope, scope), eq(deadLetter.webhook, id))),
    d1.delete(webhook).where(and(eq(webhook.scope, scope), eq(webhook.id, id))),
  ]);
  return gone.meta.changes > 0;
}

/**
 * Disables a webhook whose receiver rejects all further messages, unless its URL was changed or it was disabled meanwhile.
 */
export async function disableWebhook(
  db: D1Database,
  scope: number,
  id: string,
  url: string,
  reason: string,
  now: number,
): Promise<void> {
  await open(db)
    .update(webhook)
    .set({ enabled: false, disabledReason: reason, updatedAt: now })
    .where(and(eq(webhook.scope, scope), eq(webhook.id, id), eq(webhook.url, url), eq(webhook.enabled, true)));
}

/** An enabled webhook: the fields needed to hand events over to it. */
export interface EnabledWebhook {
  scope: number;
  id: string;
  /** undefined = all */
  eventTypes: readonly string[] | undefined;
}

/** The enabled webhooks of some scopes. */
export async function enabledWebhooks(db: D1Database, scopes: readonly number[]): Promise<EnabledWebhook[]> {
  const rows = await open(db)
    .select({ scope: webhook.scope, id: webhook.id, eventTypes: webhook.eventTypes })
    .from(webhook)
    .where(and(oneOf(webhook.scope, scopes), eq(webhook.enabled, true)))
    .all();
  return rows.map(({ eventTypes, ...row }) => ({ ...row, eventTypes: parseEventTypes(eventTypes) }));
}

/** The ids of all webhooks of a scope, enabled or not. */
export async function webhookIds(db: D1Database, scope: number): Promise<string[]> {
  const rows = await open(db).select({ id: webhook.id }).from(webhook).where(eq(webhook.scope, scope)).all();
  return rows.map(({ id }) => id);
}

/** null = all → undefined. */
function parseEventTypes(text: string | null): string[] | undefined {
  return text === null ? undefined : (JSON.parse(text) as string[]);
}

export function settingsOf({ settings }: Pick<WebhookRow, "settings">): SinkSettings {
  return settings === null ? {} : (JSON.parse(settings) as SinkSettings);
}

/** The sender's configuration of a webhook at `now` [ms]: the previous secret only while it is valid. */
export function configOf(row: WebhookRow, now: number): WebhookConfig {
  const previous = row.previousSecret !== null && (row.previousUntil ?? 0) > now ? [row.previousSecret] : [];
  return {
    scope: row.scope,
    id: row.id,
    type: row.type,
    url: row.url,
    delivery: row.delivery,
    enabled: row.enabled,
    settings: settingsOf(row),
    secrets: [row.secret, ...previous],
  };
}
