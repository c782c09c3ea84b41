import type { Context } from "../entry.ts";
import type { NamesTile } from "../index/names-tile.ts";
import { type Name, namesOf, postalWords } from "../index/tile-names.ts";
import { type ContextPart, type ContextWord, contextWords } from "../parse/context-words.ts";
import type { ParsedQuery, Word } from "../parse/query.ts";
import { isMistakenEnd, isOtherType, isStreetType, stemOf } from "../words/abbreviations.ts";
import { continuesHouseNumber, houseNumberKey } from "../words/house-number.ts";
import { MAX_TOKENS } from "../words/normalise.ts";
import { hasWrongStart, mistakesOf } from "../words/typo.ts";
import { isInRegion, isWellInside } from "./inside.ts";
import { type Anchor, isCode } from "./named-region.ts";
import type { Town } from "./towns.ts";
import { isNamedAfter, isNear } from "./towns.ts";

/** How well a word fits: 1 as written, less for other forms, beginnings and mistakes. */
const FORM = 0.97;
const BEGINNING = 0.75;
const MISTAKE = 0.72;
const MISTAKES = 0.5;
/** An initial for a given name: likely, but there may be another name. */
const INITIAL = 0.85;
/** A mistake in the first letter, or the first two swapped: rarer than one within the word. */
const WRONG_START = 0.66;
/** The same compound word with another kind of street: Karlweg for Karlstraße. */
const OTHER_TYPE = 0.45;
/**
 * A word of the surroundings confirms an entry, but is not the target of the search; a part of such a name ("new" of
 * New York) has little weight.
 */
const AROUND = 0.95;
const PART_OF_AROUND = 0.5;
/** The name of a town that has an entry within its reach, though the entry has another town. */
const BESIDE = 0.7;
/** The words after a town's name without a comma belong to it: "Lauf an der Pegnitz". They have this lower weight. */
const EPITHET = 0.2;

/** Penalty for a street whose town comes before a comma, and the street after it. */
const TURNED = 0.03;

/** The shortest word that may be two words without their space or hyphen. */
const TWO_WORDS = 8;
/**
 * An entry is not matched closely when it has less than these shares of the best one, in all words and in the words of
 * its own name: of "12 Oak St, Salem, OR" every other street of Salem fits three words.
 */
const MIN_MATCH_SHARE = 0.55;
const MIN_NAME_SHARE = 0.45;
const NEARLY_BEST = 0.9;
/** The most entries of a tile that are matched closely, best first. */
const CLOSE_LOOK = 40;

