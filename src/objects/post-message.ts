import { readCapped } from "../limits/capped-body.ts";
import { checkOutgoingUrl, type OutgoingRules } from "../limits/outgoing-url.ts";
import { parseRetryAfter } from "../webhooks/schedule.ts";
import { signedHeaders } from "../webhooks/signature.ts";
import type { WebhookConfig } from "../webhooks/types.ts";

/** How long a receiver may take to answer [ms]. */
const TIMEOUT_MS = 15_000;
/** How much of the body of a failed response is kept [bytes]. */
const KEPT_BODY = 512;
/** How long to wait for that body after the response's headers [ms]. */
const BODY_MS = 2_000;

/** The result of one request. */
export interface Posted {
  /** Absent: there was no answer. */
  status?: number;
  error?: string;
  /** Seconds the receiver asked us to wait. */
  retryAfter?: number;
  /** The beginning of the body; only of a failure. */
  response?: string;
  durationMs: number;
}

/**
 * Sends a signed message to its receiver. Never throws and follows no redirects. Of a failed response only the
 * beginning is read, of a success nothing. The result contains neither the secret nor the body.
 */
export async function postMessage(
  { url, secrets }: WebhookConfig,
  message: { id: string; body: string },
  rules: OutgoingRules,
): Promise<Posted> {
  const started = Date.now();
  const took = () => Date.now() - started;
  // Checked again, because the rules may have become stricter since the webhook was created.
  const checked = checkOutgoingUrl(url, rules);
  if (!checked.url) return { error: `The URL is not called. ${checked.problem}`, durationMs: 0 };
  const limit = new AbortController();
  let timer = setTimeout(() => limit.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(checked.url.href, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Graticule-Webhooks/1",
        ...(await signedHeaders(secrets, message, crypto.randomUUID(), started)),
      },
      body: message.body,
      redirect: "manual",
      signal: limit.signal,
    });
    const { status } = response;
    if (response.ok) {
      response.body?.cancel().catch(() => {});
      return { status, durationMs: took() };
    }
    clearTimeout(timer);
    timer = setTimeout(() => limit.abort(), BODY_MS);
    return {
      status,
      retryAfter: parseRetryAfter(response.headers.get("retry-after"), started),
      response: await beginningOf(response),
      durationMs: took(),
    };
  } catch {
    // The platform's own error contains the address and differs between machines.
    const error = limit.signal.aborted
      ? `No answer within ${TIMEOUT_MS / 1000} s.`
      : "The connection failed: no such host, refused, or broken off.";
    return { error, durationMs: took() };
  } finally {
    clearTimeout(timer);
  }
}

async function beginningOf(response: Response): Promise<string | undefined> {
  try {
    const { bytes } = await readCapped(response.body as ReadableStream<Uint8Array> | null, KEPT_BODY);
    return new TextDecoder().decode(bytes) || undefined;
  } catch {
    return undefined; // broken off, or too slow: the status says enough
  }
}
