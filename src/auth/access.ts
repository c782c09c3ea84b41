import { cookieIn } from "./session.ts";
import { TokenError } from "./token.ts";

/**
 * The token of Cloudflare Access in a request: in a header below the paths that it guards; elsewhere on the same host, such as
 * at /v1 where API keys come too, in the cookie that it leaves.
 */
export function accessToken(headers: Headers): string | undefined {
  return headers.get("cf-access-jwt-assertion") ?? cookieIn(headers.get("cookie"), "CF_Authorization");
}

/**
 * What the claims of a token by Cloudflare Access must say: who issued it, for which application, and about whom
 * (developers.cloudflare.com, "Validate JWTs").
 * @param team "https://example.cloudflareaccess.com"
 * @param audience the application's AUD tag
 * @returns the address it vouches for, in lower case
 * @throws TokenError for another team or application, and for service tokens, which name nobody
 */
export function checkAccessClaims(claims: Readonly<Record<string, unknown>>, team: string, audience: string): string {
  const { iss, aud, email } = claims;
  if (iss !== team) throw new TokenError("The token is by another team (iss).");
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.includes(audience)) throw new TokenError("The token is for another application (aud).");
  if (typeof email !== "string" || !email.includes("@")) throw new TokenError("The token names nobody (email).");
  return email.toLowerCase();
}
