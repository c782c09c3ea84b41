import type { Coordinate } from "../../geo/coordinate.ts";
import { isCoordinate } from "../../geo/coordinate.ts";
import { AXIS_WORDS, type Axis, plainMarks, SIDES, type Side, UNIT_WORDS } from "./angle-words.ts";

/** A position parsed from a text. Two if the text is ambiguous; `sure` if it cannot be anything else. */
export interface DegreesReading {
  locations: Coordinate[];
  sure: boolean;
}

/** Meaning of "O": east in German, west in Romance languages; without a hint both are returned. */
export type LetterO = "east" | "west" | undefined;

type Token =
  | { kind: "number"; value: number; text: string }
  | { kind: "sign"; value: 1 | -1 }
  | { kind: "unit"; level: number }
  | { kind: "side"; side: Side; glued: boolean }
  | { kind: "axis"; axis: Axis }
  | { kind: "comma" }
  | { kind: "colon" };

interface Angle {
  value: number;
  axis?: Axis;
  /** Whether it has a direction ("N"), a name ("lat"), a unit, a fraction, or a sign. */
  side: boolean;
  named: boolean;
  unit: boolean;
  fraction: boolean;
  signed: boolean;
  glued: boolean;
}

/** Longer texts are addresses. */
const MAX_LENGTH = 120;

/**
 * Latitude and longitude in degrees, as people write them:
 *
 *     40.7143, -74.0060      40,7143; -74,0060      N 40° 42.858' W 74° 0.36'      40°42′51″N 74°00′22″W
 *     lat=40.7 lon=-74       404251N0740022W        +40.7143-074.0060/             北緯40度42分 西経74度0分
 *
 * Latitude comes first unless directions, names or the range of the numbers indicate otherwise. A text with any other
 * word is not a position.
 */
