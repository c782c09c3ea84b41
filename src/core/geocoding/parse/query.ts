import { wordsOfHabits } from "../habits/all.ts";
import { rewriteNumbers } from "../habits/rewrite.ts";
import { isStreetType, otherForms, withoutUmlauts } from "../words/abbreviations.ts";
import { takeBehindNumber } from "../words/behind-number.ts";
import { looksLikeHouseNumber } from "../words/house-number.ts";
import {
  fold,
  MAX_TEXT_LENGTH,
  MAX_TOKENS,
  markedWords,
  tokensOf,
  withPlainDigits,
  writtenOut,
} from "../words/normalise.ts";
import { otherNumerals } from "../words/numerals.ts";
import { allowedMistakes } from "../words/typo.ts";
import { vowelsOf } from "../words/vowels.ts";
import { type CrossingText, crossingsIn } from "./crossing-text.ts";
import { isDate } from "./street-words.ts";

/** A word of a query and its possible meanings. */
export interface Word {
  text: string;
  /** Other ways to write it (abbreviations.ts). */
  forms: readonly string[];
  /**
   * Ways to write it and the next as one word, where both could be parts of one: "haupt" of "Haupt Str." →
   * "hauptstrasse".
   */
  joined: readonly string[];
  /** The last one of a query that is still being typed: any word that begins with it fits. */
  open: boolean;
  /** The last one of a query that is still being typed, whether or not it may stand for longer words. */
  unfinished: boolean;
  /** Has digits and could be a house number. */
  number: boolean;
  /** How specific the word is: a kind of street, or a single letter, counts less than other words. */
  weight: number;
  /** How many mistakes it may have. */
  mistakes: number;
  /** Index of its comma-separated part of the text. */
  segment: number;
  /** One of its forms, if it is a letter with two dots written out: "munchen" of "muenchen". */
  umlauts?: string;
  /** Its letters with marks written out: "aarhus" of "Århus". */
  written?: string;
  /** As it is written, if it is in Latin letters with marks: "são". */
  marked?: string;
  /** Its vowels, in a script that has them as marks (vowels.ts). */
  vowels?: string;
  /** Only marks an adjacent house number: "no", "дом". */
  mark: boolean;
  /** Says only that a street follows: "ul" of "ul. Długa". */
  silent: boolean;
  /** Two letters that are written in capitals, as codes are. */
  capitals?: true;
  /** The same of two or three letters, in a text that is not all in capitals. */
  code?: true;
}

const CAPITALS = /(?<![\p{L}\p{N}])[A-Z]{2}(?![\p{L}\p{N}])/gu;
/** A text of more words is an address: "AUSTIN, TX" has a code. */
const MAX_LOUD = 4;
const CODES = /(?<![\p{L}\p{N}])[A-Z]{2,3}(?![\p{L}\p{N}])/gu;
const MARKS = new Set(wordsOfHabits("marks").map(fold));
const SILENT = new Set(wordsOfHabits("silent").map(fold));

export interface ParsedQuery {
  words: readonly Word[];
  /** "4B" of "Apt 4B": removed, because it is in no name. */
  unit?: string;
  /** Of "47 A 12" the house may be 47 A and its flat 12, or 47 and its flat A 12: the latter. */
  stair?: { number: string; unit: string };
  /** Of "6725 R" the house may be 6725 R: unless it is not in the data, R is no unit of 6725. */
  lettered?: { number: string; unit: string };
  /** The two streets of "5th Ave & 42nd St", for each possible reading of the text. */
  crossings: readonly CrossingText[];
}

const NONE: readonly string[] = [];
const LETTERS = /^\p{L}+$/u;
const SQUARE = /^\p{L}\d{1,2}$/u;

/** Other spellings of a word, its letters with marks written out first. */
function formsOf(tokens: readonly string[], i: number, out: string | undefined): readonly string[] {
  const token = tokens[i];
  const forms = otherForms(token);
  const numerals = otherNumerals(token, isDate(tokens[i + 1]));
  const isWritten = out !== undefined && out !== token;
  return isWritten || numerals.length > 0 ? [...(isWritten ? [out] : []), ...forms, ...numerals] : forms;
}

function joinedForms(word: string, next: string): readonly string[] {
  const whole = word + next;
  // "H C" of "H.C. Andersens", "C 4" of the square C4
  if (whole.length === 2 && LETTERS.test(whole)) return [whole];
  if (SQUARE.test(whole) && word.length === 1) return [whole];
  // "O Bryon" of O'Bryon
  if (/^[dlo]$/.test(word) && next.length > 3) return [whole];
  if (whole.length < 6 || word.length < 2 || next.length < 2 || !LETTERS.test(whole)) return NONE;
  return [whole, ...otherForms(whole)];
}

