import type { Coordinate } from "../../geo/coordinate.ts";
import { distance, haversine } from "../../geo/distance.ts";
import { GRID, type House } from "../entry.ts";
import { houseId } from "../index/address-id.ts";
import type { AddressIndex } from "../index/address-index.ts";
import { BUDGET } from "../index/budget.ts";
import { nameKey, namesOf } from "../index/tile-names.ts";
import { type ParsedQuery, parseQuery } from "../parse/query.ts";
import { tokensOf } from "../words/normalise.ts";
import { isSameStreet } from "../words/same-street.ts";
import { findAnchors } from "./anchors.ts";
import { aroundCrossing, findCrossings } from "./crossing.ts";
import { findHouse, housesAround } from "./find-house.ts";
import type { Found } from "./found.ts";
import {
  type Confidence,
  type Hit,
  IndexSearch,
  isComplete,
  isInArea,
  isLargeAirport,
  layerOf,
  type SearchOptions,
} from "./index-search.ts";
import type { Anchor } from "./named-region.ts";
import { numbersNearby } from "./numbers-nearby.ts";
import { scoreOf } from "./rank.ts";
import { reachOf } from "./towns.ts";

export { BUDGET } from "../index/budget.ts";
export type { Found } from "./found.ts";
export { LAYERS, type Layer, type SearchOptions } from "./index-search.ts";

/** When more than this share of an address is unknown words, its house number is not searched for. */
const DOUBT = 0.3;
/** Results farther from the caller are elsewhere [m]. */
const FAR_OFF = 50_000;
/** The most streets whose house numbers are read. */
const STREETS = 60;

/** Results of a search, and the regions that the text names: results of other words for it may not be outside them. */
export interface Searched {
  found: Found[];
  anchors: readonly Anchor[];
}

/** Returns addresses, places and regions that match a text, the best first. */
export async function search(indexes: readonly AddressIndex[], text: string, options: SearchOptions): Promise<Found[]> {
  return (await searchNamed(indexes, text, options)).found;
}

/** Like `search`; `anchors` is empty if the text is two streets that meet. */
export async function searchNamed(
  indexes: readonly AddressIndex[],
  text: string,
  options: SearchOptions,
): Promise<Searched> {
  const query = parseQuery(text, options.open);
  if (query.words.length === 0 || options.limit < 1) return NOTHING;
  const crossings = options.layers.has("address") ? query.crossings : [];
  for (const { streets } of crossings) {
    const met = await findCrossings(indexes, streets, options, false);
    if (met.length > 0) return { found: met.slice(0, options.limit), anchors: [] };
  }
  const [searched, numbers] = await Promise.all([
    searchWords(indexes, query, options),
    numbersNearby(indexes, query, options),
  ]);
  const { found, anchors } = searched;
  if (numbers.length > 0) return { found: withNumbers(found, numbers, options), anchors };
  const [likely] = crossings;
  if (!likely?.sure || found.some(({ confidence }) => confidence === "exact")) return searched;
  if (isOneName(likely.streets, anchors)) return searched;
  const misspelt = await findCrossings(indexes, likely.streets, options, true);
  if (misspelt.length > 0) return { found: misspelt.slice(0, options.limit), anchors };
  // A crossing that is not found is at least somewhere on its first street.
  const [first, second] = likely.streets;
  const street = parseQuery(first + aroundCrossing(second), options.open);
  const along = await searchWords(indexes, street, options);
  const all = along.found.length === 0 ? found : along.found;
  return { found: all.map(({ reached: _, ...one }) => ({ ...one, confidence: "fallback" })), anchors };
}

/** Returns whether a region's name contains the end of one text and the beginning of the other: "Bosnia & Herzegovina". */
function isOneName([first, second]: readonly [string, string], anchors: readonly Anchor[]): boolean {
  const [last] = tokensOf(first).slice(-1);
  const [next] = tokensOf(second);
  return anchors.some(({ words }) => words.some((word, i) => word === last && words[i + 1] === next));
}

/** Adds houses around the caller with the typed number: near results first, then by score. */
function withNumbers(found: readonly Found[], numbers: readonly Found[], { limit }: SearchOptions): Found[] {
  const all = [...found, ...numbers].sort((a, b) => Number(isFar(a)) - Number(isFar(b)) || b.score - a.score);
  const isFirst = (one: Found, i: number) => one.id === undefined || all.findIndex(({ id }) => id === one.id) === i;
  return all.filter(isFirst).slice(0, limit);
}

