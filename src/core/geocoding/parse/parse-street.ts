import { SUFFIXES } from "../habits/numbers.ts";
import { fold } from "../words/normalise.ts";
import { cityWordsAtEnd, NO_TOWNS, type Towns } from "./cities-at-end.ts";
import {
  beginsStreet,
  DIRECTIONS,
  endsEnglishName,
  isCompoundStreet,
  isDate,
  isEnglishType,
  isNamedStreet,
  isPreposition,
  isStrongType,
  isWeakType,
  leadsStreet,
  numbersRoads,
} from "./street-words.ts";

/** One reading of the text between two commas. */
export interface StreetReading {
  street: string;
  number?: string;
  /** Text before the street: the name of a house or firm. */
  before: string;
  /** Text after the street: in a text without commas, the city. */
  after: string;
  /** How likely it is: 3 with a number and a kind of street, 2 with a kind of street, less for a guess. */
  score: number;
}

export interface Surroundings {
  /** The towns of the text. */
  towns?: Towns;
  country?: string;
  /** The city is in another part of the text. */
  divided: boolean;
  /** Last part of several: rather a city. */
  last: boolean;
}

/** Countries that write the house number after the street. */
const NUMBER_LAST = new Set(
  "DE AT CH LI NL BE DK NO SE FI IS EE LT LV PL CZ SK HU SI HR RS BA ME MK BG RO MD GR CY TR IT ES PT BR AR CL CO PE MX UY EC RU UA BY KZ".split(
    " ",
  ),
);

