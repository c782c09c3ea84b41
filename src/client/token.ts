import { base64Url, encoder } from "./text.ts";

/** Signs tokens for an app's users, on your server: the app sends one instead of the key. */

export interface TokenClaims {
  userId: string;
  /** Only this device; absent: any. */
  deviceId?: string;
  /** The publishable key, if the app does not send it itself. */
  publishableKey?: string;
}

export interface TokenOptions {
  /** The registered secret of at least 32 bytes (HS256), or a private key for ES256, EdDSA or RS256. */
  key: string | CryptoKey;
  /** The name under which the key is registered; needed if there are several. */
  keyId?: string;
  /** Default 3600. */
  lifetimeSeconds?: number;
  /** [ms] */
  now?: number;
}

const MIN_SECRET_BYTES = 32;

/** A JWT, for `new Graticule({ key: token })` or the SDK's `authToken`. */
export async function signToken(
  { userId, deviceId, publishableKey }: TokenClaims,
  { key, keyId, lifetimeSeconds = 3600, now = Date.now() }: TokenOptions,
): Promise<string> {
  const [alg, algorithm, signing] = await methodOf(key);
  const iat = Math.floor(now / 1000);
  const header = { alg, typ: "JWT", ...(keyId && { kid: keyId }) };
  const claims = {
    userId,
    ...(deviceId && { deviceId }),
    ...(publishableKey && { aud: publishableKey }),
    iat,
    exp: iat + lifetimeSeconds,
  };
  const content = [header, claims].map((part) => base64Url(encoder.encode(JSON.stringify(part)))).join(".");
  const signature = await crypto.subtle.sign(algorithm, signing, encoder.encode(content));
  return `${content}.${base64Url(new Uint8Array(signature))}`;
}

async function methodOf(key: string | CryptoKey): Promise<[name: string, Algorithm | EcdsaParams, CryptoKey]> {
  if (typeof key === "string") {
    const bytes = encoder.encode(key);
    if (bytes.length < MIN_SECRET_BYTES) throw new TypeError(`A secret has at least ${MIN_SECRET_BYTES} bytes.`);
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    return ["HS256", algorithm, await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"])];
  }
  const { name } = key.algorithm;
  if (name === "ECDSA") return ["ES256", { name, hash: "SHA-256" }, key];
  if (name === "Ed25519") return ["EdDSA", { name }, key];
  if (name === "RSASSA-PKCS1-v1_5") return ["RS256", { name }, key];
  throw new TypeError(`Keys of ${name} cannot sign tokens: use HMAC, ECDSA (P-256), Ed25519 or RSASSA-PKCS1-v1_5.`);
}
