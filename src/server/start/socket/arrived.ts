import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { FRONT_HEADER, MAX_URL } from "../../../worker/platform/front.ts";
import { type Refusal, refusal } from "./refusal.ts";

/** Methods that any endpoint has, or that browsers send: the Worker's platform knows fewer than Node, and answers others without JSON. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
export const METHOD_REFUSAL = [405, "Method not allowed.", { allow: [...METHODS].join(", ") }] as const;
/** Headers of one connection; HTTP forbids to forward them. Node has answered `expect`. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "te",
  "trailer",
  "upgrade",
  "expect",
]);

/** A request for the Worker. */
export interface Forwarded {
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
}

/**
 * What the Worker gets of a request: without headers of the connection, and with the address of its peer, which only this process can
 * say because only it knows the secret.
 */
export function forwardedOf(incoming: IncomingMessage, secret: string): Forwarded | Refusal {
  const { method = "", url = "", headers, socket } = incoming;
  if (!METHODS.has(method)) return refusal(...METHOD_REFUSAL);
  if (url.length > MAX_URL) return refusal(414, `URI too long. At most ${MAX_URL} characters.`);
  const all: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name)) all[name] = value;
  }
  all[FRONT_HEADER] = `${secret} ${peerOf(socket)}`;
  if (url.startsWith("/")) return { method, path: url, headers: all };
  // "GET https://host/path", as a client of a proxy sends it: the host in it takes precedence (RFC 9112, 3.2.2).
  const whole = URL.canParse(url) ? new URL(url) : undefined;
  if (!whole || !/^https?:$/.test(whole.protocol)) return refusal(400, "The request target is not a path.");
  return { method, path: whole.pathname + whole.search, headers: { ...all, host: whole.host } };
}

/** "[address]:port", as the Worker's platform writes it. */
const peerOf = ({ remoteAddress = "", remotePort = 0 }: Socket) =>
  remoteAddress.includes(":") ? `[${remoteAddress}]:${remotePort}` : `${remoteAddress}:${remotePort}`;

export const isRefusal = (one: Forwarded | Refusal): one is Refusal => "status" in one;
