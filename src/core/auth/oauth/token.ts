/**
 * The codes and tokens of OAuth grants: opaque, with 256 random bits. Only their SHA-256 is stored (auth/key.ts).
 */

export const OAUTH_TOKEN_BYTES = 32;

const PREFIXES = { access: "gra_", refresh: "grr_", code: "grc_" } as const;
export type OAuthTokenKind = keyof typeof PREFIXES;

/** Durations [ms]. A refresh token is valid again after each use, for a new one. */
export const ACCESS_MS = 3600_000;
export const REFRESH_MS = 30 * 24 * 3600_000;
export const CODE_MS = 60_000;

export function mintOAuthToken(kind: OAuthTokenKind, randomBytes: Uint8Array): string {
  if (randomBytes.length !== OAUTH_TOKEN_BYTES) throw new Error(`a token needs ${OAUTH_TOKEN_BYTES} random bytes`);
  return PREFIXES[kind] + [...randomBytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function isOAuthToken(kind: OAuthTokenKind, text: string): boolean {
  return text.startsWith(PREFIXES[kind]) && /^[0-9a-f]{64}$/.test(text.slice(PREFIXES[kind].length));
}

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
/** Base64url of a SHA-256. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

export const isChallenge = (text: string): boolean => CHALLENGE.test(text);

/** Does the verifier belong to the challenge? PKCE with S256 (RFC 7636, 4.6). */
export async function isVerifierOf(challenge: string, verifier: string): Promise<boolean> {
  if (!VERIFIER.test(verifier)) return false;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));
  const text = btoa(String.fromCharCode(...digest));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace("=", "") === challenge;
}