const isFar = ({ distance = 0 }: Found) => distance > FAR_OFF;

const NOTHING: Searched = { found: [], anchors: [] };

async function searchWords(
  indexes: readonly AddressIndex[],
  query: ParsedQuery,
  options: SearchOptions,
): Promise<Searched> {
  if (query.words.length === 0) return NOTHING;
  const searches = indexes.map((index) => new IndexSearch(index, query, options));
  // The regions at the end of an address do not resolve it without a position: opening both together saves a round
  // trip.
  const atOnce = !options.near && !options.open && query.words.some(({ number }) => number);
  await Promise.all(
    searches.flatMap((one) => (atOnce ? [one.openAround(), one.openByWords(false)] : [one.openAround()])),
  );
  // A town may have different names in different builds, and another one in the addresses there.
  const towns = searches.flatMap((one) => one.towns());
  const anchors = findAnchors(query.words, [...new Set(searches.flatMap((one) => one.heads))]);
  for (const one of searches) {
    one.expectTowns(towns);
    one.stayWithin(anchors);
  }
  return { found: await resultsInTurns(searches, query, options, anchors), anchors };
}

/** Opens more tiles, and then allows typos, until the results are complete. */
async function resultsInTurns(
  searches: readonly IndexSearch[],
  query: ParsedQuery,
  options: SearchOptions,
  anchors: readonly Anchor[],
): Promise<Found[]> {
  let found = await results(searches, query, options, false);
  // While a text is typed around a point, a distant town with this prefix does not affect nearby results.
  const { open } = options;
  const isDone = (one: Answer) => isSettled(one, open);
  if (found.some((one) => isDone(one) && !(open && isFar(one)))) return pick(found, query, options, anchors);
  // If the street or its number is missing, it may be in other tiles; and after that it may be misspelled.
  await Promise.all(searches.map((one) => one.openByWords(false)));
  found = await results(searches, query, options, false);
  if (found.some(isDone)) return pick(found, query, options, anchors);
  if (found.some(({ complete }) => complete)) {
    if (!query.words.some(({ number }) => number)) return pick(found, query, options, anchors);
    // The street is known but its number is not: a long street is in more tiles than were opened.
    await Promise.all(searches.map((one) => one.openByWords(false)));
    return pick(await results(searches, query, options, false), query, options, anchors);
  }
  const likelyRegion = !options.open || (found.length === 0 && query.words.length <= 3);
  await Promise.all(searches.flatMap((one) => [one.openByWords(true), likelyRegion ? one.openSimilar() : undefined]));
  found = await results(searches, query, options, true);
  if (found.some(isDone) || !query.words.some(({ number }) => number)) return pick(found, query, options, anchors);
  await Promise.all(searches.map((one) => one.openByWords(true)));
  return pick(await results(searches, query, options, true), query, options, anchors);
}

/**
 * Returns whether no better result is possible elsewhere: every word matches, and the number, if requested, exists. Another
 * tile may have the whole name where these are only the beginning of a longer one: Gioia, and Gioia Tauro.
 */
function isSettled({ complete, confidence, spelt, number }: Answer, open: boolean): boolean {
  return complete && confidence === "exact" && (open || spelt || number !== undefined);
}

/** Here `exact` means that everything in the query matched; for the reported value see `confidenceOf`. */
interface Answer extends Found {
  complete: boolean;
  /** Letter for letter, but for spelling rules. */
  spelt: boolean;
  /** The words of its name. */
  key: string;
  /** Its name is the whole query. */
  whole: boolean;
  /** From the blocks of regions: a place there is an airport of the world base. */
  base: boolean;
  importance: number;
}

async function results(
  searches: readonly IndexSearch[],
  query: ParsedQuery,
  options: SearchOptions,
  typos: boolean,
): Promise<Answer[]> {
  const hits: Hit[] = [];
  for (const one of searches) for (const hit of await one.hits(typos)) hits.push(hit);
  const best = strongest(hits, query, options);
  const found = await Promise.all(best.map((hit) => answerOf(hit, best, query, options)));
  return found.filter((one) => one !== undefined);
}

