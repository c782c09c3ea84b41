import type { NamesTile } from "../index/names-tile.ts";
import { type Name, namesOf } from "../index/tile-names.ts";
import type { Word } from "../parse/query.ts";
import { isStreetType } from "../words/abbreviations.ts";
import { areTogether, consistent } from "./consistent.ts";
import { areWithin, COUNTY_REACH } from "./inside.ts";
import { type Anchor, MAX_CODE_LETTERS, type NamedRegion } from "./named-region.ts";
import { reachOf } from "./towns.ts";

/** Longest name of a region [words]. */
const MAX_WORDS = 6;
/** A word that is still being typed names a region from this length on. */
const MIN_TYPED = 4;
/** The most entries with a word that are compared, of each block. */
const MAX_SCANNED = 300;
/** Regions of one name that are compared with those of another. */
const MAX_NAMESAKES = 60;
/**
 * Words that continue a town's name: "Krems" may be Krems an der Donau if no town is called Krems, but is not Krems II.
 */
export const CONTINUED = new Set(
  "am an auf bei im in ob unter vor upon on under sur sous lez les en del do da na nad pod".split(" "),
);

const ARTICLES = new Set("der den dem the la le les el".split(" "));

/**
 * Finds the regions that a query names: comma-separated parts that consist of names of regions and codes, and names of
 * regions at the end of a part. Regions of one name that are not in the region that another part names are omitted.
 */
export function findAnchors(words: readonly Word[], blocks: readonly NamesTile[]): Anchor[] {
  if (words.length === 0 || blocks.length === 0) return [];
  const text: Text = { words, spellings: words.map(spellingsOf), blocks };
  const spans: Anchor[] = [];
  const parts = partsOf(words);
  // In "57 Rue de Nazareth, Paris Xyzzyburg" the town is in the later part, though that is not known.
  let isLaterKnown = true;
  for (const [start, end] of parts.toReversed()) {
    const found = anchorsAtEnd(text, start, end, parts.length > 1);
    spans.push(...found.filter(({ soft }) => !soft || isLaterKnown));
    if (parts.length > 1) isLaterKnown &&= found.length > 0 && !found.some(({ soft }) => soft);
  }
  return consistent(spans, words).sort((a, b) => a.from - b.from);
}

/** The comma-separated parts, as ranges of words. */
function partsOf(words: readonly Word[]): [start: number, end: number][] {
  const parts: [number, number][] = [];
  for (let i = 0; i < words.length; i++) {
    const last = parts.at(-1);
    if (last && words[i].segment === words[i - 1].segment) last[1] = i + 1;
    else parts.push([i, i + 1]);
  }
  return parts;
}

/** The words of a query with all their spellings, and the blocks of regions for them. */
interface Text {
  words: readonly Word[];
  spellings: readonly (readonly string[])[];
  blocks: readonly NamesTile[];
}

function anchorsAtEnd(text: Text, start: number, end: number, hasOthers: boolean): Anchor[] {
  const { words } = text;
  const found: Omit<Anchor, "soft">[] = [];
  let at = end;
  let skipped = false;
  while (at > start) {
    // Postal codes, and house numbers after the name of a street without one. "Colonia, Alemania" is a city, though the
    // word announces the name of a neighborhood in "Colonia Roma".
    if (/\d/.test(words[at - 1].text) || (words[at - 1].silent && end - start > 1)) {
      at--;
      continue;
    }
    const last = longestName(text, start, at);
    // "München an der Isar" is München.
    const named = last && (beforeEpithet(text, start, last.from) ?? last);
    if (named && isStreetName(words, start, named.from)) break;
    if (named) {
      found.push(named);
      at = named.from;
    } else if (!skipped && at === end && at - start > 1 && isLikeCode(words, start, end)) {
      // "São Paulo SP": a code of a state that the data does not have.
      skipped = true;
      at--;
    } else break;
  }
  const isBegun = end === words.length && words[end - 1].unfinished && found.length > 0 && found[0].to < end;
  const begun = isBegun ? { begun: text.spellings.slice(start, end) } : {};
  const anchors = found.map((one) => ({ ...one, ...begun, soft: at > start || !hasOthers }));
  return isAddress(words, start, end, anchors) ? anchors.map((one) => ({ ...one, soft: true })) : anchors;
}

/**
 * Returns whether a part that consists of names of regions may be a street and its number: "65 Ramiro Cali". "1010 Wien"
 * and "8010 Graz" begin with postal codes, which are longer, and the regions of "Paris France" are in each other.
 */
function isAddress(words: readonly Word[], start: number, end: number, anchors: readonly Anchor[]): boolean {
  const { text, number } = words[start];
  if (number && text.length <= MAX_HOUSE_NUMBER && end - start > 1) return true;
  return number && anchors.length > 1 && !areTogether(anchors);
}

/** A longer number at the beginning may be a postal code. */
const MAX_HOUSE_NUMBER = 3;

/** Returns whether a part may end with a code. "St" is a kind of street before other parts, and after a house number. */
function isLikeCode(words: readonly Word[], start: number, end: number): boolean {
  const { text } = words[end - 1];
  const isStreet = isStreetType(text) && (end < words.length || words[start].number);
  return text.length <= MAX_CODE_LETTERS && !isStreet;
}