export function readDegrees(text: string, letterO?: LetterO): DegreesReading | undefined {
  if (hasOtherWord(text)) return undefined;
  const plain = plainMarks(text).trim();
  if (plain.length > MAX_LENGTH || !/\d/.test(plain)) return undefined;
  const compact = readCompact(plain);
  if (compact) return { locations: [compact], sure: true };
  const inner = plain
    .replace(HOURS, (_, degrees, minutes, seconds) => `${degrees}° ${minutes}' ${seconds ? `${seconds}" ` : ""}`)
    .replace(/^[([{<]\s*|\s*[)\]}>.;]+$/g, "");
  const letters = hasLetterO(inner) ? (letterO === undefined ? (["west", "east"] as const) : [letterO]) : [undefined];
  // A comma is first read as a separator of the numbers, then as a decimal comma.
  for (const decimalComma of [false, true]) {
    const readings = letters.map((o) => readPair(tokensOf(inner, decimalComma, o)));
    const found = readings.filter((one) => one !== undefined);
    if (found.length > 0)
      return { locations: found.map(({ location }) => location), sure: found.length === 1 && found[0].sure };
  }
  return undefined;
}

/** The first word of Latin letters, without a mark or digit next to it. */
const LATIN_WORD = /(?<![\p{L}\p{M}\d._])[a-z]{3,}(?![\p{L}\p{M}\d._])/iu;

/** Most texts are addresses, and their first word shows it. */
function hasOtherWord(text: string): boolean {
  const word = LATIN_WORD.exec(text)?.[0];
  return word !== undefined && wordToken(word.toLowerCase(), false, undefined) === undefined;
}

/** "40d42m51s": these letters are valid only in combination. */
const HOURS = /(\d+)\s?d\s?(\d+(?:\.\d+)?)\s?m(?:\s?(\d+(?:\.\d+)?)\s?s)?(?![\p{L}\d])/giu;

const hasLetterO = (text: string) => /(?<!\p{L})o(?!\p{L})/iu.test(text);

/** ISO 6709 ("+40.7143-074.0060/", "+404251-0740022/") and the aviation format ("404251N0740022W"). */
function readCompact(text: string): Coordinate | undefined {
  const iso =
    /^([+-])(\d{2}(?:\d{2}){0,2}(?:\.\d+)?)([+-])(\d{3}(?:\d{2}){0,2}(?:\.\d+)?)(?:[+-][\d.]+)?(?:CRS[\w:]+)?\/?$/.exec(
      text,
    );
  if (iso && (text.endsWith("/") || /\.|\d{4}/.test(iso[2])))
    return checked(signed(iso[1]) * packed(iso[2], 2), signed(iso[3]) * packed(iso[4], 3));
  const pilot = /^(\d{4}(?:\d{2}(?:\.\d+)?)?)\s?([NS])\s?(\d{5}(?:\d{2}(?:\.\d+)?)?)\s?([EW])$/i.exec(text);
  if (!pilot) return undefined;
  const sides = [pilot[2], pilot[4]].map((letter) => SIDES.get(letter.toLowerCase())!.sign);
  return checked(sides[0] * packed(pilot[1], 2), sides[1] * packed(pilot[3], 3));
}

const signed = (sign: string) => (sign === "-" ? -1 : 1);

/** "404251.5" with 2 digits of degrees → 40.714…; NaN where minutes or seconds pass 60. */
function packed(digits: string, ofDegrees: number): number {
  const [whole, fraction = ""] = digits.split(".");
  const parts = [whole.slice(0, ofDegrees), ...(whole.slice(ofDegrees).match(/\d{2}/g) ?? [])].map(Number);
  parts[parts.length - 1] += fraction === "" ? 0 : Number(`0.${fraction}`);
  return sum(parts) ?? Number.NaN;
}

/** Degrees, minutes, seconds → degrees; undefined where one of the last two is 60 or more. */
function sum(parts: readonly number[]): number | undefined {
  if (parts.slice(1).some((part) => part >= 60)) return undefined;
  return parts.reduce((total, part, i) => total + part / 60 ** i, 0);
}

function checked(latitude: number, longitude: number): Coordinate | undefined {
  return isCoordinate(latitude, longitude) ? { latitude: latitude + 0, longitude: longitude + 0 } : undefined;
}

const NUMBER = /\d+(?:\.\d+)?|\.\d+/y;
const NUMBER_WITH_COMMA = /\d+(?:[.,]\d+)?/y;
const WORD = /\p{L}+(?:\.\p{L}+)*/uy;

/** The text as tokens; undefined if it contains anything that is not part of a position. */
function tokensOf(text: string, decimalComma: boolean, letterO: LetterO): Token[] | undefined {
  const out: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const sign = text[at];
    const afterDigit = /\d/.test(text[at - 1] ?? "");
    if (/\s/.test(sign)) {
      at++;
      continue;
    }
    const number = decimalComma ? NUMBER_WITH_COMMA : NUMBER;
    number.lastIndex = at;
    const digits = number.exec(text)?.[0];
    if (digits) {
      out.push({ kind: "number", value: Number(digits.replace(",", ".")), text: digits });
      at += digits.length;
    } else if (sign === "," || sign === ";" || sign === "/" || sign === "|") {
      out.push({ kind: "comma" });
      at++;
    } else if (sign === ":" || sign === "=") {
      out.push({ kind: "colon" });
      at++;
    } else if (sign === "+" || sign === "-") {
      out.push({ kind: "sign", value: sign === "-" ? -1 : 1 });
      at++;
    } else if (sign === "°" || sign === "'" || sign === '"') {
      out.push({ kind: "unit", level: sign === "°" ? 0 : sign === "'" ? 1 : 2 });
      at++;
    } else {
      WORD.lastIndex = at;
      const found = WORD.exec(text)?.[0];
      if (!found) {
        if (sign !== ".") return undefined;
        at++;
        continue;
      }
      const token = wordToken(found.replaceAll(".", "").toLowerCase(), afterDigit, letterO);
      if (!token) return undefined;
      out.push(token);
      at += found.length;
    }
  }
  return out;
}

function wordToken(word: string, afterDigit: boolean, letterO: LetterO): Token | undefined {
  if (word === "o" && letterO)
    return { kind: "side", side: { axis: "longitude", sign: letterO === "east" ? 1 : -1 }, glued: afterDigit };
  const axis = AXIS_WORDS.get(word);
  if (axis) return { kind: "axis", axis };
  const side = SIDES.get(word) ?? sideWithEnding(word);
  if (side) return { kind: "side", side, glued: afterDigit };
  const level = UNIT_WORDS.get(word);
  return level === undefined ? undefined : { kind: "unit", level };
}

/** "nördlicher", "östliche", "северная": with an ending. */
function sideWithEnding(word: string): Side | undefined {
  const stem = word.replace(/(?:lich)?(?:er|e|en|ная|ной|ное)$/u, "");
  return stem === word || stem.length < 3 ? undefined : (SIDES.get(stem) ?? SIDES.get(`${stem}lich`));
}

function readPair(tokens: Token[] | undefined): { location: Coordinate; sure: boolean } | undefined {
  if (!tokens) return undefined;
  const cut = cutInTwo(tokens);
  for (const [left, right, comma] of cut) {
    const [a, b] = [readAngle(left), readAngle(right)];
    if (!a || !b) continue;
    const pair = inOrder(a, b);
    const location = pair && checked(pair[0].value, pair[1].value);
    const trust = location && trustIn(a, b, comma);
    if (location && trust !== "none") return { location, sure: trust === "sure" };
  }
  return undefined;
}

