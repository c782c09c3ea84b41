/**
 * Signed URLs: a page shows a map without containing a key. Holders of a secret key sign locally, without a request:
 *
 *     hash       the SHA-256 of the secret key, in hex, lower case
 *     text       "/maps/static?width=600&height=400&…&expires=1790000000&keyId=0123456789abcdef"
 *                path and query as they are sent (percent-encoded), the last two: when the URL expires [s since 1970], and
 *                the first 16 characters of `hash`
 *     signature  HMAC-SHA256 of "GET\n" + text, its key the 64 characters of `hash`; base64url without padding
 *     URL        text + "&signature=" + signature
 *
 * The platform stores only the hash of a key, which suffices to verify the signature. A signature is valid for this one
 * URL until it expires, or until the secret key is revoked. The 16 characters of the hash are public; the other 192 bits
 * are not.
 */
export interface SignedUrl {
  /** The signed text. */
  text: string;
  /** [s since 1970] */
  expires: number;
  keyId: string;
  signature: string;
}

const KEY_ID_LENGTH = 16;

/** The unchecked signature of a URL; undefined if it has none. */
export function readSignedUrl(url: string): SignedUrl | undefined {
  const { pathname, search } = new URL(url);
  const [, query, expires, keyId, signature] =
    /^\?(.*&expires=(\d{1,12})&keyId=([0-9a-f]{16}))&signature=([A-Za-z0-9_-]{43})$/.exec(search) ?? [];
  if (signature === undefined) return undefined;
  return { text: `${pathname}?${query}`, expires: Number(expires), keyId, signature };
}

/**
 * Path and query with a signature.
 * @param hash of a secret key
 * @param pathAndQuery percent-encoded, without these parameters
 */
export async function signUrl(hash: string, pathAndQuery: string, expires: number): Promise<string> {
  const joint = pathAndQuery.includes("?") ? "&" : "?";
  const text = `${pathAndQuery}${joint}expires=${expires}&keyId=${hash.slice(0, KEY_ID_LENGTH)}`;
  const bytes = await crypto.subtle.sign("HMAC", await hmacKey(hash), encode(text));
  return `${text}&signature=${base64url(new Uint8Array(bytes))}`;
}

/** Was the URL signed with the key of this hash? Runs in constant time. */
export async function isSignedWith(hash: string, { text, keyId, signature }: SignedUrl): Promise<boolean> {
  if (!hash.startsWith(keyId)) return false;
  return crypto.subtle.verify("HMAC", await hmacKey(hash), bytesOf(signature), encode(text));
}

const encode = (text: string) => new TextEncoder().encode(`GET\n${text}`);

function hmacKey(hash: string): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", new TextEncoder().encode(hash), algorithm, false, ["sign", "verify"]);
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}
