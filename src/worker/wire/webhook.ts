import { z } from "zod";
import { SINK_TYPES, type SinkSettings, shownSettings } from "../../core/webhooks/sink-settings.ts";
import { type Attempt, DELIVERIES, type DeadLetter } from "../../core/webhooks/types.ts";
import type { WebhookRow } from "../db/schema.ts";
import { wireDate } from "./date.ts";

/** Webhooks, their deliveries and dead letters as returned to clients. */

const date = () => z.string().meta({ format: "date-time", example: "2026-01-31T09:30:00.000Z" });

const settingsShape = z.object({
  template: z.string().optional(),
  contentType: z.string().optional(),
  topic: z.string().optional(),
  clusterId: z.string().optional(),
  username: z.string().optional(),
  prefix: z.string().optional(),
  seconds: z.number().optional(),
  region: z.string().optional(),
  accessKeyId: z.string().optional(),
  siteId: z.string().optional(),
  secrets: z
    .array(z.string())
    .optional()
    .meta({
      description: "Names of the secret settings, which are never returned",
      example: ["headers.authorization"],
    }),
});

export const webhookShape = z.object({
  _id: z.string(),
  live: z.boolean(),
  type: z.enum(SINK_TYPES).meta({ description: "Destination of events; webhook: your server" }),
  url: z.string().meta({ description: "Empty if the type needs no URL" }),
  settings: settingsShape.optional().meta({ description: "Settings of the type, without secrets" }),
  description: z.string().optional(),
  delivery: z.enum(DELIVERIES),
  eventTypes: z.array(z.string()).optional().meta({ description: "Absent: all types" }),
  enabled: z.boolean(),
  disabledReason: z.string().optional().meta({ description: "Reason, if the receiver caused it" }),
  secret: z.string().optional().meta({ description: "Only returned when it is created" }),
  previousSecretValidUntil: date().optional(),
  createdAt: date(),
  updatedAt: date(),
});

/** A webhook as returned to its owner; with `secret` only if it was just created. */
export function wireWebhook(row: WebhookRow, now: number, secret?: string): z.input<typeof webhookShape> {
  return {
    _id: row.id,
    live: row.scope % 2 === 1,
    type: row.type,
    url: row.url,
    settings: row.settings === null ? undefined : shownSettings(JSON.parse(row.settings) as SinkSettings),
    description: row.description ?? undefined,
    delivery: row.delivery,
    eventTypes: row.eventTypes === null ? undefined : (JSON.parse(row.eventTypes) as string[]),
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
  messageId: z.string().meta({ description: "Value of the header webhook-id" }),
  eventTypes: z.array(z.string()),
  attempt: z.number().meta({ description: "1 = the first" }),
  createdAt: date(),
  durationMs: z.number(),
  outcome: z.enum(["delivered", "retrying", "dead", "test"]),
  status: z.number().optional().meta({ description: "HTTP status of the receiver; absent: no response" }),
  error: z.string().optional(),
  response: z.string().optional().meta({ description: "Beginning of the receiver's response to a failed attempt" }),
});

export const deadLetterShape = z.object({
  _id: z.string().meta({ description: "Id of the message: the header webhook-id" }),
  events: z.array(z.object({ _id: z.string(), type: z.string() })),
  attempts: z.number(),
  reason: z.string(),
  createdAt: date(),
  diedAt: date(),
});

export function wireAttempt({ at, ...attempt }: Attempt): z.input<typeof attemptShape> {
  return { ...attempt, createdAt: wireDate(at) };
}

export function wireDeadLetter(letter: DeadLetter): z.input<typeof deadLetterShape> {
  return {
    _id: letter.id,
    events: letter.events.map(({ id, type }) => ({ _id: id, type })),
    attempts: letter.attempts,
    reason: letter.reason,
    createdAt: wireDate(letter.createdAt),
    diedAt: wireDate(letter.diedAt),
  };
}
