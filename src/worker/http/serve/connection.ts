import {
  addressOfPeer,
  clientAddress,
  isTrusted,
  parseProxies,
  type TrustedProxies,
} from "../../../core/limits/client-address.ts";
import { FRONT_HEADER } from "../../platform/front.ts";
import { PROCESS_HEADER, toldByProcess } from "../../platform/processes.ts";

/**
 * The client's address and this server's public origin. Handlers get both only from here; test/architecture/
 * connection.test.ts forbids them to read the URL's origin or forwarded headers.
 */

/** The environment variables it depends on (src/worker/platform/env.ts). */
export interface Place {
  PUBLIC_URL?: string;
  TRUSTED_PROXIES?: string;
  FRONT_SECRET?: string;
  PROCESS_SECRET?: string;
}

let known: { text: string; proxies: TrustedProxies } | undefined;

function proxiesOf(text: string): TrustedProxies {
  if (known?.text !== text) known = { text, proxies: parseProxies(text) };
  return known.proxies;
}

/** The other end of workerd's socket, "192.0.2.1:4711": the client, or what is before the server. */
export function peerEnd(request: Request): string | undefined {
  const peer = request.cf?.clientIp;
  return typeof peer === "string" ? peer : undefined;
}

/** The address of the machine that opened the connection; only workerd's socket, or the TLS front or helper process behind it, provides it. */
function peerOf(request: Request, place: Place): string | undefined {
  const peer = place.FRONT_SECRET ? peerOfFront(request, place) : (toldByProcess(request, place) ?? peerEnd(request));
  return peer === undefined ? undefined : addressOfPeer(peer);
}

/** What the TLS front says of a connection; undefined for a request that did not come through it, of which no header is believed. */
function peerOfFront({ headers }: Request, { FRONT_SECRET }: Place): string | undefined {
  if (!FRONT_SECRET) return undefined;
  const told = headers.get(FRONT_HEADER);
  return told?.startsWith(`${FRONT_SECRET} `) ? told.slice(FRONT_SECRET.length + 1) : undefined;
}

/**
 * The client's IP address. On Cloudflare, the edge overwrites CF-Connecting-IP. When self-hosting
 * (TRUSTED_PROXIES is set) that header is ignored: the socket's peer is used, or the address from a trusted proxy.
 */
function clientIp(request: Request, place: Place): string | undefined {
  const { TRUSTED_PROXIES } = place;
  if (TRUSTED_PROXIES === undefined) return request.headers.get("cf-connecting-ip") ?? undefined;
  const peer = peerOf(request, place);
  return peer && clientAddress(peer, request.headers.get("x-forwarded-for"), proxiesOf(TRUSTED_PROXIES));
}

/** The client of a request. The address is lazy: reading it takes a tenth of the time of a small request, and most need none. */
export interface Client {
  readonly ip: string | undefined;
}

/** The client of a request; its address is determined on first use. */
export const clientOf = (request: Request, place: Place): Client => new LazyClient(request, place);

/** A class: an accessor of a literal would be defined again for each request, which costs as much as a lookup of the key. */
class LazyClient implements Client {
  readonly #request: Request;
  readonly #place: Place;
  #isKnown = false;
  #ip: string | undefined;

  constructor(request: Request, place: Place) {
    this.#request = request;
    this.#place = place;
  }

  get ip(): string | undefined {
    if (!this.#isKnown) {
      this.#ip = clientIp(this.#request, this.#place);
      this.#isKnown = true;
    }
    return this.#ip;
  }
}

/**
 * The public origin of this server, such as "https://maps.example.com": set by the operator (`--url`), else from the request's
 * URL, with the scheme that a trusted proxy sends in X-Forwarded-Proto.
 */
export function publicOrigin(request: Request, place: Place): string {
  if (place.PUBLIC_URL) return place.PUBLIC_URL;
  const { origin, host, protocol } = new URL(request.url);
  if (peerOfFront(request, place) !== undefined) return `https://${host}`;
  if (protocol === "https:" || !place.TRUSTED_PROXIES) return origin;
  const forwarded = request.headers.get("x-forwarded-proto");
  if (!forwarded) return origin;
  const peer = peerOf(request, place);
  const last = forwarded.slice(forwarded.lastIndexOf(",") + 1).trim();
  return last === "https" && peer && isTrusted(peer, proxiesOf(place.TRUSTED_PROXIES)) ? `https://${host}` : origin;
}

/** The headers from which the client's address and the public origin are determined. */
const CONNECTION_HEADERS = ["cf-connecting-ip", "x-forwarded-for", "x-forwarded-proto", FRONT_HEADER, PROCESS_HEADER];

/** The headers of a request that the Worker sends to itself, so that it comes from the same client. */
export function sameConnection({ headers }: Request): Headers {
  return new Headers(
    CONNECTION_HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value] as [string, string]];
    }),
  );
}

/** Whether the public origin of this server uses https. */
export function isHttps(request: Request, place: Place): boolean {
  return publicOrigin(request, place).startsWith("https:");
}

/** Valid characters of a host and a port. */
const HOST = /^[a-z0-9._:[\]-]*$/i;

/** The start of the last URL with a valid host and a path, to its first slash: nearly all requests have the same. */
let lastValid: string | undefined;

/** Whether the Host header can be part of a URL. workerd does not validate it. */
export function hasValidHost(url: string): boolean {
  if (lastValid !== undefined && url.startsWith(lastValid)) return true;
  const isValid = checkHost(url);
  const end = url.indexOf("/", url.indexOf("//") + 2);
  if (isValid && end >= 0) lastValid = url.slice(0, end + 1);
  return isValid;
}

function checkHost(url: string): boolean {
  const from = url.indexOf("//") + 2;
  const end = url.indexOf("/", from);
  const host = url.slice(from, end < 0 ? undefined : end);
  return HOST.test(host) && (!/[:[\]]/.test(host) || URL.canParse(url));
}
