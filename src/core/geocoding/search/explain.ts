import type { EntryKind } from "../entry/entry.ts";
import type { NamesTile } from "../index/names-tile.ts";
import { type Name, namesOf, postalWords } from "../index/tile-names.ts";
import type { ContextPart } from "../parse/context-words.ts";
import { houseNumberAmong } from "../parse/house-number-among.ts";
import { isLink, type ParsedQuery, type Word } from "../parse/query.ts";
import { isMistakenEnd, isStreetType } from "../words/abbreviations.ts";
import { beginsWithLetters } from "../words/house-number.ts";
import { isKindOfState, isKindOfTown } from "../words/kinds-of-towns.ts";
import { MAX_TOKENS } from "../words/normalise.ts";
import type { Around } from "./surroundings.ts";
import { assignWords, BEGINNING, FORM, likelyNames } from "./word-fit.ts";

/** A part of a name of the surroundings ("new" of New York) has little weight. */
const PART_OF_AROUND = 0.5;
/** The words after a town's name without a comma belong to it: "Lauf an der Pegnitz". They have this lower weight. */
const EPITHET = 0.2;
/** If the town itself is searched for, they may also be a typo: "Bonita Spcrings" is rather Bonita Springs than Bonita. */
const BEHIND_TOWN = 0.5;

/** A name that fits hardly better than one before it is not the one that is meant: the main name comes first. */
const SAME_FIT = 0.02;

/** Penalty for a street whose town comes before a comma, and the street after it. */
const TURNED = 0.03;

/** How a query and an entry fit. */
export interface Match {
  entry: number;
  /** The name that fits best. */
  name: Name;
  /** How well the words match and how much of the name they cover, 0 … 1. */
  text: number;
  /** The weight of the query's words that match nothing, and these words as bits. */
  lost: number;
  missed: number;
  /** The words of the query that are its postal code, and those in its surroundings, as bits. */
  postal: number;
  around: number;
  /** The words of the query that are in the name, however they are written, as bits. */
  owned: number;
  /** What the words of the name lack to be written as they are in the data, by weight. */
  misfit: number;
  /** The share of the name that the query has; the words after the first ones of a region's name have little weight. */
  lead: number;
  /** The town comes before a comma, and the street after it; or the words of a region's name are in another order. */
  turned: boolean;
  /** The share of the query's words, by weight, that match nothing. */
  missing: number;
  /** Whether every word of the query is matched. A number may still turn out not to exist. */
  complete: boolean;
  /** Share of the name's words that the query has. */
  coverage: number;
  /**
   * Whether the name has a word of the query that its surroundings lack. "BC" is no evidence for BC Parkway in
   * Vancouver, BC.
   */
  telling: boolean;
  /** How many parts of the query are confirmed: the name, postal code, city, state, country. */
  confirmed: number;
  /**
   * Whether it is an exact match except for spelling rules: all of its name, and no word of the query that is
   * misspelled, incomplete or unmatched.
   */
  spelt: boolean;
  /** The words of the query, from … to − 1, that are one of its names whole, as it is written. */
  named?: readonly [from: number, to: number] | undefined;
  /** The query has the first word of the name. */
  leads: boolean;
  /** The query has another kind of street or none, and all other words of the name: "Oak Avenue" for Oak Street. */
  otherType: boolean;
  /** The words of the query that are words of the name, as bits. */
  nameWords: number;
  /** The requested house number, in the form of `houseNumberKey`. */
  house?: string | undefined;
}

/**
 * Assigns each word of the query to the name (each word of which is used once), to the surroundings, or to the house
 * number. `only`: the words, as bits, that the name may have.
 */
export function explain(
  names: NamesTile,
  entry: number,
  query: ParsedQuery,
  typos: boolean,
  around: readonly (Around | undefined)[],
  only = -1,
): Match {
  let best: Match | undefined;
  for (const name of likelyNames(namesOf(names, entry), query.words, typos)) {
    const match = explainName(names, entry, name, query, typos, around, only);
    if (!best || match.text > best.text + (match.coverage > best.coverage ? 0 : SAME_FIT)) best = match;
  }
  return best!;
}

/** Columns for the words of a query in one name, used by one call at a time. */
const quality = new Float64Array(MAX_TOKENS);
/** For each word of the query the word of the name it means, or −1. */
const inName = new Int8Array(MAX_TOKENS);