/**
 * Possible ends of the first angle: at a comma; else before a sign, a direction or a name; else in the middle of the
 * numbers.
 */
function cutInTwo(tokens: readonly Token[]): [Token[], Token[], boolean][] {
  const commas = tokens.flatMap((token, i) => (token.kind === "comma" && i > 0 && i < tokens.length - 1 ? [i] : []));
  if (commas.length > 1) return [];
  if (commas.length === 1) return [[tokens.slice(0, commas[0]), tokens.slice(commas[0] + 1), true]];
  const numbers = tokens.flatMap((token, i) => (token.kind === "number" ? [i] : []));
  const out: [Token[], Token[], boolean][] = [];
  for (let at = 1; at < tokens.length; at++) {
    const before = numbers.filter((i) => i < at).length;
    if (before * 2 !== numbers.length) continue;
    // "40 N 74 W" is cut after the N, "N 40 W 74" before the W: parsing the halves shows which fits.
    out.push([tokens.slice(0, at), tokens.slice(at), false]);
  }
  return out;
}

/**
 * One angle: `[direction | name] [sign] degrees [minutes [seconds]] [direction]`; undefined if the tokens are anything
 * else.
 */
function readAngle(tokens: readonly Token[]): Angle | undefined {
  let axis: Axis | undefined;
  let side: Side | undefined;
  let [named, unit, glued, sign] = [false, false, false, 0];
  const parts: number[] = [];
  let lastText = "";
  for (const token of tokens) {
    if (token.kind === "axis") {
      if (axis && axis !== token.axis) return undefined;
      axis = token.axis;
      named = true;
    } else if (token.kind === "side") {
      if (side || (axis && axis !== token.side.axis)) return undefined;
      side = token.side;
      axis = side.axis;
      glued = token.glued;
    } else if (token.kind === "sign") {
      // "40-42-51 N": between the parts a hyphen is not a sign.
      if (parts.length > 0) {
        if (token.value > 0 || parts.length > 2) return undefined;
      } else if (sign !== 0) return undefined;
      else sign = token.value;
    } else if (token.kind === "unit") {
      if (parts.length === 0 || token.level !== parts.length - 1) return undefined;
      unit = true;
    } else if (token.kind === "number") {
      if (parts.length === 3 || lastText.includes(".") || lastText.includes(",")) return undefined;
      parts.push(token.value);
      lastText = token.text;
    } else if (token.kind === "comma") return undefined;
  }
  const value = parts.length === 0 ? undefined : sum(parts);
  if (value === undefined) return undefined;
  // Minutes without their own mark need a direction: "40 42" and "12:30" are not angles.
  if (parts.length > 1 && !unit && !side) return undefined;
  if (side && sign < 0) return undefined;
  return {
    value: value * (side?.sign ?? (sign < 0 ? -1 : 1)),
    ...(axis && { axis }),
    side: side !== undefined,
    named,
    unit: unit || parts.length > 1,
    fraction: /[.,]/.test(lastText),
    signed: sign !== 0,
    glued,
  };
}

/** Latitude first, unless indicated otherwise. */
function inOrder(a: Angle, b: Angle): [Angle, Angle] | undefined {
  if (a.axis && a.axis === b.axis) return undefined;
  if (a.axis === "longitude" || b.axis === "latitude") return [b, a];
  const hasAxis = a.axis !== undefined || b.axis !== undefined;
  return !hasAxis && Math.abs(a.value) > 90 && Math.abs(b.value) <= 90 ? [b, a] : [a, b];
}

/**
 * Confidence that two angles are a position and not an address: "12, 34" is not; "45 N 100 W" may be a house in Utah,
 * where streets are numbered from a point.
 */
function trustIn(a: Angle, b: Angle, comma: boolean): "sure" | "likely" | "none" {
  if (a.named && b.named) return "sure";
  if (a.side && b.side) {
    const marked = a.unit || b.unit || a.fraction || b.fraction || comma || (a.glued && b.glued);
    return marked ? "sure" : "likely";
  }
  if (a.unit && b.unit) return "sure";
  if (a.side !== b.side || a.named !== b.named || a.unit !== b.unit) return "none";
  if (a.fraction && b.fraction) return "sure";
  return comma && (a.fraction || b.fraction || a.signed || b.signed) ? "sure" : "none";
}
