/**
 * The tokens of the dashboard: of a session, in a cookie, and of a sign-in link. Each is 256 random bits, kept as SHA-256
 * only. So many bits need neither salt nor slow hash, which costs at the edge what a whole request may cost.
 */

export const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[0-9a-f]{64}$/;

/** How long a session lasts [ms]; it is not prolonged by use, so no request writes for it. */
export const SESSION_MS = 30 * 24 * 3600 * 1000;
/** How long a sign-in link opens [ms]. */
export const LINK_MS = 3 * 24 * 3600 * 1000;

export function mintSessionToken(randomBytes: Uint8Array): string {
  if (randomBytes.length !== TOKEN_BYTES) throw new Error(`a token is made of ${TOKEN_BYTES} random bytes`);
  return [...randomBytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function looksLikeSessionToken(text: string): boolean {
  return TOKEN_PATTERN.test(text);
}

/**
 * The link that signs in once. The token stands in the fragment, which browsers do not send: no log and no Referer sees it.
 * @param origin "https://maps.example.com"
 */
export function signInUrl(origin: string, token: string): string {
  return `${origin}/dashboard/#/sign-in?token=${token}`;
}

/**
 * On https the name begins with `__Host-`: a browser then takes the cookie from this very host only, with Secure and for
 * all paths (RFC 6265bis, 4.1.3.2). On a laptop's http there is no such promise to be had.
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

/** The session's token in a Cookie header; undefined where there is none, or one that cannot be ours. */
export function tokenInCookies(header: string | null, isHttps: boolean): string | undefined {
  const token = cookieIn(header, cookieName(isHttps));
  return token !== undefined && looksLikeSessionToken(token) ? token : undefined;
}

/** The value of a cookie, the first where there are several. */
export function cookieIn(header: string | null, name: string): string | undefined {
  const begin = `${name}=`;
  const cookie = (header ?? "").split(";").find((part) => part.trim().startsWith(begin));
  return cookie?.trim().slice(begin.length);
}

/** What tells a page of our own from a foreign one, as browsers send it. */
export interface Provenance {
  method: string;
  /** Origin of the request's own URL. */
  ownOrigin: string;
  /** The headers Origin and Sec-Fetch-Site. */
  origin: string | null;
  fetchSite: string | null;
  /** The request has a header of our own: a foreign page would have had to ask first (CORS), and would have been refused. */
  hasOwnHeader: boolean;
}

/**
 * Was the request sent by a page of this very origin? Browsers say so in Sec-Fetch-Site, but for plain http to another
 * machine, and some old ones; then Origin decides. Requests that only look carry no Origin there: those count if they
 * have a header that no foreign page can send.
 */
export function isOwnPage({ method, ownOrigin, origin, fetchSite, hasOwnHeader }: Provenance): boolean {
  if (fetchSite !== null) return fetchSite === "same-origin";
  if (origin !== null) return origin === ownOrigin;
  return method === "GET" && hasOwnHeader;
}
