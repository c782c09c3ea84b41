import { haversine } from "../../geo/distance.ts";
import { widthOfArea } from "../entry/areas.ts";
import { GRID, type Language } from "../entry/entry.ts";
import type { NamesTile } from "../index/names-tile.ts";
import { type Name, namesOf } from "../index/tile-names.ts";
import { foreignIn, originsOf } from "../parse/origin.ts";
import { isLink, type Word } from "../parse/query.ts";
import { beginsStreet, isCompoundStreet, isStrongType } from "../parse/street-words.ts";
import { isSubdivisionCode } from "../parse/subdivision-codes.ts";
import { isKindOfState } from "../words/kinds-of-towns.ts";
import { tokensOf } from "../words/normalise.ts";
import { type Hit, isLargeAirport, type SearchOptions } from "./index-search.ts";
import { confirmsOwn, isInRegion, isOwnCode, isSurelyIn } from "./inside.ts";
import { isCode, type NamedRegion, type Span, type Spot } from "./named-region.ts";
import { CONTINUED, isMajorCode, kindOf } from "./spans.ts";
import type { Evidence } from "./sums.ts";
import { reachOf } from "./towns.ts";

/** Importance is 32 times the decimal logarithm of people (settlements.ts). */
const PER_DECADE = 32;
/** A country is known like a city of so many people, and more than a state or a city of its name: Mexico. */
const AREA_DECADES = 7;
const MAX_DECADES = 7.4;
/** The number of the kind. */
const COUNTRY = 6;
const STATE = 5;
const POSTAL_CODE = 3;
/** Distances below this are next to the caller [m]. */
const NEXT_TO = 20_000;

/** How well known the town of a street is, if the text does not name it. */
const UNKNOWN_DECADES = 4;

/** What the text and the caller say about a hit, without its house. */
export function evidenceFor(
  hit: Hit,
  spans: readonly Span[],
  words: readonly Word[],
  options: SearchOptions,
): Evidence {
  const { names, entry } = hit;
  const kind = names.kinds[entry];
  const isRegion = kind > 1;
  const importance = names.importances[entry];
  const out: Evidence = {
    unexplained: hit.lost,
    misfit: hit.misfit,
    uncovered: 1 - (isRegion && hit.coverage < 0.999 && isContinued(hit) ? hit.lead : hit.coverage),
    ...(hit.turned && { turned: 1 }),
  };
  if (isRegion || (hit.tile === -1 && kind === 1)) {
    out.population = Math.min(kind < STATE ? MAX_DECADES : AREA_DECADES, importance / PER_DECADE);
    if (isRegion) {
      nameEvidence(hit, spans, words, options.language, out);
      lineEvidence(hit, words, out);
      if (kind > 3 && isAfterStreet(hit, words))
        out.areaLine = (out.line ?? 0) * (1 - townBeside(hit, spans)) * townCalledSo(hit, spans);
      const width = kind === STATE ? widthOfArea(importance) : undefined;
      if (width !== undefined) {
        out[names.context(entry).stateCode === "" ? "island" : "state"] = 1;
        out.stateSize = Math.min(1, width / 1_000_000);
      }
    } else {
      out.airport = 1;
      if (isLargeAirport(hit)) out.uncovered = 0;
    }
  } else if (kind === 1) {
    out.place = 1;
    out.placeKnown = importance / 255;
    if (hit.owned === (1 << words.length) - 1) out.wholeName = 1;
    out.population = UNKNOWN_DECADES;
  } else {
    out.street = 1;
    out.population = UNKNOWN_DECADES;
    if (importance > 0) out.wide = Math.min(1, importance / 255);
  }
  regionEvidence(hit, spans, words, out);
  originEvidence(hit, words, out);
  const { near, countries } = options;
  if (near) {
    const away = haversine(
      near.latitude,
      near.longitude,
      names.latitudes[entry] / GRID,
      names.longitudes[entry] / GRID,
    );
    out.distance = Math.log(1 + away / NEXT_TO);
  }
  if (countries) out.countryRank = Math.max(0, countries.indexOf(names.context(entry).countryCode));
  return out;
}

