/** Headers by which a proxy on this machine gives away that it asks for somebody else. */
const FORWARDED = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

/**
 * Does a caller of a server that listens on this machine only name it as one does here, and ask for itself? A page that has
 * bent a name of its own to this machine (DNS rebinding) does not name it so.
 */
export function isOnThisMachine(url: string, headers: Pick<Headers, "has">): boolean {
  const { hostname } = new URL(url);
  return ["127.0.0.1", "localhost", "[::1]"].includes(hostname) && !FORWARDED.some((name) => headers.has(name));
}
