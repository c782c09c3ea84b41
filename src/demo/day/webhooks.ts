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
