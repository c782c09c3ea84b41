/** Headers that show that a proxy on this machine forwards another client's request. */
const FORWARDED = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

/**
 * Does a caller of a server that listens on this machine only use a local host name, and make its own request? A page
 * that has rebound its own domain to this machine (DNS rebinding) uses another name.
 */
export function isOnThisMachine(url: string, headers: Pick<Headers, "has" | "get">): boolean {
  const { hostname } = new URL(url);
  // Another site's page in a browser on this machine could read the response, as any page may read those of open
  // endpoints.
  if (headers.has("origin") || !["none", null].includes(headers.get("sec-fetch-site"))) return false;
  return ["127.0.0.1", "localhost", "[::1]"].includes(hostname) && !FORWARDED.some((name) => headers.has(name));
}
