import { z } from "zod";
import { mintSecret, SECRET_BYTES } from "../../../core/webhooks/signature.ts";
import type { SinkSettings } from "../../../core/webhooks/sink-settings.ts";
import {
  countWebhooks,
  deleteWebhook as deleteRow,
  findWebhook,
  insertWebhook,
  listWebhooks,
  settingsOf,
  updateWebhook as updateRow,
} from "../../db/customers/webhooks.ts";
import type { WebhookRow } from "../../db/schema.ts";
import { newId } from "../../objects/tracker/id.ts";
import { webhookSenderOf } from "../../objects/webhooks/webhook-sender-stub.ts";
import { announceWebhooks } from "../../objects/writer/database-writers-stub.ts";
import type { Env } from "../../platform/env.ts";
import { ApiError, notFound } from "../../platform/errors.ts";
import { datetime, flag, pageLimit } from "../../wire/input/fields.ts";
import { webhookShape, wireWebhook } from "../../wire/webhook.ts";
import { endpoint } from "../serve/endpoint.ts";
import {
  checkForPlatform,
  type SettingsChange,
  settingsAfter,
  sinkSettings,
  sinkType,
  sinkUrl,
} from "./sink-fields.ts";
import { delivery, eventTypes, webhookDescription, webhookUrl } from "./webhook-fields.ts";

const chapter = "Webhooks";

/** Most webhooks of one environment of a project. */
const MAX_WEBHOOKS = 20;
/** How long the old secret still signs after a rotation. */
const OVERLAP_MS = 24 * 3600 * 1000;

export const createWebhook = endpoint({
  name: "createWebhook",
  method: "POST",
  path: "/v1/webhooks",
  level: "secret",
  role: "admin",
  chapter,
  summary:
    "Creates a webhook: new events of this environment are posted to its URL, or sent to the destination of its type.",
  description: `Only this response has the secret. Up to ${MAX_WEBHOOKS} webhooks per environment; more return 409.`,
  body: z.object({
    type: sinkType().default("webhook"),
    url: webhookUrl().optional(),
    settings: sinkSettings().optional(),
    description: webhookDescription(),
    delivery: delivery().default("single"),
    eventTypes: eventTypes().optional(),
  }),
  response: z.object({ webhook: webhookShape }),
  errors: [409],
  async handle({ body, caller, env, now }) {
    const { scope } = caller;
    const settings = settingsAfter(body.type, {}, body.settings);
    const url = sinkUrl(body.type, body.url, settings, env);
    checkForPlatform(body.type, body.delivery, body.eventTypes);
    if ((await countWebhooks(env.DB, scope)) >= MAX_WEBHOOKS) {
      throw new ApiError(409, `Conflict. An environment has at most ${MAX_WEBHOOKS} webhooks.`);
    }
    const row: WebhookRow = {
      scope,
      id: newId(now),
      type: body.type,
      url,
      settings: toSettingsColumn(settings),
      description: body.description ?? null,
      delivery: body.delivery,
      eventTypes: toColumn(body.eventTypes),
      secret: newSecret(),
      previousSecret: null,
      previousUntil: null,
      enabled: true,
      disabledReason: null,
      createdAt: now,
      updatedAt: now,
    };
    await insertWebhook(env.DB, row);
    await announceWebhooks(env, scope);
    return { webhook: wireWebhook(row, now, row.secret) };
  },
});

export const listAllWebhooks = endpoint({
  name: "listWebhooks",
  method: "GET",
  path: "/v1/webhooks",
  level: "secret",
  chapter,
  summary: "Lists webhooks, newest first, without their secrets.",
  query: z.object({
    limit: pageLimit(100),
    createdBefore: datetime().optional(),
    createdAfter: datetime().optional(),
  }),
  response: z.object({ webhooks: z.array(webhookShape) }),
  async handle({ query, caller, env, now }) {
    const { rows, hasMore } = await listWebhooks(env.DB, caller.scope, query);
    return { meta: { hasMore }, webhooks: rows.map((row) => wireWebhook(row, now)) };
  },
});

export const getWebhook = endpoint({
  name: "getWebhook",
  method: "GET",
  path: "/v1/webhooks/:id",
  level: "secret",
  chapter,
  summary: "Returns the webhook with this id, without its secret.",
  response: z.object({ webhook: webhookShape }),
  errors: [404],
  async handle({ params, caller, env, now }) {
    return { webhook: wireWebhook(await existingWebhook(env, caller.scope, params.id), now) };
  },
});

