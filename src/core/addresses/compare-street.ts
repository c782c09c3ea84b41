import { BoundedMap } from "../geo/bounded-map.ts";
import { nameKey, type StreetParts } from "../geocoding/north-america/street-name.ts";
import { mistakes } from "../geocoding/words/typo.ts";

/** How a part of the requested street agrees with the record's. */
type Agreement = "same" | "added" | "dropped" | "changed";

/** The differences between the requested street and a known one. */
export interface StreetDifference {
  /**
   * Letters of the name that differ; 0 for the same name in another form ("5th", "Fifth"), 3 where the first one alone is
   * another or swapped with the second: more likely to be another name.
   */
  letters: 0 | 1 | 2 | 3;
  suffix: Agreement;
  directional: Agreement;
  /** All differences as one cost: 0 is the same street. */
  penalty: number;
}

/**
 * Cost of each difference. Sums decide between candidates, so the order matters: a part that the caller omitted
 * (`added`) is likelier than a part that the record lacks (`dropped`), which is likelier than a different part
 * (`changed`). A house number that the street does not have costs 2.5 (verdict.ts): less than a different name, suffix
 * or direction, more than an omitted one.
 */
const COST = {
  letter: [0, 2.6, 3.2, 3.4],
  suffix: { same: 0, added: 1, dropped: 1.5, changed: 3 },
  directional: { same: 0, added: 1, dropped: 1.6, changed: 4 },
} as const;

/** The difference; undefined if the names have nothing in common. */
export function compareStreets(asked: StreetParts, known: StreetParts): StreetDifference | undefined {
  const letters = lettersApart(asked.name, known.name) ?? (isBegunWrong(asked.name, known.name) ? 3 : undefined);
  if (letters === undefined) return undefined;
  const suffix = compare(typeOf(asked.suffix), typeOf(known.suffix));
  const directional = compareDirections(asked, known);
  const penalty = COST.letter[letters] + COST.suffix[suffix] + COST.directional[directional];
  return { letters, suffix, directional, penalty };
}

function compare(asked: string, known: string): Agreement {
  if (asked === known) return "same";
  return asked === "" ? "added" : known === "" ? "dropped" : "changed";
}

/** "N Main St" for "Main St N" is the same direction in another place. */
function compareDirections(asked: StreetParts, known: StreetParts): Agreement {
  const both = (parts: StreetParts) =>
    [parts.predirectional, parts.postdirectional]
      .map((code) => code.replace("O", "W"))
      .sort()
      .join("");
  const own = both(asked);
  const theirs = both(known);
  if (own === theirs) return "same";
  if (own === "") return "added";
  if (theirs === "") return "dropped";
  // The caller left out one of two directions: "E 1700" for "E 1700 S".
  return theirs.includes(own) &&
    theirs.length > own.length &&
    known.predirectional !== "" &&
    known.postdirectional !== ""
    ? "added"
    : "changed";
}

/** The same type in both official languages of Canada, and in the words of USPS and Canada Post. */
const TYPES: Record<string, string> = {
  RUE: "ST",
  AV: "AVE",
  BOUL: "BLVD",
  CH: "RD",
  PLACE: "PL",
  PKY: "PKWY",
  CRT: "CT",
  TERR: "TER",
  TSSE: "TER",
  CROIS: "CRES",
  LANE: "LN",
  TRAIL: "TRL",
  COVE: "CV",
  CROSS: "XING",
  PLAZA: "PLZ",
  PROM: "PROM",
  IMP: "CLOSE",
  ALLEE: "ALY",
  RLE: "LN",
  AUT: "FWY",
};
const typeOf = (suffix: string) => TYPES[suffix] ?? suffix;

const names = new BoundedMap<string, string>(20_000);

/** `nameKey` with a cache: the same few thousand names occur repeatedly. */
function keyOf(name: string): string {
  let key = names.get(name);
  if (key === undefined) {
    key = nameKey(name);
    names.set(name, key);
  }
  return key;
}

/** 0, 1 or 2 letters; undefined when the names differ by more than their length allows, or in a digit. */
export function lettersApart(asked: string, known: string): 0 | 1 | 2 | undefined {
  if (asked === known) return 0;
  const [a, b] = [keyOf(asked), keyOf(known)];
  if (a === b || a.replaceAll(" ", "") === b.replaceAll(" ", "")) return 0;
  if (a.replace(/\D+/g, " ").trim() !== b.replace(/\D+/g, " ").trim()) return undefined;
  const length = Math.max(a.length, b.length);
  const most = length < 4 ? 0 : length < 8 ? 1 : 2;
  if (most === 0) return undefined;
  const apart = mistakes(a, b, most);
  if (apart > most) return undefined;
  return apart as 1 | 2;
}

/**
 * Returns whether only the first letter is different, omitted, or swapped with the second: "Lvergreen", "Vergreen",
 * "Veergreen".
 */
export function beginsWrong(asked: string, known: string): boolean {
  if (known.length < 4 || /\d/.test(asked + known)) return false;
  if (asked.slice(1) === known.slice(1) || asked === known.slice(1)) return true;
  return asked[0] === known[1] && asked[1] === known[0] && asked.slice(2) === known.slice(2);
}

/** The same of whole names, as they are written or in one form ("Nount Vernon"). */
function isBegunWrong(asked: string, known: string): boolean {
  return beginsWrong(asked, known) || beginsWrong(keyOf(asked), keyOf(known));
}
