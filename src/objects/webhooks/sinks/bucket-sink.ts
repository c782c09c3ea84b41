import { AwsClient } from "aws4fetch";
import { BUCKET_SECONDS } from "../../../webhooks/sinks/settings.ts";
import type { WebhookConfig } from "../../../webhooks/types.ts";
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
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
  return post(url, way, async ({ href }) => {
    const path = name.split("/").map(encodeURIComponent).join("/");
    const bytes = new TextEncoder().encode(lines);
    // Without it the library would sign "UNSIGNED-PAYLOAD", and the service couldn't detect a body that was corrupted
    // in transit.
    const sha256 = hex(await crypto.subtle.digest("SHA-256", bytes));
    const signed = await client.sign(`${href.replace(/\/$/, "")}/${path}`, {
      method: "PUT",
      headers: { "content-type": MEDIA_TYPE, "x-amz-content-sha256": sha256 },
      body: lines,
    });
    return { url: signed.url, init: { method: "PUT", headers: signed.headers, body: lines } };
  });
}

function hex(digest: ArrayBuffer): string {
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