/** The best hits, by score; regions and places apart from streets, so that neither displaces the other. */
function strongest(hits: Hit[], query: ParsedQuery, options: SearchOptions): Hit[] {
  for (const hit of hits) hit.score = score(hit, options);
  const anyComplete = hits.some(isComplete);
  const isFine = ({ names, entry }: Hit) => names.kinds[entry] < 2;
  const plausible = hits.filter((hit) => hit.anchor || isPlausible(hit, anyComplete, options));
  // Where regions only fit the end of an unknown address, those that fit the most of it.
  const least = plausible.reduce((min, hit) => (isFine(hit) ? min : Math.min(min, hit.missing)), 1) + 0.02;
  // If nothing fits well, a street whose full name is in the text is better than no result.
  const sorted = (plausible.length > 0 ? plausible : hits.filter(isNamed))
    .filter((hit) => isFine(hit) || options.open || hit.anchor || hit.missing <= least)
    .sort((a, b) => b.score - a.score || a.tile - b.tile || a.entry - b.entry);
  const streets = sorted
    .filter(({ names, entry }) => names.kinds[entry] === 0)
    .slice(0, Math.max(STREETS, options.limit * 2));
  const others = sorted.filter(({ names, entry }) => names.kinds[entry] !== 0);
  const { near } = options;
  if (near && options.open && isShortPrefix(query)) {
    const isNear = (hit: Hit) => distance(near, positionOf(hit)) <= FAR_OFF;
    others.sort((a, b) => Number(isNear(b)) - Number(isNear(a)));
  }
  return [...streets, ...others.slice(0, options.limit * 2 + 4)];
}

/**
 * A street is only a result if most of the query fits it; a region also if it is only the end of an unknown address.
 */
function isPlausible(hit: Hit, anyComplete: boolean, { open }: SearchOptions): boolean {
  const fine = hit.names.kind(hit.entry) === "street" || hit.names.kind(hit.entry) === "place";
  if (isLargeAirport(hit)) return true;
  // "22105 Jamaica Avenue" is not in ZIP code 22105.
  if (hit.tile === -1 && hit.names.kind(hit.entry) === "postalCode" && !hit.complete && (hit.nameWords & 1) === 1)
    return false;
  if (fine && !hit.telling && !hit.complete && hit.missing > 0.15) return false;
  if (fine) return hit.missing <= (anyComplete ? 0.2 : 0.4) && hit.coverage >= (open ? 0.2 : 0.5);
  if (open) return hit.complete || (!anyComplete && hit.missing <= 0.5);
  // "Gozo beach" is not in Gózd: a short word with a typo is no evidence next to words that fit nothing.
  const isGuess = hit.nameWords === 0 && hit.names.name(hit.entry).length < MIN_GUESSED_LETTERS;
  return (hit.coverage >= 0.99 && !isGuess) || hit.complete;
}

/** A region with a shorter name is not recognized with a typo if other words of the query fit nothing. */
const MIN_GUESSED_LETTERS = 6;

const isNamed = ({ names, entry, named, telling, missing }: Hit) =>
  names.kinds[entry] < 2 && named !== undefined && telling && missing <= 0.6;

const AROUND_UNKNOWN = { text: 0.3, confirmed: 1, missing: 0.6 };

function score(hit: Hit, { near, countries }: SearchOptions): number {
  const { names, entry } = hit;
  const distance =
    near && haversine(near.latitude, near.longitude, names.latitudes[entry] / GRID, names.longitudes[entry] / GRID);
  const rank = countries?.indexOf(names.context(entry).countryCode) ?? 0;
  // Around an unknown address, words of a street's name do not make one city of a name likelier than another.
  const known = hit.anchor && !hit.complete ? AROUND_UNKNOWN : hit;
  return scoreOf({
    text: isLargeAirport(hit) ? Math.max(hit.text, AIRPORT_TEXT) : known.text,
    confirmed: known.confirmed,
    missing: known.missing,
    distance,
    importance: names.importances[entry] / 255,
    countryRank: rank,
  });
}

/** How well words of a large airport's name alone fit it. */
const AIRPORT_TEXT = 0.99;

