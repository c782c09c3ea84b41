/** Headers by which a proxy on this machine gives away that it asks for somebody else. */
const FORWARDED = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

/**
 * Does a caller of a server that listens on this machine only name it as one does here, and ask for itself? A page that has
 * bent a name of its own to this machine (DNS rebinding) does not name it so.
 */
export function isOnThisMachine(url: string, headers: Pick<Headers, "has" | "get">): boolean {
  const { hostname } = new URL(url);
  // A page of somebody else in a browser on this machine: it could read the answer, as any page may read those of open endpoints.
  if (headers.has("origin") || !["none", null].includes(headers.get("sec-fetch-site"))) return false;
  return ["127.0.0.1", "localhost", "[::1]"].includes(hostname) && !FORWARDED.some((name) => headers.has(name));
}
