import { stateCodeOf } from "../parse/states.ts";
import { directionalOf } from "./words.ts";

/**
 * Numbered roads as USPS Publication 28 (appendix F) writes them: "CR 1185" → "COUNTY ROAD 1185", "I-10" → "INTERSTATE
 * 10", "FM 187" → "FM 187", "KY ST HWY 1" → "KY STATE HIGHWAY 1", "HWY 11 BYPASS" → "HIGHWAY 11 BYP".
 */
const KINDS: [pattern: RegExp, standard: string][] = [
  [/^(?:CO|CNTY|CTY|COUNTY|COUNTRY) (?:HWY|HIGHWAY|HGWY|HIWAY)$/, "COUNTY HIGHWAY"],
  [/^(?:(?:CO|CNTY|CTY|COUNTY|COUNTRY) (?:RD|ROAD)|CR)$/, "COUNTY ROAD"],
  [/^(?:CO|CNTY|CTY|COUNTY) (?:RT|RTE|ROUTE)$/, "COUNTY ROUTE"],
  [/^(?:FM|F M|FARM TO MARKET|FARM TO MKT)(?: (?:RD|ROAD))?$/, "FM"],
  [/^(?:RM|R M|RANCH TO MARKET)(?: (?:RD|ROAD))?$/, "RM"],
  [/^(?:RANCH RD|RANCH ROAD)$/, "RANCH ROAD"],
  [/^(?:I|IH|I H|INTERSTATE|INTERSTATE (?:HWY|HIGHWAY)|INTST)$/, "INTERSTATE"],
  [/^(?:US|U S|USA) (?:HWY|HIGHWAY|HGWY|HIWAY)$|^(?:US|U S)$/, "US HIGHWAY"],
  [/^(?:US|U S) (?:RT|RTE|ROUTE)$/, "US ROUTE"],
  [/^(?:ST|STATE) (?:HWY|HIGHWAY|HGWY|HIWAY)$|^SH$/, "STATE HIGHWAY"],
  [/^(?:ST|STATE) (?:RD|ROAD)$|^SR$/, "STATE ROAD"],
  [/^(?:ST|STATE) (?:RT|RTE|ROUTE)$/, "STATE ROUTE"],
  [/^(?:TWP|TOWNSHIP) (?:RD|ROAD)$|^TSR$/, "TOWNSHIP ROAD"],
  [/^(?:TWP|TOWNSHIP) (?:HWY|HIGHWAY)$/, "TOWNSHIP HIGHWAY"],
  [/^(?:FOREST SERVICE|FOREST) (?:RD|ROAD)$/, "FOREST ROAD"],
  [/^(?:HWY|HIGHWAY|HGWY|HIWAY|HIWY|HWAY)$/, "HIGHWAY"],
  [/^(?:RT|RTE|ROUTE)$/, "ROUTE"],
  [/^NYS (?:RT|RTE|ROUTE)$/, "STATE ROUTE"],
  [/^(?:CONC|CONCESSION) (?:RD|ROAD)$/, "CONCESSION RD"],
  [/^(?:CONC|CONCESSION)$/, "CONCESSION"],
  [/^(?:RG|RGE|RANGE) (?:RD|ROAD)$/, "RANGE RD"],
  [/^(?:SIDEROAD|SIDE ROAD|SDRD|SIDERD)$/, "SIDEROAD"],
  [/^(?:REGIONAL|REG) (?:RD|ROAD)$/, "REGIONAL RD"],
  [/^(?:EXPWY|EXPY|EXPRESSWAY)$/, "EXPRESSWAY"],
  [/^(?:RD|ROAD)$/, "ROAD"],
  [/^LOOP$/, "LOOP"],
];

/** "64", "5A", "MM", "A1A", "19-1"; a letter alone is an avenue's or county road's. */
const NUMBER = /^(?:\d{1,5}[A-Z]{0,2}|[A-Z]\d{1,3}[A-Z]?|\d{1,4}[/-]\d{1,4})$/;
const LETTERS = /^[A-Z]{1,2}$/;
const BEHIND: Record<string, string> = {
  BYPASS: "BYP",
  BYP: "BYP",
  FRONTAGE: "FRONTAGE",
  BUSINESS: "BUSINESS",
  BUS: "BUSINESS",
  ALTERNATE: "ALT",
  ALT: "ALT",
  SPUR: "SPUR",
  LOOP: "LOOP",
  TRUCK: "TRUCK",
};

/**
 * The standard name of a numbered road; `taken` is its number of words. Undefined if the words do not begin with one.
 *
 * @param words of the street without its predirectional
 */
export function highwayOf(words: readonly string[], country: "US" | "CA"): { name: string; taken: number } | undefined {
  const known = kindOf(words);
  // Canada Post abbreviates these types as it does all: "50 HWY 7 W".
  if (known && country === "CA") return { ...known, name: shortened(known.name) };
  if (known) return known;
  const state = stateCodeOf(words[0] ?? "", country);
  // "KY 1207", "KENTUCKY HIGHWAY 189": the state stands before, as it is written.
  if (state && words.length > 1 && country === "US") {
    const inner = kindOf(words.slice(1));
    if (inner) return { name: `${words[0]} ${inner.name}`, taken: inner.taken + 1 };
    if (/^\d{1,4}[A-Z]?$/.test(words[1]) && (words[0].length > 2 || directionalOf(words[0]) === undefined)) {
      const { name, taken } = withRest(`${words[0]} ${words[1]}`, words, 2);
      return { name, taken };
    }
  }
  return undefined;
}

const shortened = (name: string) =>
  name
    .replace(/\bHIGHWAY\b/, "HWY")
    .replace(/\bROUTE\b/, "RTE")
    .replace(/\bROAD\b/, "RD");

function kindOf(words: readonly string[]): { name: string; taken: number } | undefined {
  for (let length = Math.min(4, words.length - 1); length > 0; length--) {
    const text = words.slice(0, length).join(" ");
    const kind = KINDS.find(([pattern]) => pattern.test(text));
    if (!kind) continue;
    let at = length;
    if (words[at] === "NO" || words[at] === "NUMBER" || words[at] === "#") at++;
    const number = words[at];
    if (number === undefined) continue;
    // "ROUTE", "LOOP", "ROAD" and letters: only if it is unambiguous.
    const plain = NUMBER.test(number);
    const lettered =
      LETTERS.test(number) && at === words.length - 1 && /^(?:STATE|COUNTY|TOWNSHIP|HIGHWAY)/.test(kind[1]);
    if (!plain && !(lettered && directionalOf(number) === undefined)) continue;
    return withRest(`${kind[1]} ${number}`, words, at + 1);
  }
  return undefined;
}

/** "BYPASS", "BUSINESS", "FRONTAGE RD" after the number belong to it. */
function withRest(name: string, words: readonly string[], at: number): { name: string; taken: number } {
  let [full, taken] = [name, at];
  if (words[taken] !== undefined && BEHIND[words[taken]] && taken < words.length) {
    const road = /^(?:RD|ROAD)$/.test(words[taken + 1] ?? "");
    const word = words[taken];
    full += ` ${road && /^BYP/.test(word) ? "BYPASS" : BEHIND[word]}`;
    taken++;
    if (road) {
      full += " RD";
      taken++;
    }
  } else if (
    /^[A-Z]$/.test(words[taken] ?? "") &&
    directionalOf(words[taken]) === undefined &&
    taken === words.length - 1
  ) {
    full += ` ${words[taken]}`;
    taken++;
  }
  return { name: full, taken };
}