const SUFFIX = SUFFIXES.join("|");
const NUMBER = new RegExp(
  `^(?:\\d{1,6}(?:[a-zа-я]{0,2}|${SUFFIX})(?:[-–/+]\\d*[a-zа-я]{0,2})*|\\d{1,5}-\\d{1,5}[a-z]?|[nsew]\\d{1,5}[nsew]\\d{1,5})$`,
  "iu",
);
const ORDINAL = /^\d+(?:st|nd|rd|th|er|eme|ere|e|de|a|o|º|ª|\.)$/i;
const MARK = /^(?:n[°ºo]\.?|nr\.?|no\.|num\.?|nº|#|д\.?|дом|буд\.?|č\.?p\.?)$/iu;
const CONTINUES = new RegExp(`^(?:${SUFFIX}|\\d\\/\\d)$`, "i");

interface Words {
  written: string[];
  keys: string[];
}

/** Splits at spaces, and separates attached marks: "№5", "#12", "n°5". */
function wordsOf(part: string): Words {
  const written = part
    .replace(/(^|\s|\p{L})(#|№|n[°º])\s*(?=\d)/giu, "$1 # ")
    .replace(/(\d)\s*([-–])\s*(?=\d+(?![\dºª]))/gu, "$1$2")
    .split(/\s+/)
    .filter((word) => word !== "");
  return { written, keys: written.map((word) => fold(word).replace(/\./g, "")) };
}

interface NumberSpan {
  /** With its mark. */
  start: number;
  end: number;
  text: string;
}

function numberAt(words: Words, at: number): NumberSpan | undefined {
  const word = words.written[at];
  if (!NUMBER.test(word) || (ORDINAL.test(word) && !/^\d+[aeo]$/i.test(word))) return undefined;
  // "Rua 25 de Março", "Via 20 Settembre": a day, not a house.
  if (at > 0 && isDate(words.keys[at + 1])) return undefined;
  if (at > 0 && numbersRoads(words.keys[at - 1], words.keys[at - 2])) return undefined;
  let end = at + 1;
  if (end < words.written.length && CONTINUES.test(words.keys[end])) end++;
  const start = at > 0 && MARK.test(words.written[at - 1]) ? at - 1 : at;
  return { start, end, text: words.written.slice(at, end).join(" ") };
}

/** Colombia's grid: "Carrera 18 # 63-64 B", the crossing street and the distance from it in meters. */
export const GRID =
  /^(.*?)\b((?:calle|cl|carrera|cra|kra|kr|cr|diagonal|dg|transversal|tv|avenida|av|ac|ak)\.?\s+\d+\s?[a-z]{0,2}(?:\s(?:bis|sur|norte|este|oeste))?)\s*(?:#|no\.?|n[°º]\.?)\s*(\d+\s?[a-z]?(?:\s?-\s?\d+)(?:\s[a-z](?!\p{L}))?)\s*(.*)$/iu;

/**
 * The likeliest reading of one part of an address as a street with or without its number; undefined if nothing
 * indicates a street.
 */
export function readStreet(part: string, around: Surroundings): StreetReading | undefined {
  const grid = GRID.exec(part);
  if (grid) return { before: grid[1].trim(), street: grid[2].trim(), number: grid[3], after: grid[4], score: 3.2 };
  const words = wordsOf(part);
  let best = withoutNumber(words, around);
  for (let at = 0; at < words.written.length; at++) {
    const number = numberAt(words, at);
    if (!number) continue;
    for (const reading of [numberFirst(words, number, around), numberLast(words, number, around)])
      if (reading && (!best || reading.score > best.score)) best = reading;
  }
  return best;
}

/** Returns the number if all of it is a house number: "5", "n° 12 bis", "д. 3". */
export function isNumberAlone(part: string): string | undefined {
  const words = wordsOf(part);
  const at = MARK.test(words.written[0] ?? "") ? 1 : 0;
  const number = at < words.written.length ? numberAt(words, at) : undefined;
  if (!number) return undefined;
  const letter = words.written.length === number.end + 1 && /^[a-z]$/i.test(words.written[number.end]);
  if (!letter && words.written.length !== number.end) return undefined;
  return letter ? `${number.text} ${words.written[number.end]}` : number.text;
}

const text = (words: Words, from: number, to: number) => words.written.slice(from, to).join(" ");

function numberFirst(words: Words, number: NumberSpan, around: Surroundings): StreetReading | undefined {
  const { end: start } = number;
  const count = words.written.length;
  if (start >= count) return undefined;
  const found = streetEnd(words, start, around);
  if (found.kind === "none" && number.start > 0) return undefined;
  let score = found.kind === "none" ? 1.5 : found.kind === "weak" ? 2.4 : 3;
  if (around.country && NUMBER_LAST.has(around.country) && found.kind !== "prefix") score -= 0.4;
  if (number.start > 0) score -= 0.3;
  return {
    number: number.text,
    street: text(words, start, found.end),
    before: text(words, 0, number.start),
    after: text(words, found.end, count),
    score,
  };
}

function numberLast(words: Words, number: NumberSpan, around: Surroundings): StreetReading | undefined {
  const { start: end } = number;
  if (end === 0) return undefined;
  const count = words.written.length;
  let { end: behind, text: numberText } = number;
  // "26 A", "7 B": a letter that ends the part, or precedes the city in a text without commas.
  if (behind < count && /^[a-zа-я]$/iu.test(words.written[behind])) {
    if (behind + 1 === count || /^\p{Lu}\p{L}/u.test(words.written[behind + 1]))
      numberText += ` ${words.written[behind++]}`;
  }
  let start = 0;
  let score = around.country && NUMBER_LAST.has(around.country) ? 1.8 : behind === count ? 1.6 : 1.3;
  const prefix = lastPrefix(words, end);
  const key = words.keys[end - 1];
  if (prefix >= 0) {
    start = prefix;
    score = 3.1;
  } else if (isCompoundStreet(key)) {
    score = 3.1;
    start = nameBefore(words, end - 1);
  } else if (isStrongType(key) && end > 1) score = isEnglishType(key) ? 2.5 : 3.1;
  // "12 rue de la Paix 75": the number in front is the house's.
  if (start === 0 && numberAt(words, 0) && prefix !== 0 && !isStrongType(key)) score -= 1;
  if (numberAt(words, 0) && prefix > 0) return undefined;
  return {
    number: numberText,
    street: text(words, start, end),
    before: text(words, 0, start),
    after: text(words, behind, count),
    score,
  };
}

/**
 * The first word before `end` that begins a street and is followed by a name. A word that also ends streets ("Avenue")
 * must follow a name.
 */
function lastPrefix(words: Words, end: number): number {
  for (let i = 0; i < end - 1; i++)
    if (
      beginsStreet(words.keys[i], words.written[i]) &&
      !(i > 0 && isStrongType(words.keys[i])) &&
      !numberAt(words, i + 1)
    )
      return i;
  return -1;
}

/** "Eschenbräu Bräurei Triftstraße": two or more words that do not begin a street are a name. */
function nameBefore(words: Words, street: number): number {
  let start = street;
  while (start > 0 && (leadsStreet(words.keys[start - 1]) || words.written[start - 1].includes("-"))) start--;
  return start >= 2 ? start : 0;
}

interface End {
  end: number;
  kind: "prefix" | "suffix" | "weak" | "none";
}

/** Returns the end of a street that begins at `start`, and what indicates it. */
function streetEnd(words: Words, start: number, around: Surroundings): End {
  const { keys, written } = words;
  const count = keys.length;
  const cityWords = around.divided ? 0 : cityWordsAtEnd(written.slice(start), around.towns ?? NO_TOWNS, around.country);
  const strong: number[] = [];
  let weak = -1;
  for (let i = start + 1; i < count; i++) {
    if (isStrongType(keys[i])) strong.push(i);
    else if (isWeakType(keys[i])) weak = i;
  }
  const english = strong.some((i) => isEnglishType(keys[i]));
  if (beginsStreet(keys[start], written[start]) && start + 1 < count && !english && !numberAt(words, start + 1))
    return { end: count - cityWords, kind: "prefix" };
  // "Whispering Willow Pl" has an English ending, and its first word only looks like one.
  const compound = strong.some((i) => endsEnglishName(keys[i]))
    ? -1
    : keys.findIndex((key, i) => i >= start && isCompoundStreet(key));
  if (compound >= 0) return { end: tail(words, compound), kind: "suffix" };
  const road = numberedRoad(words, start);
  if (road >= 0) return { end: tail(words, road), kind: "suffix" };
  if (isNamedStreet(keys[start]) && start === count - 1) return { end: count, kind: "suffix" };
  if (strong.length > 0) {
    // Where a comma separates the city, the last type ends the name; without commas the first type that no other
    // follows does.
    let at = around.divided && strong[strong.length - 1] >= count - 2 ? strong[strong.length - 1] : strong[0];
    while (strong.includes(at + 1)) at++;
    return { end: tail(words, at), kind: "suffix" };
  }
  if (weak >= 0 && (weak === count - 1 || weak === count - 1 - cityWords)) return { end: weak + 1, kind: "weak" };
  return { end: count - cityWords, kind: cityWords > 0 ? "weak" : "none" };
}

/** Where "Highway 10", "Interstate 35" or the like stands from `from` on; −1 nowhere. */
function numberedRoad({ keys }: Words, from: number): number {
  for (let i = from; i < keys.length - 1; i++)
    if (numbersRoads(keys[i], i > from ? keys[i - 1] : undefined) && /^\d+[a-z]?$/.test(keys[i + 1])) return i;
  return -1;
}

/** The type at `at`, then a road's number, then a direction. */
function tail(words: Words, at: number): number {
  const { keys } = words;
  let end = at + 1;
  if (numbersRoads(keys[at], keys[at - 1]) && /^\d+[a-z]?$/.test(keys[end] ?? "")) end++;
  if (end < keys.length && DIRECTIONS.has(keys[end]) && keys[end] !== "o") end++;
  return end;
}

/** The type that ends the name: the last one, followed by at most three words of a place. */
function lastType({ keys }: Words, end: number): number {
  for (let i = end - 1; i > 0; i--) if (isStrongType(keys[i])) return i;
  return -1;
}

/** "rue de la Paix", "Achterweg", "West 26th Street", "Königsallee Düsseldorf". */
function withoutNumber(words: Words, around: Surroundings): StreetReading | undefined {
  const { keys, written } = words;
  const count = keys.length;
  const cityWords = around.divided ? 0 : cityWordsAtEnd(written, around.towns ?? NO_TOWNS, around.country);
  const score = around.last ? 1.1 : 2;
  const make = (start: number, end: number, worth = score): StreetReading => ({
    street: text(words, start, end),
    before: text(words, 0, start),
    after: text(words, end, count),
    score: worth,
  });
  const strongAt = lastType(words, count - cityWords);
  const english = strongAt > 0 && isEnglishType(keys[strongAt]);
  const prefix = lastPrefix(words, count);
  if (prefix >= 0 && !english && (prefix === 0 || (prefix > 1 && !numberAt(words, 0))))
    return make(prefix, count - cityWords);
  for (let i = 0; i < count; i++) {
    if (!isCompoundStreet(keys[i])) continue;
    const side = i + 1 < count && DIRECTIONS.has(keys[i + 1]) ? 1 : 0;
    if (i + 1 + side >= count - cityWords) return make(nameBefore(words, i), i + 1 + side);
  }
  if (strongAt > 0 && !(strongAt === 1 && numberAt(words, 0) && count > 2)) {
    const end = tail(words, strongAt);
    if (end === count || end === count - cityWords || endsEnglishName(keys[strongAt]))
      return make(0, end, count - end > 3 ? 1.2 : score);
  }
  const road = numberedRoad(words, 0);
  if (road >= 0) return make(0, tail(words, road));
  if (isNamedStreet(keys[count - 1]) && (count === 1 || (count === 2 && DIRECTIONS.has(keys[0]))))
    return make(0, count);
  if (isPreposition(keys[0]) && count > 1 && around.divided) return make(0, count, 1);
  if (count > 1 && isWeakType(keys[count - 1]) && !around.last) return make(0, count, 1);
  return undefined;
}
