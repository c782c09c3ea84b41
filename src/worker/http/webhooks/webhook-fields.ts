import { z } from "zod";
import { checkOutgoingUrl } from "../../../core/limits/outgoing-url.ts";
import { CAMPAIGN_EVENT_TYPES, EVENT_TYPES } from "../../../core/tracking/types/event.ts";
import { ALERT_TYPES, isAlertType } from "../../../core/webhooks/alerts.ts";
import { DELIVERIES } from "../../../core/webhooks/types.ts";
import type { Env } from "../../platform/env.ts";
import { invalid } from "../../platform/errors.ts";
import { optionalText, text } from "../../wire/input/fields.ts";

/** The fields of a webhook on the wire. */

const TYPES_RULE = "Must be a list of up to 100 event types.";

/** Event types, as a list or comma separated. Names beginning with `user.`, `alert.` and `campaign.` are reserved; others are conversions. */
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
    .refine((types) => types.every((type) => !type.startsWith("alert.") || isAlertType(type)), {
      error: `Types beginning with "alert." are: ${ALERT_TYPES.join(", ")}.`,
    })
    .refine((types) => types.every((type) => !type.startsWith("campaign.") || CAMPAIGN_TYPES.has(type)), {
      error: `Types beginning with "campaign." are: ${CAMPAIGN_EVENT_TYPES.join(", ")}.`,
    })
    .meta({
      description:
        "only these types are sent; empty or absent: all events. Alerts are sent only to webhooks that list them",
    });
}

const CAMPAIGN_TYPES: ReadonlySet<string> = new Set(CAMPAIGN_EVENT_TYPES);
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

/** The normalized URL. @throws ApiError 400 if it is not a public https address */
export function callableUrl(url: string, env: Env): string {
  const checked = checkOutgoingUrl(url, { allowPrivate: env.ALLOW_PRIVATE_HOSTS === "true" });
  if (!checked.url) throw invalid("url", checked.problem);
  return checked.url.href;
}
