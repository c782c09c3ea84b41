/**
 * The tokens of the dashboard: of a session, in a cookie, and of a sign-in link. Each has 256 random bits, and only its
 * SHA-256 is stored. So many bits need neither salt nor a slow hash, which at the edge costs as much as a complete
 * request may.
 */

export const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[0-9a-f]{64}$/;

/** Duration of a session [ms]; use doesn't prolong it, so requests don't write to it. */
export const SESSION_MS = 30 * 24 * 3600 * 1000;
/** How long a sign-in link is valid [ms]. */
export const LINK_MS = 3 * 24 * 3600 * 1000;

export function mintSessionToken(randomBytes: Uint8Array): string {
  if (randomBytes.length !== TOKEN_BYTES) throw new Error(`a token needs ${TOKEN_BYTES} random bytes`);
  return [...randomBytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function looksLikeSessionToken(text: string): boolean {
  return TOKEN_PATTERN.test(text);
}

/**
 * The link for a single sign-in. The token is in the fragment, which browsers don't send: no log and no Referer
 * contains it.
 * @param origin "https://maps.example.com"
 */
export function signInUrl(origin: string, token: string): string {
  return `${origin}/dashboard/#/sign-in?token=${token}`;
}

/**
 * On https the name begins with `__Host-`: a browser then accepts the cookie only from this exact host, with Secure and
 * for all paths (RFC 6265bis, 4.1.3.2). On local http there is no such guarantee.
 */
export function cookieName(isHttps: boolean): string {
  return isHttps ? "__Host-graticule" : "graticule";
}

/** The Set-Cookie header that begins a session, or with token "" ends it. */
export function sessionCookie(token: string, isHttps: boolean): string {
  const age = token === "" ? 0 : SESSION_MS / 1000;
  const secure = isHttps ? "; Secure" : "";
  return `${cookieName(isHttps)}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`;
}

/** The session's token in a Cookie header; undefined if there is none, or an invalid one. */
export function tokenInCookies(header: string | null, isHttps: boolean): string | undefined {
  const token = cookieIn(header, cookieName(isHttps));
  return token !== undefined && looksLikeSessionToken(token) ? token : undefined;
}

/**
 * The value of a cookie; undefined if several have the name, because a page of another host may have set one of them. Only space and tab
 * surround a cookie: browsers protect `__Host-` in a name, but not behind U+00A0, which `trim` would remove.
 */
export function cookieIn(header: string | null, name: string): string | undefined {
  const begin = `${name}=`;
  const found = (header ?? "")
    .split(";")
    .map(withoutBlanks)
    .filter((cookie) => cookie.startsWith(begin));
  return found.length === 1 ? found[0].slice(begin.length) : undefined;
}

function withoutBlanks(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isBlank(text[from])) from++;
  while (from < to && isBlank(text[to - 1])) to--;
  return text.slice(from, to);
}

const isBlank = (character: string) => character === " " || character === "\t";

/** The data, sent by browsers, that distinguishes our own pages from others. */
interface Provenance {
  method: string;
  /** Origin of the request's own URL. */
  ownOrigin: string;
  /** The headers Origin and Sec-Fetch-Site. */
  origin: string | null;
  fetchSite: string | null;
  /**
   * The request has our custom header: another site's page would have needed a CORS preflight, and would have been
   * rejected.
   */
  hasOwnHeader: boolean;
}

/**
 * Was the request sent by a page of this origin? Browsers indicate that in Sec-Fetch-Site, except for plain http to
 * another machine, and in some old browsers; then Origin decides. Read requests have no Origin there: they are accepted
 * with a header that no other site's page can send.
 */
export function isOwnPage({ method, ownOrigin, origin, fetchSite, hasOwnHeader }: Provenance): boolean {
  if (fetchSite !== null) return fetchSite === "same-origin";
  if (origin !== null) return origin === ownOrigin;
  return method === "GET" && hasOwnHeader;
}
