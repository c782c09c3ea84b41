import { distance, haversine } from "../../geo/distance.ts";
import { widthOfArea } from "../entry/areas.ts";
import { PATH_IMPORTANCE, PRECISIONS } from "../entry/entry.ts";
import { joined, SAME_HOUSE_METERS } from "../index/same-houses.ts";
import type { ParsedQuery } from "../parse/query.ts";
import { isSameStreet } from "../words/same-street.ts";
import type { Answer } from "./answer.ts";
import type { Found } from "./found.ts";
import type { Confidence, SearchOptions } from "./index-search.ts";

/** Results farther from the caller are elsewhere [m]. */
export const FAR_OFF = 50_000;

export const isFar = ({ distance = 0 }: Found) => distance > FAR_OFF;

/**
 * The best results without duplicates: the parts of a street are one street, and a house from two sources is one house.
 */
export function pick(found: Answer[], query: ParsedQuery, { limit, open }: SearchOptions): Found[] {
  const sorted = found.sort(
    (a, b) => b.score - a.score || (a.distance ?? 0) - (b.distance ?? 0) || compare(a.name, b.name),
  );
  const [likeliest] = sorted;
  const isAsMarked = sorted.some(
    (one) => isRegion(one) && one.complete && !one.marked && confidenceOf(one) === "exact",
  );
  for (const one of sorted) if (isOutweighed(one, likeliest) || (one.marked && isAsMarked)) one.confidence = "fallback";
  if (open && isPrefix(query)) putNearFirst(sorted, isShortPrefix(query) ? FAR_OFF : VERY_FAR_OFF);
  putStreetsFirst(sorted);
  if (!open) putExactFirst(sorted);
  const exact = sorted.some((one) => one.complete && confidenceOf(one) !== "fallback");
  const out: Answer[] = [];
  for (const one of sorted) {
    if (out.length === limit) break;
    // A street that is not in the data is in one of the cities of this name, not in all of them.
    if (!open && out.length > 0 && isNamesake(one, out[0])) continue;
    // A complete match of a complete query makes regions around an unknown address unnecessary.
    if (!open && exact && one.confidence === "fallback") continue;
    // Nor is a part of the text the name of a town on another continent, where all of it is one nearby.
    if (open && exact && !one.complete && (one.distance ?? 0) > VERY_FAR_OFF) continue;
    const same = out.find((other) => isSame(one, other) || isSameAirport(one, other));
    if (same) joinHouse(same, one);
    else out.push(one);
  }
  const isGuess = !open && isAmbiguous(sorted, out[0]);
  return out.map(
    ({
      complete: _,
      key: __,
      base: ___,
      whole: ____,
      airport: _____,
      usual: ______,
      marked: _______,
      spelt,
      ...one
    }) => ({
      ...one,
      confidence: isGuess && isRegion(one) ? "fallback" : confidenceOf({ ...one, spelt }),
      ...(one.confidence !== "fallback" && { reached: true as const }),
    }),
  );
}

/** A region whose score is less than this above that of another one, about three times the people, is one of two readings. */
const MARGIN = 0.5;
/** The same where the first is called so in other languages, formerly or by a code, and the other today: Gaza, and Gasa in Bhutan. */
const USUAL_MARGIN = 2.5;

/** A region that is this much less likely than another one with all words of the text is not exact, although the other one is not either. */
const OUTWEIGHED = 2;

const isOutweighed = (one: Answer, best: Answer) =>
  isRegion(one) &&
  isRegion(best) &&
  best.complete &&
  best.usual &&
  best.score - one.score > OUTWEIGHED &&
  confidenceOf(best) !== "exact";

const isRegion = ({ kind }: Pick<Found, "kind">) => kind !== "street" && kind !== "place";

/** Returns whether the first of several regions with the words of the text is hardly likelier than another, elsewhere: "Fayetteville". */
function isAmbiguous(sorted: readonly Answer[], first: Answer | undefined): boolean {
  if (first === undefined || !isRegion(first)) return false;
  // A country is known more than towns of its name, but Kongo is two.
  const isKnown = first.kind === "country" && first.usual;
  const isIn = (one: Answer) =>
    one.context.countryCode === first.context.countryCode &&
    one.kind !== first.kind &&
    [one, first].some((area) => area.kind === "country" || (area.kind === "state" && !isIsland(area)));
  return sorted.some(
    (one) =>
      isRegion(one) &&
      (!isKnown || one.kind === "country") &&
      one.complete &&
      confidenceOf(one) === "exact" &&
      first.score - one.score < (one.usual && !first.usual ? USUAL_MARGIN : MARGIN) &&
      distance(one.location, first.location) > NAMESAKES_APART &&
      !isIn(one),
  );
}

