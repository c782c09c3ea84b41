import { cookieIn } from "./session.ts";
import { TokenError } from "./token.ts";

/**
 * The Cloudflare Access token of a request: in a header below the paths that it protects; elsewhere on the same host,
 * such as at /v1 where API keys are also used, in its cookie.
 */
export function accessToken(headers: Headers): string | undefined {
  return headers.get("cf-access-jwt-assertion") ?? cookieIn(headers.get("cookie"), "CF_Authorization");
}

/**
 * Checks the claims of a Cloudflare Access token: issuer, application, and subject (developers.cloudflare.com,
 * "Validate JWTs").
 * @param team "https://example.cloudflareaccess.com"
 * @param audience the application's AUD tag
 * @returns the authenticated email address, in lower case
 * @throws TokenError for another team or application, and for service tokens, which have no user
 */
export function checkAccessClaims(claims: Readonly<Record<string, unknown>>, team: string, audience: string): string {
  const { iss, aud, email } = claims;
  if (iss !== team) throw new TokenError("The token was issued by another team (iss).");
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.includes(audience)) throw new TokenError("The token is for another application (aud).");
  if (typeof email !== "string" || !email.includes("@")) throw new TokenError("The token has no user (email).");
  return email.toLowerCase();
}
