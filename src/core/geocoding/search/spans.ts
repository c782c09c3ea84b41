import type { NamesTile } from "../index/names-tile.ts";
import { type Name, namesOf } from "../index/tile-names.ts";
import { readPostalCode } from "../parse/postal-forms.ts";
import type { Word } from "../parse/query.ts";
import { isStreetType } from "../words/abbreviations.ts";
import { isNumberMark } from "../words/house-number.ts";
import { isKindOfState, isKindOfTown } from "../words/kinds-of-towns.ts";
import { isUnspaced } from "../words/normalise.ts";
import { isSpokenIn } from "../words/spoken-languages.ts";
import { isInRegion, WITH_STATES } from "./inside.ts";
import { MIN_END, withoutDistricts, withoutLesser, withSeats } from "./likeliest.ts";
import { isCode, MAX_CODE_LETTERS, type NamedRegion, type NameKind, type Span } from "./named-region.ts";
import { reachOf } from "./towns.ts";

/** Longest name of a region [words]. */
const MAX_WORDS = 6;
/** A word that is still being typed names a region from this length on. */
const MIN_TYPED = 4;
/** The most entries with a word that are compared, of each block. */
const MAX_SCANNED = 1000;
/** Regions of one name that are compared with those of another. */
const MAX_NAMESAKES = 60;
/**
 * Words that continue a town's name: "Krems" may be Krems an der Donau if no town is called Krems, but is not Krems II.
 */
export const CONTINUED = new Set(
  "am an auf bei im in ob unter vor upon on under sur sous lez les en del do da na nad pod".split(" "),
);

/**
 * Finds every run of words that is the name of regions, however else it may be read: which reading is right is decided by
 * all evidence together (evidence.ts).
 */
export function findSpans(words: readonly Word[], blocks: readonly NamesTile[]): Span[] {
  const spellings = words.map(spellingsOf);
  const spans = new Map<number, Found>();
  for (let end = 1; end <= words.length; end++) spansEndingAt(words, spellings, blocks, end, spans);
  const ends = new Set<number>();
  for (let i = 0; i < words.length; i++) if (words[i + 1]?.segment !== words[i].segment) ends.add(i + 1);
  const found = [...spans.values()].sort((a, b) => b.to - a.to || a.from - b.from);
  const leads = leadsOf(words, found, ends);
  const isTownFirst = mayBeginWithTown(words, found);
  const out = found.map((one) => {
    const span = spanOf(words, one, ends, leads, isTownFirst);
    // Before a region at the end of a part, or a postal code, is another end: "Zhalantun China".
    if (ends.has(span.to) || isBeforeCode(words, span.to, ends))
      if (span.strength >= MIN_END || isCodeAtEnd(words, span)) ends.add(span.from);
    return span;
  });
  return withoutDistricts(withoutLesser(out)).sort((a, b) => b.strength - a.strength || a.from - b.from || b.to - a.to);
}

/**
 * Whether a number beside a town in the first part may be its postal code: each other part is a country or a state ("10115 Berlin, Germany"), or has
 * the house ("8001 Zürich, Bahnhofstr. 1").
 */
function mayBeginWithTown(words: readonly Word[], found: readonly Found[]): boolean {
  const last = words[words.length - 1]?.segment ?? 0;
  const isArea = (segment: number) => {
    const from = words.findIndex((word) => word.segment === segment);
    const to = words.findLastIndex((word) => word.segment === segment) + 1;
    const own = from < 0 ? undefined : found.find((one) => one.from === from && one.to === to);
    return own?.found.some(({ kind }) => kind === "country" || kind === "state") === true;
  };
  const isHouse = ({ segment, text }: Word) => segment > 0 && /^\d{1,3}[a-z]?$/.test(text);
  return last > 0 && (words.some(isHouse) || Array.from({ length: last }, (_, i) => i + 1).every(isArea));
}

