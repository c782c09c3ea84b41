/**
 * Whether the client accepts gzip. On Cloudflare and under `wrangler dev`, a proxy between client and Worker writes its own Accept-Encoding and keeps the
 * client's in `request.cf`; elsewhere the header is the client's.
 */
export function acceptsGzip({ cf, headers }: Request): boolean {
  const isBehindProxy = cf?.colo !== undefined;
  const accepted = isBehindProxy ? String(cf?.clientAcceptEncoding ?? "") : (headers.get("accept-encoding") ?? "");
  return /\bgzip\b/.test(accepted);
}
