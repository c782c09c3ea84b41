import type { components } from "./api.d.ts";
import { bytesOfBase64, encoder } from "./text.ts";

/** Verifies messages of webhooks (Standard Webhooks): signature and time. */

export type WebhookMessage = components["schemas"]["EventMessage"] | components["schemas"]["AlertMessage"];

/** Headers as `Headers`, or as an object of Node's http, whose names are lowercase. */
type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** How far the clocks may differ [s]. */
const TOLERANCE_SECONDS = 300;
const PREFIX = "whsec_";

/** Why a message was rejected. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
}

/**
 * The message, if it was signed with one of the secrets. Read the body as text: parsed and written again, it has another signature.
 * @param secrets "whsec_…"; after a rotation, the new and the previous one
 * @throws WebhookError: respond with 401
 */
export async function verifyWebhook(
  body: string,
  headers: HeaderSource,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: { toleranceSeconds?: number; now?: number } = {},
): Promise<WebhookMessage> {
  const header = (name: string) => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value !== "string") throw new WebhookError(`The header ${name} is missing.`);
    return value;
  };
  const [id, timestamp] = [header("webhook-id"), header("webhook-timestamp")];
  const signatures = header("webhook-signature").split(" ");
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError("The message is too old, or this clock is wrong.");
  const signed = encoder.encode(`${id}.${timestamp}.${body}`);
  for (const secret of typeof secrets === "string" ? [secrets] : secrets) {
    if (!secret.startsWith(PREFIX)) throw new WebhookError(`A secret begins with ${PREFIX}.`);
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const bytes = bytesOfBase64(secret.slice(PREFIX.length));
    const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
    for (const signature of signatures) {
      if (!/^v1,[A-Za-z0-9+/]{43}=$/.test(signature)) continue;
      // Compares in constant time.
      if (await crypto.subtle.verify("HMAC", key, bytesOfBase64(signature.slice(3)), signed))
        return JSON.parse(body) as WebhookMessage;
    }
  }
  throw new WebhookError("No signature matches: the secret is wrong, or the body was changed.");
}