/** An island or a natural region has no code, and is no unit around the towns of its country: Victoria in British Columbia. */
const isIsland = ({ context, importance }: Answer) =>
  context.stateCode === "" && widthOfArea(Math.round(importance * 255)) !== undefined;

/** The longest text that is the beginning of too many names to tell a far one from a near one. */
const MAX_SHORT_PREFIX = 4;

export const isShortPrefix = (query: ParsedQuery) => isPrefix(query) && query.words[0].text.length <= MAX_SHORT_PREFIX;
const isPrefix = ({ words }: ParsedQuery) => words.length === 1 && words[0].unfinished;

/** What is farther is meant by the beginning of its name only if nothing else is [m]. */
const VERY_FAR_OFF = 1_000_000;

/** A few letters near a point begin a near name rather than a far one, unless they are a name: Rome, Oslo. */
function putNearFirst(sorted: Answer[], most: number): void {
  const isNearOrNamed = (one: Answer) =>
    (one.distance ?? 0) <= most || (one.complete && one.confidence === "exact" && one.spelt);
  const far = sorted.filter((one) => !isNearOrNamed(one));
  sorted.splice(0, sorted.length, ...sorted.filter(isNearOrNamed), ...far);
}

/** A street comes before a path, and both before a stop or another place, with its name near it. */
function putStreetsFirst(sorted: Answer[]): void {
  const isStreet = ({ kind }: Answer) => kind === "street";
  putFirst(sorted, ({ kind }) => kind === "place", isStreet);
  putFirst(sorted, isPath, (one) => isStreet(one) && !isPath(one));
}

/** Puts the nearest later one of the same name before each of some. */
function putFirst(sorted: Answer[], isLower: (one: Answer) => boolean, isHigher: (one: Answer) => boolean): void {
  for (let at = 0; at < sorted.length; at++) {
    const low = sorted[at];
    if (!isLower(low)) continue;
    const isIts = (one: Answer) =>
      isHigher(one) && one.key === low.key && distance(one.location, low.location) < SAME_STREET;
    const high = sorted.findIndex((one, i) => i > at && isIts(one));
    if (high > at) sorted.splice(at, 0, ...sorted.splice(high, 1));
  }
}

const isPath = ({ kind, importance, number }: Answer) =>
  kind === "street" && number === undefined && importance <= PATH_IMPORTANCE / 255;

/** A fallback never stands above what is exact, nor above a house that is between two others. */
function putExactFirst(sorted: Answer[]): void {
  const rank = (one: Answer) =>
    one.airport && one.complete ? 0 : CONFIDENCES.indexOf(one.complete ? confidenceOf(one) : houseOr(one));
  sorted.sort((a, b) => rank(a) - rank(b));
}

/** A house beside words that nothing explains is no more than a guess. */
const houseOr = ({ number, confidence }: Answer): Confidence =>
  number !== undefined && confidence !== "fallback" ? "interpolated" : "fallback";

const CONFIDENCES: readonly Confidence[] = ["exact", "interpolated", "fallback"];

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

/** Another source has the same house: both are named, and the better point is used. */
function joinHouse(one: Answer, other: Answer): void {
  if (one.number === undefined || !other.sources || distance(one.location, other.location) > SAME_HOUSE_METERS) return;
  const isBetter = rankOf(other) < rankOf(one);
  const [first, second] = isBetter ? [other, one] : [one, other];
  const sources = joined(first.sources ?? [], second.sources ?? []);
  if (isBetter) {
    one.location = other.location;
    one.precision = other.precision;
    one.id = other.id ?? one.id;
  }
  one.sources = sources;
}

const rankOf = ({ precision }: Answer): number =>
  precision === undefined || precision === "street" ? PRECISIONS.length : PRECISIONS.indexOf(precision);

/** One part of a street may lack its city. */
const sameCity = (a: Found, b: Found) =>
  a.context.city === b.context.city || a.context.city === "" || b.context.city === "";

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
