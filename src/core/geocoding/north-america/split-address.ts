import { takeCountry, takePostalCode, takeState, takeUnitsBehindCode } from "./address-ends.ts";
import { type DeliveryLine, deliveryLineOf, isHouse } from "./delivery-line.ts";
import { specialLine } from "./special-line.ts";
import { behindStreet, isPlace } from "./street-end.ts";
import { type Token, tokensOfLine, wordsAs, writtenAs } from "./tokens.ts";
import { findUnits } from "./units.ts";
import type { Country } from "./words.ts";

/** The parts of a full address of the US or Canada that was given as one text. */
export interface SplitAddress {
  country: Country;
  line: DeliveryLine;
  /** As written; "" for missing parts. */
  city: string;
  stateCode: string;
  /** As written, a US "ZIP+4" in full. */
  postalCode: string;
}

/** Country of a text that is probably of the US or Canada; undefined if nothing indicates it. */
export function countryOfText(text: string): Country | undefined {
  const tokens = tokensOfLine(text);
  const own = takeCountry(tokens);
  if (own) return own;
  const code = takePostalCode(tokens);
  if (code?.country === "CA") return "CA";
  for (const country of ["US", "CA"] as const) {
    const state = takeState([...tokens], country);
    if (!state) continue;
    if (code) return country;
    // Without a postal code the two letters may be a country code ("Erlangen, DE") or any word: accept them only in
    // capitals or after a comma, and only after a house number, a box or a route, with which addresses begin here.
    const isCode = state.breaks || state.written === state.written.toUpperCase();
    if (isCode && (isHouse(tokens[0].word) || specialLine(wordsAs(tokens), country))) return country;
  }
  return undefined;
}

export function splitAddress(text: string, known?: Country): SplitAddress {
  const tokens = tokensOfLine(text);
  const named = takeCountry(tokens);
  const behind = takeUnitsBehindCode(tokens);
  const code = takePostalCode(tokens);
  let country: Country = known ?? named ?? code?.country ?? "US";
  let state = takeState(tokens, country);
  if (!state && !known && !named && country === "US") {
    state = takeState(tokens, "CA");
    if (state) country = "CA";
  }
  // "Toronto M5V 2T6, ON": the code may stand before the state.
  const postalCode = code ?? takePostalCode(tokens);
  const stateCode = state?.code ?? "";
  const withoutCounties = withoutCounty(tokens, country, stateCode);
  const at = cityStart(withoutCounties, country, stateCode);
  const line = deliveryLineOf(withoutCounties.slice(0, at), { country, stateCode });
  const city = cityOf(withoutCounties.slice(at));
  line.units.push(...behind);
  return { country, line, city: city || leftOver(line), stateCode, postalCode: postalCode?.written ?? "" };
}

/**
 * "Stone Way N, Seattle, King County, WA": a county after the city is dropped; without a city it is used as the city.
 */
function withoutCounty(tokens: readonly Token[], country: Country, stateCode: string): readonly Token[] {
  const at = tokens.findLastIndex(({ breaks }) => breaks);
  if (at <= 0 || tokens.length - at < 2 || !/^(?:COUNTY|PARISH)$/.test(tokens[tokens.length - 1].word)) return tokens;
  const before = tokens.slice(0, at);
  return cityStart(before, country, stateCode) < before.length ? before : tokens;
}

/** Start of the city: after the last comma, else after the street. */
function cityStart(tokens: readonly Token[], country: Country, stateCode: string): number {
  const context = { country, stateCode };
  const special = specialStart(tokens, country, stateCode);
  const lastBreak = tokens.findLastIndex(({ breaks }) => breaks);
  if (lastBreak > 0 && (special < 0 || lastBreak > special) && isCity(tokens.slice(lastBreak), country, lastBreak)) {
    const before = tokens.slice(0, lastBreak);
    // "Jay St, Brooklyn": fine; "Acme Inc, 20 Jay St Brooklyn": the city is still in the last part.
    const part = tokens.slice(lastBreak);
    if (!(isHouse(part[0].word) && part.length > 1 && !before.some(({ word }) => isHouse(word)))) return lastBreak;
  }
  if (special >= 0) return behindSpecial(tokens, special, context);
  if (isPlace(tokens, country)) return 0;
  const from = Math.max(0, lastBreak > 0 && isHouse(tokens[lastBreak].word) ? lastBreak : 0);
  return behindStreet(tokens, from, country);
}

/** Returns whether the part after a comma is a city, and not a unit such as "Apt 4", "2nd Floor" or "Suite 300". */
function isCity(part: readonly Token[], country: Country, at: number): boolean {
  if (at === 0) return false;
  if (part.some(({ word }) => word === "#")) return false;
  const units = findUnits([{ text: "", word: "", breaks: false }, ...part], country);
  return !(units && units.start === 1 && units.end === part.length + 1) && /\p{L}/u.test(part[0].word);
}

function specialStart(tokens: readonly Token[], country: Country, stateCode: string): number {
  const words = wordsAs(tokens);
  for (let i = 0; i < words.length; i++) {
    const found = specialLine(words.slice(i), country, stateCode);
    if (found && (i === 0 || tokens[i].breaks || found.kind === "box" || found.kind === "route")) return i;
  }
  return -1;
}

function behindSpecial(
  tokens: readonly Token[],
  at: number,
  { country, stateCode }: { country: Country; stateCode: string },
) {
  const words = wordsAs(tokens);
  const breakAt = tokens.findIndex((token, i) => i > at && token.breaks);
  const limit = breakAt < 0 ? words.length : breakAt;
  const found = specialLine(words.slice(at, limit), country, stateCode);
  if (!found) return limit;
  // A station runs on until a comma; without one the city is its last word.
  if (found.station && breakAt < 0 && found.taken === words.length - at) return words.length - 1;
  return at + found.taken;
}

/** "Brooklyn", "c/o" and counties left out. */
function cityOf(tokens: readonly Token[]): string {
  const text = writtenAs(tokens).replace(/^[-\s]+|[-\s]+$/g, "");
  return /\p{L}/u.test(text) ? text : "";
}

/** In a line without commas the city follows the units. */
function leftOver({ rest }: DeliveryLine): string {
  const last = rest.findLastIndex(({ breaks }) => breaks);
  return cityOf(rest.slice(Math.max(0, last)));
}