/** Returns whether the word, alone or with the one next to it, has the form of a postal code of the country of one of the regions. */
function isCodeOf(words: readonly Word[], at: number, regions: readonly NamedRegion[]): boolean {
  const texts = [at, at - 1].map((from) => `${words[from]?.text} ${words[from + 1]?.text}`);
  return [words[at].text, ...texts].some((text) =>
    readPostalCode(text).some(
      ({ country, partial }) => !partial && regions.some(({ context }) => context.countryCode === country),
    ),
  );
}

/** In scripts without spaces an address begins with its country, state and city: where the first of them, and those after it, may begin. */
function leadsOf(words: readonly Word[], found: readonly Found[], ends: ReadonlySet<number>): Set<number> {
  const leads = new Set<number>();
  if (words.length < MIN_LED || !isUnspaced(words[0].text) || words.some(({ segment }) => segment > 0)) return leads;
  leads.add(0);
  let town: Found | undefined;
  const isInTown = ({ found }: Found) => found.some((a) => town?.found.some((b) => isInRegion(a, b)));
  for (const one of found.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    // After a town, only a part of it: 中山 of 厦门中山路 is no town.
    if (town && !isInTown(one)) leads.delete(one.from);
    if (!leads.has(one.from) || spanOf(words, one, ends, leads, false).strength < MIN_END) continue;
    if (one.found.some(({ kind }) => kind === "locality")) town = one;
    // 国厦 of 中国厦门 is no word.
    for (const next of [one.to, one.to + 1]) leads.add(next);
  }
  return leads;
}

/** Fewer pairs of characters are one name. */
const MIN_LED = 4;

interface Found {
  from: number;
  to: number;
  found: NamedRegion[];
}

function spansEndingAt(
  words: readonly Word[],
  spellings: readonly (readonly string[])[],
  blocks: readonly NamesTile[],
  end: number,
  spans: Map<number, Found>,
): void {
  const last = words[end - 1];
  if (last.open && last.text.length < MIN_TYPED) return;
  // A letter is the line of a station, a wing or a direction: "Canal Street (A,C,E)".
  if (/\d/.test(last.text) || /^[a-z]$/.test(last.text)) return;
  // "nº 367" is no Norway.
  if (isNumberMark(last.text) && words[end]?.number && words[end].segment === last.segment) return;
  const first = Math.max(0, end - MAX_WORDS);
  const seen = new Set<string>();
  for (const names of blocks) {
    for (const text of spellings[end - 1]) {
      for (const entry of regionsEndingWith(names, text)) {
        const fit = fitOf(names, entry, words, spellings, first, end);
        if (!fit) continue;
        // "Washington DC" is a name of the district, and its code after the city's.
        const code =
          fit.from < end - 1 && last.capitals ? fitOf(names, entry, words, spellings, end - 1, end) : undefined;
        for (const { from, by } of code?.by === "code" ? [fit, code] : [fit]) {
          // "New York, Mỹ" is not in Malaysia.
          if (by === "code" && last.marked !== undefined) continue;
          const key = `${from} ${names.kinds[entry]} ${names.latitudes[entry]} ${names.longitudes[entry]}`;
          if (seen.has(key)) continue;
          seen.add(key);
          const at = from * 64 + end;
          const span = spans.get(at) ?? { from, to: end, found: [] };
          span.found.push(regionOf(names, entry, from, end, by));
          spans.set(at, span);
        }
      }
    }
  }
}

/** Regions of a block by the last word of their names; computed when a query first has the word. */
const endings = new WeakMap<NamesTile, Map<string, readonly number[]>>();
const NO_ENTRIES: readonly number[] = [];

/** The best-known regions of a block with a name, or the first part of one before "am", "an der", that ends with a word. */
function regionsEndingWith(names: NamesTile, text: string): readonly number[] {
  const at = names.words.indexOf(text);
  if (at < 0) return NO_ENTRIES;
  let known = endings.get(names);
  if (!known) {
    known = new Map();
    endings.set(names, known);
  }
  let found = known.get(text);
  if (!found) {
    found = readRegionsEndingWith(names, at);
    known.set(text, found);
  }
  return found;
}