/** Returns whether only a kind of street is before the name, which is then that of the street: "Rue Saint-Maur". */
function isStreetName(words: readonly Word[], start: number, from: number): boolean {
  const before = words.slice(start, from);
  return before.some(({ text }) => isStreetType(text)) && before.every(({ weight, number }) => weight < 1 || number);
}

/** The region before words such as "an der" and a name that distinguishes it. */
function beforeEpithet(text: Text, start: number, end: number) {
  const { words } = text;
  let at = end;
  while (at > start && (CONTINUED.has(words[at - 1].text) || ARTICLES.has(words[at - 1].text))) at--;
  // "Unter den Linden" has no name before them.
  const isBeforeEpithet = start < at && at < end && CONTINUED.has(words[at].text);
  return isBeforeEpithet ? longestName(text, start, at) : undefined;
}

/** The regions with the longest name that ends before `end`. */
function longestName({ words, spellings, blocks }: Text, start: number, end: number): Omit<Anchor, "soft"> | undefined {
  const last = words[end - 1];
  if (last.open && last.text.length < MIN_TYPED) return undefined;
  // A letter is the line of a station, a wing or a direction: "Canal Street (A,C,E)".
  if (/^[a-z]$/.test(last.text)) return undefined;
  const first = Math.max(start, end - MAX_WORDS);
  let from = end;
  let isWhole = false;
  const found: [NamesTile, number][] = [];
  const seen = new Set<string>();
  for (const names of blocks) {
    for (const text of spellings[end - 1]) {
      for (const entry of regionsEndingWith(names, text)) {
        const fit = fitOf(namesOf(names, entry), words, spellings, first, end);
        if (!fit || fit.from < first || fit.from > from) continue;
        if (fit.from === from && isWhole && !fit.isWhole) continue;
        if (fit.from < from || (fit.isWhole && !isWhole)) {
          [from, isWhole] = [fit.from, fit.isWhole];
          found.length = 0;
          seen.clear();
        }
        const key = `${names.kinds[entry]} ${names.latitudes[entry]} ${names.longitudes[entry]}`;
        if (!seen.has(key)) found.push([names, entry]);
        seen.add(key);
      }
    }
  }
  // There are towns called Road and Street, but after other words they are kinds of streets.
  if (end - from === 1 && last.weight < 1 && words.slice(start, from).some(({ number }) => !number)) return undefined;
  if (found.length === 0) return undefined;
  const regions = found
    .map(([names, entry]) => regionOf(names, entry, from, end))
    .sort((x, y) => y.importance - x.importance)
    .slice(0, MAX_NAMESAKES);
  return {
    from,
    to: end,
    words: words.slice(from, end).map(({ text }) => text),
    ...(last.open && { open: true as const }),
    regions: withSeats(regions),
  };
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

/** A state that is called after a town in it is a province: smaller than other states. */
function withSeats(regions: readonly NamedRegion[]): NamedRegion[] {
  const isSeat = (state: NamedRegion) => (one: NamedRegion) =>
    one.kind === "locality" &&
    one.context.countryCode === state.context.countryCode &&
    areWithin(one, state, COUNTY_REACH);
  if (!regions.some(({ kind }) => kind === "state")) return [...regions];
  return regions.map((one) =>
    one.kind === "state" && regions.some(isSeat(one)) ? { ...one, isProvince: true as const } : one,
  );
}

const spellingsOf = ({ text, forms, umlauts, written }: Word): readonly string[] =>
  umlauts === undefined && written === undefined
    ? [text, ...forms]
    : [text, ...forms, ...[umlauts, written].filter((one) => one !== undefined)];

/** Where the longest of a region's names that ends before `end` begins; a name may continue if no other is whole. */
function fitOf(
  names: readonly Name[],
  words: readonly Word[],
  spellings: readonly (readonly string[])[],
  first: number,
  end: number,
): { from: number; isWhole: boolean } | undefined {
  let best: { from: number; isWhole: boolean } | undefined;
  for (const name of names) {
    const own = name.words;
    const begins = (length: number) => {
      if (length > end - first || (best?.isWhole && end - length >= best.from)) return false;
      for (let k = length - 1; k >= 0; k--) {
        const i = end - length + k;
        if (!isSame(name, k, words[i], spellings[i])) return false;
      }
      return true;
    };
    if (begins(own.length)) best = { from: end - own.length, isWhole: true };
    else if (best === undefined) {
      const next = own.findIndex((word) => CONTINUED.has(word));
      if (next > 0 && words[end - next]?.text.length > MAX_CODE_LETTERS && begins(next))
        best = { from: end - next, isWhole: false };
    }
  }
  return best;
}

function isSame({ words, written, coded }: Name, k: number, { text }: Word, spellings: readonly string[]): boolean {
  return words[k] === text || (!coded && (spellings.includes(words[k]) || written?.[k] === text));
}

function regionOf(names: NamesTile, entry: number, from: number, to: number): NamedRegion {
  const importance = names.importances[entry];
  const [latitude, longitude] = [names.latitudes[entry], names.longitudes[entry]];
  const town = { from, to, names: [], latitude, longitude, reach: reachOf(importance) };
  const kind = names.kind(entry);
  return { names, entry, kind, context: names.context(entry), latitude, longitude, importance, town };
}
