import {
  addressOfPeer,
  clientAddress,
  isTrusted,
  parseProxies,
  type TrustedProxies,
} from "../../limits/client-address.ts";

/**
 * Where a request comes from, and under which origin people know this server. All that handlers know of either is decided here; test/architecture/
 * connection.test.ts forbids them to look at the URL's origin or at forwarded headers themselves.
 */

/** What of the environment decides it (src/env.ts). */
export interface Place {
  PUBLIC_URL?: string;
  TRUSTED_PROXIES?: string;
}

let known: { text: string; proxies: TrustedProxies } | undefined;

function proxiesOf(text: string): TrustedProxies {
  if (known?.text !== text) known = { text, proxies: parseProxies(text) };
  return known.proxies;
}

/** The address of the machine that opened the connection; only workerd's own socket tells it. */
function peerOf(request: Request): string | undefined {
  const peer = request.cf?.clientIp;
  return typeof peer === "string" ? addressOfPeer(peer) : undefined;
}

/**
 * The client's IP address. On Cloudflare, the edge writes CF-Connecting-IP, whatever a client sends. On a machine of one's own
 * (TRUSTED_PROXIES is set) that header means nothing: the socket's peer counts, or what a trusted proxy says of it.
 */
function clientIp(request: Request, { TRUSTED_PROXIES }: Place): string | undefined {
  if (TRUSTED_PROXIES === undefined) return request.headers.get("cf-connecting-ip") ?? undefined;
  const peer = peerOf(request);
  return peer && clientAddress(peer, request.headers.get("x-forwarded-for"), proxiesOf(TRUSTED_PROXIES));
}

/** Whoever sent a request. Reading the address takes a tenth of the time of a small request, and most need none. */
export interface Client {
  readonly ip: string | undefined;
}

/** The client of a request, whose address is found when it is first asked for. */
export function clientOf(request: Request, place: Place): Client {
  let known: { ip: string | undefined } | undefined;
  return {
    get ip() {
      known ??= { ip: clientIp(request, place) };
      return known.ip;
    },
  };
}

/**
 * The origin under which people reach this server, such as "https://maps.example.com": as the operator says (`--url`), else as the request's
 * URL has it, with the scheme that a trusted proxy names in X-Forwarded-Proto.
 */
export function publicOrigin(request: Request, place: Place): string {
  if (place.PUBLIC_URL) return place.PUBLIC_URL;
  const { origin, host, protocol } = new URL(request.url);
  if (protocol === "https:" || !place.TRUSTED_PROXIES) return origin;
  const forwarded = request.headers.get("x-forwarded-proto");
  if (!forwarded) return origin;
  const peer = peerOf(request);
  const last = forwarded.slice(forwarded.lastIndexOf(",") + 1).trim();
  return last === "https" && peer && isTrusted(peer, proxiesOf(place.TRUSTED_PROXIES)) ? `https://${host}` : origin;
}

/** Do people reach this server by https? */
export function isHttps(request: Request, place: Place): boolean {
  return publicOrigin(request, place).startsWith("https:");
}

/** What a host and a port may consist of. */
const HOST = /^[a-z0-9._:[\]-]*$/i;

/** Has the request a Host header that can be part of a URL? workerd takes the header as it comes. */
export function hasValidHost(url: string): boolean {
  const from = url.indexOf("//") + 2;
  const end = url.indexOf("/", from);
  const host = url.slice(from, end < 0 ? undefined : end);
  return HOST.test(host) && (!/[:[\]]/.test(host) || URL.canParse(url));
}
