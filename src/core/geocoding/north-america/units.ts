import { stateCodeOf } from "../parse/states.ts";
import { highwayOf } from "./highway.ts";
import type { Token } from "./tokens.ts";
import {
  ALONE,
  CERTAIN_SUFFIXES,
  CERTAIN_UNITS,
  type Country,
  directionalOf,
  FRENCH,
  ordinalOf,
  SUFFIXES,
  unitOf,
} from "./words.ts";

/** A secondary unit: "APT 4B" → APT, 4B. */
export interface Unit {
  /** Standard designator; "" if only a number was given. */
  designator: string;
  /** Upper case; "" for "REAR" and its like. */
  id: string;
}

export interface FoundUnits {
  units: Unit[];
  /** Start of the first unit, and text after the last one. */
  start: number;
  end: number;
}

/** "4B", "12", "A", "12-A", "B-2-3", "1/2": not "ST". */
const ID = /^(?:[A-Z]{0,3}-?\d{1,6}[A-Z]{0,3}(?:[/-][A-Z0-9]{1,5})*|[A-Z]|[A-Z]-[A-Z]|[A-Z]{1,3}-\d{1,4})$/;
const SHORT = /^[A-Z]{1,3}$/;
/** A separate number after a street is a unit. */
const BARE = /^(?:\d{1,5}[A-Z]?|[A-Z]-?\d{1,4}|\d{1,4}-[A-Z\d]{1,3})$/;

const isId = (token: Token | undefined) =>
  token !== undefined && ID.test(token.word) && !/^\d+(?:ST|ND|RD|TH)$/.test(token.word);

/**
 * Finds the units in the words after a house number. The first word always belongs to the street.
 *
 * @param from where units may begin
 */
export function findUnits(tokens: readonly Token[], country: Country, from = 1): FoundUnits | undefined {
  const words = tokens.map(({ word }) => word);
  const highway = highwayEnd(words, country);
  for (let i = from; i < tokens.length; i++) {
    const first = unitAt(tokens, i, country, highway);
    if (!first) continue;
    const units = [...first.units];
    let end = first.end;
    for (;;) {
      const next = end < tokens.length ? unitAt(tokens, end, country, highway, true) : undefined;
      if (!next) break;
      units.push(...next.units);
      end = next.end;
    }
    return { units, start: i, end };
  }
  return bareAtEnd(tokens, highway, from, country);
}

/** "860 W BLACKHAWK 305": a number after a name without a type, at the end of the line; not that of "CALLE 5". */
function bareAtEnd(tokens: readonly Token[], highway: number, from: number, country: Country): FoundUnits | undefined {
  const end = tokens.findIndex((token, i) => i > 0 && token.breaks);
  const i = (end < 0 ? tokens.length : end) - 1;
  if (i < Math.max(from, highway, 1) || !/^\d{1,4}[A-Z]?$/.test(tokens[i].word) || ordinalOf(tokens[i].word))
    return undefined;
  const { word } = tokens[i - 1];
  if (!/^[A-Z]{3,}$/.test(word) || SUFFIXES[country].has(word) || FRENCH.has(word) || directionalOf(word))
    return undefined;
  if (
    unitOf(word) !== undefined ||
    /^(?:CALLE|AVENIDA|CARR|CARRETERA|KM|AVE|PASEO|CAMINO|BOX|MILE|NO|COUNTY|STATE)$/.test(word) ||
    stateCodeOf(word, country)
  )
    return undefined;
  return { units: [{ designator: "", id: tokens[i].word }], start: i, end: i + 1 };
}

/** A unit at the beginning of a text: "Apt 1B 626 E Kilbourn Ave", "#5, 20 Jay St". */
export function leadingUnit(tokens: readonly Token[], country: Country): FoundUnits | undefined {
  const found = unitAt(tokens, 0, country, 0, true);
  return found && { units: found.units, start: 0, end: found.end };
}

/** All units of a text that contains nothing else: "Bldg 4 Apt 2". Undefined if it contains anything else. */
export function onlyUnits(tokens: readonly Token[], country: Country): Unit[] | undefined {
  const units: Unit[] = [];
  for (let at = 0; at < tokens.length; ) {
    const found = unitAt(tokens, at, country, 0, true);
    if (!found) return undefined;
    units.push(...found.units);
    at = found.end;
  }
  return units;
}

function highwayEnd(words: readonly string[], country: Country): number {
  for (const skipped of [0, 1, 2]) {
    if (skipped > 0 && directionalOf(words[skipped - 1]) === undefined) return 0;
    const found = highwayOf(words.slice(skipped), country);
    if (found) return skipped + found.taken;
  }
  return 0;
}

interface At {
  units: Unit[];
  end: number;
}