/** The parts that a query may confirm, as bits. */
const CONFIRMED = { name: 1, postalCode: 2, city: 4, county: 8, state: 16, country: 32 } as const;

/** Words of the query as bits, of the name that is explained: this runs for each name that is matched closely. */
const bits = { postal: 0, named: 0, arounds: 0, cities: 0, rest: 0, confirmed: 0 };

function explainName(
  names: NamesTile,
  entry: number,
  name: Name,
  { words }: ParsedQuery,
  typos: boolean,
  around: readonly (Around | undefined)[],
  only: number,
): Match {
  const covered = assignWords(words, name, typos, only, { inName, quality });
  findOthers(names, entry, words, around, covered > 0);
  confirmAround(words, around, names.kind(entry));
  const kind = names.kind(entry);
  const isRegion = names.kinds[entry] > 1;
  const house = kind === "street" ? houseNumberAmong(words, bits.rest, inName) : undefined;
  const { total, fits, missing, spelt } = weigh(
    words,
    name,
    around,
    house?.used,
    names.context(entry).countryCode,
    kind,
  );
  const { named, cities, confirmed } = bits;
  const { nameWords, telling, lost } = nameWordsOf(words, around, missing, {
    isRegion,
    towns: isRegion ? named : cities,
    behind: kind === "locality" ? BEHIND_TOWN : EPITHET,
  });
  const coverage = name.weight === 0 ? 0 : covered / name.weight;
  const lead = isRegion ? leadOf(name, covered, coverage) : coverage;
  const swapped = isRegion && isSwapped(words.length);
  const turned = swapped || isTurned(words, named, cities);
  return {
    entry,
    name,
    text: (0.8 * fits) / total + 0.2 * lead - (turned ? TURNED : 0),
    lost,
    missed: missing,
    owned: named,
    postal: bits.postal,
    around: bits.arounds & ~missing,
    misfit: misfitOf(words, named),
    lead,
    turned,
    missing: lost / total,
    complete: missing === 0,
    coverage,
    spelt: spelt && missing === 0 && coverage > 0.999 && !swapped,
    telling,
    confirmed: bitsOf(confirmed),
    leads: inName.includes(0),
    otherType: isOtherTypeOf(words, name, missing),
    nameWords,
    named: namedBy(words.length, named, coverage),
    house: house?.key,
  };
}

/** Finds words that are not in the name in the postal code and the surroundings of the entry. */
function findOthers(
  names: NamesTile,
  entry: number,
  words: readonly Word[],
  around: readonly (Around | undefined)[],
  isNamed: boolean,
): void {
  bits.postal = bits.named = bits.arounds = bits.cities = bits.rest = 0;
  bits.confirmed = isNamed ? CONFIRMED.name : 0;
  const postal = postalWords(names, entry);
  for (let i = 0; i < words.length; i++) {
    if (inName[i] >= 0) {
      bits.named |= 1 << i;
      continue;
    }
    const code = postal.length === 0 ? 0 : postalQuality(postal, words, i);
    const what = code > 0 ? undefined : around[i];
    if (code > 0) {
      bits.confirmed |= CONFIRMED.postalCode;
      bits.postal |= 1 << i;
    }
    if (what) bits.arounds |= 1 << i;
    quality[i] = code || (what?.quality ?? 0);
    if (quality[i] === 0) bits.rest |= 1 << i;
  }
}

/** Of the surroundings, only parts with all of their words confirm an entry of kind `own`. */
function confirmAround(
  words: readonly Word[],
  around: readonly (Around | undefined)[],
  own: ReturnType<NamesTile["kind"]>,
): void {
  for (let i = 0; i < words.length; i++) {
    if (!(bits.arounds & (1 << i))) continue;
    const { part, of, leads } = around[i]!;
    if (part === "city") bits.cities |= 1 << i;
    if (of === 1 || countOf(around, bits.arounds, part, of, part === "city" && !words[i].number) >= of) {
      // "Georgia, GA": a region's own code confirms nothing new.
      if (part !== own) bits.confirmed |= CONFIRMED[part];
    } else {
      quality[i] *= PART_OF_AROUND;
      if (!leads && !words[i].unfinished) bits.rest |= 1 << i;
    }
  }
}