/** Returns whether the text has the words of a region's name before "am", "an der": Frankfurt of Frankfurt am Main. */
function isContinued({ names, entry, name, lead, coverage }: Hit): boolean {
  return names.kind(entry) === "locality" && lead > coverage && name.words.some((word) => CONTINUED.has(word));
}

/** Words before a region are probably an address that no import has: they count less against the region than words after it. */
function lineEvidence({ missed, owned, lost }: Hit, words: readonly Word[], out: Evidence): void {
  const first = owned === 0 ? words.length : Math.log2(owned & -owned);
  const { segment } = words[Math.min(first, words.length - 1)];
  let line = 0;
  // Words right before the name, in its own part after a comma, are of a longer name.
  const isLine = (word: Word) => segment === 0 || word.segment < segment || /\d/.test(word.text);
  for (let i = 0; i < first; i++) if (missed & (1 << i) && isLine(words[i])) line += words[i].weight;
  line = Math.min(line, lost);
  out.unexplained = lost - line;
  out.line = Math.min(MAX_LINE, line);
}

/**
 * Returns whether what is right before a region is an address: with a number, or a word for a street. Other words are a town that no list has:
 * "Port Morant, Jamaica" is not in Jamaica, New York.
 */
function isAfterStreet({ owned }: Hit, words: readonly Word[]): boolean {
  const first = owned === 0 ? words.length : Math.log2(owned & -owned);
  const before = words.slice(0, first);
  const last = before.at(-1)?.segment;
  const isStreet = (text: string) => isStrongType(text) || beginsStreet(text, text) || isCompoundStreet(text);
  return before.some(({ segment, number, text }) => segment === last && (number || isStreet(text)));
}

/** A town of an area's name that hardly anyone knows is not meant instead of it [decades]: Brazil in Indiana. */
const LITTLE_KNOWN = 4;
const WELL_KNOWN = 5.5;

/** How well known the largest town of an area's name is, up to 1: with an address before it, Luxembourg is rather the city. */
function townCalledSo({ nameWords }: Hit, spans: readonly Span[]): number {
  let most = 0;
  for (const { mask, regions } of spans)
    if (mask === nameWords)
      // Juba is Cuba in Turkish.
      for (const { kind, importance, by } of regions)
        if (kind === "locality" && by !== "language" && by !== "other") most = Math.max(most, importance / PER_DECADE);
  return Math.max(0.4, Math.min(1, (most - LITTLE_KNOWN) / (WELL_KNOWN - LITTLE_KNOWN)));
}

/** How surely the text names a town besides an area: "50 Oxford Street, Nsanje, Canada" is not in Cañada, Mexico. */
function townBeside({ owned }: Hit, spans: readonly Span[]): number {
  let most = 0;
  for (const { mask, strength, levels } of spans) if (!(mask & owned)) most = Math.max(most, strength * levels.town);
  return most < MIN_BESIDE ? 0 : most;
}

/** Words that may be a street as well are no town beside an area. */
const MIN_BESIDE = 0.35;

/** More words of a line say nothing more. */
const MAX_LINE = 3;

/** A name in the language that is asked for, or a short one, is almost a main name: "Florencia" in Spanish, "Frankfurt". */
const OWN_LANGUAGE = 0.4;

/** Granada is rather the city than Grenada in Spanish. */
const COUNTRY_IN_LANGUAGE = 1.5;
/** Old names of large cities count less: Victoria is rarely Hong Kong. */
const LARGE_DECADES = 6;

const isInLanguage = (names: NamesTile, entry: number, { words }: Name, language: Language) =>
  language !== "en" && tokensOf(names.nameIn(entry, language) ?? "").join(" ") === words.join(" ");

/** How sure a longer name must be for a shorter one in it not to be meant. */
const NESTING = 0.3;

/** How surely words that are only like the name of a region mean it, next to other words. */
const UNPLACED = 0.4;

