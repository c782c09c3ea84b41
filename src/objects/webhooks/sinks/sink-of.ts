import type { Env } from "../../../platform/env.ts";
import type { WebhookConfig } from "../../../webhooks/types.ts";
import { bucketSink } from "./bucket-sink.ts";
import { kafkaSink } from "./kafka-sink.ts";
import { mqttSink } from "./mqtt-sink.ts";
import { wayOut } from "./post.ts";
import { queueSink } from "./queue-sink.ts";
import type { Sink } from "./sink.ts";
import { webhookSink } from "./webhook-sink.ts";

/** The sink of a webhook, by its type. */
export function sinkOf(config: WebhookConfig, env: Env): Sink {
  const way = wayOut(env);
  switch (config.type) {
    case "webhook":
      return webhookSink(config, way);
    case "kafka":
      return kafkaSink(config, way);
    case "mqtt":
      return mqttSink(config, way);
    case "bucket":
      return bucketSink(config, env.GEODATA, way);
    case "queue":
      return queueSink(env.EVENTS_QUEUE);
  }
}
