import { BoundedMap } from "../geo/bounded-map.ts";

/** Random bytes in a secret. */
export const SECRET_BYTES = 32;

const PREFIX = "whsec_";
const encoder = new TextEncoder();

/** `whsec_<base64>`, the form of Standard Webhooks. The older scheme uses the complete string as its key. */
export function mintSecret(randomBytes: Uint8Array): string {
  if (randomBytes.length !== SECRET_BYTES) throw new Error(`a secret needs ${SECRET_BYTES} random bytes`);
  return PREFIX + base64(randomBytes);
}

/**
 * The headers that authenticate a message to its receiver. The older scheme proves the sender, the newer one also that the
 * content is unchanged:
 *
 *     X-Radar-Signature  = hex HMAC-SHA1(key: the secret's text, X-Radar-Signing-Id)
 *     webhook-signature  = "v1," base64 HMAC-SHA256(key: the secret's bytes, "id.timestamp.body"), one per secret
 *
 * @param secrets the newest first; the older scheme supports only one
 * @param signingId new for every attempt
 * @param now [ms]
 */
export async function signedHeaders(
  secrets: readonly string[],
  { id, body }: { id: string; body: string },
  signingId: string,
  now: number,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures: string[] = [];
  for (const secret of secrets) {
    signatures.push(`v1,${base64(await hmac("SHA-256", secret, `${id}.${timestamp}.${body}`))}`);
  }
  return {
    "x-radar-signing-id": signingId,
    "x-radar-signature": hex(await hmac("SHA-1", secrets[0], signingId)),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

type Hash = "SHA-1" | "SHA-256";

const MAX_KEYS = 200;
/** Keys of the secrets that have signed lately: importing one costs as much as signing with it. */
const keys = new BoundedMap<string, Promise<CryptoKey>>(MAX_KEYS);

function keyOf(hash: Hash, secret: string): Promise<CryptoKey> {
  const name = `${hash} ${secret}`;
  let key = keys.get(name);
  if (!key) {
    const bytes = hash === "SHA-1" ? encoder.encode(secret) : secretBytes(secret);
    key = crypto.subtle.importKey("raw", bytes as BufferSource, { name: "HMAC", hash }, false, ["sign"]);
    keys.set(name, key);
  }
  return key;
}

async function hmac(hash: Hash, secret: string, text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", await keyOf(hash, secret), encoder.encode(text)));
}

function secretBytes(secret: string): Uint8Array {
  return Uint8Array.from(atob(secret.slice(PREFIX.length)), (char) => char.charCodeAt(0));
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function hex(bytes: Uint8Array): string {
  let out = "";
  for (const byte of bytes) out += byte.toString(16).padStart(2, "0");
  return out;
}
