import { BoundedMap } from "../geo/bounded-map.ts";
/**
 * Signed tokens (JWT, RFC 7519) by which a project's server authenticates an app's user. The project registers the key
 * that verifies them; the algorithm belongs to the key, so a token can't choose a weaker one (RFC 8725, 3.1).
 */

export const TOKEN_ALGORITHMS = ["RS256", "ES256", "EdDSA", "HS256"] as const;
export type TokenAlgorithm = (typeof TOKEN_ALGORITHMS)[number];

/** A verification key registered by a project. */
export interface TokenKey {
  alg: TokenAlgorithm;
  /** PEM ("-----BEGIN PUBLIC KEY-----") or a JWK as JSON; for HS256 the shared secret. */
  material: string;
  /** [ms] */
  createdAt: number;
}

/** A parsed token, not verified yet. */
export interface Token {
  text: string;
  alg: string;
  kid: string | undefined;
  claims: Readonly<Record<string, unknown>>;
}

/** The user of a verified token. */
export interface Speaker {
  userId: string;
  /** Absent = any device. */
  deviceId?: string;
}

/** Why a token, or a key for tokens, is rejected, as a message for the caller. Contains nothing of the token. */
export class TokenError extends Error {}

/** Maximum length of a token [characters]; a real one has some hundred. */
export const MAX_TOKEN = 4096;
/** Allowed clock difference [s]. */
const LEEWAY = 60;
/** Minimum size of a shared secret [bytes], that of its hash (RFC 7518, 3.2), and of an RSA modulus [bits] (3.3). */
const MIN_SECRET = 32;
const MIN_MODULUS = 2048;

/** Three parts separated by dots, the first a JSON object in base64url: no API key looks like this. */
export function looksLikeToken(text: string): boolean {
  return /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/.test(text);
}

/**
 * Parses a token.
 * @throws TokenError if it is invalid
 */
export function readToken(text: string): Token {
  if (text.length > MAX_TOKEN) throw new TokenError(`The token is longer than ${MAX_TOKEN} characters.`);
  const [head, body] = text.split(".");
  const header = objectIn(head);
  const claims = objectIn(body);
  if (!header || !claims) throw new TokenError("The token is not a JWT.");
  if (header.crit !== undefined) throw new TokenError("The token requires unsupported extensions (crit).");
  const { alg, kid } = header;
  return { text, alg: String(alg), kid: typeof kid === "string" ? kid : undefined, claims };
}

function objectIn(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytesOf(part)));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Verifies that the token is signed by this key, with the key's own algorithm.
 * @throws TokenError if not
 */
export async function checkSignature({ text, alg }: Token, key: TokenKey): Promise<void> {
  if (alg !== key.alg) throw new TokenError(`The token must be signed with ${key.alg}.`);
  const end = text.lastIndexOf(".");
  const signed = new TextEncoder().encode(text.slice(0, end));
  const imported = await importedKey(key);
  let genuine = false;
  try {
    genuine = await crypto.subtle.verify(VERIFY[key.alg], imported, bytesOf(text.slice(end + 1)), signed);
  } catch {
    // Not base64, or the wrong length for a signature of this kind.
  }
  if (!genuine) throw new TokenError("The token's signature doesn't match the registered key.");
}

/**
 * Verifies that the token is valid at this time [ms]. An expiry time is required.
 * @throws TokenError if not
 */
export function checkTimes({ claims }: Token, now: number): void {
  const seconds = now / 1000;
  const { exp, nbf, iat } = claims;
  for (const time of [exp, nbf, iat])
    if (time !== undefined && !(typeof time === "number" && Number.isFinite(time)))
      throw new TokenError("The token's times (exp, nbf, iat) must be seconds since 1970.");
  if (exp === undefined) throw new TokenError("The token must specify when it expires (exp).");
  if (seconds > (exp as number) + LEEWAY) throw new TokenError("The token has expired.");
  if (nbf !== undefined && seconds < (nbf as number) - LEEWAY)
    throw new TokenError("The token is not valid yet (nbf).");
  if (iat !== undefined && seconds < (iat as number) - LEEWAY)
    throw new TokenError("The token was issued in the future (iat).");
}

/**
 * Checks whether a key can verify tokens.
 * @throws TokenError if it is invalid, too weak, or of another kind
 */
export async function checkKey(key: Pick<TokenKey, "alg" | "material">): Promise<void> {
  await imported(key);
}

const VERIFY = {
  RS256: { name: "RSASSA-PKCS1-v1_5" },
  ES256: { name: "ECDSA", hash: "SHA-256" },
  EdDSA: { name: "Ed25519" },
  HS256: { name: "HMAC" },
} as const;

const IMPORT = {
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  ES256: { name: "ECDSA", namedCurve: "P-256" },
  EdDSA: { name: "Ed25519" },
  HS256: { name: "HMAC", hash: "SHA-256" },
} as const;

const MAX_IMPORTS = 1000;
/** Imported keys of this machine, by algorithm and material: importing costs more than checking. */
const imports = new BoundedMap<string, CryptoKey>(MAX_IMPORTS);

async function importedKey(key: TokenKey): Promise<CryptoKey> {
  const name = `${key.alg} ${key.material}`;
  const known = imports.get(name);
  if (known) return known;
  const made = await imported(key);
  imports.set(name, made);
  return made;
}

async function imported({ alg, material }: Pick<TokenKey, "alg" | "material">): Promise<CryptoKey> {
  if (alg === "HS256") {
    const secret = new TextEncoder().encode(material);
    if (secret.length < MIN_SECRET) throw new TokenError(`A shared secret needs at least ${MIN_SECRET} bytes.`);
    return crypto.subtle.importKey("raw", secret, IMPORT.HS256, false, ["verify"]);
  }
  let key: CryptoKey;
  try {
    key = material.trimStart().startsWith("{")
      ? await crypto.subtle.importKey("jwk", publicPart(material), IMPORT[alg], false, ["verify"])
      : await crypto.subtle.importKey("spki", bytesOfPem(material), IMPORT[alg], false, ["verify"]);
  } catch (error) {
    if (error instanceof TokenError) throw error;
    throw new TokenError(`This is not a public key for ${alg}: send a PEM (BEGIN PUBLIC KEY) or a JWK.`);
  }
  const { modulusLength } = key.algorithm as { modulusLength?: number };
  if (modulusLength !== undefined && modulusLength < MIN_MODULUS)
    throw new TokenError(`An RSA key needs at least ${MIN_MODULUS} bits.`);
  return key;
}

/**
 * A JWK without the fields about its use, which differ between libraries.
 * @throws TokenError for a private key
 */
function publicPart(text: string): JsonWebKey {
  const { kty, crv, x, y, n, e, d, k } = JSON.parse(text) as JsonWebKey;
  if (d !== undefined || k !== undefined) throw new TokenError("This is a private key. Register the public one.");
  return { kty, crv, x, y, n, e };
}

function bytesOfPem(text: string): Uint8Array<ArrayBuffer> {
  if (/PRIVATE KEY/.test(text)) throw new TokenError("This is a private key. Register the public one.");
  const body = /-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----/.exec(text)?.[1];
  if (body === undefined) throw new Error("no PEM");
  return bytesOf(body.replace(/\s/g, ""));
}

/** Base64 or base64url, with or without padding. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
