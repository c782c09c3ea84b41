/** A year; the host only, as its other names are not ours [s]. */
const HSTS = "max-age=31536000";

/**
 * Headers of every response: browsers must not guess what it is, and where people reach this server by https, they are to use nothing
 * else (RFC 6797).
 */
export function securityHeaders({ PUBLIC_URL }: { PUBLIC_URL?: string }): Record<string, string> {
  const headers: Record<string, string> = { "x-content-type-options": "nosniff" };
  if (PUBLIC_URL?.startsWith("https:")) headers["strict-transport-security"] = HSTS;
  return headers;
}