/** Which kind of name the text has of a region, and whether it stands where regions do. */
function nameEvidence(
  hit: Hit,
  spans: readonly Span[],
  words: readonly Word[],
  language: Language,
  out: Evidence,
): void {
  const { names, entry, name, nameWords, owned, spelt, missing } = hit;
  const own = spans.find(({ mask }) => mask === nameWords);
  const { latitudes, longitudes } = names;
  const same = own?.regions.find(
    (one) => one.latitude === latitudes[entry] && one.longitude === longitudes[entry] && one.kind === names.kind(entry),
  );
  const isAll = owned === (1 << words.length) - 1;
  out.misplaced = isAll ? 0 : 1 - (own?.strength ?? (missing === 0 || spelt ? 1 : UNPLACED));
  // García is in Nacozari de García, and Salvador in El Salvador.
  if (spans.some(({ mask, strength }) => (mask & owned) === owned && mask !== owned && strength > NESTING))
    out.nested = 1;
  if (same?.isProvince) out.province = 1;
  out.marks = unmarkedIn(hit, words);
  const by = same?.by ?? kindOf(names, entry, namesOf(names, entry).indexOf(name), name);
  if (!isAll && by !== "code" && isWrittenAsCode(own, words)) out.misplaced = AS_CODE;
  if (isOnlyKind(owned, words)) out.misplaced = SPLIT;
  if (isSplit(owned, words)) out.misplaced = Math.max(out.misplaced, SPLIT);
  const decades = names.importances[entry] / PER_DECADE;
  if (by === "language") {
    const isCountry = names.kinds[entry] === COUNTRY;
    const isUsual = name.kind === "short" || isInLanguage(names, entry, name, language);
    const { countryCode } = names.context(entry);
    const isElsewhere = own?.regions.some((one) => one.kind === "locality" && one.context.countryCode !== countryCode);
    out.inLanguage = isUsual || (isCountry && !isElsewhere) ? OWN_LANGUAGE : isCountry ? COUNTRY_IN_LANGUAGE : 1;
  } else if (by === "other") {
    out.otherName = Math.max(1, decades / LARGE_DECADES);
    out.shadowed = shadowOf(own);
  } else if (by === "code") {
    // "Man" is rather a town than Manitoba.
    const isShort = names.kinds[entry] !== STATE || name.words[0].length < 3;
    const isAlone = isShort && (words.length === 1 || nameWords === (1 << words.length) - 1);
    const isMajor = isMajorCode({ kind: names.kind(entry), context: names.context(entry) });
    out[isMajor ? "code" : "minorCode"] = isAlone && isMajor ? 0.3 : 1;
  }
}

/** Two or three capitals beside other words are a code that a country or state has, and no town: "Langford, WA" is not in Wa, Ghana. */
const isWrittenAsCode = (own: Span | undefined, words: readonly Word[]) =>
  own !== undefined && own.to - own.from === 1 && words[own.from].code && own.regions.some(({ by }) => by === "code");
const AS_CODE = 3;

/** Returns whether the text has only words of a name that say which kind of region it is: "Comunidad de" of Castile-La Mancha. */
const isOnlyKind = (owned: number, words: readonly Word[]) =>
  owned !== 0 &&
  words.some(({ text }, i) => owned & (1 << i) && isKindOfState(text)) &&
  words.every(({ text }, i) => !(owned & (1 << i)) || isKindOfState(text) || isLink(text));

/** Returns whether other words are between those of a name, across commas: "South Penrith, Australia" is not South Australia. */
function isSplit(owned: number, words: readonly Word[]): boolean {
  if (owned === 0) return false;
  const [first, last] = [Math.log2(owned & -owned), 31 - Math.clz32(owned)];
  const isWhole = owned === (1 << (last + 1)) - (1 << first);
  return !isWhole && words[first].segment !== words[last].segment;
}
const SPLIT = 2;

/** How many words with marks no name of a region has: "França" is not Franca, though "Franca" may be França. Typos count elsewhere. */
function unmarkedIn({ names, entry, owned, name }: Hit, words: readonly Word[]): number {
  let count = 0;
  let all: string | undefined;
  for (let i = 0; i < words.length; i++) {
    const { marked, text, vowels } = words[i];
    // লোম is Lomé rather than Lima.
    const own = vowels === undefined || !(owned & (1 << i)) ? -1 : name.words.indexOf(text);
    if (own >= 0 && name.vowels !== undefined && name.vowels[own] !== vowels) count++;
    if (marked === undefined || !(owned & (1 << i)) || !name.words.includes(text)) continue;
    all ??= [names.name(entry), ...names.otherNames(entry)].join(" ").normalize("NFC").toLowerCase();
    if (!withCommas(all).includes(withCommas(marked))) count++;
  }
  return count;
}

