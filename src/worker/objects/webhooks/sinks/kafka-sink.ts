import { type KafkaSettings, kafkaRequest, kafkaResults } from "../../../../core/webhooks/sinks/kafka.ts";
import type { WebhookConfig } from "../../../../core/webhooks/types.ts";
import { post, type Way } from "./post.ts";
import { GATHER_MS, type Sink, sameFor } from "./sink.ts";

/** Approximate size of a proxy's response per record. */
const BYTES_PER_RECORD = 1024;

/** Sends records through a Kafka REST proxy. Each is accepted or rejected separately. */
export function kafkaSink({ url, settings }: WebhookConfig, way: Way): Sink {
  const kafka: KafkaSettings = { topic: settings.topic ?? "", clusterId: settings.clusterId };
  return {
    mostAtOnce: 500,
    mostBytes: 900_000,
    parallel: 1,
    keepsBatches: false,
    dueAt: (now) => now + GATHER_MS,
    async send(messages) {
      const { path, contentType, accept, body } = kafkaRequest(kafka, messages);
      const { text, ...posted } = await post(
        url,
        way,
        async ({ href }) => ({
          url: `${href.replace(/\/$/, "")}/${path}`,
          init: {
            method: "POST",
            headers: { ...settings.headers, "content-type": contentType, accept, "user-agent": "Graticule-Webhooks/1" },
            body,
          },
        }),
        messages.length * BYTES_PER_RECORD,
      );
      if (posted.status !== 200) return sameFor(messages, posted);
      const { durationMs } = posted;
      return kafkaResults(kafka, text ?? "", messages.length).map((error) =>
        error === undefined ? posted : { error, durationMs },
      );
    },
  };
}