async function answerOf(
  hit: Hit,
  all: readonly Hit[],
  query: ParsedQuery,
  options: SearchOptions,
): Promise<Answer | undefined> {
  const { names, entry } = hit;
  const kind = names.kind(entry);
  const other = names.nameIn(entry, options.language);
  const found: Answer = {
    layer: layerOf(kind),
    kind,
    name: other ?? names.name(entry),
    key: other === undefined ? nameKey(names, entry) : tokensOf(other).join(" "),
    context: names.context(entry),
    postalCode: names.postalCode(entry),
    location: positionOf(hit),
    confidence: hit.complete ? "exact" : "fallback",
    score: hit.score,
    complete: isComplete(hit),
    spelt: hit.spelt,
    whole: hit.named?.[0] === 0 && hit.named[1] === query.words.length,
    base: hit.tile === -1,
    importance: names.importances[entry] / 255,
    ...(kind === "locality" && {
      town: {
        names: namesOf(names, entry).map(({ words }) => words),
        reach: reachOf(names.importances[entry]),
      },
    }),
  };
  if (hit.house !== undefined) {
    // A house number on a different street, whose name the query has only in part, is no answer.
    const isThis = hit.complete || hit.otherType || (hit.coverage >= 0.99 && hit.missing <= DOUBT);
    const houses = isThis ? await housesOf(hit, all, hit.house) : [];
    const plain = findHouse(houses, hit.house, found.context.countryCode);
    const stair = query.stair && plain?.confidence !== "exact" ? findHouse(houses, query.stair.number) : undefined;
    const byStair = stair?.confidence === "exact";
    const house = byStair ? stair : plain;
    if (house?.confidence === "exact" && !(await hasHouse(hit, hit.house, house.number))) return undefined;
    if (house) {
      found.number = house.number;
      found.location = house.location;
      found.confidence = house.confidence;
      if (house.confidence === "exact") found.id = houseId(names, entry, house.number, house.location);
      found.score += house.confidence === "exact" ? 0.1 : 0.03;
      const unit = byStair ? query.stair?.unit : (query.unit ?? house.unit);
      if (unit !== undefined) found.unit = unit;
    } else {
      found.confidence = "fallback";
      found.score -= 0.08;
    }
  }
  if (!isInArea(found.location, options)) return undefined;
  if (options.near) {
    const { near } = options;
    found.distance = haversine(near.latitude, near.longitude, found.location.latitude, found.location.longitude);
  }
  return found;
}

function positionOf({ names, entry }: Hit): Coordinate {
  return { latitude: names.latitudes[entry] / GRID, longitude: names.longitudes[entry] / GRID };
}

/** Parts of one street are in several tiles, and under several postal codes: a number is looked up in all of them. */
async function housesOf(hit: Hit, all: readonly Hit[], requested: string): Promise<House[]> {
  const own = streetKey(hit);
  const parts = [hit];
  for (const other of all) {
    if (parts.length === BUDGET.houses) break;
    if (other !== hit && other.names.kinds[other.entry] === 0 && streetKey(other) === own) parts.push(other);
  }
  return (await Promise.all(parts.map((part) => ownHouses(part, requested)))).flat();
}

/** The houses of this part of the street around the number; read once. */
function ownHouses(hit: Hit, requested: string): Promise<readonly House[]> {
  hit.houses ??= hit.index
    .details(hit.tile, hit.names, hit.entry, housesAround(requested, hit.names.context(hit.entry).countryCode))
    .then(({ houses }) => houses);
  return hit.houses;
}

/** Returns whether the number is in this part of the street. If not, another part may have it. */
async function hasHouse(hit: Hit, requested: string, found: string): Promise<boolean> {
  return (await ownHouses(hit, requested)).some(({ number }) => number.text === found);
}

function streetKey(hit: Hit): string {
  if (hit.key === undefined) {
    const { city, stateCode, countryCode } = hit.names.context(hit.entry);
    hit.key = `${nameKey(hit.names, hit.entry)}\n${city}\n${stateCode}\n${countryCode}`;
  }
  return hit.key;
}

/**
 * The best results without duplicates: the parts of a street are one street, and a house from two sources is one house.
 */