/** @param sure after another unit, or where only a unit is possible */
function unitAt(tokens: readonly Token[], i: number, country: Country, highway: number, sure = false): At | undefined {
  const { word, breaks } = tokens[i];
  const settled = sure || breaks || (i >= highway && endsStreet(tokens, i, country));
  if (i < highway) return undefined;
  if (word === "#" || (settled && /^(?:NO|NUMBER)$/.test(word) && /^\d/.test(tokens[i + 1]?.word ?? ""))) {
    const next = tokens[i + 1];
    // "# APT 4"
    if (next && unitOf(next.word) !== undefined && tokens[i + 2]) return unitAt(tokens, i + 1, country, highway, true);
    if (!next || !(isId(next) || SHORT.test(next.word))) return undefined;
    return { units: [{ designator: "", id: idOf(next.word) }], end: i + 2 };
  }
  const glued = /^(\d{1,3})FLR?$/.exec(word);
  if (glued && settled) return { units: [{ designator: "FL", id: glued[1] }], end: i + 1 };
  const floor = ordinalOf(word);
  // "111 E WACKER 25TH FLR", but not "5 E THIRD FLOOR": some name stands before it.
  const named = i > 1 || directionalOf(tokens[0].word) === undefined;
  if (floor !== undefined && (settled || named) && tokens[i + 1]) {
    const storey = unitOf(tokens[i + 1].word);
    if (storey === "FL" || (storey === "ETAGE" && country === "CA"))
      return { units: [{ designator: storey, id: String(floor) }], end: i + 2 };
  }
  const designator = unitOf(word);
  if (designator !== undefined && isKnownIn(designator, country)) {
    const found = designated(tokens, i, designator, settled);
    if (found) return found;
  }
  const isLast = i === tokens.length - 1 || tokens[i + 1].breaks || unitOf(tokens[i + 1].word) !== undefined;
  if (!settled || sure || !isLast || i < 2) return undefined;
  if (breaks && !/\d/.test(word)) return undefined;
  // "600 W AVENUE B" is the avenue of that letter.
  if (!breaks && i === 2 && directionalOf(tokens[0].word) !== undefined && /^(?:AVE|AVENUE|AV)$/.test(tokens[1].word))
    return undefined;
  const bare = BARE.test(word) || (/^[A-Z]$/.test(word) && directionalOf(word) === undefined);
  return bare ? { units: [{ designator: "", id: word }], end: i + 1 } : undefined;
}

function designated(tokens: readonly Token[], i: number, designator: string, settled: boolean): At | undefined {
  let at = i + 1;
  while (tokens[at] && /^(?:#|NO|NUMBER|NUM)$/.test(tokens[at].word) && tokens[at + 1]) at++;
  const next = tokens[at];
  const certain = CERTAIN_UNITS.has(designator);
  if (designator === "BOX") return undefined;
  const ends = (k: number) => k >= tokens.length || tokens[k].breaks;
  const fits =
    next !== undefined &&
    !next.breaks &&
    (isId(next) ||
      (certain &&
        (/\d/.test(next.word) || (settled && SHORT.test(next.word) && (ends(at + 1) || next.word.length < 3)))) ||
      (certain && settled && ends(at + 1) && /^[A-Z]{2,12}$/.test(next.word) && !SUFFIXES.US.has(next.word)));
  if (fits && (settled || (certain && !ambiguous(designator, next.word)))) {
    // "SUITE L 1219" is L1219.
    const more = tokens[at + 1];
    const joins = /^[A-Z]$/.test(next.word) && more && !more.breaks && /^\d{1,4}$/.test(more.word);
    return { units: [{ designator, id: idOf(next.word) + (joins ? more.word : "") }], end: at + (joins ? 2 : 1) };
  }
  // "REAR", "PENTHOUSE"; "FLOOR" and the like need a number.
  if (
    ALONE.has(designator) &&
    settled &&
    (ends(i + 1) || unitOf(tokens[i + 1].word) !== undefined || tokens[i + 1].word === "#")
  )
    return { units: [{ designator, id: "" }], end: i + 1 };
  return undefined;
}

/** "APT 000004": padding zeros are removed; "APT 01" is a name. */
const idOf = (word: string) => word.replace(/^-|-$/g, "").replace(/^00+(?=\d)/, "");

/** "100 Lot Rd", "5 Unit E St": without a street before it, a letter is ambiguous. */
const ambiguous = (designator: string, id: string) => designator === "LOT" && /^[A-Z]$/.test(id);

const isKnownIn = (designator: string, country: Country) =>
  country === "CA" || !/^(?:APP|BUREAU|UNITE|ETAGE|PORTE)$/.test(designator);

/** Returns whether a street ends right before token i: with its type, and an optional direction after it. */
function endsStreet(tokens: readonly Token[], i: number, country: Country): boolean {
  const before = tokens[i - 1]?.word;
  if (before === undefined) return false;
  const isType = (k: number) => {
    const standard = SUFFIXES[country].get(tokens[k]?.word ?? "");
    // A highway's number is no unit.
    return k >= 1 && standard !== undefined && !/^(?:HWY|RTE|EXPY|LOOP)$/.test(standard);
  };
  if (isType(i - 1)) return CERTAIN_SUFFIXES.has(SUFFIXES[country].get(before)!) || i - 1 >= 1;
  if (directionalOf(before, country === "CA") === undefined)
    return /^\d/.test(before) && unitOf(tokens[i].word) !== undefined;
  return isType(i - 2) || (directionalOf(before) !== undefined && i >= 3 && unitOf(tokens[i].word) !== undefined);
}
