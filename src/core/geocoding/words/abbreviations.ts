import { endsOfHabits, groupsOfHabits } from "../habits/all.ts";
import { hanForms } from "./han-variants.ts";

/**
 * Equivalent words, by the conventions of all countries (habits). A word may be in several groups ("st": street,
 * saint), and is then equivalent to the words of each.
 */
const EQUIVALENT = new Map<string, string[]>();
const TYPES = new Set<string>();

for (const [groups, types] of [
  [groupsOfHabits("types"), true],
  [groupsOfHabits("words"), false],
] as const) {
  for (const words of groups) {
    for (const word of words) {
      if (types) TYPES.add(word);
      const known = EQUIVALENT.get(word) ?? [];
      for (const other of words) if (other !== word && !known.includes(other)) known.push(other);
      EQUIVALENT.set(word, known);
    }
  }
}

/** Full forms of the short end of a compound word: "g" → "gade", "gasse", "gatan". */
const ENDS = new Map<string, Map<string, string[]>>();
for (const { long, shorts, countries } of endsOfHabits()) {
  for (const short of shorts) {
    const known = ENDS.get(short) ?? new Map<string, string[]>();
    known.set(long, [...(known.get(long) ?? []), ...countries]);
    ENDS.set(short, known);
  }
}
/** The longest short end, and how long the word in front of one has to be. */
const LAST_LETTERS = new Set([...ENDS.keys()].map((end) => end[end.length - 1]));
const MAX_END = Math.max(...[...ENDS.keys()].map(({ length }) => length));
const minStemBefore = (end: string) => (end.length > 2 ? 3 : 4);

const LONG_ENDS = [...new Set([...ENDS.values()].flatMap((longs) => [...longs.keys()]))];
/** The shortest word in front of the end of a compound word. */
const MIN_STEM = 4;

/** "karlstrasse" → "karl"; undefined if it does not end with a kind of street. */
export function stemOf(word: string): string | undefined {
  let end = "";
  for (const long of LONG_ENDS) if (long.length > end.length && word.endsWith(long)) end = long;
  const stem = word.slice(0, word.length - end.length);
  return end === "" || stem.length < MIN_STEM ? undefined : stem;
}

/**
 * Returns whether two words are the same compound word with another kind of street, or one of them lacks it: "karlweg"
 * and "karl" for "karlstrasse".
 */
export function isOtherType(word: string, target: string): boolean {
  // Both begin with the stem, so most pairs of words end here.
  if (word === target || word.length < MIN_STEM || !target.startsWith(word.slice(0, MIN_STEM))) return false;
  const stem = stemOf(target);
  return stem !== undefined && (stem === word || stem === stemOf(word));
}

/** The compound words that `isOtherType` accepts for a word. */
export function otherTypes(word: string): string[] {
  if (word.length < MIN_STEM || /\d/.test(word)) return [];
  const stem = stemOf(word) ?? word;
  return LONG_ENDS.map((end) => stem + end).filter((one) => one !== word);
}

/** Returns whether it is a word for a kind of street, or its abbreviation. Such words identify less than others. */
export function isStreetType(word: string): boolean {
  return TYPES.has(word);
}

const NONE: readonly string[] = [];
const HAN = /\p{Script=Han}/u;

/**
 * Alternative forms in the index of a word of a query, without the word itself: its abbreviations and long forms,
 * compound words with an abbreviated end ("hauptstr" → "hauptstrasse"), ordinals ("5" → "5th"), German and Nordic
 * vowels written out ("muenchen" → "munchen"), Chinese characters of other countries ("臺北" → "台北").
 */
export function otherForms(word: string): readonly string[] {
  if (HAN.test(word)) return [...(EQUIVALENT.get(word) ?? NONE), ...hanForms(word)];
  const more: string[] = [];
  for (let length = 1; length <= MAX_END && LAST_LETTERS.has(word[word.length - 1]); length++) {
    const end = word.slice(-length);
    if (word.length < length + minStemBefore(end)) break;
    for (const long of ENDS.get(end)?.keys() ?? NONE) {
      const whole = word.slice(0, -length) + long;
      more.push(whole);
      // "Muellerstr"
      const plain = withoutUmlauts(whole);
      if (plain !== undefined && /[aou]e|aa/.test(word)) more.push(plain);
    }
  }
  if (word.length > 8 && word.endsWith("strasse")) more.push(word.slice(0, -4));
  // "Avenuee" is a typo and not an umlaut: no further "e" may follow.
  const plain = withoutUmlauts(word);
  if (plain !== undefined) more.push(plain);
  if (/^\d{1,3}$/.test(word)) more.push(word + ordinalEnd(Number(word)));
  else if (/^\d{1,3}(st|nd|rd|th)$/.test(word)) more.push(word.slice(0, -2));
  // ZIP+4
  else if (/^\d{5}-\d{4}$/.test(word)) more.push(word.slice(0, 5));
  const known = EQUIVALENT.get(word) ?? NONE;
  return more.length === 0 ? known : [...known, ...more];
}

/**
 * Returns whether a word is not another one with its end shortened by the country's rules. "Graswg" is a spelling of
 * Grasweg in the Netherlands, and a typo in Germany.
 */
export function isMistakenEnd(word: string, target: string, country: string): boolean {
  let mistaken = false;
  for (let length = 1; length <= MAX_END && length < word.length; length++) {
    const stem = word.slice(0, -length);
    for (const [long, countries] of ENDS.get(word.slice(-length)) ?? []) {
      if (target.length < long.length || (stem + long !== target && withoutUmlauts(stem + long) !== target)) continue;
      if (country === "" || countries.includes(country)) return false;
      mistaken = true;
    }
  }
  return mistaken;
}

/** "muenchen" → "munchen": only where the name has such a letter, they are the same word. */
export function withoutUmlauts(word: string): string | undefined {
  if (!/[aou]e(?!e)|aa/.test(word)) return undefined;
  const plain = word.replace(/([aou])e(?!e)/g, "$1").replaceAll("aa", "a");
  return plain.length > 3 ? plain : undefined;
}

function ordinalEnd(n: number): string {
  if (n % 100 >= 11 && n % 100 <= 13) return "th";
  return ["th", "st", "nd", "rd"][n % 10] ?? "th";
}
