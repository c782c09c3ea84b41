import { z } from "zod";
import { ALERT_TYPES, type Alert, sentenceOf } from "../../core/webhooks/alerts.ts";
import type { Notice } from "../../core/webhooks/types.ts";
import { wireDate } from "./date.ts";

/** The `event` of a webhook message for `alert.` types: without a user or a place. */
export const alertShape = z.object({
  _id: z.string().meta({ description: "Unique id; the same for retries" }),
  type: z.enum(ALERT_TYPES),
  live: z.boolean(),
  createdAt: z.string().meta({ description: "When the condition was found; if it is over, when it was last found" }),
  actualCreatedAt: z.string(),
  alert: z.object({
    state: z.enum(["begun", "over"]),
    since: z.string(),
    until: z.string().optional().meta({ description: "When the condition ended" }),
    subject: z
      .string()
      .optional()
      .meta({ description: "Name of the geodata or of the database, or the mode of travel" }),
    value: z
      .number()
      .meta({ description: "Last value: seconds, messages, percent, days, percent or runs, depending on the type" }),
    limit: z.number(),
    message: z.string().meta({ description: "Explanation and recommended action" }),
  }),
});

/** An alert as webhooks get it. */
export async function alertNotice(alert: Alert, now: number): Promise<Notice> {
  const { scope, type, subject, value, limit, since, seen, over } = alert;
  const state = over ? "over" : "begun";
  const id = await idOf(`${scope} ${type} ${subject} ${since} ${state}`);
  const event: z.input<typeof alertShape> = {
    _id: id,
    type,
    live: scope % 2 === 1,
    createdAt: wireDate(over ? seen : since),
    actualCreatedAt: wireDate(now),
    alert: {
      state,
      since: wireDate(since),
      ...(over && { until: wireDate(seen) }),
      subject,
      value: Math.round(value * 100) / 100,
      limit,
      message: sentenceOf(alert),
    },
  };
  return { id, type, json: JSON.stringify(event) };
}

/**
 * 24 hex digits, like the beginning of an event's id. The same alert always gets the same id, so a retry is not a
 * second alert.
 */
async function idOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest, 0, 12)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
