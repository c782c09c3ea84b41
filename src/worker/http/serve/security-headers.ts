/** One year; only for this host, because its subdomains may not be ours [s]. */
const HSTS = "max-age=31536000";

/**
 * Headers of every response: browsers must not sniff the content type, and if the public origin uses https, they must use nothing
 * else (RFC 6797).
 */
export function securityHeaders({ PUBLIC_URL }: { PUBLIC_URL?: string }): Record<string, string> {
  const headers: Record<string, string> = { "x-content-type-options": "nosniff" };
  if (PUBLIC_URL?.startsWith("https:")) headers["strict-transport-security"] = HSTS;
  return headers;
}