/** Romanian has commas below letters, for which old keyboards have cedillas: Călăraşi. */
const withCommas = (text: string) => text.replaceAll("ş", "ș").replaceAll("ţ", "ț");

/** Fewer people are no reason to think of a place first [decades]. */
const UNKNOWN_PLACE = 3;

/** How well known the largest place is that people call by this name today. */
function shadowOf(span: Span | undefined): number {
  let most = 0;
  for (const { by, importance } of span?.regions ?? [])
    if (by === "main") most = Math.max(most, Math.min(2, importance / PER_DECADE - UNKNOWN_PLACE));
  return most;
}

/** Which regions that the text names contain the hit, and which do not. */
function regionEvidence(hit: Hit, spans: readonly Span[], words: readonly Word[], out: Evidence): void {
  if (spans.length === 0) return;
  const { names, entry } = hit;
  const spot: Spot = {
    context: names.context(entry),
    latitude: names.latitudes[entry],
    longitude: names.longitudes[entry],
    kind: names.kind(entry),
  };
  const kind = names.kinds[entry];
  const isRegion = kind > 1 || hit.tile === -1;
  let covered = hit.complete || hit.tile === -1 ? hit.nameWords : hit.nameWords & ~endOf(hit, spans);
  covered |= hit.postal;
  // Oxford of "50 Oxford Street, Portland" is no more than a street.
  const isWeak = spans.some(({ mask, strength }) => mask === hit.nameWords && strength < NESTING);
  const against: Span[] = [];
  for (const span of spans) {
    const isOwn = (span.mask & covered) !== 0;
    if (isOwn && (isRegion || (span.mask & hit.nameWords) !== span.mask)) continue;
    // In "Central African Republic", no word says another thing.
    if (against.some(({ mask }) => mask !== span.mask && (mask & span.mask) === span.mask)) continue;
    const by = confirmedBy(spot, span);
    if (by === undefined) {
      if (!isOwn) against.push(span);
      continue;
    }
    covered |= span.mask;
    // "Panamá, Panamá": that a country is in itself says nothing.
    if (!isItself(spot, span)) out.confirmed = (out.confirmed ?? 0) + span.strength;
    // A street, place or postal code of a town that the text names is known like the town.
    if (!isRegion || kind === POSTAL_CODE)
      out.population = Math.max(out.population ?? UNKNOWN_DECADES, knownBy(spot, span));
    if (!isOwn) looseEvidence(by, spot, span, words, out);
  }
  // Its country is named: the code is one of this country.
  if (out.looseCode && isInNamed(spot, spans)) out.looseCode = 0;
  const area =
    spot.kind === "state" || spot.kind === "country" || spot.kind === "county" ? areaOf(hit, spot) : undefined;
  for (const span of against) {
    if (span.mask & covered || (span.mask & ~hit.around) === 0) continue;
    covered |= span.mask;
    if (area && span.regions.some((one) => isInRegion(one, area))) {
      // "Springfield, DE": a finer name than the area.
      out.finer = (out.finer ?? 0) + (isCode(span) ? shareOf(hit, spot, span, spans) : span.strength);
      continue;
    }
    const isOwnCountry = span.regions.some(({ context }) => context.countryCode === spot.context.countryCode);
    const share = shareOf(hit, spot, span, spans) * (area && isOwnCountry ? 0.5 : 1);
    const { country, state, town } = span.levels;
    out.otherCountry = (out.otherCountry ?? 0) + share * country;
    out.otherState = (out.otherState ?? 0) + share * state;
    out.otherTown = (out.otherTown ?? 0) + share * town;
    if (!isRegion || isWeak) out.strayStreet = (out.strayStreet ?? 0) + share * town;
  }
}

const IN_COUNTRY = 0.3;
const isSureCountry = ({ nameWords }: Hit, before: Span, spans: readonly Span[]) =>
  spans.some(
    ({ mask, strength, levels, from }) =>
      mask === nameWords && strength > 0.8 && levels.country > 0.7 && before.to <= from,
  );

