import { accessToken, checkAccessClaims } from "../../../../core/auth/access.ts";
import { checkSignature, checkTimes, readToken, TokenError, type TokenKey } from "../../../../core/auth/token.ts";
import { checkOutgoingUrl } from "../../../../core/limits/outgoing-url.ts";
import { getOutgoing, rulesOf } from "../../../outgoing/outgoing.ts";
import { describeBriefly } from "../../../platform/describe-error.ts";
import type { Env } from "../../../platform/env.ts";
import { ApiError } from "../../../platform/errors.ts";

/**
 * Cloudflare Access in front of the Worker: it signs each request that it accepts. If the operator has configured the
 * team and the application, its token acts as a session; its user must be a member.
 */

/** How long the team's keys are used [ms]; Cloudflare rotates them every six weeks and publishes the next one in advance. */
const KEPT_MS = 3600_000;
/** Minimum interval between refreshes for a token with an unknown key [ms]. */
const ASK_AGAIN_MS = 60_000;
const PATIENCE_MS = 5_000;
/** Two or three keys of 2 KB. */
const MAX_BYTES = 64 * 1024;

interface TeamKeys {
  team: string;
  at: number;
  keys: ReadonlyMap<string, TokenKey>;
}
let kept: TeamKeys | undefined;

/**
 * The email address that Access has verified, in lowercase; undefined without Access.
 * @throws ApiError 401 for an invalid token, 503 while the team's keys are unavailable
 */
export async function accessEmail(headers: Headers, env: Env, now: number): Promise<string | undefined> {
  const { ACCESS_TEAM_DOMAIN: domain, ACCESS_AUD: audience } = env;
  if (!domain || !audience) return undefined;
  const token = accessToken(headers);
  if (token === undefined) return undefined;
  const team = teamUrl(domain);
  try {
    const read = readToken(token);
    checkTimes(read, now);
    const email = checkAccessClaims(read.claims, team, audience);
    const key = await keyOf(read.kid, team, env, now);
    if (!key) throw new TokenError("The token uses a key that the team does not have.");
    await checkSignature(read, key);
    return email;
  } catch (error) {
    throw error instanceof TokenError ? new ApiError(401, `Unauthorized. Cloudflare Access: ${error.message}`) : error;
  }
}

/** "example.cloudflareaccess.com" or "https://example.cloudflareaccess.com/" → the latter without its slash. */
function teamUrl(domain: string): string {
  return (domain.includes("://") ? domain : `https://${domain}`).replace(/\/+$/, "");
}

async function keyOf(kid: string | undefined, team: string, env: Env, now: number): Promise<TokenKey | undefined> {
  if (kid === undefined) return undefined;
  const age = kept?.team === team ? Math.abs(now - kept.at) : Number.POSITIVE_INFINITY;
  if (age > KEPT_MS || (age > ASK_AGAIN_MS && !kept?.keys.has(kid))) kept = await fetchKeys(team, env, now);
  return kept?.keys.get(kid);
}

async function fetchKeys(team: string, env: Env, now: number): Promise<TeamKeys> {
  const certs = `${team}/cdn-cgi/access/certs`;
  const { problem } = checkOutgoingUrl(certs, rulesOf(env));
  if (problem) throw new Error(`ACCESS_TEAM_DOMAIN: ${problem}`);
  try {
    const bytes = await getOutgoing(env, certs, { timeoutMs: PATIENCE_MS, maxBytes: MAX_BYTES, maxRedirects: 0 });
    return { team, at: now, keys: keysIn(new TextDecoder().decode(bytes), now) };
  } catch (error) {
    console.error(JSON.stringify({ what: "access keys", error: describeBriefly(error) }));
    throw new ApiError(503, "Cloudflare Access keys are temporarily unavailable. Try again in a few seconds.", {
      headers: { "Retry-After": "5" },
    });
  }
}

/** The RSA keys of a JWK set, by kid. */
function keysIn(text: string, now: number): Map<string, TokenKey> {
  const { keys } = JSON.parse(text) as { keys?: (JsonWebKey & { kid?: string })[] };
  return new Map(
    (keys ?? [])
      .filter(({ kid, kty }) => kid !== undefined && kty === "RSA")
      .map((jwk) => [String(jwk.kid), { alg: "RS256", material: JSON.stringify(jwk), createdAt: now }]),
  );
}
