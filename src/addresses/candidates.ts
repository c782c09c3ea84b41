import type { AddressIndex } from "../geocoding/address-index.ts";
import type { Context, House } from "../geocoding/entry.ts";
import { findHouse, housesAround } from "../geocoding/find-house.ts";
import { houseNumberKey } from "../geocoding/house-number.ts";
import type { NamesTile } from "../geocoding/names-tile.ts";
import { tokensOf } from "../geocoding/normalise.ts";
import { type StreetParts, streetParts } from "../geocoding/north-america/street-name.ts";
import { tokensOfLine, wordsAs } from "../geocoding/north-america/tokens.ts";
import type { Country } from "../geocoding/north-america/words.ts";
import { pairsOf, parseQuery, type Word } from "../geocoding/query.ts";
import { mistakes } from "../geocoding/typo.ts";
import { compareStreets, type StreetDifference } from "./compare-street.ts";

/** What is looked for. */
export interface Sought {
  country: Country;
  number: string;
  /** Readings of the street, the likeliest first. */
  streets: readonly StreetParts[];
  city: string;
  stateCode: string;
  /** As printPostalCode writes it. */
  postalCode: string;
}

/** A street of the data that may be meant, in the place that was named. */
export interface Candidate {
  /** Does it fit only when a mistake in the suffix or direction is put right? */
  repaired: boolean;
  street: StreetParts;
  difference: StreetDifference;
  context: Context;
  postalCode: string;
  /** Does the record's code agree? "unknown" where it has none. */
  postalCodeAgrees: boolean | "unknown";
  cityAgrees: boolean | "unknown";
  index: AddressIndex;
  tile: number;
  names: NamesTile;
  entry: number;
}

/** Tiles that one question may open, by all its words and by its place: a bound on its work, with BLOCKS of the word index. */
export const TILES = 8;
/** Words of a tile that one word may stand for with mistakes. */
const SIMILAR = 40;
/** Streets whose house numbers are read, best first. */
const STREETS = 24;

export interface Search {
  candidates: Candidate[];
  /** Is there any address of the city or postal code in the data? */
  placeKnown: boolean;
}

/** Streets that fit, exactly written ones first; only where there are none, with mistakes. */
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

const placeCost = (agrees: boolean | "unknown", wrong: number) =>
  agrees === true ? 0 : agrees === false ? wrong : 0.4;

async function lookInto(index: AddressIndex, sought: Sought): Promise<Search> {
  const street = wordsOf(sought.streets[0]?.name ?? "");
  const place = wordsOf(`${sought.city} ${sought.stateCode} ${sought.postalCode}`);
  const opened = new Map<number, NamesTile>();
  const open = async (words: readonly Word[]) => {
    if (words.length === 0) return;
    const found = await index.tilesWith({ words, pairs: pairsOf(words) }, TILES, false);
    const tiles = found.map(({ tile }) => tile).filter((tile) => !opened.has(tile));
    const names = await Promise.all(tiles.map((tile) => index.names(tile)));
    for (const [i, tile] of tiles.entries()) if (names[i]) opened.set(tile, names[i]);
  };
  await open([...street, ...place]);
  const collect = (typos: boolean) =>
    [...opened].flatMap(([tile, names]) => streetsIn(index, tile, names, sought, typos));
  let candidates = collect(false);
  if (!candidates.some(({ difference }) => difference.penalty < 1.5)) {
    await open(place);
    candidates = collect(true);
  }
  const placeKnown = candidates.length > 0 || [...opened.values()].some((names) => knowsPlace(names, sought));
  return { candidates, placeKnown };
}

const wordsOf = (text: string) => parseQuery(text, false).words;

/** Entries of a tile whose names have a word of the street, compared as wholes. */
function streetsIn(index: AddressIndex, tile: number, names: NamesTile, sought: Sought, typos: boolean): Candidate[] {
  const seen = new Set<number>();
  for (const street of sought.streets) for (const entry of entriesWith(names, street.name, typos)) seen.add(entry);
  const out: Candidate[] = [];
  for (const entry of seen) {
    const context = names.context(entry);
    if (names.kinds[entry] !== 0 || context.countryCode !== sought.country) continue;
    const postalCode = names.postalCode(entry);
    const postalCodeAgrees = postalCode === "" ? "unknown" : postalCode === sought.postalCode;
    const cityAgrees = agreesOnCity(context, sought.city);
    const sameState = context.stateCode === "" || context.stateCode === sought.stateCode;
    // The same name somewhere else is another street.
    if (postalCodeAgrees !== true && !(cityAgrees === true && sameState)) continue;
    const best = nearest(names, entry, context.stateCode, sought);
    if (!best) continue;
    out.push({ ...best, context, postalCode, postalCodeAgrees, cityAgrees, index, tile, names, entry });
  }
  return out;
}

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

