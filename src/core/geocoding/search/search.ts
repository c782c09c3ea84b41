import { distance } from "../../geo/distance.ts";
import type { AddressIndex } from "../index/address-index.ts";
import { cityOfCode } from "../parse/origin.ts";
import { type PostalReading, readPostalCode } from "../parse/postal-forms.ts";
import { isLink, type ParsedQuery, parseQuery, type Word } from "../parse/query.ts";
import { endsEnglishName } from "../parse/street-words.ts";
import { tokensOf } from "../words/normalise.ts";
import { countriesOfStreetWord } from "../words/street-languages.ts";
import { type Answer, answerOf, positionOf } from "./answer.ts";
import { aroundCrossing, findCrossings } from "./crossing.ts";
import { evidenceFor } from "./evidence.ts";
import type { Found } from "./found.ts";
import { type Hit, IndexSearch, isComplete, isLargeAirport, type SearchOptions } from "./index-search.ts";
import { isInsideOne } from "./inside.ts";
import { type Anchor, isCode, type Span, spotOf } from "./named-region.ts";
import { numbersNearby } from "./numbers-nearby.ts";
import { FAR_OFF, isFar, isShortPrefix, pick } from "./pick.ts";
import { findSpans } from "./spans.ts";
import { areaContradictionOf, contradictionOf, sumOf } from "./sums.ts";

export type { Found } from "./found.ts";
export { LAYERS, type Layer, type SearchOptions } from "./index-search.ts";

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
  const searched = await searchText(indexes, text, options);
  // A code without a digit is a word: Prag, Genf.
  const isCode = !options.open && /\p{Nd}/u.test(text);
  const codes = isCode ? readPostalCode(text).filter(({ partial }) => !partial) : [];
  const found = searched.found.filter((one) => codes.length === 0 || codes.some((code) => isOfCode(one, code)));
  const around =
    isCode && !found.some(({ reached }) => reached)
      ? await aroundCode(indexes, text, found, searched.anchors, options)
      : [];
  return { ...searched, found: around.length > 0 ? around : found };
}

/** The city of a postal code that is in no data. */
async function aroundCode(
  indexes: readonly AddressIndex[],
  text: string,
  [best]: readonly Found[],
  anchors: readonly Anchor[],
  options: SearchOptions,
): Promise<Found[]> {
  if (!options.layers.has("locality")) return [];
  const city = cityOfCode(text, parseQuery(text, false).words, anchors, best);
  if (city === undefined) return [];
  const { found } = await searchWords(indexes, parseQuery(city, false), {
    ...options,
    layers: new Set(["locality"]),
    limit: 1,
  });
  return found.flatMap(({ reached, ...one }) => (reached ? [{ ...one, confidence: "fallback" as const }] : []));
}

/** Nothing else than a postal code is asked for: "9486, li" is not in Chile, even where no area of the code is known. */
const isOfCode = ({ context, postalCode, name }: Found, { country, code }: PostalReading) =>
  context.countryCode === country ||
  [postalCode, name].some((one) => tokensOf(one).join("") === tokensOf(code).join(""));

async function searchText(indexes: readonly AddressIndex[], text: string, options: SearchOptions): Promise<Searched> {
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
  const spans = findSpans(query.words, [...new Set(searches.flatMap((one) => one.heads))]);
  for (const one of searches) {
    one.expectTowns(towns);
    one.takeSpans(spans);
  }
  const found = await resultsInTurns(searches, query, options, spans);
  return { found, anchors: anchorsOf(spans, found[0]) };
}

/** Opens more tiles, and then allows typos, until the results are complete. */
async function resultsInTurns(
  searches: readonly IndexSearch[],
  query: ParsedQuery,
  options: SearchOptions,
  spans: readonly Span[],
): Promise<Found[]> {
  let found = await results(searches, query, options, spans, false);
  // While a text is typed around a point, a distant town with this prefix does not affect nearby results.
  const { open } = options;
  const isDone = (one: Answer) => isSettled(one, open);
  if (found.some((one) => isDone(one) && !(open && isFar(one)))) return pick(found, query, options);
  // If the street or its number is missing, it may be in other tiles; and after that it may be misspelled.
  await Promise.all(searches.map((one) => one.openByWords(false)));
  found = await results(searches, query, options, spans, false);
  if (found.some(isDone)) return pick(found, query, options);
  if (found.some(({ complete }) => complete)) {
    if (!query.words.some(({ number }) => number)) return pick(found, query, options);
    // The street is known but its number is not: a long street is in more tiles than were opened.
    await Promise.all(searches.map((one) => one.openByWords(false)));
    return pick(await results(searches, query, options, spans, false), query, options);
  }
  const likelyRegion = !options.open || (found.length === 0 && query.words.length <= 3);
  await Promise.all(searches.flatMap((one) => [one.openByWords(true), likelyRegion ? one.openSimilar() : undefined]));
  found = await results(searches, query, options, spans, true);
  if (found.some(isDone) || !query.words.some(({ number }) => number)) return pick(found, query, options);
  await Promise.all(searches.map((one) => one.openByWords(true)));
  return pick(await results(searches, query, options, spans, true), query, options);
}