/** How surely a span is against a hit. */
function shareOf(hit: Hit, spot: Spot, span: Span, spans: readonly Span[]): number {
  // "São Paulo, PA": a code of another state of its country, rather than of Panama.
  if (isCode(span) && isSubdivisionCode(span.words[0], spot.context.countryCode)) return span.strength * OWN_CODE;
  // "Central Coast, Australia": what is called like a state elsewhere is a town of the country at the end.
  return spot.kind === "country" && isSureCountry(hit, span, spans) ? span.strength * IN_COUNTRY : span.strength;
}

const isItself = ({ kind, latitude, longitude }: Spot, { regions }: Span) =>
  (kind === "country" || kind === "state") &&
  regions.some((one) => one.kind === kind && one.latitude === latitude && one.longitude === longitude);

/** Whether words for kinds of streets and postal codes are of another country. */
function originEvidence({ names, entry, owned, postal, house }: Hit, words: readonly Word[], out: Evidence): void {
  const country = names.context(entry).countryCode;
  if (country === "") return;
  const { streets, codes } = originsOf(words);
  if (streets.length > 0) out.foreignStreet = Math.min(1, foreignIn(streets, country, owned));
  if (codes.length > 0 && house === undefined) out.foreignCode = Math.min(1, foreignIn(codes, country, owned | postal));
}

/** How much a code of another state of the country of a hit speaks against it. */
const OWN_CODE = 0.2;

const isInNamed = ({ context }: Spot, spans: readonly Span[]) =>
  spans.some(
    (span) =>
      !isCode(span) &&
      span.regions[0].kind === "country" &&
      span.regions[0].context.countryCode === context.countryCode,
  );

/** Weak confirmations: a code of a US state that is read as a country, and regions whose borders are unknown. */
function looseEvidence(
  by: NonNullable<ReturnType<typeof confirmedBy>>,
  { context }: Spot,
  span: Span,
  words: readonly Word[],
  out: Evidence,
): void {
  const isMajor = span.regions.some(isMajorCode);
  if (by === "country" && isStateCode(span) && words.length > 1) out.codeAsCountry = 1;
  if (by === "country" && !span.regions.some((one) => one.context.countryCode === context.countryCode))
    out.territory = 1;
  if (by === "loose") out.looseState = isCode(span) ? 1 : 0.4;
  if (by === "minor" && isMajor) out.minorState = 1;
  if (by === "code") out.looseCode = isMajor ? 1 : 0.2;
}

function knownBy(spot: Spot, { regions }: Span): number {
  let best = 0;
  for (const region of regions)
    if (region.kind === "locality" && region.importance > best && isInRegion(spot, region)) best = region.importance;
  return best / PER_DECADE;
}

/** A hit that lacks other words has no claim on the name of a region at the end: "50 Oxford Street, London" for London Road. */
function endOf({ nameWords }: Hit, spans: readonly Span[]): number {
  let mask = 0;
  for (const span of spans)
    if (span.strength > 0.6 && (span.mask & nameWords) === span.mask && !isCode(span)) mask |= span.mask;
  return mask;
}

/** How a span confirms that something is in it: by its own address, or by one of the regions of this name. */
function confirmedBy(spot: Spot, span: Span): NamedRegion["kind"] | "own" | "code" | "loose" | "minor" | undefined {
  let country = false;
  let loose = false;
  for (const region of span.regions) {
    if (!isInRegion(spot, region)) continue;
    if (region.kind === "country") country = true;
    else if (isSurelyIn(spot, region)) return region.by === "code" && !isMajorCode(region) ? "minor" : region.kind;
    else loose = true;
  }
  if (country) return "country";
  if (loose) return "loose";
  // "China" is not a part of the long name of Taiwan.
  const isCountry = span.regions.some((one) => one.kind === "country" && one.by === "main");
  if (spot.kind !== "country" && !isCountry && confirmsOwn(spot.context, span)) return "own";
  return spot.kind !== "country" && isOwnCode(span, spot.context) ? "code" : undefined;
}

const isStateCode = (span: Span) =>
  isCode(span) && span.regions.some((one) => one.kind === "state" && isMajorCode(one));

function areaOf({ names, entry }: Hit, spot: Spot): NamedRegion {
  const { latitude, longitude, context, kind } = spot;
  const importance = names.importances[entry];
  const town = { from: 0, to: 0, names: [], latitude, longitude, reach: reachOf(importance) };
  return { names, entry, kind, context, latitude, longitude, importance, town, by: "main" };
}
