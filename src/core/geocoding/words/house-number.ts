import { wordsOfHabits } from "../habits/all.ts";
import { BUILDINGS, SUFFIXES } from "../habits/numbers.ts";
import { fold, withPlainDigits } from "./normalise.ts";

/**
 * A house number as a structured text: "217-14" (block and house, nearly all of Queens), "12 bis", "39A/B", "10 1/2".
 * `first` orders houses along a street; `second` is set if the text is two numbers with a hyphen.
 */
export interface HouseNumber {
  /** As it is written. */
  text: string;
  /** 0 if the text does not begin with a digit. */
  first: number;
  second?: number;
  /**
   * For comparison: folded, without spaces, dots, and hyphens before letters. Two texts with the same key are the same
   * number.
   */
  key: string;
}

/** A larger number is something else: a phone number, an id. */
const MAX_VALUE = 9_999_999;
/** A list longer than this is not a list of houses. */
const MAX_IN_LIST = 50;

const BUILDING_WORDS = BUILDINGS.map(
  ([letter, words]) => [new RegExp(`(?<=\\d\\p{L}?)(?:${words})(?=\\d)`, "gu"), letter] as const,
);

export function houseNumberKey(text: string): string {
  if (/^\d+$/.test(text)) return text;
  const key = keyOf(text);
  // "3 корп. 7" and "3к7" are one building in Russia, and another than 3.
  return NON_ASCII.test(key) ? BUILDING_WORDS.reduce((out, [word, letter]) => out.replace(word, letter), key) : key;
}

const NON_ASCII = /[\u0080-\uffff]/;

function keyOf(text: string): string {
  return (
    withoutMarks(fold(text))
      // "79之3"; "4丁目" alone is "4-"
      .replace(/(?<=\d)[之のノ](?=\d)|-$/gu, (sign) => (sign === "-" ? "" : "-"))
      .replace(/[\s.]+/g, "")
      .replace(/-(?=\p{L})|(?<=\p{L})-/gu, "")
      // "9/A" and "9a" are one house in Italy; "39A/B" are two.
      .replace(/(?<=\d)\/(?=\p{L})/gu, "")
  );
}

const MARKS = [...new Set(wordsOfHabits("marks").map(fold))].filter((mark) => mark !== "");
/** Whether a word only marks the number next to it: "no" of "no 12". */
export const isNumberMark = (word: string): boolean => MARKS.includes(word);

const isLatin = (mark: string) => /^\p{Script=Latin}/u.test(mark);
const oneOf = (marks: readonly string[]) => `(?:${marks.join("|")})`;
const [letters, others] = [MARKS.filter(isLatin), MARKS.filter((mark) => !isLatin(mark))];
/** "no. 12", "# 65a-04", "casa 16". A word in letters is apart from its number, as N6 is one, and C-12 is house C12. */
const MARK_BEFORE = new RegExp(
  `^(?:[#№]|${oneOf(letters.filter(({ length }) => length > 1))}(?=[\\s.:#°º-])|${oneOf(letters.filter(({ length }) => length === 1))}(?=[.:°º#])|${oneOf(others)})[\\s.:#°º-]*(?=\\p{L}{0,3}[\\s-]?\\d)`,
  "u",
);
/** "1727號", "197번지" */
const MARK_BEHIND = new RegExp(`(?<=\\d)\\s*${oneOf(others)}$`, "u");

const withoutMarks = (text: string): string => text.trim().replace(MARK_BEFORE, "").replace(MARK_BEHIND, "");

/** Undefined if it is not a house number: empty, too long, beyond 9,999,999. */
export function parseHouseNumber(written: string): HouseNumber | undefined {
  // Most are plain numbers.
  if (/^\d{1,7}$/.test(written)) return { text: written, first: Number(written), key: written };
  const text = written.replace(/\s+/g, " ").trim();
  const key = houseNumberKey(text);
  if (key === "" || text.length > 24) return undefined;
  const pair = /^(\d{1,7})-(\d{1,5})$/.exec(key);
  if (pair) return { text, first: Number(pair[1]), second: Number(pair[2]), key };
  const first = Number(/^\d+/.exec(key)?.[0] ?? 0);
  return first <= MAX_VALUE ? { text, first, key } : undefined;
}

/** A value of `addr:housenumber`, which may be a list: "1;3;5", "12, 14". */
export function splitHouseNumbers(value: string): HouseNumber[] {
  const parts = value.split(/[;,]/);
  if (parts.length > MAX_IN_LIST) return [];
  return parts.map(parseHouseNumber).filter((number) => number !== undefined);
}

