/** Bytes of randomness in the token of a link: 160 bits, as in a key; nobody finds one by trying. */
export const SHARE_TOKEN_BYTES = 20;

const SHARE_TOKEN = /^shr_[0-9a-f]{40}$/;

/** `shr_<40 hex>` from 20 random bytes. It is kept as its SHA-256 (`hashKey`), as keys are. */
export function mintShareToken(randomBytes: Uint8Array): string {
  if (randomBytes.length !== SHARE_TOKEN_BYTES) throw new Error(`a token is made of ${SHARE_TOKEN_BYTES} random bytes`);
  let token = "shr_";
  for (const byte of randomBytes) token += byte.toString(16).padStart(2, "0");
  return token;
}

/** Does the text have the form of a token? Saves a look-up for what cannot be one. */
export function looksLikeShareToken(text: string): boolean {
  return SHARE_TOKEN.test(text);
}