/** The weight of all words, of those that fit, and those that are missing; `used`: of a house number. */
function weigh(
  words: readonly Word[],
  name: Name,
  around: readonly (Around | undefined)[],
  used: number | undefined,
  countryCode: string,
  kind: EntryKind,
) {
  const isTown = kind === "locality";
  const isRegion = kind !== "street" && kind !== "place";
  const { named, rest } = bits;
  const taken = used ?? 0;
  let [total, fits, missing] = [0, 0, 0];
  let spelt = true;
  let segment = -1;
  let last = -1;
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    const bit = 1 << i;
    if (taken & bit) quality[i] = 0.8;
    if (rest & bit) {
      const isKind = isTown
        ? inName[i - 1] >= 0 && isKindOfTown(word.text)
        : kind === "state" && isBesideState(words, i);
      const idle = isIdle(word, taken, i) || isKind;
      if (idle) quality[i] = 0.8;
      // After a house number, the first digits of a postal code that is not in the tile are not a contradiction.
      const begun = used !== undefined && word.unfinished && /^\d{1,3}$/.test(word.text);
      if (!idle && !begun && !(taken & bit)) missing |= bit;
    }
    total += word.weight;
    fits += word.weight * quality[i];
    if (named & bit) {
      // "East Street, Baltimore" is not East Baltimore Street, but "Washington, DC" is one name.
      if (segment >= 0 && segment !== word.segment && !(isRegion && inName[i] === inName[last] + 1)) spelt = false;
      segment = word.segment;
      last = i;
      if (quality[i] < FORM || isMistaken(word, name, inName[i], countryCode)) spelt = false;
    } else if (quality[i] === BEGINNING || around[i]?.spelt === false) spelt = false;
  }
  return { total, fits, missing, spelt };
}

/** Returns whether word i says only that a state is beside it: "Tokushima Prefecture", both of "Estado de" México. */
function isBesideState(words: readonly Word[], i: number): boolean {
  const isKind = (at: number) => words[at] !== undefined && isKindOfState(words[at].text);
  const isLinkAt = (at: number) => words[at] !== undefined && isLink(words[at].text);
  if (isLinkAt(i)) return isKind(i - 1) && inName[i + 1] >= 0;
  return isKind(i) && (inName[i - 1] >= 0 || inName[i + 1] >= 0 || (isLinkAt(i + 1) && inName[i + 2] >= 0));
}

/** Words that are in the name as they are written, whether one is not in the surroundings, and the weight of missing ones. */
function nameWordsOf(
  words: readonly Word[],
  around: readonly (Around | undefined)[],
  missing: number,
  { isRegion, towns, behind }: { isRegion: boolean; towns: number; behind: number },
) {
  const { named } = bits;
  let [nameWords, lost] = [0, 0];
  let telling = false;
  for (let i = 0; i < words.length; i++) {
    const { text, number, weight, open } = words[i];
    const bit = 1 << i;
    const isHouse = number && !beginsWithLetters(text);
    // "James Ross Island" is not James Island.
    const isWithin = isRegion && named >> i !== 0;
    if (missing & bit) lost += weight * (!isHouse && !isWithin && followsIn(words, towns, i) ? behind : 1);
    if (!(named & bit)) continue;
    // A word that is still being typed is the beginning of one.
    if (quality[i] >= (open ? BEGINNING : FORM)) nameWords |= bit;
    if (around[i] === undefined && weight > 0.5) telling = true;
  }
  return { nameWords, telling, lost };
}

function misfitOf(words: readonly Word[], named: number): number {
  let misfit = 0;
  for (let i = 0; i < words.length; i++) if (named & (1 << i)) misfit += words[i].weight * (1 - quality[i]);
  return misfit;
}

function bitsOf(mask: number): number {
  let count = 0;
  for (let left = mask; left > 0; left &= left - 1) count++;
  return count;
}

/** The number of words of the surroundings with this part and length of name; a city's names are Washington, and Washington DC. */
function countOf(
  around: readonly (Around | undefined)[],
  mask: number,
  part: ContextPart,
  of: number,
  isAnyLength: boolean,
): number {
  let count = 0;
  for (let i = 0; i < around.length; i++)
    if (mask & (1 << i) && around[i]!.part === part && (isAnyLength || around[i]!.of === of)) count++;
  return count;
}

/** Returns whether one of these words is before word i, without a comma between them. */
function followsIn(words: readonly Word[], mask: number, i: number): boolean {
  for (let at = 0; at < i; at++) if (mask & (1 << at) && words[at].segment === words[i].segment) return true;
  return false;
}

