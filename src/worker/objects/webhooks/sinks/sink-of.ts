import { secretValues, withoutSecrets } from "../../../../core/webhooks/sink-settings.ts";
import type { WebhookConfig } from "../../../../core/webhooks/types.ts";
import type { Env } from "../../../platform/env.ts";
import { projectBucket } from "../../../platform/residence.ts";
import { bucketSink } from "./bucket-sink.ts";
import { engagementSink } from "./engagement-sink.ts";
import { kafkaSink } from "./kafka-sink.ts";
import { mqttSink } from "./mqtt-sink.ts";
import { wayOut } from "./post.ts";
import { queueSink } from "./queue-sink.ts";
import type { Sink } from "./sink.ts";
import { webhookSink } from "./webhook-sink.ts";

/** The sink of a webhook, by its type. Its results contain no secrets, even if the receiver repeats them. */
export function sinkOf(config: WebhookConfig, env: Env): Sink {
  const sink = sinkOfType(config, env);
  const secrets = [...secretValues(config.settings), ...config.secrets];
  if (secrets.length === 0) return sink;
  const clean = (text: string | undefined) => text && withoutSecrets(text, secrets);
  return {
    ...sink,
    async send(messages, batch) {
      const all = await sink.send(messages, batch);
      return all.map((posted) =>
        posted.error || posted.response
          ? { ...posted, error: clean(posted.error), response: clean(posted.response) }
          : posted,
      );
    },
  };
}

function sinkOfType(config: WebhookConfig, env: Env): Sink {
  const way = wayOut(env);
  switch (config.type) {
    case "webhook":
      return webhookSink(config, way);
    case "kafka":
      return kafkaSink(config, way);
    case "mqtt":
      return mqttSink(config, way);
    case "bucket":
      return bucketSink(config, projectBucket(env), way);
    case "queue":
      return queueSink(env.EVENTS_QUEUE);
    case "braze":
    case "iterable":
    case "customerio":
    case "segment":
      return engagementSink({ ...config, type: config.type }, way);
  }
}
