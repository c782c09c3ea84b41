/** Random bytes in the token of a link: 160 bits, as in a key; it can't be guessed. */
export const SHARE_TOKEN_BYTES = 20;

const SHARE_TOKEN = /^shr_[0-9a-f]{40}$/;

/** `shr_<40 hex>` from 20 random bytes. It is stored as its SHA-256 (`hashKey`), like keys. */
export function mintShareToken(randomBytes: Uint8Array): string {
  if (randomBytes.length !== SHARE_TOKEN_BYTES) throw new Error(`a token needs ${SHARE_TOKEN_BYTES} random bytes`);
  let token = "shr_";
  for (const byte of randomBytes) token += byte.toString(16).padStart(2, "0");
  return token;
}

/** Does the string have the form of a token? Saves a lookup for other strings. */
export function looksLikeShareToken(text: string): boolean {
  return SHARE_TOKEN.test(text);
}