function pick(
  found: Answer[],
  query: ParsedQuery,
  { limit, open }: SearchOptions,
  anchors: readonly Anchor[],
): Found[] {
  const anchored = !open && anchors.length > 0;
  const sorted = found.sort(
    (a, b) => b.score - a.score || (a.distance ?? 0) - (b.distance ?? 0) || compare(a.name, b.name),
  );
  if (open && isShortPrefix(query)) putNearFirst(sorted);
  if (open) putNamedCityFirst(sorted, query);
  putTownsFirst(sorted);
  putStreetsFirst(sorted);
  if (!open) putExactFirst(sorted);
  const exact = sorted.some(({ confidence, complete }) => complete && confidence !== "fallback");
  const out: Answer[] = [];
  for (const one of sorted) {
    if (out.length === limit) break;
    // A street that is not in the data is in one of the cities of this name, not in all of them.
    if (anchored && out.length > 0 && isNamesake(one, out[0])) continue;
    // A complete match of a complete query makes regions around an unknown address unnecessary.
    if (!open && exact && one.confidence === "fallback") continue;
    if (!out.some((other) => isSame(one, other) || isSameAirport(one, other))) out.push(one);
  }
  return out.map(({ complete: _, key: __, base: ___, whole: ____, spelt, ...one }) => ({
    ...one,
    confidence: confidenceOf({ ...one, spelt }),
    ...(one.confidence !== "fallback" && { reached: true as const }),
  }));
}

/** The longest text that is the beginning of too many names to tell a far one from a near one. */
const MAX_SHORT_PREFIX = 4;

const isShortPrefix = ({ words }: ParsedQuery) =>
  words.length === 1 && words[0].unfinished && words[0].text.length <= MAX_SHORT_PREFIX;

/** Few letters near a point begin a near name rather than a far one, unless they are a name: Rome, Oslo. */
function putNearFirst(sorted: Answer[]): void {
  const isNearOrNamed = (one: Answer) => !isFar(one) || (one.complete && one.confidence === "exact" && one.spelt);
  const far = sorted.filter((one) => !isNearOrNamed(one));
  sorted.splice(0, sorted.length, ...sorted.filter(isNearOrNamed), ...far);
}

/** Shorter texts are too often only the beginning of what is typed. */
const MIN_CITY_LETTERS = 4;
/** Importance of a city of some 50,000 people. */
const MIN_CITY_IMPORTANCE = 150 / 255;

/** A city whose name was typed comes before near names that only begin so: Paris before Pariser Weg. */
function putNamedCityFirst(sorted: Answer[], { words }: ParsedQuery): void {
  if (words.length === 1 && words[0].text.length < MIN_CITY_LETTERS) return;
  const isNamed = ({ complete, spelt, confidence }: Answer) => complete && spelt && confidence === "exact";
  const at = sorted.findIndex((one) => !isNamed(one));
  const city = sorted.findIndex(
    (one) => one.kind === "locality" && one.importance >= MIN_CITY_IMPORTANCE && isNamed(one),
  );
  if (at >= 0 && city > at) sorted.splice(at, 0, ...sorted.splice(city, 1));
}

/** A street comes before a stop or another place with its name near it. */
function putStreetsFirst(sorted: Answer[]): void {
  for (let at = 0; at < sorted.length; at++) {
    const place = sorted[at];
    if (place.kind !== "place") continue;
    const isIts = ({ kind, key, location }: Answer) =>
      kind === "street" && key === place.key && distance(location, place.location) < SAME_STREET;
    const street = sorted.findIndex((one, i) => i > at && isIts(one));
    if (street > at) sorted.splice(at, 0, ...sorted.splice(street, 1));
  }
}

/**
 * A street or place that has the words as they are written comes before one that only has words like them, or the town's
 * name among them: "Bank of America" before Bank Street, Milano Cadorna before Cadorna in Milan.
 */
function putExactFirst(sorted: Answer[]): void {
  const isExact = ({ complete, spelt, confidence }: Answer) => complete && spelt && confidence === "exact";
  const slots = sorted.flatMap(({ kind, base }, i) => (!base && (kind === "street" || kind === "place") ? [i] : []));
  const fine = slots.map((i) => sorted[i]);
  const exact = fine.filter(isExact);
  for (let at = 0; at < exact.length; at++) {
    const place = exact[at];
    if (place.kind !== "place" || place.whole) continue;
    const isLonger = ({ kind, whole, location }: Answer) =>
      kind === "place" && whole && distance(location, place.location) < SAME_STREET;
    const whole = exact.findIndex((one, i) => i > at && isLonger(one));
    if (whole > at) exact.splice(at, 0, ...exact.splice(whole, 1));
  }
  const ordered = [...exact, ...fine.filter((one) => !isExact(one))];
  for (const [n, i] of slots.entries()) sorted[i] = ordered[n];
}