/** How a query and an entry fit. */
export interface Match {
  entry: number;
  /** How well the words match and how much of the name they cover, 0 … 1. */
  text: number;
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

/** Columns for the entries of a tile, all zero between calls: clearing the used ones is faster than allocating. */
let scores = new Float32Array(4096);
let nameScores = new Float32Array(4096);
/** Words of the query that an entry's name has, as bits: there are at most 16. */
let masks = new Uint16Array(4096);

function makeRoom(count: number): void {
  if (count <= masks.length) return;
  scores = new Float32Array(count * 2);
  nameScores = new Float32Array(count * 2);
  masks = new Uint16Array(count * 2);
}

/**
 * The best scores of a search so far, so that a tile skips entries that are far worse than one of another tile: streets
 * and places at 0, regions at 1, because an exactly matching postal code does not affect streets.
 */
export interface Best {
  score: [number, number];
  name: [number, number];
}

export const noBest = (): Best => ({ score: [0, 0], name: [0, 0] });

/** Entries of a tile that have words of the query in their names, the best first. */
export function matchTile(
  names: NamesTile,
  query: ParsedQuery,
  typos: boolean,
  seen = noBest(),
  towns: readonly Town[] = [],
  areas: readonly Anchor[] = [],
): Match[] {
  const { words } = query;
  const touched: number[] = [];
  makeRoom(names.count);
  for (let i = 0; i < words.length; i++) {
    const bit = 1 << i;
    const { weight } = words[i];
    eachWord(names, words, i, typos, (at, quality) => {
      const gain = quality * weight;
      names.words.each(at, (entry) => {
        const mask = masks[entry];
        if (mask & bit) return;
        if (mask === 0) touched.push(entry);
        masks[entry] = mask | bit;
        scores[entry] += gain;
      });
    });
  }
  if (touched.length === 0) return [];
  const groupOf = (entry: number) => (names.kinds[entry] < 2 ? 0 : 1);
  const around = new Map<Context, (Around | undefined)[]>();
  for (const entry of touched) {
    const context = names.context(entry);
    let more = around.get(context);
    if (!more) {
      more = surroundings(names, entry, words, false, towns, areas);
      around.set(context, more);
    }
    let own = scores[entry];
    for (let i = 0; i < words.length; i++) {
      const one = more[i];
      if (one === undefined) continue;
      if (masks[entry] & (1 << i)) own -= words[i].weight;
      else scores[entry] += one.quality * words[i].weight;
    }
    nameScores[entry] = Math.max(0, own);
    const group = groupOf(entry);
    if (scores[entry] > seen.score[group]) {
      seen.score[group] = scores[entry];
      seen.name[group] = nameScores[entry];
    }
  }
  const isWorth = (entry: number) => {
    const group = groupOf(entry);
    const share = scores[entry] / seen.score[group];
    if (share < MIN_MATCH_SHARE) return false;
    // "Hollis Avenue, Hollis": the distinctive word of its name is also that of its city.
    return share >= NEARLY_BEST || nameScores[entry] >= seen.name[group] * MIN_NAME_SHARE;
  };
  const candidates = touched.filter(isWorth).sort((a, b) => scores[b] - scores[a] || a - b);
  for (const entry of touched) scores[entry] = nameScores[entry] = masks[entry] = 0;
  const places = typos ? new Map<Context, (Around | undefined)[]>() : around;
  const aroundOf = (entry: number) => {
    const context = names.context(entry);
    let known = places.get(context);
    if (!known) {
      known = surroundings(names, entry, words, typos, towns, areas);
      places.set(context, known);
    }
    return known;
  };
  return candidates
    .slice(0, CLOSE_LOOK)
    .map((entry) => explain(names, entry, query, typos, aroundOf(entry)))
    .sort((a, b) => b.text - a.text);
}

/** Words of the tile that word i of the query may mean, the best first. */
function eachWord(
  names: NamesTile,
  words: readonly Word[],
  i: number,
  typos: boolean,
  take: (at: number, quality: number) => void,
): void {
  const word = words[i];
  const table = names.words;
  const exact = table.indexOf(word.text);
  if (exact >= 0) take(exact, 1);
  const known = (text: string, quality: number) => {
    const at = table.indexOf(text);
    if (at >= 0) take(at, quality);
  };
  for (const form of word.forms) known(form, FORM);
  for (const form of word.joined) known(form, FORM);
  if (i > 0) for (const form of words[i - 1].joined) known(form, FORM);
  if (word.open) {
    for (let at = table.lowerBound(word.text); at < table.words.length; at++) {
      if (!table.words[at].startsWith(word.text)) break;
      if (at !== exact) take(at, BEGINNING);
    }
  }
  if (!typos || word.mistakes === 0) return;
  // A wrong first letter counts as two mistakes, so in a word that may have only one the rest must match.
  const sameStart = word.mistakes === 1;
  for (let at = 0; at < table.words.length; at++) {
    if (at === exact) continue;
    const target = table.words[at];
    const distance =
      sameStart && target[0] !== word.text[0] ? FAR : mistakesOf(word.text, target, word.mistakes, word.open);
    if (distance === 1) take(at, MISTAKE);
    else if (hasWrongStart(word.text, target, word.open)) take(at, WRONG_START);
    else if (distance <= word.mistakes) take(at, MISTAKES);
  }
  const stem = stemOf(word.text) ?? word.text;
  for (let at = table.lowerBound(stem); table.words[at]?.startsWith(stem); at++)
    if (isOtherType(word.text, table.words[at])) take(at, OTHER_TYPE);
  if (word.text.length < TWO_WORDS) return;
  for (let length = 3; length <= word.text.length - 3; length++) known(word.text.slice(0, length), MISTAKES);
}

/** How well a word of a query fits a word of a name; 0 = not at all. */
function fitOf(word: Word, target: string, typos: boolean, isType = false, isCode = false): number {
  if (word.text === target) return 1;
  if (isCode && !word.open) return 0;
  if (!isCode && word.forms.includes(target)) return FORM;
  if (word.open && target.startsWith(word.text)) {
    return BEGINNING + (FORM - BEGINNING) * (0.7 + 0.3 * (word.text.length / target.length));
  }
  if (!typos || word.mistakes === 0 || isCode) return 0;
  // There are few words for kinds of streets, so "Strare" can only be one of them.
  const most = isType && word.text.length > 5 ? 2 : word.mistakes;
  const distance = mistakesOf(word.text, target, most, word.open);
  if (distance <= 1) return MISTAKE;
  if (hasWrongStart(word.text, target, word.open)) return WRONG_START;
  if (distance <= most) return MISTAKES;
  return isOtherType(word.text, target) ? OTHER_TYPE : 0;
}

/** More mistakes than any word may have. */
const FAR = 99;

interface Around extends ContextWord {
  quality: number;
  /** As it is written in the data, or in another form of it. */
  spelt: boolean;
}

/**
 * Returns the role of each word of the query in the surroundings of an entry: part of the names of its town, state and
 * country, or of a town with another name or nearby ("Copenhagen" of København K), or of a state around it that its own
 * address lacks.
 */
function surroundings(
  names: NamesTile,
  entry: number,
  words: readonly Word[],
  typos: boolean,
  towns: readonly Town[],
  areas: readonly Anchor[],
): (Around | undefined)[] {
  const context = names.context(entry);
  const out = words.map((word) => aroundQuality(context, word, typos));
  for (const town of towns) {
    const { from, to } = town;
    // A match of all these words in the data itself is better.
    if (out.slice(from, to).every((one) => one?.spelt && one.part === "city")) continue;
    const same = isNamedAfter(town, context.city);
    if (!isNear(town, names.latitudes[entry], names.longitudes[entry], same)) continue;
    for (let i = from; i < to; i++)
      out[i] = { part: "city", of: to - from, leads: false, quality: same ? AROUND * FORM : BESIDE, spelt: same };
  }
  for (const area of areas) {
    const { from, to } = area;
    if (out.slice(from, to).every((one) => one?.spelt)) continue;
    const spot = {
      context,
      latitude: names.latitudes[entry],
      longitude: names.longitudes[entry],
      kind: names.kind(entry),
    };
    const region = area.regions.find((one) => isInRegion(spot, one));
    if (!region) continue;
    // Most states are known by their middle only.
    const isSure =
      region.kind === "country" ||
      (context.stateCode !== "" && context.stateCode === region.context.stateCode) ||
      // A town's own code that no state of the data has.
      region.kind === "locality" ||
      (isCode(area) && isWellInside(spot, region));
    const part = region.kind === "country" ? "country" : "state";
    const quality = isSure ? AROUND * FORM : BESIDE;
    for (let i = from; i < to; i++) out[i] = { part, of: to - from, leads: false, quality, spelt: isSure };
  }
  return out;
}

function aroundQuality(context: Context, word: Word, typos: boolean): Around | undefined {
  const known = contextWords(context);
  const exact = known.get(word.text);
  if (exact) return { quality: AROUND, spelt: true, ...exact };
  for (const form of word.forms) {
    const other = known.get(form);
    if (other) return { quality: AROUND * FORM, spelt: true, ...other };
  }
  if (!word.open && !(typos && word.mistakes > 0)) return undefined;
  let best: Around | undefined;
  for (const [target, what] of known) {
    const quality = fitOf(word, target, typos && what.part !== "country") * AROUND;
    if (quality > (best?.quality ?? 0)) best = { quality, spelt: false, ...what };
  }
  return best;
}

/** How an entry fits a query whose states and countries are known. */
export function matchEntry(
  names: NamesTile,
  entry: number,
  query: ParsedQuery,
  typos: boolean,
  areas: readonly Anchor[],
): Match {
  return explain(names, entry, query, typos, surroundings(names, entry, query.words, typos, [], areas));
}

/**
 * Assigns each word of the query to the name (each word of which is used once), to the surroundings, or to the house
 * number.
 */
function explain(
  names: NamesTile,
  entry: number,
  query: ParsedQuery,
  typos: boolean,
  around: readonly (Around | undefined)[],
): Match {
  let best: Match | undefined;
  for (const name of namesOf(names, entry)) {
    const match = explainName(names, entry, name, query, typos, around);
    if (!best || match.text > best.text) best = match;
  }
  return best!;
}

/** Columns for the words of a query in one name, used by one call at a time. */
const quality = new Float64Array(MAX_TOKENS);
/** For each word of the query the word of the name it means, or −1. */
const inName = new Int8Array(MAX_TOKENS);

/** The parts that a query may confirm, as bits. */
const CONFIRMED = { name: 1, postalCode: 2, city: 4, county: 8, state: 16, country: 32 } as const;

function explainName(
  names: NamesTile,
  entry: number,
  name: Name,
  { words }: ParsedQuery,
  typos: boolean,
  around: readonly (Around | undefined)[],
): Match {
  // Sets of words are bits: this runs for each name that is matched closely.
  const count = words.length;
  const covered = assign(words, name, typos);
  const own = names.kind(entry);
  const isRegion = names.kinds[entry] > 1;
  let confirmed = covered > 0 ? CONFIRMED.name : 0;
  const postal = postalWords(names, entry);
  let [rest, arounds, named] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    if (inName[i] >= 0) {
      named |= 1 << i;
      continue;
    }
    const code = postal.length === 0 ? 0 : postalQuality(postal, words, i);
    const what = code > 0 ? undefined : around[i];
    if (code > 0) confirmed |= CONFIRMED.postalCode;
    if (what) arounds |= 1 << i;
    quality[i] = code || (what?.quality ?? 0);
    if (quality[i] === 0) rest |= 1 << i;
  }
  let cities = 0;
  for (let i = 0; i < count; i++) {
    if (!(arounds & (1 << i))) continue;
    const { part, of, leads } = around[i]!;
    if (part === "city") cities |= 1 << i;
    if (of === 1 || countOf(around, arounds, part, of) >= of) {
      // "Georgia, GA": a region's own code confirms nothing new.
      if (part !== own) confirmed |= CONFIRMED[part];
    } else {
      quality[i] *= PART_OF_AROUND;
      if (!leads && !words[i].unfinished) rest |= 1 << i;
    }
  }
  const house = names.kinds[entry] === 0 ? houseNumberAmong(words, rest) : undefined;
  const used = house?.used ?? 0;
  let [total, fits, lost, missing] = [0, 0, 0, 0];
  let spelt = true;
  let segment = -1;
  for (let i = 0; i < count; i++) {
    const word = words[i];
    const bit = 1 << i;
    if (used & bit) quality[i] = 0.8;
    if (rest & bit) {
      const idle = isIdle(word, used, i);
      if (idle) quality[i] = 0.8;
      // After a house number, the first digits of a postal code that is not in the tile are not a contradiction.
      const begun = house !== undefined && word.unfinished && /^\d{1,3}$/.test(word.text);
      if (!idle && !begun && !(used & bit)) missing |= bit;
    }
    total += word.weight;
    fits += word.weight * quality[i];
    if (named & bit) {
      // "East Street, Baltimore" is not East Baltimore Street.
      if (segment >= 0 && segment !== word.segment) spelt = false;
      segment = word.segment;
      if (quality[i] < FORM || isMistaken(word, name, inName[i], names.context(entry).countryCode)) spelt = false;
    } else if (quality[i] === BEGINNING || around[i]?.spelt === false) spelt = false;
  }
  const turned = isTurned(words, named, cities);
  const towns = isRegion ? named : cities;
  let nameWords = 0;
  let telling = false;
  for (let i = 0; i < count; i++) {
    const { number, weight, open } = words[i];
    const bit = 1 << i;
    if (missing & bit) lost += weight * (!number && followsIn(words, towns, i) ? EPITHET : 1);
    if (!(named & bit)) continue;
    // A word that is still being typed is the beginning of one.
    if (quality[i] >= (open ? BEGINNING : FORM)) nameWords |= bit;
    if (around[i] === undefined && weight > 0.5) telling = true;
  }
  const coverage = name.weight === 0 ? 0 : covered / name.weight;
  const lead = isRegion ? leadOf(name, covered, coverage) : coverage;
  return {
    entry,
    text: (0.8 * fits) / total + 0.2 * lead - (turned ? TURNED : 0),
    missing: lost / total,
    complete: missing === 0,
    coverage,
    spelt: spelt && missing === 0 && coverage > 0.999,
    telling,
    confirmed: bitsOf(confirmed),
    leads: inName.includes(0),
    otherType: isOtherTypeOf(words, name, missing),
    nameWords,
    named: namedBy(count, named, coverage),
    house: house?.key,
  };
}

