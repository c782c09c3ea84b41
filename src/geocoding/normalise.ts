/**
 * Names and queries in one form, the same for index and query: compatibility decomposition (Unicode NFKD), no marks,
 * lower case, letters that do not decompose written out. "Straße des 17. Juni" → "strasse des 17 juni"
 */
const LETTERS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ħ: "h",
  ŋ: "n",
  ə: "e",
  // Arabic letters that are written either way.
  ى: "ي",
  ة: "ه",
  ک: "ك",
  ی: "ي",
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "gu");
const FRACTIONS: Record<string, string> = { "½": " 1/2", "¼": " 1/4", "¾": " 3/4" };

/** The longest query or name [characters]; the rest is ignored. */
export const LONGEST_TEXT = 256;
/** Words of a query beyond this number are ignored: a bound on the work of a request. */
export const MOST_TOKENS = 16;

export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replaceAll("'", "");
  return text
    .replace(/[½¼¾]/g, (sign) => FRACTIONS[sign])
    .normalize("NFKD")
    .replace(/[\p{M}\u0640'’ʼ`´\u200b-\u200f\u202a-\u202e]/gu, "")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(LETTER, (letter) => LETTERS[letter])
    .replace(/[‐-―−]/g, "-");
}
/** Most names are ASCII only, and need none of the above. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with its control characters
const PLAIN = /^[\x00-\x7f]*$/;

/**
 * Words, and numbers with what belongs to them: "217-14", "1/2", "39a/b". Initials lose their dots ("N.E." → "ne").
 * Scripts written without blanks (Han, Kana, Thai) become pairs of letters, so that any part of a name is found.
 */
const TOKEN = /\d+(?:[-/]\d+)+\p{L}?(?![\p{L}\p{N}])|\d+\p{L}\/\p{L}(?![\p{L}\p{N}])|[\p{L}\p{N}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]/u;
const UNSPACED_RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+/gu;
/** "C.so Italia", "P.zza Duomo", "V.le Monza": Italian words shortened in their middle. */
const ITALIAN = /(?<![\p{L}\p{N}])(\p{L})\.(so|za|zza|le|go)(?![\p{L}\p{N}])/gu;
const INITIALS = /(?<![\p{L}\p{N}])(?:\p{L}\.){2,}/gu;

export function tokensOf(text: string): string[] {
  // "14 - 18" is one number.
  const folded = fold(text.slice(0, LONGEST_TEXT)).replace(/(\d)\s+-\s+(?=\d)/g, "$1-");
  const joined = folded.includes(".")
    ? folded.replace(INITIALS, (letters) => `${letters.replaceAll(".", "")} `).replace(ITALIAN, "$1$2")
    : folded;
  const words = joined.match(TOKEN) ?? [];
  if (!UNSPACED.test(joined)) return words;
  return words.flatMap((word) => (UNSPACED.test(word) ? (word.match(UNSPACED_RUN) ?? []).flatMap(pairs) : [word]));
}

function pairs(run: string): string[] {
  const letters = [...run];
  if (!UNSPACED.test(run) || letters.length <= 2) return [run];
  return letters.slice(1).map((letter, i) => letters[i] + letter);
}

/** Two texts with the same words are the same name. */
export function sameName(a: string, b: string): boolean {
  return a === b || tokensOf(a).join(" ") === tokensOf(b).join(" ");
}
