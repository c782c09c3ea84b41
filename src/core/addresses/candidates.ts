import type { Context } from "../geocoding/entry/entry.ts";
import type { AddressIndex } from "../geocoding/index/address-index.ts";
import type { NamesTile } from "../geocoding/index/names-tile.ts";
import { type StreetParts, streetParts } from "../geocoding/north-america/street-name.ts";
import { tokensOfLine, wordsAs } from "../geocoding/north-america/tokens.ts";
import type { Country } from "../geocoding/north-america/words.ts";
import { pairsOf, parseQuery, type Word } from "../geocoding/parse/query.ts";
import { isStreetType } from "../geocoding/words/abbreviations.ts";
import { mistakes } from "../geocoding/words/typo.ts";
import { agreesOnCity, cityKey } from "./city.ts";
import { beginsWrong, compareStreets, type StreetDifference } from "./compare-street.ts";

/** The address that is looked for. */
export interface Sought {
  country: Country;
  number: string;
  /** Readings of the street, the likeliest first. */
  streets: readonly StreetParts[];
  city: string;
  stateCode: string;
  /** In the form of printPostalCode; "" if the caller gave none. */
  postalCode: string;
}

/** A street of the data that the caller may mean, in the place that was named. */
export interface Candidate {
  /** Whether it fits only after correcting a typo in the suffix or direction. */
  repaired: boolean;
  street: StreetParts;
  difference: StreetDifference;
  context: Context;
  postalCode: string;
  /** Whether the record's code agrees. "unknown" if it has none. */
  postalCodeAgrees: boolean | "unknown";
  /** Other addresses of this city nearby have the code that is given. */
  postalCodeIsUsed: boolean;
  /** "used": not the record's city, but one that addresses there have under the same postal code. */
  cityAgrees: boolean | "unknown" | "used";
  index: AddressIndex;
  tile: number;
  names: NamesTile;
  entry: number;
}

/**
 * Tiles that one lookup may open, by all its words and by its place: with BLOCKS of the word index, the bound on its
 * work.
 */
const TILES = 8;
/** Words of a tile that one misspelled word may stand for. */
const SIMILAR = 40;

interface Search {
  candidates: Candidate[];
  /** Whether the data has any address in the city or postal code. */
  placeKnown: boolean;
}

/** Streets that fit as written; if there are none, those that fit with typos. */
export async function findCandidates(indexes: readonly AddressIndex[], sought: Sought): Promise<Search> {
  const found = await Promise.all(indexes.map((index) => lookInto(index, sought)));
  return {
    candidates: found.flatMap(({ candidates }) => candidates).sort((a, b) => costOf(a) - costOf(b)),
    placeKnown: found.some(({ placeKnown }) => placeKnown),
  };
}

/** How badly a candidate fits, without its house number. */
export function costOf({ difference, postalCodeAgrees, cityAgrees }: Candidate): number {
  return difference.penalty + placeCost(postalCodeAgrees, 1.2) + placeCost(cityAgrees, 1);
}

const placeCost = (agrees: boolean | "unknown" | "used", wrong: number) =>
  agrees === true ? 0 : agrees === false ? wrong : agrees === "used" ? 0.2 : 0.4;

async function lookInto(index: AddressIndex, sought: Sought): Promise<Search> {
  const [first] = sought.streets;
  const street = wordsOf(`${first.name} ${first.suffix}`);
  const place = wordsOf(`${sought.city} ${sought.stateCode} ${sought.postalCode}`);
  const opened = new Map<number, NamesTile>();
  const open = async (words: readonly Word[], pairs: ReturnType<typeof pairsOf>) => {
    if (words.length === 0) return;
    const found = await index.tilesWith({ words, pairs }, TILES, false);
    const tiles = found.map(({ tile }) => tile).filter((tile) => !opened.has(tile));
    const names = await Promise.all(tiles.map((tile) => index.names(tile)));
    for (const [i, tile] of tiles.entries()) if (names[i]) opened.set(tile, names[i]);
  };
  await open([...street, ...place], pairsOf(street));
  const collect = (typos: boolean) =>
    [...opened].flatMap(([tile, names]) => streetsIn(index, tile, names, sought, typos));
  let candidates = collect(false);
  if (!candidates.some(({ difference }) => difference.penalty < 1.5)) {
    await open(place, []);
    candidates = collect(true);
  }
  const placeKnown = candidates.length > 0 || [...opened.values()].some((names) => knowsPlace(names, sought));
  return { candidates, placeKnown };
}

const wordsOf = (text: string) => parseQuery(text, false).words;