function readRegionsEndingWith(names: NamesTile, at: number): number[] {
  const text = names.words.words[at];
  const out: number[] = [];
  let left = MAX_SCANNED;
  const isEnd = ({ words }: Name) =>
    words[words.length - 1] === text || words[words.findIndex((word) => CONTINUED.has(word)) - 1] === text;
  names.words.each(at, (entry) => {
    if (left === 0 || names.kinds[entry] < 2) return;
    left--;
    if (namesOf(names, entry).some(isEnd)) out.push(entry);
  });
  return out;
}

const spellingsOf = ({ text, forms, umlauts, written }: Word): readonly string[] =>
  umlauts === undefined && written === undefined
    ? [text, ...forms]
    : [text, ...forms, ...[umlauts, written].filter((one) => one !== undefined)];

/** Where the longest of a region's names that ends before `end` begins, and which kind of name it is. */
function fitOf(
  tile: NamesTile,
  entry: number,
  words: readonly Word[],
  spellings: readonly (readonly string[])[],
  first: number,
  end: number,
): { from: number; by: NameKind } | undefined {
  const names = namesOf(tile, entry);
  let best: { from: number; by: NameKind } | undefined;
  for (let n = 0; n < names.length; n++) {
    const own = names[n].words;
    const begins = (length: number) => {
      if (length > end - first || (best && best.by !== "short" && end - length > best.from)) return false;
      for (let k = length - 1; k >= 0; k--) {
        const i = end - length + k;
        if (!isSame(names[n], k, words[i], spellings[i])) return false;
      }
      return true;
    };
    if (best && best.by !== "short" && end - own.length === best.from) {
      // Of names that are spelled alike, the one that people use.
      const by = kindOf(tile, entry, n, names[n]);
      if (KIND_STRENGTH[by] > KIND_STRENGTH[best.by] && begins(own.length)) best = { from: best.from, by };
    } else if (begins(own.length)) best = { from: end - own.length, by: kindOf(tile, entry, n, names[n]) };
    else if (best === undefined) {
      const next = own.findIndex((word) => CONTINUED.has(word));
      if (next > 0 && words[end - next]?.text.length > MAX_CODE_LETTERS && begins(next))
        best = { from: end - next, by: "short" };
    }
  }
  return best;
}

/** The kind of the n-th name of a region; before version 5, all are stored as main ones, and those without a language as English. */
export function kindOf(tile: NamesTile, entry: number, n: number, { words, coded, kind }: Name): NameKind {
  if (coded) return "code";
  if (n === 0) return "main";
  if (words.length === 1 && words[0].length <= MAX_CODE_LETTERS && tile.kinds[entry] > 4 && /^[a-z]+$/.test(words[0]))
    return "code";
  if (kind === "code") return "code";
  if (kind === "local") return "main";
  if (kind === "short" && tile.kind(entry) === "locality") return "language";
  if (kind === "other" || kind === "old") return "other";
  const others = tile.namesOf(entry);
  const [language] = others[n - 1];
  if (language !== "en") return isSpokenIn(language, tile.context(entry).countryCode) ? "main" : "language";
  // Of "Genève" and "Geneva" the second is English.
  if (others.findIndex(([one, text]) => one === "en" && PLAIN_LETTERS.test(text)) === n - 1) return "main";
  return kind === "main" ? "language" : "other";
}

const PLAIN_LETTERS = /^[\x20-\x7e]+$/;

function isSame({ words, written, coded }: Name, k: number, { text }: Word, spellings: readonly string[]): boolean {
  return words[k] === text || (!coded && (spellings.includes(words[k]) || written?.[k] === text));
}

function regionOf(names: NamesTile, entry: number, from: number, to: number, by: NameKind): NamedRegion {
  const importance = names.importances[entry];
  const [latitude, longitude] = [names.latitudes[entry], names.longitudes[entry]];
  const town = { from, to, names: [], latitude, longitude, reach: reachOf(importance) };
  const kind = names.kind(entry);
  return { names, entry, kind, context: names.context(entry), latitude, longitude, importance, town, by };
}