function bitsOf(mask: number): number {
  let count = 0;
  for (let left = mask; left > 0; left &= left - 1) count++;
  return count;
}

/** The number of words of the surroundings with this part and length of name. */
function countOf(around: readonly (Around | undefined)[], mask: number, part: ContextPart, of: number): number {
  let count = 0;
  for (let i = 0; i < around.length; i++)
    if (mask & (1 << i) && around[i]!.part === part && around[i]!.of === of) count++;
  return count;
}

/** Returns whether one of these words is before word i, without a comma between them. */
function followsIn(words: readonly Word[], mask: number, i: number): boolean {
  for (let at = 0; at < i; at++) if (mask & (1 << at) && words[at].segment === words[i].segment) return true;
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
 * one of München.
 */
function isMistaken({ text, umlauts }: Word, name: Name, at: number, country: string): boolean {
  const target = name.words[at];
  if (text === target) return false;
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

/**
 * Fills `inName` and `quality`: best fits first, each word of the name once. Then words that were joined or split.
 * Returns the weight of the name's words that the query has.
 */
function assign(words: readonly Word[], { words: target, weights, coded }: Name, typos: boolean): number {
  inName.fill(-1);
  quality.fill(0);
  const pairs: { i: number; k: number; quality: number }[] = [];
  for (let i = 0; i < words.length; i++) {
    for (let k = 0; k < target.length; k++) {
      const fits = fitOf(words[i], target[k], typos, weights[k] < 1, coded && k === 0);
      if (fits > 0) pairs.push({ i, k, quality: fits });
    }
  }
  // If two words mean the same ("5 5th Ave"), use the one at the right position in the name.
  if (pairs.length > 1)
    pairs.sort((a, b) => b.quality - a.quality || Math.abs(a.i - a.k) - Math.abs(b.i - b.k) || b.i - a.i);
  let taken = 0;
  let covered = 0;
  const take = (i: number, k: number, fits: number) => {
    inName[i] = k;
    taken |= 1 << k;
    covered += weights[k];
    quality[i] = fits;
  };
  for (const { i, k, quality: fits } of pairs) if (inName[i] < 0 && !(taken & (1 << k))) take(i, k, fits);
  for (let i = 0; i < words.length; i++) {
    if (inName[i] >= 0) continue;
    const { text, joined, mistakes, number } = words[i];
    if (joined.length > 0 && inName[i + 1] < 0) {
      for (let k = coded ? 1 : 0; k < target.length; k++) {
        if (taken & (1 << k) || !joined.includes(target[k])) continue;
        take(i, k, FORM);
        inName[i + 1] = k;
        quality[i + 1] = FORM;
        break;
      }
    } else if (text.length === 1 && !number) {
      const k = initialAt(text, target, inName[i + 1], taken);
      if (k >= 0 && !(coded && k === 0)) take(i, k, INITIAL);
    } else if (typos && text.length >= TWO_WORDS) {
      for (let k = 0; k + 1 < target.length; k++) {
        if (taken & (3 << k) || mistakesOf(text, target[k] + target[k + 1], mistakes) > mistakes) continue;
        take(i, k, MISTAKE);
        taken |= 2 << k;
        covered += weights[k + 1];
        break;
      }
    }
  }
  return covered;
}

/** "K." of "K.-Adenauer-Str.": the word of the name in front of the one that the next word is. */
function initialAt(letter: string, target: readonly string[], next: number | undefined, taken: number): number {
  const k = (next ?? 0) - 1;
  return k >= 0 && !(taken & (1 << k)) && target[k].startsWith(letter) ? k : -1;
}

/** Returns whether word i is a part of the postal code, or the code with a suffix ("11201-1234"). */
function postalQuality(parts: readonly string[], words: readonly Word[], i: number): number {
  const { text, open } = words[i];
  if (parts.includes(text) || (parts.length > 1 && text === parts.join(""))) return 1;
  if (open && text.length >= 2 && parts.join("").startsWith(text)) return BEGINNING;
  // The second half of a code in two words, still being typed: "V6B 1".
  if (open && i > 0 && parts.length === 2 && words[i - 1].text === parts[0] && parts[1].startsWith(text)) return 1;
  return text.length === 10 && /^\d{5}-\d{4}$/.test(text) && text.startsWith(parts[0]) ? 1 : 0;
}

/**
 * The house number among the unmatched words: the one next to the name, and of two such words the shorter (the other is
 * a postal code that is not in the tile), with its suffix: "12 bis".
 */
function houseNumberAmong(words: readonly Word[], rest: number): { key: string; used: number } | undefined {
  let [at, least] = [-1, 4];
  for (let i = 0; i < words.length; i++) {
    if (!(rest & (1 << i)) || !words[i].number) continue;
    const doubt = (isNextToName(words, rest, i) ? 0 : 2) + (words[i].text.length > 4 ? 1 : 0);
    if (doubt < least) [at, least] = [i, doubt];
  }
  if (at < 0) return undefined;
  const hasSuffix = (rest & (1 << (at + 1))) !== 0 && continuesHouseNumber(words[at + 1].text);
  const text = hasSuffix ? words[at].text + words[at + 1].text : words[at].text;
  return { key: houseNumberKey(text), used: (hasSuffix ? 3 : 1) << at };
}

/** Returns whether word i is next to the name, or a mark or suffix of the number is between them: "12 bis rue …". */
function isNextToName(words: readonly Word[], rest: number, i: number): boolean {
  return (
    inName[i - 1] >= 0 ||
    inName[i + 1] >= 0 ||
    (words[i - 1]?.mark && inName[i - 2] >= 0) ||
    ((rest & (1 << (i + 1))) !== 0 && continuesHouseNumber(words[i + 1].text) && inName[i + 2] >= 0)
  );
}
