import { readCapped } from "../../core/limits/capped-body.ts";
import { checkOutgoingUrl, type OutgoingRules } from "../../core/limits/outgoing-url.ts";

/*
 * All outgoing calls of this server are made here; test/architecture/outgoing.test.ts forbids others. Three measures keep
 * a customer's URL out of networks that only this server can reach:
 *
 * - The URL is checked before each call, and so is each redirect's target (limits/outgoing-url.ts).
 * - The host is resolved once, by the component that connects, and the connection goes to the checked address: on
 *   Cloudflare by its egress, which reaches no private network; with `npm start` by workerd's network service (OUTBOUND),
 *   which allows only public addresses. That excludes loopback, private, CGNAT, link-local, multicast, reserved and
 *   example networks, also as IPv4 within IPv6.
 * - Time and bytes are limited, and no redirect is followed unchecked.
 */

export interface Network {
  fetch(url: string, init: RequestInit): Promise<Response>;
}

/** The environment variables that affect it (src/worker/platform/env.ts). */
interface Way {
  ALLOW_PRIVATE_HOSTS?: string | undefined;
  OUTBOUND?: Network | undefined;
}

/** The network for customers' URLs. Callers check the URL by `rulesOf`, set a timeout, and follow no redirects. */
export function networkOf({ OUTBOUND }: Pick<Way, "OUTBOUND">): Network {
  return OUTBOUND ?? { fetch: (url, init) => fetch(url, init) };
}

export function rulesOf({ ALLOW_PRIVATE_HOSTS }: Pick<Way, "ALLOW_PRIVATE_HOSTS">): OutgoingRules {
  return { allowPrivate: ALLOW_PRIVATE_HOSTS === "true" };
}

/**
 * A service that the operator has configured, which may be in a private network, such as a bucket. No redirect is
 * followed.
 * @param ending ends the request earlier
 */
export function fetchOwnService(request: Request, timeoutMs: number, ending?: AbortSignal): Promise<Response> {
  const inTime = AbortSignal.timeout(timeoutMs);
  return fetch(request, { signal: ending ? AbortSignal.any([inTime, ending]) : inTime, redirect: "manual" });
}

/** A URL that must not be called, or an unacceptable response. */
class OutgoingRefused extends Error {}

export interface GetLimits {
  timeoutMs: number;
  maxBytes: number;
  /** Maximum number of redirects, each checked. */
  maxRedirects: number;
  /** Only port 443: for URLs from holders of a publishable key. */
  standardPort?: boolean;
  headers?: Record<string, string>;
}

/**
 * Reads the content of a URL, with all redirects within one timeout.
 * @throws OutgoingRefused for a URL or a redirect that must not be called, a status other than 200, or too many bytes;
 * else the network's error
 */
export async function getOutgoing(way: Way, text: string, limits: GetLimits): Promise<Uint8Array> {
  const rules = { ...rulesOf(way), ...(limits.standardPort && { standardPort: true }) };
  const signal = AbortSignal.timeout(limits.timeoutMs);
  const network = networkOf(way);
  let asked = text;
  for (let redirects = 0; ; redirects++) {
    const { url, problem } = checkOutgoingUrl(asked, rules);
    if (!url) throw new OutgoingRefused(problem);
    const response = await network.fetch(url.href, { redirect: "manual", signal, headers: limits.headers ?? {} });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      const target = response.headers.get("location");
      if (target === null || !URL.canParse(target, url.href)) throw new OutgoingRefused("a redirect to nowhere");
      if (redirects === limits.maxRedirects) throw new OutgoingRefused("too many redirects");
      asked = new URL(target, url.href).href;
      continue;
    }
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new OutgoingRefused(`status ${response.status}`);
    }
    // The length in the header is not reliable: count the bytes.
    const { bytes, complete } = await readCapped(response.body, limits.maxBytes);
    if (!complete) throw new OutgoingRefused("too large");
    return bytes;
  }
}
