/** The kind of a key: its environment and its level. */
export interface KeyKind {
  live: boolean;
  secret: boolean;
}

/** The four keys of a project, with their names in `.dev.keys.json` and the operator's commands. */
export const KEY_KINDS = {
  testPublishable: { live: false, secret: false },
  testSecret: { live: false, secret: true },
  livePublishable: { live: true, secret: false },
  liveSecret: { live: true, secret: true },
} as const satisfies Record<string, KeyKind>;

/** Random bytes in a key: 160 bits, more than can be guessed or searched. */
export const KEY_BYTES = 20;

const KEY_PATTERN = /^prj_(test|live)_(pk|sk)_[0-9a-f]{40}$/;

/** `prj_{test|live}_{pk|sk}_<40 hex>` from 20 random bytes. */
export function mintKey({ live, secret }: KeyKind, randomBytes: Uint8Array): string {
  if (randomBytes.length !== KEY_BYTES) throw new Error(`a key needs ${KEY_BYTES} random bytes`);
  return `prj_${live ? "live" : "test"}_${secret ? "sk" : "pk"}_${hex(randomBytes)}`;
}

/** Does the string have the form of a key? Saves a lookup for other strings. */
export function looksLikeKey(text: string): boolean {
  return KEY_PATTERN.test(text);
}

/** Keys are stored as the hex SHA-256 of their text. 160 random bits need no salt and no slow hash. */
export async function hashKey(key: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key))));
}

/** A hint that identifies a key without revealing it. */
export function keyHint(key: string): string {
  return key.slice(-4);
}

/**
 * The key in an Authorization header: bare, as the SDKs send it, or after "Bearer", which is case-insensitive (RFC
 * 9110); or as the password of "Basic", for apps that support nothing else.
 */
export function keyFromHeader(header: string | undefined | null): string | undefined {
  if (!header) return undefined;
  // SDKs send the key alone: its first letter distinguishes it from "Bearer" and "Basic".
  if (header.charCodeAt(0) === LETTER_P) return header.trim();
  return basicCredentials(header)?.password || header.replace(/^bearer( |$)/i, "").trim() || undefined;
}

const LETTER_P = 112;

/** Parses a header of the scheme "Basic" (RFC 7617), in UTF-8; undefined for every other header. */
export function basicCredentials(header: string | undefined | null): { user: string; password: string } | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? "") ?? [];
  if (encoded === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
    const [, user, password] = /^([^:]*):(.*)$/s.exec(new TextDecoder().decode(bytes)) ?? [];
    return user === undefined ? undefined : { user, password };
  } catch {
    return undefined;
  }
}

function hex(bytes: Uint8Array): string {
  let out = "";
  for (const byte of bytes) out += byte.toString(16).padStart(2, "0");
  return out;
}
