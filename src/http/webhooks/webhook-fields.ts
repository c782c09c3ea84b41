import { z } from "zod";
import type { WebhookRow } from "../../db/schema.ts";
import { parseEventTypes } from "../../db/webhooks.ts";
import type { Env } from "../../env.ts";
import { checkOutgoingUrl } from "../../limits/outgoing-url.ts";
import { EVENT_TYPES } from "../../tracking/types/event.ts";
import { DELIVERIES } from "../../webhooks/types.ts";
import { wireDate } from "../../wire/tracked.ts";
import { invalid } from "../serve/errors.ts";
import { optionalText, text } from "../serve/fields.ts";

/** The fields of a webhook on the wire. */

const TYPES_RULE = "Must be a list of up to 100 event types.";

/** Event types, as a list or comma separated. Names beginning with `user.` are ours, others those of conversions. */
export function eventTypes() {
  return z
    .preprocess(
      (value) => (typeof value === "string" ? toList(value) : value),
      z
        .array(z.string({ error: TYPES_RULE }).min(1, { error: TYPES_RULE }).max(256, { error: TYPES_RULE }), {
          error: TYPES_RULE,
        })
        .max(100, { error: TYPES_RULE }),
    )
    .refine((types) => types.every((type) => !type.startsWith("user.") || KNOWN.has(type)), {
      error: `Types beginning with "user." are: ${EVENT_TYPES.join(", ")}.`,
    })
    .meta({ description: "only these types are sent; empty or absent: all" });
}

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES);

function toList(value: string): unknown {
  try {
    if (value.trim().startsWith("[")) return JSON.parse(value);
  } catch {
    return value;
  }
  return value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

export const webhookUrl = () => text(2048).meta({ description: "https, a public name" });
export const webhookDescription = () => optionalText(1024);
export const delivery = () =>
  z
    .enum(DELIVERIES, { error: `Valid values: ${DELIVERIES.join(", ")}.` })
    .meta({ description: "single: {event, user}; multiple: {events, user} with up to 5 events of one user" });

/** The URL as it will be called. @throws ApiError 400 when it is not a public https address */
export function callableUrl(url: string, env: Env): string {
  const checked = checkOutgoingUrl(url, { allowPrivate: env.ALLOW_PRIVATE_HOSTS === "true" });
  if (!checked.url) throw invalid("url", checked.problem);
  return checked.url.href;
}

const date = () => z.string().meta({ format: "date-time", example: "2026-01-31T09:30:00.000Z" });

export const webhookShape = z.object({
  _id: z.string(),
  live: z.boolean(),
  url: z.string(),
  description: z.string().optional(),
  delivery: z.enum(DELIVERIES),
  eventTypes: z.array(z.string()).optional().meta({ description: "absent: all" }),
  enabled: z.boolean(),
  disabledReason: z.string().optional().meta({ description: "when the receiver caused it" }),
  secret: z.string().optional().meta({ description: "shown when it is made, and never again" }),
  previousSecretValidUntil: date().optional(),
  createdAt: date(),
  updatedAt: date(),
});

/** A webhook as its owner sees it; with `secret` only when that was just created. */
export function wireWebhook(row: WebhookRow, now: number, secret?: string): z.input<typeof webhookShape> {
  return {
    _id: row.id,
    live: row.scope % 2 === 1,
    url: row.url,
    description: row.description ?? undefined,
    delivery: row.delivery,
    eventTypes: parseEventTypes(row.eventTypes),
    enabled: row.enabled,
    disabledReason: row.disabledReason ?? undefined,
    secret,
    previousSecretValidUntil:
      row.previousUntil !== null && row.previousUntil > now ? wireDate(row.previousUntil) : undefined,
    createdAt: wireDate(row.createdAt),
    updatedAt: wireDate(row.updatedAt),
  };
}

export const attemptShape = z.object({
  messageId: z.string().meta({ description: "the header webhook-id" }),
  eventTypes: z.array(z.string()),
  attempt: z.number().meta({ description: "1 = the first" }),
  createdAt: date(),
  durationMs: z.number(),
  outcome: z.enum(["delivered", "retrying", "dead", "test"]),
  status: z.number().optional().meta({ description: "HTTP status of the receiver; absent: no answer" }),
  error: z.string().optional(),
  response: z.string().optional().meta({ description: "the beginning of what the receiver said to a failure" }),
});

export const deadLetterShape = z.object({
  _id: z.string().meta({ description: "of the message: the header webhook-id" }),
  events: z.array(z.object({ _id: z.string(), type: z.string() })),
  attempts: z.number(),
  reason: z.string(),
  createdAt: date(),
  diedAt: date(),
});