/** Importance of a town of some 3,000 people (settlements.ts). */
const MIN_TOWN_IMPORTANCE = 110 / 255;
/** A smaller town is the seat of an area whose center is this near [m]. */
const SAME_CENTER = 5_000;

/** A town comes before the state or country that has its name and contains it: Schaan, Luxembourg. */
function putTownsFirst(sorted: Answer[]): void {
  const isNamed = ({ complete, spelt }: Answer) => complete && spelt;
  const at = sorted.findIndex(
    (one) => (one.kind === "state" || one.kind === "country") && (isNamed(one) || !one.complete),
  );
  if (at < 0) return;
  const area = sorted[at];
  // Around an unknown address, too: "Spital Vaduz".
  const isNamesake = (one: Answer) => (isNamed(area) ? isNamed(one) : !one.complete && one.key === area.key);
  const town = sorted.findIndex(
    (one) =>
      one.kind === "locality" &&
      isNamesake(one) &&
      (one.importance >= MIN_TOWN_IMPORTANCE || distance(one.location, area.location) < SAME_CENTER) &&
      one.context.countryCode === area.context.countryCode &&
      (area.kind === "country" ||
        one.context.stateCode === area.context.stateCode ||
        (one.context.stateCode === "" && distance(one.location, area.location) < NAMESAKES_APART)),
  );
  if (town > at) sorted.splice(at, 0, ...sorted.splice(town, 1));
}

/** Regions of one name farther apart than this are different ones [m]. */
const NAMESAKES_APART = 100_000;

/** Returns whether both are only regions around an unknown address, far from each other. */
function isNamesake(one: Answer, first: Answer): boolean {
  if (one.complete || one.kind === "street" || one.kind === "place") return false;
  return distance(one.location, first.location) > NAMESAKES_APART;
}

/**
 * The reported confidence of a result: a house whose street or town was misspelled, or with an unmatched word, is a
 * guess like one between two numbers; a street, place or region that the query names only in part is a fallback.
 */
function confidenceOf({ confidence, spelt, number }: Pick<Answer, "confidence" | "spelt" | "number">): Confidence {
  if (confidence !== "exact" || spelt) return confidence;
  return number === undefined ? "fallback" : "interpolated";
}

/**
 * An airport of the world base data is the same as one of an import, which may have another name, within this distance
 * [m].
 */
const SAME_AIRPORT = 4000;

function isSameAirport(a: Answer, b: Answer): boolean {
  if (a.kind !== "place" || b.kind !== "place" || a.base === b.base) return false;
  const apart = haversine(a.location.latitude, a.location.longitude, b.location.latitude, b.location.longitude);
  return a.spelt === b.spelt && apart < SAME_AIRPORT;
}

/** Within this distance the same name is the same thing [m]; regions with the same name are farther apart. */
const SAME_STREET = 5_000;
const SAME_PLACE = 200;
const SAME_REGION = 20_000;

/** Returns whether two results are the same thing, from two tiles or two builds. `key`: the words of the name. */
export function isSame(a: Found & { key: string }, b: Found & { key: string }): boolean {
  if (a.kind !== b.kind || a.number !== b.number) return false;
  // Two builds may call a country or state by different names, and have its middle far apart.
  const { countryCode, stateCode } = a.context;
  if (a.kind === "country" && countryCode !== "") return countryCode === b.context.countryCode;
  if (
    a.kind === "state" &&
    stateCode !== "" &&
    countryCode === b.context.countryCode &&
    stateCode === b.context.stateCode
  )
    return true;
  if (a.key !== b.key && !(a.kind === "street" && a.number !== undefined && isSameStreet(a.name, b.name))) return false;
  const apart = haversine(a.location.latitude, a.location.longitude, b.location.latitude, b.location.longitude);
  if (a.kind === "street") return a.number === undefined ? sameCity(a, b) && apart < SAME_STREET : apart < SAME_PLACE;
  return apart < (a.kind === "place" ? SAME_PLACE : SAME_REGION);
}

/** One part of a street may lack its city. */
const sameCity = (a: Found, b: Found) =>
  a.context.city === b.context.city || a.context.city === "" || b.context.city === "";

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
