import { z } from "zod";
import { isAlertType } from "../../../core/webhooks/alerts.ts";
import {
  headerProblem,
  isEngagementType,
  SETTINGS,
  SINK_TYPES,
  type SinkSettings,
  type SinkType,
  WITH_URL,
} from "../../../core/webhooks/sink-settings.ts";
import { escapingOf, fillIn, parseTemplate } from "../../../core/webhooks/template.ts";
import type { Delivery } from "../../../core/webhooks/types.ts";
import { webAddress } from "../../objects/webhooks/sinks/mqtt-sink.ts";
import { NO_QUEUE } from "../../objects/webhooks/sinks/queue-sink.ts";
import type { Env } from "../../platform/env.ts";
import { invalid, required } from "../../platform/errors.ts";
import { number, text } from "../../wire/input/fields.ts";
import { callableUrl } from "./webhook-fields.ts";

/** The type of a webhook and its settings on the wire. */

export const sinkType = () =>
  z.enum(SINK_TYPES, { error: `Valid values: ${SINK_TYPES.join(", ")}.` }).meta({
    description:
      "webhook: posted to your server, signed; kafka: records through a REST proxy; mqtt: published to a broker over WebSocket; bucket: objects with a line per message; queue: Cloudflare Queues; braze, iterable, customerio, segment: events in the format of these platforms",
  });

const HEADERS_RULE = "Must be an object of up to 10 names and values.";
const MAX_HEADERS = 10;
const MAX_TEMPLATE = 8192;
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(; ?charset=utf-8)?$/i;

/** Valid values of each setting; which settings a type accepts is checked once the type is known. A null removes a setting. */
export const sinkSettings = () =>
  z
    .object(
      {
        template: text(MAX_TEMPLATE).nullish().meta({
          description:
            "webhook: custom body, with placeholders such as {{event.type}}, {{user.userId|A device}}, {{json event.location}}",
        }),
        contentType: text(100)
          .refine((type) => MEDIA_TYPE.test(type), { error: "Must be a media type such as application/json." })
          .nullish()
          .meta({ description: "webhook: media type of the rendered template (application/json)" }),
        headers: z
          .record(z.string(), z.string(), { error: HEADERS_RULE })
          .nullish()
          .meta({ description: "webhook, kafka: additional headers, up to 10; their values are never returned" }),
        topic: text(1024)
          .nullish()
          .meta({ description: "kafka, mqtt: the topic; mqtt: with placeholders as in a template" }),
        clusterId: text(200)
          .nullish()
          .meta({ description: "kafka: if set, version 3 of the proxy's API is used, otherwise version 2" }),
        username: text(1024).nullish().meta({ description: "mqtt" }),
        password: text(4096).nullish().meta({ description: "mqtt; never returned" }),
        prefix: text(500).nullish().meta({ description: "bucket: prefix of object names" }),
        seconds: number({ min: 1, max: 3600, integer: true })
          .nullish()
          .meta({ description: "bucket: seconds of events per object (60)" }),
        region: text(100).nullish().meta({ description: "bucket: S3 region (auto)" }),
        accessKeyId: text(200).nullish().meta({ description: "bucket: S3 access key id" }),
        siteId: text(200).nullish().meta({ description: "customerio: site ID of the Track API" }),
        apiKey: text(500).nullish().meta({
          description:
            "braze: REST API key with users.track; iterable: server-side key; customerio: key of the Track API; segment: write key of an HTTP API source; never returned",
        }),
        secretAccessKey: text(500).nullish().meta({ description: "bucket: S3 secret access key; never returned" }),
      },
      { error: "Must be an object." },
    )
    .meta({ description: "settings of the type; each type has its own" });

export type SettingsChange = z.output<ReturnType<typeof sinkSettings>>;

/**
 * The settings after a change: specified ones are replaced, null removes one, the rest stays.
 * @throws ApiError 400 if they do not match the type
 */
export function settingsAfter(type: SinkType, before: SinkSettings, change: SettingsChange = {}): SinkSettings {
  const after: SinkSettings = { ...before };
  for (const [name, value] of Object.entries(change) as [keyof SinkSettings, never][]) {
    if (value === undefined) continue;
    if (!SETTINGS[type].includes(name)) {
      const own = SETTINGS[type].join(", ") || "none";
      throw invalid(`settings[${name}]`, `A webhook of type ${type} has other settings: ${own}.`);
    }
    if (value === null) delete after[name];
    else after[name] = value;
  }
  checkHeaders(after.headers);
  if (type === "webhook") checkTemplate(after);
  if (type === "kafka" || type === "mqtt") checkTopic(type, after.topic);
  if (isEngagementType(type)) checkPlatform(type, after);
  return after;
}