/** Entries of a tile whose names share a word with the street, each compared by its full name. */
function streetsIn(index: AddressIndex, tile: number, names: NamesTile, sought: Sought, typos: boolean): Candidate[] {
  const seen = new Set<number>();
  for (const street of sought.streets) for (const entry of entriesWith(names, street.name, typos)) seen.add(entry);
  const out: Candidate[] = [];
  const isUsedHere = citiesUnder(names, sought.postalCode).has(cityKey(sought.city));
  for (const entry of seen) {
    const context = names.context(entry);
    if (names.kinds[entry] !== 0 || !isIn(context, sought)) continue;
    const postalCode = names.postalCode(entry);
    const unknown = postalCode === "" || sought.postalCode === "";
    const postalCodeAgrees = unknown ? "unknown" : postalCode === sought.postalCode;
    const agrees = agreesOnCity(context, sought.city);
    const cityAgrees = agrees === false && postalCodeAgrees === true && isUsedHere ? "used" : agrees;
    const sameState = context.stateCode === "" || context.stateCode === sought.stateCode;
    // The same name elsewhere is another street.
    if (postalCodeAgrees !== true && !(cityAgrees === true && sameState)) continue;
    const best = nearest(names, entry, context.stateCode, sought);
    if (!best) continue;
    out.push({
      ...best,
      context,
      postalCode,
      postalCodeAgrees,
      postalCodeIsUsed: isUsedHere,
      cityAgrees,
      index,
      tile,
      names,
      entry,
    });
  }
  return out;
}

/** To ISO 3166 Puerto Rico and other territories are countries, to the postal service they are states. */
const isIn = ({ countryCode }: Context, { country, stateCode }: Sought) =>
  countryCode === country || (country === "US" && countryCode === stateCode);

function nearest(names: NamesTile, entry: number, stateCode: string, { streets, country }: Sought) {
  const known = partsOf(names, entry, country, stateCode);
  let best: Pick<Candidate, "street" | "difference" | "repaired"> | undefined;
  for (const street of known) {
    for (const asked of streets) {
      const difference = compareStreets(asked, street);
      if (difference && (!best || difference.penalty < best.difference.penalty))
        best = { street: known[0], difference, repaired: asked !== streets[0] };
    }
  }
  return best;
}

const parsed = new WeakMap<NamesTile, Map<number, StreetParts[]>>();

/** An entry's name in its parts, and its other names: parsed once. The first is the one to print. */
function partsOf(names: NamesTile, entry: number, country: Country, stateCode: string): StreetParts[] {
  let tile = parsed.get(names);
  if (!tile) {
    tile = new Map();
    parsed.set(names, tile);
  }
  let parts = tile.get(entry);
  if (!parts) {
    parts = [names.name(entry), ...names.otherNames(entry)].map((name) =>
      streetParts(wordsAs(tokensOfLine(name)), country, stateCode),
    );
    tile.set(entry, parts);
  }
  return parts;
}

/**
 * Entries with a word of the name; with `typos`, with a word that differs in one or two letters. Types of streets are
 * looked up only if the name has no other words.
 */
function entriesWith(names: NamesTile, name: string, typos: boolean): Set<number> {
  const table = names.words;
  const entries = new Set<number>();
  const words = wordsOf(name);
  const telling = words.filter(({ text }) => !isStreetType(text));
  for (const { text, forms } of telling.length > 0 ? telling : words) {
    for (const form of [text, ...forms]) {
      const at = table.indexOf(form);
      if (at >= 0) table.each(at, (entry) => entries.add(entry));
    }
    if (typos && text.length > 2 && !/\d/.test(text))
      similar(table.words, text, (at) => table.each(at, (entry) => entries.add(entry)));
  }
  return entries;
}

/** Positions of words that are one letter away, two where the word is long (typo.ts). */
function similar(words: readonly string[], text: string, take: (at: number) => void): void {
  const most = text.length < 6 ? 1 : 2;
  // A wrong first letter counts as two mistakes, so the rest must match exactly.
  const rest = text.slice(2);
  let left = SIMILAR;
  for (let at = 0; at < words.length && left > 0; at++) {
    const word = words[at];
    if (word.length > text.length + most || word.length < text.length - most) continue;
    if (word !== text && beginsWrong(text, word)) {
      left--;
      take(at);
      continue;
    }
    if (word[0] !== text[0] && (most < 2 || !word.endsWith(rest))) continue;
    if (mistakes(text, word, most) > most) continue;
    left--;
    take(at);
  }
}

const citiesByCode = new WeakMap<NamesTile, Map<string, Set<string>>>();

/** Cities that a tile's addresses have under a postal code: people there may write any of these. */
function citiesUnder(names: NamesTile, postalCode: string): ReadonlySet<string> {
  let codes = citiesByCode.get(names);
  if (!codes) {
    codes = new Map();
    citiesByCode.set(names, codes);
    for (let entry = 0; entry < names.count; entry++) {
      const code = names.postalCode(entry);
      if (names.kinds[entry] !== 0 || code === "") continue;
      const { city, borough } = names.context(entry);
      const cities = codes.get(code) ?? new Set();
      for (const name of [city, borough]) if (name !== "") cities.add(cityKey(name));
      codes.set(code, cities);
    }
  }
  return codes.get(postalCode) ?? NONE;
}
const NONE: ReadonlySet<string> = new Set();

function knowsPlace(names: NamesTile, sought: Sought): boolean {
  const { city, postalCode, stateCode } = sought;
  for (let entry = 0; entry < names.count; entry++) {
    if (names.kinds[entry] !== 0 || !names.hasDetails(entry)) continue;
    if (postalCode !== "" && names.postalCode(entry) === postalCode) return true;
    const context = names.context(entry);
    if (isIn(context, sought) && context.stateCode === stateCode && agreesOnCity(context, city) === true) return true;
  }
  return false;
}
