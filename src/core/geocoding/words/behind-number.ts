import { HABITS } from "../habits/all.ts";
import { fold } from "./normalise.ts";

const words = [...new Set(HABITS.flatMap(({ units = "" }) => units.split(" ")))].filter((word) => word !== "");
/** Forms of a unit's identifier: a number that may have a letter, or a separated letter. */
const ID = String.raw`(?:[.:]?\s*(?:n[ºo°]?[.:]?\s*)?\p{L}?\d+\s?\p{L}?|[.:]?\s+\p{L}|\.\p{L})(?![\p{L}\p{N}])`;
const ONE = [...HABITS.flatMap(({ behind = [] }) => behind), `(?:${words.join("|")})${ID}`].join("|");
/** One or more of them, up to a comma, a dash, the end, or a postal code. */
const BEHIND = new RegExp(
  String.raw`((?:(?:${ONE})(?![\p{L}\p{N}])[\s,.]*(?:-\s+|\/(?=\p{L}{3}))?)+?)(?=\s*(?:[,;]|$)|(?<=\s)-\s|(?<=\s)(?:\p{L}{1,2}-)?(?:\d{4,6}|\d{3} \d{2}|\d{2}-\d{3})(?!\d))`,
  "iuy",
);
const UNIT_WORDS = new Set([...words, ..."floor fl room rm suite ste apartment apt unit flat no".split(" ")].map(fold));

/** Returns whether it is a word for a unit, as a word of a query. */
export const isUnitWord = (word: string): boolean => UNIT_WORDS.has(word);

const NUMBER =
  /(?:(?<![\p{L}\p{N}])|(?<=[\p{Script=Han}\p{Script=Hangul}]))\d{1,5}(?:[-/]\d{1,5})*(?:\p{L}?(?![\p{L}\p{N}])|[号號])/gu;
/** Separators between a number and its unit, with or without the number's letter. */
const BETWEEN = [/(?<=[号號])/uy, /[\s,.:-]+|\/(?=\p{L}{3})/uy, /\s\p{L}[\s,.:-]+/uy];
/** A number that may have a letter glued to it, as a stair's letter is glued in "47A 12". */
const STAIR =
  /\p{L}{3}[^,;]*?\s(\d{1,4})\s?([A-L])\s?(?:as\.?\s*)?(\d{1,3}\s?[a-d]?)(?=\s*(?:[,;]|$)|\s+\d{5}(?!\d))/iu;

/** The unit after a house number, and the text without it. */
export interface BehindNumber {
  text: string;
  unit: string;
  /**
   * The house number and unit, if the text after the number may be its letter or a staircase: 47 and A 12 of "47 A 12".
   */
  stair?: { number: string; unit: string };
  /** The house number with the letter that begins the unit, and the rest: 6725R and "apto 4" of "6725 R - apto 4". */
  lettered?: { number: string; unit: string };
}

const LETTERED = /^\p{L}-?\d+$/u;
const NUMBERED = /(?<!\p{L})(?:block|blk|sector|phase|scheme)\.?\s*$/iu;

/** A letter of its own at the beginning of a unit. */
const LETTER = /^\p{L}(?![\p{L}\p{N}])/u;

/**
 * Extracts the text after a house number that is a floor, a door or an apartment by the conventions of some country:
 *
 *     "Vesterbrogade 12, 3. tv, 1620 København"  →  "Vesterbrogade 12, 1620 København", unit "3. tv"
 *
 * A name must precede the number, so that a name after it is not mistaken for a unit.
 */
export function takeBehindNumber(text: string): BehindNumber | undefined {
  const stair = STAIR.exec(text);
  if (stair) {
    const [whole, number, letter, flat] = stair;
    const at = stair.index + whole.lastIndexOf(number, whole.length - flat.length - 1);
    // "Block 13 B135": the number is of the street's name.
    if (!NUMBERED.test(text.slice(0, at)))
      return {
        text: `${text.slice(0, at)}${number} ${letter}${text.slice(stair.index + whole.length)}`,
        unit: flat,
        stair: { number, unit: `${letter.toUpperCase()} ${flat}` },
      };
  }
  for (const number of text.matchAll(NUMBER)) {
    if (!/\p{L}{2}/u.test(text.slice(0, number.index))) continue;
    for (const between of BETWEEN) {
      between.lastIndex = number.index + number[0].length;
      if (!between.test(text)) continue;
      const from = between.lastIndex;
      BEHIND.lastIndex = from;
      const found = BEHIND.exec(text);
      if (!found) continue;
      const before = text.slice(0, from).replace(/[\s,.:-]+$/, "");
      const unit = found[1].replace(/[\s,.-]+$/, "");
      // "Block 13, B112": the first number is of the street's name, and the other one of the house.
      if (LETTERED.test(unit) && NUMBERED.test(text.slice(0, number.index))) continue;
      const [letter] = LETTER.exec(unit) ?? [];
      const rest = letter && unit.slice(letter.length).replace(/^[\s,.:-]+/, "");
      return {
        text: `${before} ${text.slice(from + found[0].length)}`,
        unit,
        ...(letter && /\d$/.test(number[0]) && { lettered: { number: number[0] + letter, unit: rest ?? "" } }),
      };
    }
  }
  return unitInPart(text);
}

/** A part between commas that is only a unit, after a part with the house: "12 rue de la Paix, 3e étage, Paris". */
function unitInPart(text: string): BehindNumber | undefined {
  let at = text.indexOf(",") + 1;
  while (at > 0) {
    const next = text.indexOf(",", at);
    const end = next < 0 ? text.length : next;
    const [before, part] = [text.slice(0, at), text.slice(at, end)];
    BEHIND.lastIndex = at + part.length - part.trimStart().length;
    // Such a part without digits contradicts nothing.
    const isCandidate = /\d/.test(part) && /\p{L}{3}/u.test(part) && /\d/.test(before) && /\p{L}{2}/u.test(before);
    const found = isCandidate ? BEHIND.exec(text) : null;
    if (found && BEHIND.lastIndex >= at + part.trimEnd().length)
      return { text: `${text.slice(0, at - 1)}${text.slice(end)}`, unit: part.trim() };
    at = next + 1;
  }
  return undefined;
}
