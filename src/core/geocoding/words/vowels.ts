import { fold } from "./normalise.ts";

/**
 * Vowels of scripts that write them as marks around a consonant (India's, Khmer, Burmese, Lao): names are found by their consonants
 * (normalise.ts), so टोगो and टोंगा are one to the index, and only their vowels tell Togo from Tonga.
 */
const ABUGIDA = /[\u0900-\u0dff\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff]/;
const WORD = /[\p{L}\p{M}\p{N}\u200b-\u200d]+/gu;
/** Signs that a writer may leave out: dots below and above, and what joins two consonants. */
const OPTIONAL = /[\u200b-\u200d\u0900-\u0902\u093c\u094d\u0970\u0971]/u;
/** Of the rows of India's scripts, which are in one order: long and short vowels are one, as writers differ. */
const SAME: Readonly<Record<number, number>> = {
  64: 0x3f,
  66: 0x41,
  69: 0x47,
  70: 0x47,
  72: 0x47,
  73: 0x4b,
  74: 0x4b,
  76: 0x4b,
};

/** The vowels of each word of a text, in the order of its `tokensOf`; undefined if no word is in such a script. */
export function vowelsOf(text: string, tokens: readonly string[]): (string | undefined)[] | undefined {
  if (!ABUGIDA.test(text)) return undefined;
  const words = text.match(WORD) ?? [];
  let next = 0;
  return tokens.map((token) => {
    const at = words.findIndex((word, i) => i >= next && fold(word) === token);
    if (at < 0) return undefined;
    next = at + 1;
    return ABUGIDA.test(words[at]) ? marksOf(words[at]) : undefined;
  });
}

function marksOf(word: string): string {
  let out = "";
  for (const letter of word.normalize("NFKD")) {
    const code = letter.charCodeAt(0);
    const place = code & 0x7f;
    if (!/\p{M}/u.test(letter)) out += ".";
    else if (code > 0xd7f) out += letter;
    else if (!OPTIONAL.test(String.fromCharCode(0x900 + place)))
      out += String.fromCharCode(0x900 + (SAME[place] ?? place));
  }
  return out;
}
