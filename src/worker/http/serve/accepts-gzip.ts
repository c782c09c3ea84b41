import { parseAccept } from "hono/utils/accept";

/**
 * Whether the client accepts gzip. On Cloudflare and under `wrangler dev`, a proxy between client and Worker writes its own Accept-Encoding and keeps the
 * client's in `request.cf`; elsewhere the header is the client's. A quality of 0 is a refusal, and `*` means every encoding not named (RFC 9110, 12.5.3).
 */
export function acceptsGzip({ cf, headers }: Request): boolean {
  const isBehindProxy = cf?.colo !== undefined;
  const accepted = isBehindProxy ? String(cf?.clientAcceptEncoding ?? "") : (headers.get("accept-encoding") ?? "");
  const encodings = parseAccept(accepted.toLowerCase());
  const named =
    encodings.find(({ type }) => type === "gzip" || type === "x-gzip") ?? encodings.find(({ type }) => type === "*");
  return named !== undefined && named.q > 0;
}
