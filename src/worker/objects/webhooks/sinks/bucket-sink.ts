import { BUCKET_SECONDS } from "../../../../core/webhooks/sink-settings.ts";
import type { WebhookConfig } from "../../../../core/webhooks/types.ts";
import { S3Signer } from "../../../outgoing/s3-signer.ts";
import { post, type Way } from "./post.ts";
import { type Posted, type Sink, sameFor } from "./sink.ts";

/**
 * One object per minute with a line of JSON per message (NDJSON): in the deployment's bucket under sinks/{scope}/{id}/,
 * or in the S3-compatible bucket at the URL. A batch keeps its name across retries, so nothing is duplicated.
 */
export function bucketSink(config: WebhookConfig, own: R2Bucket, way: Way): Sink {
  const { url, settings, scope, id } = config;
  const period = (settings.seconds ?? BUCKET_SECONDS) * 1000;
  const prefix = settings.prefix ? `${settings.prefix.replace(/^\/+|\/+$/g, "")}/` : "";
  return {
    mostAtOnce: 10_000,
    mostBytes: 8_000_000,
    parallel: 1,
    keepsBatches: true,
    dueAt: (now) => (Math.floor(now / period) + 1) * period,
    async send(messages, batch) {
      const lines = messages.map(({ body }) => `${body}\n`).join("");
      const posted = url
        ? await toS3(config, `${prefix}${batch}`, lines, way)
        : await toOwn(own, `sinks/${scope}/${id}/${prefix}${batch}`, lines);
      return sameFor(messages, posted);
    },
  };
}

const MEDIA_TYPE = "application/x-ndjson";

async function toOwn(bucket: R2Bucket, key: string, lines: string): Promise<Posted> {
  const started = Date.now();
  try {
    await bucket.put(key, lines, { httpMetadata: { contentType: MEDIA_TYPE } });
    return { status: 200, durationMs: Date.now() - started };
  } catch {
    return { error: "The bucket did not accept the object.", durationMs: Date.now() - started };
  }
}

function toS3({ url, settings }: WebhookConfig, name: string, lines: string, way: Way): Promise<Posted> {
  const { accessKeyId = "", secretAccessKey = "", region = "auto" } = settings;
  const signer = new S3Signer({ accessKeyId, secretAccessKey, region });
  return post(url, way, async ({ href }) => {
    const body = new TextEncoder().encode(lines) as Uint8Array<ArrayBuffer>;
    const headers = { "content-type": MEDIA_TYPE };
    const signed = await signer.sign(href.replace(/\/$/, ""), { method: "PUT", key: name, headers, body });
    return { url: signed.url, init: { method: "PUT", headers: signed.headers, body: lines } };
  });
}
