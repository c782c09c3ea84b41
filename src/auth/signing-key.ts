/**
 * The keys of ours that sign tokens (ES256: ECDSA over P-256 with SHA-256, RFC 7518), when each signs, and for how long it is
 * published. A new one is published a day before it signs, so that who keeps our keys has it in time; one that signs no more stays
 * until no token of it is valid.
 *
 *     made ── a day ──► signs ────── 90 days ──────► the next signs ── a week ──► forgotten
 */

const DAY = 24 * 3600_000;
/** A key is only published for so long before it signs, unless there is no other [ms]. */
export const ANNOUNCED_MS = DAY;
/** A key signs for so long [ms]. */
export const SIGNS_MS = 90 * DAY;
/** How long after it is made a key is published [ms]. */
export const PUBLISHED_MS = ANNOUNCED_MS + SIGNS_MS + 7 * DAY;

const CURVE = { name: "ECDSA", namedCurve: "P-256" } as const;

export interface Made {
  createdAt: number;
}

/** Of keys from the oldest to the newest, the one that signs now: the newest that was announced, else the oldest. */
export function keyThatSigns<T extends Made>(keys: readonly T[], now: number): T | undefined {
  return keys.findLast(({ createdAt }) => createdAt + ANNOUNCED_MS <= now) ?? keys[0];
}

/** The moment after which a key must have been made, or else another is to be made now [ms]. */
export function newestNeeded(now: number): number {
  return now - SIGNS_MS;
}

/** A new pair of keys, as the JWK of the private one. */
export async function makeSigningKey(): Promise<{ id: string; privateKey: string }> {
  const pair = (await crypto.subtle.generateKey(CURVE, true, ["sign", "verify"])) as CryptoKeyPair;
  const { kty, crv, x, y, d } = (await crypto.subtle.exportKey("jwk", pair.privateKey)) as JsonWebKey;
  const id = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { id, privateKey: JSON.stringify({ kty, crv, x, y, d }) };
}

export function importSigningKey(privateKey: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("jwk", JSON.parse(privateKey) as JsonWebKey, CURVE, false, ["sign"]);
}

/** The public half, as a key set lists it (RFC 7517). */
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
  // WebCrypto gives r and s beside each other, as JWS wants them (RFC 7518, 3.4).
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, bytes);
  return `${signed}.${base64Url(new Uint8Array(signature))}`;
}

const encoded = (value: unknown) => base64Url(new TextEncoder().encode(JSON.stringify(value)));

function base64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
