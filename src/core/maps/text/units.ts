/**
 * A unit is drawn as one glyph: a character; or, in scripts whose letters change their shapes and positions next to
 * each other, an orthographic syllable, shaped as one unit when a map is imported (importer/glyphs). Syllables do not
 * affect their neighbors in these scripts, so no shaping is needed when drawing.
 *
 * Within texts that are laid out, a syllable is one character of a private plane of Unicode; `unitOf` returns the
 * syllable.
 */

/** Virama and coeng: the next consonant joins the syllable. Tamil and Sinhala do so only where it is said. */
const JOINERS = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0c4d\u0ccd\u0d4d\u17d2\u1039";
const BASE = "[\\p{L}&&[\\u0900-\\u0dff\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff]]";
/** Vowel signs that Unicode classifies as letters, but that belong to the character before them. */
const FOLLOWERS = "\u0e33\u0eb3";

const SYLLABLE = new RegExp(
  `${BASE}(?:[\\p{M}\\u200c\\u200d${FOLLOWERS}]|(?<=[${JOINERS}][\\u200c\\u200d]?)${BASE}|(?<=\\u0dca\\u200d)${BASE}` +
    "|(?<=\\u0b95\\u0bcd)\\u0bb7|(?<=\\u0bb8\\u0bcd)\\u0bb0)+",
  "gv",
);

/** Code points of syllables while texts are laid out: planes 15 and 16. */
const FIRST = 0xf0000;
const MAX_COUNT = 60_000;

const codes = new Map<string, number>();
const syllables: string[] = [];

/** The text with each syllable as one private character; empty beyond the number that an isolate can store. */
export function withSyllables(text: string): string {
  return text.replace(SYLLABLE, (syllable) => {
    let code = codes.get(syllable);
    if (code === undefined) {
      if (syllables.length >= MAX_COUNT) return "\ufffd";
      code = FIRST + syllables.length;
      codes.set(syllable, code);
      syllables.push(syllable);
    }
    return String.fromCodePoint(code);
  });
}

/** The characters of a code of a laid-out text. */
export function unitOf(code: number): string {
  return syllables[code - FIRST] ?? String.fromCodePoint(code);
}

/** Form of ideographs: China, Japan and Korea write many of them differently. */
export type HanForm = "zh" | "ja" | "ko";
export const HAN_FORMS: readonly HanForm[] = ["zh", "ja", "ko"];

const HAN = /\p{Script=Han}/u;

/** Returns whether the character is drawn differently from country to country. */
export function isIdeograph(text: string): boolean {
  return HAN.test(text);
}

/** The form of a text's ideographs: determined by its other letters, else its language, else its location. */
export function hanFormOf(text: string, otherwise: HanForm): HanForm {
  if (/[\u3040-\u30ff]/.test(text)) return "ja";
  return /\p{Script=Hangul}/u.test(text) ? "ko" : otherwise;
}

/** The usual form at a place, for names that consist of ideographs alone: the islands of Japan, and Korea. */
export function hanFormAt(longitude: number, latitude: number): HanForm {
  const within = (west: number, south: number, east: number, north: number) =>
    longitude > west && longitude < east && latitude > south && latitude < north;
  if (within(124, 33, 129.3, 39)) return "ko";
  return within(129.3, 30, 146, 46) || within(123, 24, 131, 30) ? "ja" : "zh";
}

/** Capitals as maps write them: Greek ones without accents, Georgian stays, as its capitals are for headlines only. */
export function toCapitals(text: string): string {
  if (/\p{Script=Georgian}/u.test(text)) return text;
  return /\p{Script=Greek}/u.test(text) ? text.toLocaleUpperCase("el") : text.toUpperCase();
}
