import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Platform } from "./platform.ts";

interface Webhook {
  _id: string;
  description?: string;
}

const TO_BUCKET = "Demo: events as files in the bucket";
const TO_SERVER = "Demo: set the URL of your server, then enable it";

/**
 * A webhook that delivers without a receiver, into the deployment's own bucket, and one that waits for the URL of a server. Both are
 * created once.
 */
export async function addWebhooks(platform: Platform): Promise<void> {
  const { webhooks } = await platform.call<{ webhooks: Webhook[] }>("GET", "/v1/webhooks");
  const isThere = (text: string) => webhooks.some(({ description }) => description === text);
  if (!isThere(TO_BUCKET)) {
    const settings = { prefix: "demo", seconds: 60 };
    await platform.call("POST", "/v1/webhooks", { type: "bucket", description: TO_BUCKET, settings });
  }
  if (isThere(TO_SERVER)) return;
  const body = { url: "https://example.com/graticule", description: TO_SERVER, eventTypes: ["user.entered_geofence"] };
  const { webhook } = await platform.call<{ webhook: Webhook }>("POST", "/v1/webhooks", body);
  await platform.call("PATCH", `/v1/webhooks/${webhook._id}`, { enabled: false });
}

const FAILED_ONCE = "Demo: a server that failed once, and got the event with the next try";
/** Until the retry of the first failure has come [ms]; the first is after 5 s. */
const RETRY_WITHIN_MS = 30_000;
const MAX_WAITING_TRIES = 16;

/**
 * A webhook to a server of this process, which fails for the first message: its deliveries show the failure and the retry. At the end
 * it is disabled, as the server goes.
 */
export async function serverThatFailedOnce(platform: Platform): Promise<{ end(): Promise<void> }> {
  const { webhooks } = await platform.call<{ webhooks: Webhook[] }>("GET", "/v1/webhooks");
  if (webhooks.some(({ description }) => description === FAILED_ONCE)) return { end: async () => {} };
  let failed: string | undefined;
  const { promise: retried, resolve } = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const id = String(request.headers["webhook-id"]);
    request.resume();
    const isFirst = failed === undefined;
    if (isFirst) failed = id;
    else if (failed === id) resolve();
    response.writeHead(isFirst ? 503 : 204).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`;
  const body = { url, description: FAILED_ONCE, eventTypes: ["user.stopped_trip"] };
  const { webhook } = await platform
    .call<{ webhook: Webhook }>("POST", "/v1/webhooks", body)
    .catch(() => ({ webhook: undefined }));
  if (!webhook) {
    // Only a server on the same machine is allowed to deliver without TLS.
    server.close();
    return { end: async () => {} };
  }
  return {
    async end() {
      await Promise.race([retried, sleep(RETRY_WITHIN_MS, undefined, { ref: false })]);
      // What waits is delivered before the server goes.
      for (let tries = 0; tries < MAX_WAITING_TRIES; tries++) {
        const { waiting } = await platform.call<{ waiting: number }>(
          "GET",
          `/v1/webhooks/${webhook._id}/deliveries?limit=1`,
        );
        if (waiting === 0) break;
        await sleep(500);
      }
      await platform.call("PATCH", `/v1/webhooks/${webhook._id}`, { enabled: false });
      server.close();
      server.closeAllConnections();
    },
  };
}