/** "FL 33101" is Florida, not a floor. */
const UNIT =
  /(?<![\p{L}\p{N}])(?:(?:apartment|apt|suite|ste|unit|flat|room|rm|floor|fl(?!\.?\s*\d{5}(?!\d))|piso|appartement|appt|b[âa]t(?:iment)?|wohnung|whg|int|interno|lokal|kv)(?!\p{L})\.?\s*(?:no\.?\s*)?#?\s*|#\s*)(\d+[\p{L}]?|[\p{L}]\d*|\d+[-/]\d+)(?=$|[\s,])/iu;
/** "#288 1388 West Broadway", "Unit 5, 20 Jay St" */
const UNIT_FIRST =
  /^\s*(?:(?:apartment|apt|suite|ste|unit|flat|shop|level|lvl)(?!\p{L})\.?\s*(?:no\.?\s*)?#?\s*|#\s*)(\d+\p{L}?|\p{L}\d*)[\s,-]+(?=\d)/iu;

/** The name of a street that a number belongs to: "Calle 5", "Cra 18", "Av. 14 Oriente". */
const NUMBERED =
  /^\s*(?:calle|cll?|c|carrera|cra|kra|kr|cr|avenida|av|diagonal|dg|transversal|transv|tv|tr|rua|r)\.?\s+\d+\s?\p{L}{0,3}(?:\s+\p{L}+\.?)*\s*$/iu;

/** Numbers of streets and blocks: "223rd Street", "Block 13". */
const IN_NAME =
  /(?<![\p{L}\p{N}])(?:\d+(?:st|nd|rd|th)(?!\p{L})|(?:block|blk|sector|phase|scheme|route|highway)\.?\s*\d+)/giu;

/** "Avenida Juárez # 245", "Calle 5 # 12-34", "223rd Street #78-12": after a street without a number it is the house. */
function isHouse(unit: RegExpExecArray, text: string): boolean {
  const before = text.slice(0, unit.index);
  return unit[0].startsWith("#") && (!/\d/.test(before.replace(IN_NAME, "")) || NUMBERED.test(before));
}

/**
 * International vehicle codes, which some people write before postal codes: longer ones are also ISO codes, which are
 * recognized anyway.
 */
const SIGNS: Readonly<Record<string, string>> = {
  A: "AT",
  B: "BE",
  D: "DE",
  E: "ES",
  F: "FR",
  FIN: "FI",
  H: "HU",
  I: "IT",
  L: "LU",
  N: "NO",
  P: "PT",
  S: "SE",
};
const SIGN = new RegExp(`(?<=^\\s*|[,;\\n]\\s*)(${Object.keys(SIGNS).join("|")})-(\\d{4,5})(?=[\\s,;]|$)`, "gu");

/** "D-88131 Lindau" is 88131 in Germany. A unit may look the same ("Apt A-1010"), but does not begin a part. */
function withoutSign(text: string): string {
  return text.replace(SIGN, (_, sign: string, code: string) => `${code} ${SIGNS[sign]}`);
}

/** Comma-separated part of each word; a single part if words span a comma. */
function segmentsOf(text: string, count: number): number[] {
  const parts = text.split(/[,;\n]/).map((part) => tokensOf(part).length);
  const segments = parts.flatMap((words, part) => new Array<number>(words).fill(part));
  return segments.length >= count ? segments : [];
}

/** Korean separates areas by spaces, which people leave out: 서울특별시강남구. */
const KOREAN_CITY = /(?:특별시|광역시|특별자치[시도])(?=[\p{Script=Hangul}])/gu;

/** Where French mail for firms is sorted, which is no part of a place: "69431 Lyon CEDEX 03". */
const CEDEX = /\bcedex(?:\s+\d{1,2})?(?=\s*(?:[,;\n]|$))/giu;

/** A postal code without its space: "29600morlaix", "laurent75011 paris". */
const GLUED = /(?<=\p{Script=Latin}{3})\d{5}(?!\p{N})|(?<![\p{L}\p{N}])\d{5}(?=\p{Script=Latin}{3})/gu;

/** ZIP+4 without its hyphen, alone or after a state: "60614 1234", "IL 606141234". */
const ZIP_PLUS_4 = /(?<=^|(?<![\p{L}\p{N}])[A-Z]{2} )(\d{5}) ?(\d{4})(?=$|,)/gu;

/** The last characters of names of areas in Chinese and Japanese. */
const AREA_ENDS = new Set("都道府県市区町村省州县縣區");

/** Returns whether a pair of characters is the end of one area's name and the beginning of another's: 都渋 of 東京都渋谷区. */
function isBetweenAreas(before: string | undefined, token: string): boolean {
  return before !== undefined && token.length === 2 && before.endsWith(token[0]) && AREA_ENDS.has(token[0]);
}

/** The most pairs of words that a query looks up. */
const MAX_PAIRS = 2;

/** "Rue de" and "de la" are in every town: the words after them are more specific. */
const LINKS = new Set(
  "de la le les du des del della delle di da do dos das el los las of the van von der den dem het an am im in ob bei sur sous upon".split(
    " ",
  ),
);

export const isLink = (word: string) => LINKS.has(word);

/** Adjacent words that are most likely a street's name: with a kind of street among them, else the first two. */
export function pairsOf(words: readonly Word[]): (readonly [Word, Word])[] {
  const pairs = words
    .slice(1)
    .map((next, i) => [words[i], next] as const)
    .filter(([a, b]) => !a.number && !b.number && a.weight + b.weight > 0.9 && !LINKS.has(b.text));
  const isType = ({ text }: Word) => isStreetType(text);
  const likely = [...pairs.filter(([, b]) => isType(b)), ...pairs.filter(([a, b]) => isType(a) && !isType(b))];
  return (likely.length > 0 ? likely : pairs).slice(0, likely.length > 0 ? MAX_PAIRS : 1);
}

/**
 * Parses a query into words. `open`: the last word may be incomplete, as in autocomplete; a space or comma at the end
 * completes it. An empty list if there is nothing to search for.
 */
export function parseQuery(written: string, open: boolean): ParsedQuery {
  if (lastRead?.written !== written || lastRead.open !== open)
    lastRead = { written, open, query: readQuery(written, open) };
  return lastRead.query;
}

/** A request parses its text to choose the builds, and again to search them. */
let lastRead: { written: string; open: boolean; query: ParsedQuery } | undefined;

/** A text with spaces where its parts are written together. */
const separated = (written: string) =>
  withPlainDigits(written.slice(0, MAX_TEXT_LENGTH))
    .replace(KOREAN_CITY, "$& ")
    .replace(CEDEX, "")
    .replace(GLUED, " $& ")
    .replace(ZIP_PLUS_4, "$1-$2");

/** Words of two capitals, and of two or three: in a long text that is all in capitals, LA and DE are words like others. */
function codesIn(text: string, count: number): Record<"capitals" | "codes", ReadonlySet<string>> {
  const lowered = (found: readonly string[] | null) => new Set(found?.map((code) => code.toLowerCase()));
  const isLoud = text === text.toUpperCase();
  return {
    capitals: lowered(isLoud && count > MAX_LOUD ? null : text.match(CAPITALS)),
    codes: lowered(isLoud ? null : text.match(CODES)),
  };
}

function readQuery(written: string, open: boolean): ParsedQuery {
  const text = separated(written);
  const ahead = UNIT_FIRST.exec(text);
  const unit = ahead ?? UNIT.exec(text);
  // A unit belongs to the text before it: "Unit 4" alone is a name like any other.
  const taken =
    ahead !== null ||
    (unit !== null &&
      !isHouse(unit, text) &&
      /\d/.test(unit[1] + text.slice(0, unit.index)) &&
      tokensOf(text.slice(0, unit.index)).length > 1);
  const whole = unit && taken ? `${text.slice(0, unit.index)} ${text.slice(unit.index + unit[0].length)}` : text;
  const plain = /\d/.test(whole) ? rewriteNumbers(withoutSign(whole)) : whole;
  const behind = /\d/.test(plain) ? takeBehindNumber(plain) : undefined;
  const rest = behind?.text ?? plain;
  const tokens = tokensOf(rest).slice(0, MAX_TOKENS);
  const segments = segmentsOf(rest, tokens.length);
  const out = writtenOut(rest, tokens);
  const vowels = vowelsOf(rest, tokens);
  const marked = markedWords(rest, tokens);
  const { capitals, codes } = codesIn(rest, tokens.length);
  const ended = !open || /[\s,;.]$/.test(rest);
  const words = tokens.map((token, i): Word => {
    const last = i === tokens.length - 1;
    return {
      text: token,
      forms: formsOf(tokens, i, out?.[i]),
      joined: last ? NONE : joinedForms(token, tokens[i + 1]),
      // A single digit begins too many words to be useful; after other words it is the beginning of a number or code.
      open: last && !ended && (i === 0 || !/^\d$/.test(token)),
      unfinished: last && !ended,
      number: looksLikeHouseNumber(token),
      weight:
        isBetweenAreas(tokens[i - 1], token) || isStreetType(token) || LINKS.has(token)
          ? 0.4
          : token.length === 1
            ? 0.5
            : 1,
      mistakes: allowedMistakes(token),
      segment: segments[i] ?? 0,
      umlauts: withoutUmlauts(token),
      ...(out?.[i] !== undefined && out[i] !== token && { written: out[i] }),
      ...(marked[i] !== undefined && { marked: marked[i] }),
      ...(vowels?.[i] !== undefined && { vowels: vowels[i] }),
      ...(capitals.has(token) && { capitals: true as const }),
      ...(codes.has(token) && { code: true as const }),
      mark: MARKS.has(token),
      silent: SILENT.has(token) || isBetweenAreas(tokens[i - 1], token),
    };
  });
  return {
    words,
    ...(unit && taken ? { unit: unit[1] } : behind && { unit: behind.unit }),
    ...(behind?.stair && { stair: behind.stair }),
    ...(!taken && behind?.lettered && { lettered: behind.lettered }),
    crossings: crossingsIn(rest.trim()),
  };
}
