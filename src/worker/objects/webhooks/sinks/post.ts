import { BoundedMap } from "../../../../core/geo/bounded-map.ts";
import { readCapped } from "../../../../core/limits/capped-body.ts";
import { checkOutgoingUrl, type OutgoingRules, type OutgoingUrl } from "../../../../core/limits/outgoing-url.ts";
import { parseRateLimitReset, parseRetryAfter } from "../../../../core/webhooks/schedule.ts";
import { type Network, networkOf, rulesOf } from "../../../outgoing/outgoing.ts";
import type { Env } from "../../../platform/env.ts";
import { CallLimits } from "./call-limits.ts";
import type { Posted } from "./sink.ts";

/** Timeout for a receiver's response [ms]. */
export const TIMEOUT_MS = 15_000;
/** Stored size of a failed response's body [bytes]. */
const KEPT_BODY = 512;
/** Timeout for a body after the response's headers [ms]. */
const BODY_MS = 2_000;
const NO_CONNECTION = "The connection failed: host not found, refused, or interrupted.";

/** Outgoing connection to receivers: which addresses may be called, by which function, and for how long. */
export interface Way {
  rules: OutgoingRules;
  network: Network;
  limits: CallLimits;
}

export function wayOut(env: Pick<Env, "ALLOW_PRIVATE_HOSTS" | "OUTBOUND">): Way {
  return { rules: rulesOf(env), network: networkOf(env), limits: new CallLimits() };
}

const MAX_URLS = 200;
/** Addresses that were checked lately, by the rules: a receiver's is the same for every message. */
const checkedUrls = new BoundedMap<string, OutgoingUrl>(MAX_URLS);

function checkedUrl(url: string, rules: OutgoingRules): OutgoingUrl {
  const name = `${rules.allowPrivate} ${url}`;
  let checked = checkedUrls.get(name);
  if (!checked) {
    checked = checkOutgoingUrl(url, rules);
    checkedUrls.set(name, checked);
  }
  return checked;
}

/** Builds a request from the checked URL. */
type Ask = (url: URL, now: number) => Promise<{ url: string; init: RequestInit }>;

/**
 * Sends a request to a receiver. Never throws, and follows no redirects. Only the beginning of a failed response is
 * read, and up to `read` bytes of a successful one. The result contains nothing of the request.
 * @param read maximum size of a successful response to read [bytes]
 */
export async function post(
  url: string,
  { rules, network, limits }: Way,
  ask: Ask,
  read = 0,
): Promise<Posted & { text?: string }> {
  const started = Date.now();
  const took = () => Date.now() - started;
  // Checked again, because the rules may have become stricter since the URL was stored.
  const checked = checkedUrl(url, rules);
  if (!checked.url) return { error: `The URL is not allowed. ${checked.problem}`, durationMs: 0 };
  const limit = new AbortController();
  limits.set(limit, TIMEOUT_MS);
  try {
    const { url: address, init } = await ask(checked.url, started);
    const response = await network.fetch(address, { ...init, redirect: "manual", signal: limit.signal });
    const { status } = response;
    if (response.ok && read === 0) {
      response.body?.cancel().catch(() => {});
      return { status, durationMs: took() };
    }
    limits.set(limit, response.ok ? TIMEOUT_MS : BODY_MS);
    if (response.ok) return { status, text: await beginningOf(response, read), durationMs: took() };
    return {
      status,
      retryAfter: waitOf(response, started),
      response: await beginningOf(response, KEPT_BODY),
      durationMs: took(),
    };
  } catch {
    // The platform's own error contains the URL and differs between machines.
    const error = limit.signal.aborted ? `No response within ${TIMEOUT_MS / 1000} s.` : NO_CONNECTION;
    return { error, durationMs: took() };
  } finally {
    limits.end(limit);
  }
}

/** Seconds to wait, as the receiver requests: Retry-After, or when its rate limit is reached the end of its period. */
function waitOf({ status, headers }: Response, now: number): number | undefined {
  const wait = parseRetryAfter(headers.get("retry-after"), now);
  return wait ?? (status === 429 ? parseRateLimitReset(headers.get("x-ratelimit-reset"), now) : undefined);
}

async function beginningOf(response: Response, limit: number): Promise<string | undefined> {
  try {
    const { bytes } = await readCapped(response.body as ReadableStream<Uint8Array> | null, limit);
    return new TextDecoder().decode(bytes) || undefined;
  } catch {
    return undefined; // broken off, or too slow: the status says enough
  }
}