function spanOf(
  words: readonly Word[],
  { from, to, found }: Found,
  ends: ReadonlySet<number>,
  leads: ReadonlySet<number>,
  isTownFirst: boolean,
): Span {
  const regions = withSeats(found.sort((a, b) => b.importance - a.importance).slice(0, MAX_NAMESAKES), to - from);
  const segment = words[to - 1].segment;
  const isStart = from === 0 || words[from - 1].segment !== segment;
  const isEnd = ends.has(to) || isBeforeCode(words, to, ends);
  const hasOthers = words.some((word) => word.segment !== segment);
  let mask = 0;
  for (let i = from; i < to; i++) mask |= 1 << i;
  const span = {
    from,
    to,
    mask,
    words: words.slice(from, to).map(({ text }) => text),
    ...(words[to - 1].open && { open: true as const }),
    regions,
  };
  return {
    ...span,
    strength: strengthOf(words, span, { isStart, isEnd, isLead: leads.has(from), hasOthers, isTownFirst }),
    levels: levelsOf(regions),
  };
}

/** Returns whether it is a code after another word, or between a town and a postal code: "North Sydney NSW 2060". */
const isCodeAtEnd = (words: readonly Word[], { from, to, words: own }: Span) =>
  isCode({ words: own }) &&
  to - from === 1 &&
  words[from - 1]?.segment === words[from].segment &&
  !isStreetType(own[0]);

/** Returns whether what ends a part may be a postal code (after the first part, four digits may), or says that a town is before it. */
function isBeforeCode(words: readonly Word[], to: number, ends: ReadonlySet<number>): boolean {
  if (words[to] === undefined || !ends.has(to + 1)) return false;
  if (isKindOfTown(words[to].text) || isKindOfState(words[to].text)) return true;
  return (words[to].segment > 0 ? /^\d{4,}/ : /^\d{5,}/).test(words[to].text);
}

/** How likely the words mean a country, a state or a town: regions compete by what they are known by (softmax). */
function levelsOf(regions: readonly NamedRegion[]): Span["levels"] {
  const levels = { country: 0, state: 0, town: 0 };
  let sum = 0;
  const codes = regions.filter((one) => one.by === "code" && isMajorCode(one));
  for (const one of codes.length > 0 ? codes : regions) {
    const value = Math.exp(knownness(one));
    sum += value;
    levels[levelOf(one)] += value;
  }
  return { country: levels.country / sum, state: levels.state / sum, town: levels.town / sum };
}

/** A state that is called after a town in it means the town. */
const levelOf = ({ kind, isProvince }: NamedRegion): keyof Span["levels"] =>
  kind === "country" ? "country" : kind === "county" || (kind === "state" && !isProvince) ? "state" : "town";

const knownness = ({ importance, by, kind }: NamedRegion) =>
  Math.min(kind === "country" ? 7 : 8, importance / 32) - (by === "main" || by === "code" ? 0 : 2.5);

/** How surely each kind of name means the region, of 1. */
const KIND_STRENGTH: Readonly<Record<NameKind, number>> = {
  main: 1,
  language: 0.9,
  other: 0.5,
  short: 0.5,
  code: 0.85,
};
/** Of a code that only a province of another country has. */
const MINOR_CODE = 0.12;

