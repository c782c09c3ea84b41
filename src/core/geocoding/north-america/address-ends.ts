import { stateCodeOf } from "../parse/states.ts";
import { isHouse } from "./delivery-line.ts";
import { type Token, wordsAs, writtenAs } from "./tokens.ts";
import { leadingUnit, type Unit } from "./units.ts";
import { type Country, directionalOf, SUFFIXES } from "./words.ts";

/** Parts at the end of an address: country, postal code, state. Each is removed from the tokens. */
const ZIP = /^\d{5}(?:-\d{4})?$/;
const POSTAL = /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z]-?\d[ABCEGHJ-NPRSTV-Z]\d$/;
const HALVES = [/^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z]$/, /^\d[ABCEGHJ-NPRSTV-Z]\d$/] as const;

const COUNTRIES: Record<string, Country> = {
  USA: "US",
  US: "US",
  "UNITED STATES": "US",
  "UNITED STATES OF AMERICA": "US",
  "ETATS-UNIS": "US",
  CANADA: "CA",
};

export function takeCountry(tokens: Token[]): Country | undefined {
  for (let count = Math.min(4, tokens.length - 1); count > 0; count--) {
    const country = COUNTRIES[wordsAs(tokens.slice(-count)).join(" ")];
    // In "123 Rue du Canada" Canada is no country: a country follows a code, a state or a comma.
    const first = tokens[tokens.length - count];
    const before = tokens[tokens.length - count - 1]?.word ?? "";
    if (!country || !(first.breaks || /\d/.test(before) || stateCodeOf(before, country) || count > 1)) continue;
    tokens.splice(-count);
    return country;
  }
  return undefined;
}

/** "Mount Vernon, NY 10550 Suite 102B" */
export function takeUnitsBehindCode(tokens: Token[]): Unit[] {
  const at = tokens.findIndex(
    ({ word }, i) => i > 2 && i < tokens.length - 1 && ZIP.test(word) && /^[A-Z]{2}$/.test(tokens[i - 1].word),
  );
  if (at < 0) return [];
  const found = leadingUnit(tokens.slice(at + 1), "US");
  if (!found || at + 1 + found.end !== tokens.length) return [];
  tokens.splice(at + 1);
  return found.units;
}

export interface FoundCode {
  country: Country;
  written: string;
}

/** The postal code at the end. A number of five digits with nothing before it is a house number. */
export function takePostalCode(tokens: Token[]): FoundCode | undefined {
  const last = tokens[tokens.length - 1];
  if (!last || tokens.length < 2) return undefined;
  const before = tokens[tokens.length - 2];
  if (HALVES[1].test(last.word) && HALVES[0].test(before.word)) {
    const [a, b] = tokens.splice(-2);
    return { country: "CA", written: `${a.text} ${b.text}` };
  }
  if (POSTAL.test(last.word)) return { country: "CA", written: tokens.pop()!.text };
  // "60601 1234", "60601-1234", "606011234"
  if (/^\d{4}$/.test(last.word) && /^\d{5}$/.test(before.word) && tokens.length > 2 && !last.breaks) {
    const [a, b] = tokens.splice(-2);
    return { country: "US", written: `${a.text}-${b.text}` };
  }
  if (ZIP.test(last.word) || /^\d{9}$/.test(last.word)) {
    const text = tokens.pop()!.text;
    return { country: "US", written: /^\d{9}$/.test(text) ? `${text.slice(0, 5)}-${text.slice(5)}` : text };
  }
  return undefined;
}

export interface FoundState {
  code: string;
  written: string;
  breaks: boolean;
}

const SHORT_STATES: Record<Country, Record<string, string>> = {
  US: {
    "WASHINGTON DC": "",
    CALIF: "CA",
    FLA: "FL",
    MASS: "MA",
    PENN: "PA",
    PENNA: "PA",
    TENN: "TN",
    MINN: "MN",
    CONN: "CT",
    ILL: "IL",
    MICH: "MI",
    WASH: "WA",
    ORE: "OR",
    ARIZ: "AZ",
    COLO: "CO",
    WISC: "WI",
    TEX: "TX",
    ALA: "AL",
    AA: "AA",
    AE: "AE",
    AP: "AP",
    FM: "FM",
    MH: "MH",
    PW: "PW",
  },
  CA: {
    "P Q": "QC",
    PQ: "QC",
    QUE: "QC",
    QUEBEC: "QC",
    ONT: "ON",
    ALTA: "AB",
    SASK: "SK",
    MAN: "MB",
    NFLD: "NL",
    NF: "NL",
    NEWFOUNDLAND: "NL",
    PEI: "PE",
    NWT: "NT",
    BC: "BC",
  },
};

/** The state at the end; it leaves at least one word before it. */
export function takeState(tokens: Token[], country: Country): FoundState | undefined {
  for (let count = Math.min(4, tokens.length - 1); count > 0; count--) {
    const part = tokens.slice(-count);
    if (part.slice(1).some(({ breaks }) => breaks)) continue;
    const text = wordsAs(part).join(" ");
    const code = stateCodeOf(text, country) ?? SHORT_STATES[country][text];
    if (!code) continue;
    // "Washington" or "New York" right after a street is the city.
    if (count === tokens.length) continue;
    const before = tokens[tokens.length - count - 1];
    // "321 S Washington": without it no address would be left.
    if (!part[0].breaks && text.length > 2 && tokens.length - count <= 2 && isStub(tokens.slice(0, -count))) continue;
    if (isCityToo(text) && !(part[0].breaks && hasCity(tokens.slice(0, -count))) && SUFFIXES.US.has(before.word))
      continue;
    tokens.splice(-count);
    return { code, written: writtenAs(part), breaks: part[0].breaks };
  }
  return undefined;
}

const isStub = (rest: readonly Token[]) => rest.every(({ word }) => isHouse(word) || directionalOf(word) !== undefined);
const isCityToo = (text: string) => /^(?:NEW YORK|WASHINGTON|QUEBEC)$/.test(text);
const hasCity = (tokens: readonly Token[]) => tokens.filter(({ breaks }) => breaks).length > 0;