/**
 * Returns whether no better result is possible elsewhere: every word matches, and the number, if requested, exists. Another
 * tile may have the whole name where these are only the beginning of a longer one: Gioia, and Gioia Tauro.
 */
function isSettled({ complete, confidence, spelt, number }: Answer, open: boolean): boolean {
  return complete && confidence === "exact" && (open || spelt || number !== undefined);
}

async function results(
  searches: readonly IndexSearch[],
  query: ParsedQuery,
  options: SearchOptions,
  spans: readonly Span[],
  typos: boolean,
): Promise<Answer[]> {
  const hits: Hit[] = [];
  for (const one of searches) for (const hit of await one.hits(typos)) hits.push(hit);
  const best = strongest(hits, query, options, spans);
  const found = await Promise.all(best.map((hit) => answerOf(hit, best, query, options)));
  return found.filter((one) => one !== undefined);
}

/** A result that contradicts the regions in the text this much more than the best one is none. */
const MAX_CONTRADICTION = 1.5;
/** The same for countries and states, of which the best result may contradict more than others. */
const MAX_AREA = 5;

/** The best hits, by score; regions and places apart from streets, so that neither displaces the other. */
function strongest(hits: Hit[], query: ParsedQuery, options: SearchOptions, spans: readonly Span[]): Hit[] {
  for (const hit of hits) {
    hit.evidence = evidenceFor(hit, spans, query.words, options);
    hit.score = sumOf(hit.evidence);
  }
  options.observe?.(hits, spans);
  const anyComplete = hits.some(isComplete);
  const likely = hits.filter(
    (hit) => (hit.anchor || isPlausible(hit, anyComplete, options)) && !isAside(hit) && !isOfStreet(hit, query),
  );
  const least = likely.reduce((min, { evidence = {} }) => Math.min(min, areaContradictionOf(evidence)), Infinity);
  const plausible = likely.filter(({ evidence = {} }) => areaContradictionOf(evidence) <= least + MAX_AREA);
  // If nothing fits well, a street whose full name is in the text is better than no result.
  const all = (plausible.length > 0 ? plausible : hits.filter(isNamed)).sort(
    (a, b) => b.score - a.score || a.tile - b.tile || a.entry - b.entry,
  );
  const [first] = all;
  const limit = (first?.evidence ? contradictionOf(first.evidence) : 0) + MAX_CONTRADICTION;
  const sorted = all.filter(({ evidence = {} }) => contradictionOf(evidence) <= limit);
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

/** The regions that the text names, of codes only those that the best result is in, for callers that search again with other words. */
function anchorsOf(spans: readonly Span[], best: Found | undefined): Span[] {
  const out: Span[] = [];
  let taken = 0;
  for (const span of spans) {
    if (span.strength < MIN_ANCHOR || span.mask & taken) continue;
    // "12 Oak St NE, Salem" is not in Nebraska.
    if (best && isCode(span) && !isInsideOne(spotOf(best), span)) continue;
    taken |= span.mask;
    out.push(span);
  }
  return out.sort((a, b) => a.from - b.from);
}

const MIN_ANCHOR = 0.3;

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

/** A region that a word where no region stands may mean, beside words that mean nothing, is none: Iceland of "Mill Island". */
const isAside = ({ evidence: { misplaced = 0, unexplained = 0, line = 0 } = {} }: Hit) =>
  misplaced > MAX_MISPLACED && unexplained + line > 0.3;
const MAX_MISPLACED = 0.9;

/**
 * "Main Street" is not a town called Main: where a part of the text has only a kind of street next to the name of a region, and a number,
 * the name is that of the street. "Calle 10 Medellín" is a street in Medellín.
 */
function isOfStreet({ names, entry, owned, missed }: Hit, { words }: ParsedQuery): boolean {
  if (names.kinds[entry] < 2 || owned === 0) return false;
  const first = Math.log2(owned & -owned);
  const isOwned = (i: number) => (owned & (1 << i)) !== 0;
  // "50 Oxford Street, Oxford"
  if (words.some(({ text }, i) => text === words[first].text && !isOwned(i))) return false;
  let isStreet = false;
  for (let i = 0; i < words.length; i++) {
    const { segment, number, weight } = words[i];
    if (segment !== words[first].segment || isOwned(i)) continue;
    if (!(missed & (1 << i)) || (!number && weight > 0.5)) return false;
    let next = i + 1;
    while (next < first && isLink(words[next].text)) next++;
    if (isOwned(i - 1) ? isStreetBehind(words[i]) : isOwned(next) && isStreetBefore(words[i])) isStreet = true;
  }
  return isStreet;
}

/** What is still being typed may become another word. */
const isStreetBehind = ({ text, unfinished }: Word) =>
  (!unfinished || text.length > 3) && (endsEnglishName(text) || countriesOfStreetWord(text) !== undefined);
const isStreetBefore = ({ text }: Word) => countriesOfStreetWord(text) !== undefined;

/** A region with a shorter name is not recognized with a typo if other words of the query fit nothing. */
const MIN_GUESSED_LETTERS = 6;

const isNamed = ({ names, entry, named, telling, missing }: Hit) =>
  names.kinds[entry] < 2 && named !== undefined && telling && missing <= 0.6;
