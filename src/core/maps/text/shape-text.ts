import { withSyllables } from "./units.ts";

/**
 * Converts a text to visual order and contextual forms, letter by letter from the left: Arabic letters joined by
 * Unicode's presentation forms, right-to-left runs reversed. It implements the part of the bidirectional algorithm
 * (Unicode Annex 9) that labels on maps need: one level of embedding, numbers from left to right. Vowel signs are
 * omitted, as is usual on maps. Syllables of scripts that need shaping become one character each (units.ts).
 */
export function shapeText(text: string): string {
  if (!BEYOND_LATIN.test(text)) return text;
  const composed = text.normalize("NFC");
  const ordered = RIGHT_TO_LEFT.test(composed) ? reorder(joinLetters(composed)) : composed;
  // Joiners have taken effect; they have no glyph.
  return withSyllables(ordered).replace(/[\u200b-\u200f\u2060\ufeff]/g, "");
}

/** Arabic letters in their contextual forms, in reading order; no vowel signs. */
export function joinLetters(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? join(text.normalize("NFC").replace(MARKS, "")) : text;
}

/** Text that may need any of this: combining marks, and everything from Hebrew on. */
const BEYOND_LATIN = /[\u0300-\u036f\u0590-\u{10ffff}]/u;

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const MARKS =
  /[\u0591-\u05bd\u05bf\u05c1\u05c2\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u200e\u200f\u202a-\u202e]/g;

/** Returns whether a text in visual order is mostly right-to-left. Its lines are then also ordered from the right. */
export function readsRightToLeft(text: string): boolean {
  let balance = 0;
  for (const character of text) balance += RIGHT_TO_LEFT.test(character) ? 1 : /\p{L}/u.test(character) ? -1 : 0;
  return balance > 0;
}

/**
 * Letter → its isolated form; the final form follows, then for letters that join on both sides the initial and the
 * medial one (Arabic Presentation Forms A and B). `right` joins only to the letter before.
 */
const DUAL: Record<string, number> = {
  ئ: 0xfe89,
  ب: 0xfe8f,
  ت: 0xfe95,
  ث: 0xfe99,
  ج: 0xfe9d,
  ح: 0xfea1,
  خ: 0xfea5,
  س: 0xfeb1,
  ش: 0xfeb5,
  ص: 0xfeb9,
  ض: 0xfebd,
  ط: 0xfec1,
  ظ: 0xfec5,
  ع: 0xfec9,
  غ: 0xfecd,
  ف: 0xfed1,
  ق: 0xfed5,
  ك: 0xfed9,
  ل: 0xfedd,
  م: 0xfee1,
  ن: 0xfee5,
  ه: 0xfee9,
  ي: 0xfef1,
  پ: 0xfb56,
  ٹ: 0xfb66,
  چ: 0xfb7a,
  ک: 0xfb8e,
  گ: 0xfb92,
  ہ: 0xfba6,
  ھ: 0xfbaa,
  ی: 0xfbfc,
};
const RIGHT: Record<string, number> = {
  آ: 0xfe81,
  أ: 0xfe83,
  ؤ: 0xfe85,
  إ: 0xfe87,
  ا: 0xfe8d,
  ة: 0xfe93,
  د: 0xfea9,
  ذ: 0xfeab,
  ر: 0xfead,
  ز: 0xfeaf,
  و: 0xfeed,
  ى: 0xfeef,
  ڈ: 0xfb88,
  ژ: 0xfb8a,
  ڑ: 0xfb8c,
  ں: 0xfb9e,
  ے: 0xfbae,
};
/** Lam with the alef that follows is one shape. */
const LAM = "ل";
const LAM_ALEF: Record<string, number> = { آ: 0xfef5, أ: 0xfef7, إ: 0xfef9, ا: 0xfefb };
const HAMZA = "ء";
const TATWEEL = "ـ";

function join(text: string): string {
  const letters = [...text];
  let out = "";
  /** Whether the previous letter connects to this one. */
  let joined = false;
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i];
    const ligature = letter === LAM ? LAM_ALEF[letters[i + 1]] : undefined;
    if (ligature !== undefined) {
      out += String.fromCodePoint(ligature + (joined ? 1 : 0));
      joined = false;
      i++;
    } else if (DUAL[letter] !== undefined) {
      const next = joinsBefore(letters[i + 1]);
      out += String.fromCodePoint(DUAL[letter] + (joined ? (next ? 3 : 1) : next ? 2 : 0));
      joined = next;
    } else if (RIGHT[letter] !== undefined) {
      out += String.fromCodePoint(RIGHT[letter] + (joined ? 1 : 0));
      joined = false;
    } else {
      out += letter === HAMZA ? "\ufe80" : letter;
      joined = letter === TATWEEL;
    }
  }
  return out;
}

const joinsBefore = (letter: string | undefined): boolean =>
  letter !== undefined && (DUAL[letter] !== undefined || RIGHT[letter] !== undefined || letter === TATWEEL);

const MIRRORED: Record<string, string> = {
  "(": ")",
  ")": "(",
  "[": "]",
  "]": "[",
  "«": "»",
  "»": "«",
  "<": ">",
  ">": "<",
};

type Direction = "left" | "right";

/** The characters of a text in visual order. */
function reorder(text: string): string {
  const characters = [...text];
  return visualOrder(characters)
    .map(({ at, mirrored }) => (mirrored ? (MIRRORED[characters[at]] ?? characters[at]) : characters[at]))
    .join("");
}

/** The position of a character in a text, and whether it is mirrored, as brackets in right-to-left text are. */
interface Placed {
  at: number;
  mirrored: boolean;
}

export const mirrorImage = (character: string): string => MIRRORED[character] ?? character;

/**
 * Characters in visual order, from left to right. Runs of one direction; neutral characters follow their neighbors, or
 * the text.
 * @param whole the paragraph of which they are a line: its first letter determines the direction
 */
export function visualOrder(characters: readonly string[], whole: readonly string[] = characters): Placed[] {
  const strong = characters.map(directionOf);
  const first = whole.find((character) => directionOf(character) !== undefined && !/\p{Nd}/u.test(character));
  const base: Direction = (first !== undefined && directionOf(first)) || "right";
  const before: (Direction | undefined)[] = [];
  let last: Direction | undefined;
  for (const direction of strong) {
    before.push(last);
    last = direction ?? last;
  }
  const runs: { direction: Direction; places: number[] }[] = [];
  let after: Direction | undefined;
  for (let i = characters.length - 1; i >= 0; i--) {
    const direction = strong[i] ?? (before[i] === after ? (after ?? base) : base);
    after = strong[i] ?? after;
    if (runs[0]?.direction === direction) runs[0].places.unshift(i);
    else runs.unshift({ direction, places: [i] });
  }
  if (base === "right") runs.reverse();
  return runs.flatMap(({ direction, places }) => {
    const mirrored = direction === "right";
    return (mirrored ? places.reverse() : places).map((at) => ({ at, mirrored }));
  });
}

function directionOf(character: string): Direction | undefined {
  if (RIGHT_TO_LEFT.test(character) && !/\p{Nd}/u.test(character)) return "right";
  return /[\p{L}\p{Nd}]/u.test(character) ? "left" : undefined;
}
