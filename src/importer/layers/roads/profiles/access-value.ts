/** How a mode reads the value of an access tag. */
export interface AccessWords {
  permitting: ReadonlySet<string>;
  /** Open to those who start or end there. */
  restricting: ReadonlySet<string>;
  forbidding: ReadonlySet<string>;
}

/**
 * "no;permit": of several values the friendliest counts: one that opens, else one for residents, else one that closes.
 */
export function resolveAccess(value: string | undefined, words: AccessWords): string | undefined {
  if (!value?.includes(";")) return value;
  let best = value;
  let rank = -1;
  for (const part of value.split(";")) {
    const word = part.trim();
    const own = word === "" ? -1 : rankOf(word, words);
    if (own > rank) {
      best = word;
      rank = own;
    }
  }
  return best;
}

function rankOf(word: string, { permitting, restricting, forbidding }: AccessWords): number {
  if (permitting.has(word)) return 3;
  if (restricting.has(word)) return 2;
  return forbidding.has(word) ? 1 : 0;
}
