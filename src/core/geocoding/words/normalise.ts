import { wordsOfHabits } from "../habits/all.ts";

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

const SOUNDS: Record<string, string> = { ヴ: "ブ", ヴァ: "バ", ヴィ: "ビ", ヴェ: "ベ", ヴォ: "ボ" };

/** The longest query or name [characters]; the rest is ignored. */
export const MAX_TEXT_LENGTH = 256;
/** Words of a query beyond this number are ignored: a bound on the work of a request. */
export const MAX_TOKENS = 16;

export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replaceAll("'", "");
  return (
    withPlainDigits(text)
      .replace(/[½¼¾]/g, (sign) => FRACTIONS[sign])
      // ジュネーヴ and ジュネーブ are the same.
      .replace(/ヴ[ァィェォ]?/g, (letters) => SOUNDS[letters])
      .normalize("NFKD")
      .replace(/[\p{M}\u0640'’ʼ`´\u200b-\u200f\u202a-\u202e]/gu, "")
      .toLowerCase()
      .replace(/\p{M}/gu, "")
      .replace(LETTER, (letter) => LETTERS[letter])
      .replace(/[‐-―−]/g, "-")
  );
}
const DIGIT = /[^\P{Nd}0-9]/gu;
const digits = new Map<string, string>();

/** Digits of all scripts as 0 … 9: "١٢" → "12". Unicode has those of each script in order, in runs of ten. */
export const withPlainDigits = (text: string): string =>
  text.replace(DIGIT, (digit) => digits.get(digit) ?? digitOf(digit));

function digitOf(digit: string): string {
  let before = digit.codePointAt(0)!;
  while (/\p{Nd}/u.test(String.fromCodePoint(before - 1))) before--;
  const value = `${(digit.codePointAt(0)! - before) % 10}`;
  digits.set(digit, value);
  return value;
}

/** Most names are ASCII only, and need none of the above. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with its control characters
const PLAIN = /^[\x00-\x7f]*$/;

/**
 * Words, and numbers with their suffixes: "217-14", "1/2", "39a/b", "65a-04". Initials lose their dots ("N.E." → "ne"). Scripts
 * without spaces (Han, Kana, Thai) become pairs of letters, so that any part of a name is found.
 */
const TOKEN = /\d+\p{L}?(?:[-/]\d+)+\p{L}?(?![\p{L}\p{N}])|\d+\p{L}\/\p{L}(?![\p{L}\p{N}])|[\p{L}\p{N}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]/u;
const UNSPACED_RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+/gu;
const BESIDE_DIGIT =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])(?=\d)|(?<=\d)(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])/gu;
/** "C.so Italia", "P.zza Duomo", "пр-т Мира", "S:t Eriksgatan": words with a character that marks an omission. */
const JOINED = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${wordsOfHabits("joined")
    .map((word) => fold(word).replace(".", "\\."))
    .join("|")})(?![\\p{L}\\p{N}])`,
  "gu",
);
const SIGN = /[.:-]/;
/** "二丁目" → "2丁目", "四段" → "4段": street signs use one form, addresses the other. */
const COUNTED = /[一二三四五六七八九]?十?[一二三四五六七八九]?(?=丁目|[段条條巷弄番])/gu;
const MAY_BE_COUNTED = /[一二三四五六七八九十](?:丁目|[段条條巷弄番])/u;
const INITIALS = /(?<![\p{L}\p{N}])(?:\p{L}\.){2,}/gu;

export function tokensOf(text: string): string[] {
  // "14 - 18" is one number.
  const folded = fold(text.slice(0, MAX_TEXT_LENGTH)).replace(/(\d[a-z]?)\s+-\s+(?=\d)/g, "$1-");
  let joined = SIGN.test(folded) ? folded.replace(JOINED, (word) => word.replace(SIGN, "")) : folded;
  if (joined.includes(".")) joined = joined.replace(INITIALS, (letters) => `${letters.replaceAll(".", "")} `);
  if (MAY_BE_COUNTED.test(joined)) joined = joined.replace(COUNTED, arabic);
  if (!UNSPACED.test(joined)) return joined.match(TOKEN) ?? [];
  const words = joined.replace(BESIDE_DIGIT, " ").match(TOKEN) ?? [];
  return words.flatMap((word) => (UNSPACED.test(word) ? (word.match(UNSPACED_RUN) ?? []).flatMap(pairs) : [word]));
}

/** "十二" → "12"; "" stays. */
function arabic(written: string): string {
  if (written === "") return "";
  const [tens, ones] = written.includes("十") ? written.split("十") : ["0", written];
  const value = (digit: string) => "零一二三四五六七八九".indexOf(digit);
  return `${10 * (tens === "0" ? 0 : tens === "" ? 1 : value(tens)) + (ones === "" ? 0 : value(ones))}`;
}

function pairs(run: string): string[] {
  const letters = [...run];
  if (!UNSPACED.test(run) || letters.length <= 2) return [run];
  return letters.slice(1).map((letter, i) => letters[i] + letter);
}

const MARKED: Record<string, string> = { å: "aa", ä: "ae", ö: "oe", ø: "oe", ü: "ue" };

/** The words of a text with å, ö and similar letters as two letters: "aarhus" of "Århus"; undefined if it has none. */
export function writtenOut(text: string, tokens: readonly string[]): string[] | undefined {
  if (!/[åäöøü]|[aou][\u0308\u030a]/iu.test(text)) return undefined;
  const out = tokensOf(text.normalize("NFC").replace(/[åäöøü]/giu, (letter) => MARKED[letter.toLowerCase()]));
  return out.length >= tokens.length ? out.slice(0, tokens.length) : undefined;
}

/** The words of a text in Latin letters with marks, in lower case: "são" of "São Paulo"; undefined for those without. */
export function markedWords(text: string, tokens: readonly string[]): (string | undefined)[] {
  if (PLAIN.test(text)) return [];
  const words = text.normalize("NFC").toLowerCase().match(MARKED_WORD) ?? [];
  if (words.length !== tokens.length) return [];
  return words.map((word) => (MARKED_LETTER.test(word) ? word : undefined));
}

const MARKED_WORD = /[\p{L}\p{N}\p{M}'’-]+/gu;
const MARKED_LETTER = /[à-öø-ÿāăąćĉċčďēĕėęěĝğġģĥĩīĭįĵķĺļľńņňōŏőŕŗřśŝşšţťũūŭůűųŵŷźżžșțơưạ-ỹ]/u;

/** Returns whether a word is a pair of letters of a script without spaces. */
export const isUnspaced = (word: string) => UNSPACED.test(word);