function entriesWith(names: NamesTile, name: string, typos: boolean): Set<number> {
  const table = names.words;
  const entries = new Set<number>();
  for (const { text, forms, mistakes: allowed } of wordsOf(name)) {
    for (const form of [text, ...forms]) {
      const at = table.indexOf(form);
      if (at >= 0) table.each(at, (entry) => entries.add(entry));
    }
    if (!typos || allowed === 0) continue;
    let left = SIMILAR;
    for (let at = 0; at < table.words.length && left > 0; at++) {
      if (Math.abs(table.words[at].length - text.length) > 2 || mistakes(text, table.words[at], 2) > 2) continue;
      left--;
      table.each(at, (entry) => entries.add(entry));
    }
  }
  return entries;
}

/** Is the city the record's, or a part of it that people write instead? */
function agreesOnCity({ city, borough }: Context, asked: string): boolean | "unknown" {
  if (city === "" && borough === "") return "unknown";
  return [city, borough].some((name) => name !== "" && cityKey(name) === cityKey(asked));
}

const CITY_WORDS: Record<string, string> = {
  saint: "st",
  sainte: "ste",
  mount: "mt",
  fort: "ft",
  heights: "hts",
  north: "n",
  south: "s",
  east: "e",
  west: "w",
  township: "",
  twp: "",
};
const cityKeys = new Map<string, string>();

/** "Saint Louis" and "St. Louis", "City of San José" and "San Jose" alike. */
export function cityKey(name: string): string {
  let key = cityKeys.get(name);
  if (key === undefined) {
    if (cityKeys.size > 5000) cityKeys.clear();
    const words = tokensOf(name.replace(/-/g, " "));
    const own = words.slice(0, 2).join(" ") === "city of" ? words.slice(2) : words;
    key = own.map((word) => CITY_WORDS[word] ?? word).join("");
    cityKeys.set(name, key);
  }
  return key;
}

function knowsPlace(names: NamesTile, { city, postalCode, stateCode, country }: Sought): boolean {
  for (let entry = 0; entry < names.count; entry++) {
    if (names.kinds[entry] !== 0 || !names.hasDetails(entry)) continue;
    if (names.postalCode(entry) === postalCode) return true;
    const context = names.context(entry);
    if (context.countryCode === country && context.stateCode === stateCode && agreesOnCity(context, city) === true)
      return true;
  }
  return false;
}

/** A house number on a candidate's street. */
export interface AddressRecord {
  candidate: Candidate;
  number: "exact" | "interpolated" | "absent";
  /** As the data writes it; "" when it is not there. */
  houseNumber: string;
  house?: House;
}

/** What the data knows of the number on each of the best candidates. */
export async function lookUpNumber(candidates: readonly Candidate[], asked: string): Promise<AddressRecord[]> {
  const wanted = housesAround(asked);
  const key = houseNumberKey(asked);
  const bare = key.replaceAll("-", "");
  return Promise.all(
    candidates.slice(0, STREETS).map(async (candidate): Promise<AddressRecord> => {
      const { index, tile, names, entry } = candidate;
      const near = await index.details(tile, names, entry, wanted);
      let house = near.houses.find((one) => one.number.key === key && !one.computed);
      // Queens: "21714" for "217-14".
      if (!house && /^\d{4,6}$/.test(bare)) {
        const all = await index.details(tile, names, entry, (first) => bare.startsWith(String(first)) && first > 9);
        house = all.houses.find(
          (one) => one.number.second !== undefined && one.number.key.replaceAll("-", "") === bare,
        );
      }
      if (house) return { candidate, number: "exact", houseNumber: house.number.text, house };
      const between = findHouse(near.houses, asked);
      return { candidate, number: between ? "interpolated" : "absent", houseNumber: "" };
    }),
  );
}