/** Countries in which a unit may stand before its house: "4 1855 Burrard Street". */
const UNIT_FIRST = new Set(["AU", "CA", "NZ", "US"]);

/** "# 65a-04": a number of Colombia's grid, and no unit. */
const GRID = /^#\s*\d+\s?\p{L}?(?:\s?bis)?\s?(?:sur|este|norte)?\s?-\s?\d+/iu;

const MARKED_UNIT = /^(?:#|unit|suite|ste|apt|apartment|studio)\.?\s*([\dA-Za-z]{1,6})(?:[\s,-]+(\d.*))?$/i;

/**
 * Removes from a written house number the unit before it ("#288 1388" and "Unit 288
 * -1388" → 1388, unit 288; "4 1855" in countries that write so), and words after it, such as the street's name or the
 * building's ("1295 Richards", "201 City Square"). "" if there is only a unit.
 */
export function trimHouseNumber(written: string, countryCode: string): { number: string; unit?: string } {
  const text = written.trim();
  // "702號1樓"
  const floor = /^(\d+(?:[-之]\d+)?)[號号](.+)$/u.exec(withPlainDigits(text));
  if (floor) return { number: floor[1], unit: floor[2].trim() };
  const marked = GRID.test(text) ? null : MARKED_UNIT.exec(text);
  if (marked) return { number: marked[2] ?? "", unit: marked[1] };
  const plain = UNIT_FIRST.has(countryCode) ? /^(\d{1,4}|[A-Z]\d{1,3}) (\d{2,6})$/i.exec(text) : null;
  if (plain) return { number: plain[2], unit: plain[1] };
  const named = /^(\d+) (\p{L}{4,})(?: |$)/u.exec(text);
  return { number: named && !continuesHouseNumber(fold(named[2])) ? named[1] : text };
}

/**
 * Returns whether the integer n is one of those that "10-14" spans: between its ends, with their parity. "217-14" spans
 * none.
 */
export function spans({ first, second }: HouseNumber, n: number): boolean {
  return (
    second !== undefined &&
    second > first &&
    second - first <= 100 &&
    n >= first &&
    n <= second &&
    spansParity(first, second, n)
  );
}

function spansParity(first: number, second: number, n: number): boolean {
  return (second - first) % 2 === 1 || (n - first) % 2 === 0;
}

/** Order along a street: by first number, then second, then the rest. */
export function compareHouseNumbers(a: HouseNumber, b: HouseNumber): number {
  return a.first - b.first || (a.second ?? -1) - (b.second ?? -1) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

const SUFFIX = SUFFIXES.join("|");
const WITH_SUFFIX = new RegExp(`^\\d{1,6}(?!(?:st|nd|rd|th)$)(?:[a-z]{1,2}|\\p{L}|${SUFFIX})?$`, "u");
const OF_BUILDING = new RegExp(
  `^\\d{1,5}[а-я]?(?:\\/\\d{1,4})?(?:[${BUILDINGS.map(([letter]) => letter).join("")}]\\d{1,3}){1,2}$`,
);
const CONTINUES = new RegExp(`^(?:${SUFFIX}|[a-zа-яα-ω]|\\d\\/\\d)$`);

/**
 * Returns whether a word of a query (folded) can be a house number: digits with at most two letters after them,
 * hyphens, fractions; "ev12" is a Czech number of a cottage (číslo evidenční). Numbers of more than six digits are not.
 * "b115" and "n6w23001" begin with letters.
 */
export function looksLikeHouseNumber(word: string): boolean {
  return (
    WITH_SUFFIX.test(word) ||
    /^\d{1,5}[a-z]?(?:[-/]\d{1,5})+[a-z]?$/.test(word) ||
    beginsWithLetters(word) ||
    /^\d{1,5}[a-z]\/[a-z]$/.test(word) ||
    OF_BUILDING.test(word) ||
    /^ev\d{1,4}$/.test(word) ||
    // "Bez broja", without a number.
    word === "bb"
  );
}

/** Whether a word is a house number that begins with letters: of a grid, of a block, of a row of shops. */
export const beginsWithLetters = (word: string): boolean =>
  /^(?:\p{L}{1,2}\d{1,4}|\p{L}{1,2}\d{2,4}[a-z]|[nsew]\d{1,3}[nsew]\d{1,5}|[nsew]\d{3,5})$/u.test(word);

/** Words that belong to the number before them: "12 bis", "10 1/2", and a single letter ("12 a"). */
export function continuesHouseNumber(word: string): boolean {
  return CONTINUES.test(word);
}