/** Printable ASCII without spaces, so that it fits into a header. */
const KEY = /^[\x21-\x7e]+$/;

function checkPlatform(type: SinkType, { apiKey, siteId }: SinkSettings): void {
  for (const [name, value] of Object.entries({ apiKey, ...(type === "customerio" && { siteId }) })) {
    if (value === undefined) throw required(`settings[${name}]`);
    if (!KEY.test(value)) throw invalid(`settings[${name}]`, "Must have printable ASCII characters without spaces.");
  }
}

/**
 * Platforms get one event per message, and no alerts: these have no user.
 * @throws ApiError 400
 */
export function checkForPlatform(type: SinkType, delivery: Delivery | undefined, types: readonly string[] = []): void {
  if (!isEngagementType(type)) return;
  if (delivery === "multiple")
    throw invalid("delivery", `Must be single for ${type}: events are sent in batches anyway.`);
  if (types.some(isAlertType)) throw invalid("eventTypes", `Alerts have no user, so ${type} cannot accept them.`);
}

function checkHeaders(headers: Record<string, string> = {}): void {
  if (Object.keys(headers).length > MAX_HEADERS) throw invalid("settings[headers]", HEADERS_RULE);
  for (const [name, value] of Object.entries(headers)) {
    const problem = headerProblem(name, value);
    if (problem) throw invalid("settings[headers]", problem);
  }
}

/** Test data for JSON templates: a value for each placeholder, of each kind of string. */
const SAMPLE = { event: { type: 'a "b" \\ c' }, user: {}, events: [] };

function checkTemplate({ template: text, contentType = "application/json" }: SinkSettings): void {
  if (text === undefined) return;
  const { template, problem } = parseTemplate(text);
  if (!template) throw invalid("settings[template]", problem ?? "");
  if (escapingOf(contentType) !== "json") return;
  try {
    JSON.parse(fillIn(template, SAMPLE, "json"));
  } catch {
    throw invalid(
      "settings[template]",
      "Must be valid JSON after placeholders are substituted: put them in quotes, or use {{json …}}.",
    );
  }
}

/** Topic names that Kafka brokers allow. */
const KAFKA_TOPIC = /^[A-Za-z0-9._-]{1,249}$/;

function checkTopic(type: "kafka" | "mqtt", topic: string | undefined): void {
  if (topic === undefined) throw required("settings[topic]");
  if (type === "kafka" && !KAFKA_TOPIC.test(topic))
    throw invalid("settings[topic]", "Must have up to 249 letters, digits, dots, hyphens and underscores.");
  if (type === "mqtt") {
    const { problem } = parseTemplate(topic);
    if (problem) throw invalid("settings[topic]", problem);
    if (/[+#\0]/.test(topic.replace(/\{\{[^{}]*\}\}/g, "")))
      throw invalid("settings[topic]", "A topic to publish to must not hold + or #.");
  }
}

/**
 * The normalized URL of a webhook; empty if its type needs none.
 * @throws ApiError 400 if the URL is missing, not allowed, or not callable
 */
export function sinkUrl(type: SinkType, url: string | undefined, settings: SinkSettings, env: Env): string {
  if (type === "queue") {
    if (url !== undefined) throw invalid("url", "Must be omitted: queues use the deployment's binding.");
    if (!env.EVENTS_QUEUE) throw invalid("type", NO_QUEUE);
    return "";
  }
  const hasKeys = settings.accessKeyId !== undefined && settings.secretAccessKey !== undefined;
  if (type === "bucket" && url !== undefined && !hasKeys)
    throw invalid("settings[accessKeyId]", "A bucket at an address needs accessKeyId and secretAccessKey.");
  if (url === undefined) {
    if (WITH_URL.includes(type)) throw required("url");
    return "";
  }
  if (type !== "mqtt") return callableUrl(url, env);
  if (!/^wss?:/i.test(url)) throw invalid("url", "Must begin with wss://: brokers are reached over WebSocket.");
  return callableUrl(webAddress(url), env).replace(/^http/, "ws");
}
