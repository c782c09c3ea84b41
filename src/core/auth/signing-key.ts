/**
 * The server's keys that sign tokens (ES256: ECDSA over P-256 with SHA-256, RFC 7518), when each signs, and for how long
 * it is published. A new key is published a day before it signs, so that clients that cache the keys get it in time; a
 * retired key stays published until none of its tokens is valid.
 *
 *     created ── a day ──► signs ────── 90 days ──────► the next signs ── a week ──► deleted
 */

const DAY = 24 * 3600_000;
/** A key is only published for this long before it signs, unless there is no other [ms]. */
export const ANNOUNCED_MS = DAY;
/** A key signs for this long [ms]. */
export const SIGNS_MS = 90 * DAY;
/** How long a key is published after its creation [ms]. */
export const PUBLISHED_MS = ANNOUNCED_MS + SIGNS_MS + 7 * DAY;

const CURVE = { name: "ECDSA", namedCurve: "P-256" } as const;

interface Made {
  createdAt: number;
}

/**
 * Of keys from oldest to newest, the one that signs now: the newest one that has been announced long enough, else the
 * oldest.
 */
export function keyThatSigns<T extends Made>(keys: readonly T[], now: number): T | undefined {
  return keys.findLast(({ createdAt }) => createdAt + ANNOUNCED_MS <= now) ?? keys[0];
}

/** A new key must be created now unless one was created after this time [ms]. */
export function newestNeeded(now: number): number {
  return now - SIGNS_MS;
}

/** Creates a key pair; returns the JWK of the private key. */
export async function makeSigningKey(): Promise<{ id: string; privateKey: string }> {
  const pair = (await crypto.subtle.generateKey(CURVE, true, ["sign", "verify"])) as CryptoKeyPair;
  const { kty, crv, x, y, d } = (await crypto.subtle.exportKey("jwk", pair.privateKey)) as JsonWebKey;
  const id = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { id, privateKey: JSON.stringify({ kty, crv, x, y, d }) };
}

export function importSigningKey(privateKey: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("jwk", JSON.parse(privateKey) as JsonWebKey, CURVE, false, ["sign"]);
}

/** The public key, as listed in a key set (RFC 7517). */
export function publicJwk({ id, privateKey }: { id: string; privateKey: string }) {
  const { kty = "", crv = "", x = "", y = "" } = JSON.parse(privateKey) as JsonWebKey;
  return { kid: id, alg: "ES256", use: "sig", kty, crv, x, y };
}

/** A JWT (RFC 7519) in the compact form. */
export async function signToken(
  key: CryptoKey,
  kid: string,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  const signed = `${encoded({ alg: "ES256", typ: "JWT", kid })}.${encoded(claims)}`;
  const bytes = new TextEncoder().encode(signed);
  // WebCrypto returns r and s concatenated, as JWS requires (RFC 7518, 3.4).
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, bytes);
  return `${signed}.${base64Url(new Uint8Array(signature))}`;
}

const encoded = (value: unknown) => base64Url(new TextEncoder().encode(JSON.stringify(value)));

function base64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