/** How surely the words mean a region at all, 0 … 1: by their place in the text and by what else they may be. */
function strengthOf(
  words: readonly Word[],
  { from, to, regions }: Pick<Span, "from" | "to" | "regions">,
  {
    isStart,
    isEnd,
    isLead,
    hasOthers,
    isTownFirst,
  }: { isStart: boolean; isEnd: boolean; isLead: boolean; hasOthers: boolean; isTownFirst: boolean },
): number {
  const segment = words[from].segment;
  const isLast = segment === words[words.length - 1].segment;
  let place = 0.12;
  if (isStart && isEnd) place = 1;
  else if (isLead) place = 0.8;
  else if (isEnd) place = isLast ? 0.8 : 0.45;
  else if (isStart) place = 0.4;
  if (isStart && hasOthers && segment === 0 && !isEnd) place = 0.25;
  // "Aurora, CO" is not Aurora County, nor "Erie CO" Erie County.
  if (segment !== words[to - 1].segment || (words[to - 1].capitals && to - from > 1 && !words[from].capitals))
    place *= 0.25;
  // Next to a house number it is a street: "San Martín 1234, Aguilares".
  const isNumber = (at: number) =>
    words[at]?.number === true && words[at].segment === segment && !(isTownFirst && isCodeOf(words, at, regions));
  // The number of "Travessa São José 45 Guarapuava, Paraná" is of the words before it.
  const isBehind = isNumber(from - 1) && !isOfStreetBefore(words, from - 1);
  if (hasOthers && segment === 0 && (isBehind || isNumber(to))) place = 0.06;
  const before = words[from - 1];
  const isAfter = before !== undefined && before.segment === segment;
  // "Rue Saint-Maur" is a street, and "Colonia Roma" a part of a town.
  // City of London is not the end of "Quebec City".
  if (isAfter && words.slice(from, to).every(({ text }) => isKindOfTown(text))) place *= 0.1;
  if (isAfter && isStreetName(words, from)) place *= to === words.length || words[to].segment !== segment ? 0.15 : 0.5;
  const [region] = regions;
  if (region === undefined) return 0;
  const isMajor = regions.some((one) => one.by === "code" && isMajorCode(one));
  // A town called Lu is not meant by "Nong Khae, LU".
  if (isMajor || regions.every(({ by }) => by === "code")) {
    const isWritten = words[from].capitals === true || (!isAfter && from > 0);
    const isLong = words[from].text.length > 2;
    // "1015 CX Amsterdam" has a Dutch postal code.
    if (isAfter && /^\d{4}$/.test(before.text) && words[from].text.length === 2) place *= 0.1;
    return place * (isMajor || isLong ? KIND_STRENGTH.code : MINOR_CODE) * (isWritten || isLong ? 1 : 0.4);
  }
  // "San Ġ" may begin San Ġiljan.
  const last = words[words.length - 1];
  if (last.unfinished && to < words.length && last.segment === segment) place *= 0.5;
  let best = 0;
  for (const { by, kind, importance } of regions) {
    const known = kind === "locality" ? Math.max(0.15, Math.min(1, (importance - 40) / 120)) : 1;
    best = Math.max(best, KIND_STRENGTH[by] * known);
  }
  // A town called Road or Park, or a state called North, is rarely meant.
  const isWord = words.slice(from, to).every(({ weight, text }) => weight < 1 || DIRECTIONS.has(text));
  return place * best * (isWord ? 0.4 : 1) * (words[to - 1].open ? 0.6 : 1);
}

/** Returns whether a kind of street and a name are before a number, in its part. */
function isOfStreetBefore(words: readonly Word[], at: number): boolean {
  const before = words.slice(0, at).filter(({ segment, number }) => segment === words[at].segment && !number);
  return before.some(({ weight }) => weight >= 1) && before.some(({ text }) => isStreetType(text));
}

/** Of codes, countries and states of the US and Canada: "CA" is not Cagliari. */
export const isMajorCode = ({ kind, context }: Pick<NamedRegion, "kind" | "context">) =>
  kind === "country" || (kind === "state" && WITH_STATES.has(context.countryCode));

/** Words for directions also begin names of towns: North Sydney. */
const DIRECTIONS = new Set("n s e w north south east west nord sud est ouest norte sur este oeste".split(" "));

/** Returns whether only a kind of street is before word `from` in its part: the name is then that of the street. */
function isStreetName(words: readonly Word[], from: number): boolean {
  if (words[from - 1]?.number) return false;
  let start = from;
  while (start > 0 && words[start - 1].segment === words[from].segment) start--;
  const before = words.slice(start, from);
  return (
    before.some(({ text }) => isStreetType(text) && !DIRECTIONS.has(text)) &&
    before.every(({ weight, number }) => weight < 1 || number)
  );
}
