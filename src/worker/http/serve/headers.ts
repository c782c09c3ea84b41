import type { Env } from "../../platform/env.ts";
import { securityHeaders } from "./security-headers.ts";

const EXPOSED =
  "x-request-id, x-radar-request-id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, x-graticule-left-out, x-graticule-attribution, x-graticule-rows, x-graticule-next, x-next-cursor, WWW-Authenticate";

/**
 * Headers of every response. `browsers`: pages of any origin may read it, without credentials. A response belongs to one
 * customer, so no cache may keep it unless the endpoint says otherwise.
 */
export function baseHeaders(requestId: string, browsers: boolean, env: Env): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    ...securityHeaders(env),
    "x-request-id": requestId,
    "x-radar-request-id": requestId,
  };
  if (browsers) {
    headers["access-control-allow-origin"] = "*";
    headers["access-control-expose-headers"] = EXPOSED;
  }
  return headers;
}

/** The common headers as a platform object; those of one request are set before they are copied into its response. */
const kept = new Map<boolean, Headers>();

/** `baseHeaders`, to be copied immediately into a Response: passing the same object costs half as much as passing eight strings. */
export function headersOf(requestId: string, browsers: boolean, env: Env): Headers {
  let headers = kept.get(browsers);
  if (!headers) {
    headers = new Headers(baseHeaders(requestId, browsers, env));
    kept.set(browsers, headers);
  }
  headers.set("x-request-id", requestId);
  headers.set("x-radar-request-id", requestId);
  return headers;
}

/** The response to a CORS preflight: allows every method and header, and needs no key. */
export function preflight(request: Request, requestId: string, env: Env): Response {
  const requested = request.headers.get("access-control-request-headers");
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
      "access-control-allow-headers": requested ?? "Authorization, Content-Type",
      "access-control-max-age": "86400",
      "access-control-expose-headers": EXPOSED,
      vary: "Access-Control-Request-Headers",
      ...securityHeaders(env),
      "x-request-id": requestId,
      "x-radar-request-id": requestId,
    },
  });
}