export const updateWebhook = endpoint({
  name: "updateWebhook",
  method: "PATCH",
  path: "/v1/webhooks/:id",
  level: "secret",
  role: "admin",
  chapter,
  summary: "Updates the specified fields, and disables or enables a webhook.",
  description:
    "With `enabled` false, sending stops; waiting messages become dead letters, which you can replay. Events that occur while a webhook is disabled are not stored for it. In `settings`, only the specified fields change; null removes one. The type cannot change.",
  body: z.object({
    url: webhookUrl().optional(),
    settings: sinkSettings().optional(),
    description: webhookDescription(),
    delivery: delivery().optional(),
    eventTypes: eventTypes().optional(),
    enabled: flag().optional(),
  }),
  response: z.object({ webhook: webhookShape }),
  errors: [404],
  async handle({ params, body, caller, env, now }) {
    const { url, settings: change, eventTypes: types, enabled, ...rest } = body;
    if (types !== undefined || rest.delivery !== undefined)
      checkForPlatform((await existingWebhook(env, caller.scope, params.id)).type, rest.delivery, types);
    const row = await updateRow(env.DB, caller.scope, params.id, {
      ...rest,
      ...(url === undefined && change === undefined
        ? {}
        : await addressAfter(env, caller.scope, params.id, url, change)),
      ...(types === undefined ? {} : { eventTypes: toColumn(types) }),
      ...(enabled === undefined ? {} : { enabled, disabledReason: null }),
      updatedAt: now,
    });
    if (!row) throw notFound("Webhook");
    await announceChange(env, caller.scope, params.id);
    return { webhook: wireWebhook(row, now) };
  },
});

export const deleteWebhook = endpoint({
  name: "deleteWebhook",
  method: "DELETE",
  path: "/v1/webhooks/:id",
  level: "secret",
  role: "admin",
  chapter,
  summary: "Deletes a webhook, its queue, log and dead letters.",
  errors: [404],
  async handle({ params, caller, env }) {
    const { scope } = caller;
    if (!(await deleteRow(env.DB, scope, params.id))) throw notFound("Webhook");
    await announceWebhooks(env, scope);
    await webhookSenderOf(env, scope, params.id).clear();
    // Also deletes dead letters that arrived in the meantime.
    await deleteRow(env.DB, scope, params.id);
    return {};
  },
});

export const rotateWebhookSecret = endpoint({
  name: "rotateWebhookSecret",
  method: "POST",
  path: "/v1/webhooks/:id/rotate",
  level: "secret",
  role: "admin",
  chapter,
  summary: "Rotates the secret of a webhook. Only this response has the new secret.",
  description:
    "For 24 hours `webhook-signature` holds a signature by each of the two secrets. `X-Radar-Signature` can hold only one: it uses the new secret immediately.",
  response: z.object({ webhook: webhookShape }),
  errors: [404],
  async handle({ params, caller, env, now }) {
    const { secret: previousSecret } = await existingWebhook(env, caller.scope, params.id);
    const secret = newSecret();
    const change = { secret, previousSecret, previousUntil: now + OVERLAP_MS, updatedAt: now };
    const row = await updateRow(env.DB, caller.scope, params.id, change);
    if (!row) throw notFound("Webhook");
    await announceChange(env, caller.scope, params.id);
    return { webhook: wireWebhook(row, now, secret) };
  },
});

/** Validates the URL and the settings of a webhook together, after a change. */
async function addressAfter(
  env: Env,
  scope: number,
  id: string,
  url: string | undefined,
  change: SettingsChange | undefined,
): Promise<{ url: string; settings: string | null }> {
  const before = await existingWebhook(env, scope, id);
  const settings = settingsAfter(before.type, settingsOf(before), change);
  const address = sinkUrl(before.type, url ?? (before.url || undefined), settings, env);
  return { url: address, settings: toSettingsColumn(settings) };
}

function toSettingsColumn(settings: SinkSettings): string | null {
  return Object.keys(settings).length > 0 ? JSON.stringify(settings) : null;
}

/** @throws ApiError 404 */
export async function existingWebhook(env: Env, scope: number, id: string): Promise<WebhookRow> {
  const row = await findWebhook(env.DB, scope, id);
  if (!row) throw notFound("Webhook");
  return row;
}

async function announceChange(env: Env, scope: number, id: string): Promise<void> {
  await announceWebhooks(env, scope);
  await webhookSenderOf(env, scope, id).changed({ scope, id });
}

function newSecret(): string {
  return mintSecret(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** No types = all. */
function toColumn(types: readonly string[] | undefined): string | null {
  return types && types.length > 0 ? JSON.stringify([...new Set(types)]) : null;
}