/** "Forest Lake" is not Lake Forest. */
function isSwapped(count: number): boolean {
  let last = -1;
  for (let i = 0; i < count; i++) {
    if (inName[i] >= 0 && inName[i] < last) return true;
    last = Math.max(last, inName[i]);
  }
  return false;
}

/** "Naxxar Road, Attard" may mean Attard Road in Naxxar, but the literal reading is likelier. */
function isTurned(words: readonly Word[], named: number, cities: number): boolean {
  if (cities === 0) return false;
  let last = -1;
  for (let i = 0; i < words.length; i++) if (cities & (1 << i)) last = Math.max(last, words[i].segment);
  let any = false;
  for (let i = 0; i < words.length; i++) {
    if (!(named & (1 << i)) || words[i].weight <= 0.5) continue;
    if (words[i].segment <= last) return false;
    any = true;
  }
  return any;
}

/**
 * Returns whether a form of a word is not a spelling of this one: "Vaezzano" is not one of Vazzano, though Muenchen is
 * one of München, and टोगो is not टोंगा.
 */
function isMistaken({ text, umlauts, vowels, open }: Word, name: Name, at: number, country: string): boolean {
  const target = name.words[at];
  const own = name.vowels?.[at];
  if (text === target) return vowels !== undefined && own !== undefined && vowels !== own && !open;
  return (umlauts === target && name.written?.[at] !== text) || isMistakenEnd(text, target, country);
}

/**
 * "Frankfurt" is short for Frankfurt am Main: the words after the first words of a region's name have little weight.
 */
function leadOf({ weight, weights }: Name, covered: number, coverage: number): number {
  if (coverage > 0.999 || covered === 0) return coverage;
  let last = -1;
  for (const k of inName) if (k > last) last = k;
  for (let k = 0; k <= last; k++) if (!inName.includes(k)) return coverage;
  return weights[0] < 1 ? coverage : covered / (covered + EPITHET * (weight - covered));
}

/**
 * Returns whether these words only mark a house number next to them or announce a name: they contradict nothing if they
 * match nothing.
 */
function isIdle({ mark, silent }: Word, used: number, i: number): boolean {
  if (mark) return (used & (1 << (i + 1))) !== 0 || (i > 0 && (used & (1 << (i - 1))) !== 0);
  return silent && inName[i + 1] >= 0;
}

/** Returns whether words for kinds of streets are the only difference. */
function isOtherTypeOf(words: readonly Word[], { weights }: Name, missing: number): boolean {
  for (let i = 0; i < words.length; i++) {
    if (!(missing & (1 << i))) continue;
    if (!isStreetType(words[i].text) || !(inName[i - 1] >= 0 || inName[i + 1] >= 0)) return false;
  }
  let any = false;
  for (let k = 0; k < weights.length; k++) {
    if (weights[k] === 1) any = true;
    if (weights[k] >= 1 && !inName.includes(k)) return false;
  }
  return any;
}

/** The words of the query that are the entire name, if they are adjacent. */
function namedBy(count: number, named: number, coverage: number): Match["named"] {
  if (coverage < 0.999 || named === 0) return undefined;
  let [from, to] = [count, 0];
  for (let i = 0; i < count; i++) {
    if (!(named & (1 << i))) continue;
    if (quality[i] < FORM) return undefined;
    from = Math.min(from, i);
    to = i + 1;
  }
  return bitsOf(named) === to - from ? [from, to] : undefined;
}

/** Returns whether word i and the one next to it are a postal code. */
const isPartOf = (code: string, words: readonly Word[], i: number) =>
  code === `${words[i].text}${words[i + 1]?.text}` || code === `${words[i - 1]?.text}${words[i].text}`;

/** Returns whether word i is a part of the postal code, or the code with a suffix ("11201-1234"). */
function postalQuality(parts: readonly string[], words: readonly Word[], i: number): number {
  const { text, open } = words[i];
  if (parts.includes(text) || (parts.length > 1 && text === parts.join(""))) return 1;
  // "1012 LG" of 1012LG
  if (parts.length === 1 && parts[0].length > text.length && isPartOf(parts[0], words, i)) return 1;
  if (open && text.length >= 2 && parts.join("").startsWith(text)) return BEGINNING;
  // The second half of a code in two words, still being typed: "V6B 1".
  if (open && i > 0 && parts.length === 2 && words[i - 1].text === parts[0] && parts[1].startsWith(text)) return 1;
  return text.length === 10 && /^\d{5}-\d{4}$/.test(text) && text.startsWith(parts[0]) ? 1 : 0;
}
