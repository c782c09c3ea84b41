import type { Context } from "../entry.ts";
import type { NamesTile } from "../index/names-tile.ts";
import { type Name, namesOf, postalWords } from "../index/tile-names.ts";
import { type ContextWord, contextWords } from "../parse/context-words.ts";
import type { ParsedQuery, Word } from "../parse/query.ts";
import { isMistakenEnd, isOtherType, isStreetType, stemOf } from "../words/abbreviations.ts";
import { continuesHouseNumber, houseNumberKey } from "../words/house-number.ts";
import { hasWrongStart, mistakesOf } from "../words/typo.ts";
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
  named?: readonly [from: number, to: number];
  /** The query has the first word of the name. */
  leads: boolean;
  /** The query has another kind of street or none, and all other words of the name: "Oak Avenue" for Oak Street. */
  otherType: boolean;
  /** The words of the query that are words of the name, as bits. */
  nameWords: number;
  /** The requested house number, in the form of `houseNumberKey`. */
  house?: string;
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
  const around = new Map<Context, number[]>();
  for (const entry of touched) {
    const context = names.context(entry);
    let more = around.get(context);
    if (!more) {
      more = surroundings(names, entry, words, false, towns).map((one, i) => (one?.quality ?? 0) * words[i].weight);
      around.set(context, more);
    }
    let own = scores[entry];
    for (let i = 0; i < words.length; i++) {
      if (more[i] === 0) continue;
      if (masks[entry] & (1 << i)) own -= words[i].weight;
      else scores[entry] += more[i];
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
  const places = new Map<Context, (Around | undefined)[]>();
  const aroundOf = (entry: number) => {
    const context = names.context(entry);
    let known = places.get(context);
    if (!known) {
      known = surroundings(names, entry, words, typos, towns);
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
 * country, or of a town with another name or nearby ("Copenhagen" of København K).
 */
function surroundings(
  names: NamesTile,
  entry: number,
  words: readonly Word[],
  typos: boolean,
  towns: readonly Town[],
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

/**
 * Assigns each word of the query to the name (each word of which is used once), to the surroundings, or to the house
 * number.
 */
export function explain(
  names: NamesTile,
  entry: number,
  query: ParsedQuery,
  typos: boolean,
  around: readonly (Around | undefined)[] = surroundings(names, entry, query.words, typos, []),
): Match {
  let best: Match | undefined;
  for (const name of namesOf(names, entry)) {
    const match = explainName(names, entry, name, query, typos, around);
    if (!best || match.text > best.text) best = match;
  }
  return best!;
}

function explainName(
  names: NamesTile,
  entry: number,
  name: Name,
  { words }: ParsedQuery,
  typos: boolean,
  around: readonly (Around | undefined)[],
): Match {
  const quality = new Float64Array(words.length);
  const { inName, covered } = assign(words, name, typos, quality);
  const confirmed = new Set<string>();
  if (covered > 0) confirmed.add("name");
  const postal = postalWords(names, entry);
  const rest: number[] = [];
  const arounds: { i: number; what: Around }[] = [];
  for (let i = 0; i < words.length; i++) {
    if (inName[i] >= 0) continue;
    const code = postal.length === 0 ? 0 : postalQuality(postal, words, i);
    const what = code > 0 ? undefined : around[i];
    if (code > 0) confirmed.add("postalCode");
    if (what) arounds.push({ i, what });
    quality[i] = code || (what?.quality ?? 0);
    if (quality[i] === 0) rest.push(i);
  }
  const own = names.kind(entry);
  for (const { i, what } of arounds) {
    const { part, of, leads } = what;
    const whole = of === 1 || arounds.filter((other) => other.what.part === part && other.what.of === of).length >= of;
    if (!whole) {
      quality[i] *= PART_OF_AROUND;
      if (!leads && !words[i].unfinished) rest.push(i);
    }
    // "Georgia, GA": a region's own code confirms nothing new.
    else if (part !== own) confirmed.add(part);
  }
  const house = names.kinds[entry] === 0 ? houseNumberAmong(words, rest, inName) : undefined;
  for (const i of house?.used ?? []) quality[i] = 0.8;
  // After a house number, the first digits of a postal code that is not in the tile are not a contradiction.
  const begun = (i: number) => house !== undefined && words[i].unfinished && /^\d{1,3}$/.test(words[i].text);
  const idle = (i: number) => isIdle(words, inName, house?.used, i);
  const missing = rest.filter((i) => !house?.used.includes(i) && !begun(i) && !idle(i));
  for (const i of rest) if (idle(i)) quality[i] = 0.8;
  let [total, fits, lost] = [0, 0, 0];
  for (let i = 0; i < words.length; i++) {
    total += words[i].weight;
    fits += words[i].weight * quality[i];
  }
  let spelt = missing.length === 0;
  for (let i = 0; i < words.length; i++) {
    if (inName[i] >= 0 ? quality[i] < FORM : quality[i] === BEGINNING || around[i]?.spelt === false) spelt = false;
    if (inName[i] >= 0 && isMistaken(words[i], name, inName[i], names.context(entry).countryCode)) spelt = false;
  }
  // "East Street, Baltimore" is not East Baltimore Street.
  const segments = new Set(words.filter((_, i) => inName[i] >= 0).map(({ segment }) => segment));
  if (segments.size > 1) spelt = false;
  const isRegion = names.kinds[entry] > 1;
  const turned = isTurned(words, inName, arounds);
  const city = isRegion
    ? inName.flatMap((k, i) => (k >= 0 ? [i] : []))
    : arounds.filter(({ what }) => what.part === "city").map(({ i }) => i);
  for (const i of missing) {
    const isEpithet = !words[i].number && city.some((at) => at < i && words[at].segment === words[i].segment);
    lost += words[i].weight * (isEpithet ? EPITHET : 1);
  }
  const coverage = name.weight === 0 ? 0 : covered / name.weight;
  return {
    entry,
    text:
      (0.8 * fits) / total +
      0.2 * (isRegion ? leadOf(name, inName, covered, coverage) : coverage) -
      (turned ? TURNED : 0),
    missing: lost / total,
    complete: missing.length === 0,
    coverage,
    spelt: spelt && coverage > 0.999,
    telling: inName.some((k, i) => k >= 0 && around[i] === undefined && words[i].weight > 0.5),
    confirmed: confirmed.size,
    leads: inName.includes(0),
    otherType: isOtherTypeOf(words, inName, name, missing),
    nameWords: inName.reduce((mask, k, i) => {
      // A word that is still being typed is the beginning of one.
      const isOfName = k >= 0 && quality[i] >= (words[i].open ? BEGINNING : FORM);
      return isOfName ? mask | (1 << i) : mask;
    }, 0),
    ...namedBy(inName, quality, coverage),
    ...(house && { house: house.key }),
  };
}

/** "Naxxar Road, Attard" may mean Attard Road in Naxxar, but the literal reading is likelier. */
function isTurned(words: readonly Word[], inName: readonly number[], arounds: readonly { i: number; what: Around }[]) {
  const city = arounds.reduce(
    (last, { i, what }) => (what.part === "city" ? Math.max(last, words[i].segment) : last),
    -1,
  );
  if (city < 0) return false;
  const own = words.filter((word, i) => inName[i] >= 0 && word.weight > 0.5);
  return own.length > 0 && own.every(({ segment }) => segment > city);
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
function leadOf({ weight, weights }: Name, inName: readonly number[], covered: number, coverage: number): number {
  if (coverage > 0.999 || covered === 0) return coverage;
  const last = Math.max(...inName);
  for (let k = 0; k <= last; k++) if (!inName.includes(k)) return coverage;
  return weights[0] < 1 ? coverage : covered / (covered + EPITHET * (weight - covered));
}

/**
 * Returns whether these words only mark a house number next to them or announce a name: they contradict nothing if they
 * match nothing.
 */
function isIdle(words: readonly Word[], inName: readonly number[], used: readonly number[] | undefined, i: number) {
  if (words[i].mark) return used !== undefined && (used.includes(i + 1) || used.includes(i - 1));
  return words[i].silent && inName[i + 1] >= 0;
}

/** Returns whether words for kinds of streets are the only difference. */
function isOtherTypeOf(words: readonly Word[], inName: readonly number[], name: Name, missing: readonly number[]) {
  const isType = (i: number) => isStreetType(words[i].text) && (inName[i - 1] >= 0 || inName[i + 1] >= 0);
  return (
    missing.every(isType) &&
    name.weights.some((weight) => weight === 1) &&
    name.weights.every((weight, k) => weight < 1 || inName.includes(k))
  );
}

/** The words of the query that are the entire name, if they are adjacent. */
function namedBy(inName: readonly number[], quality: Float64Array, coverage: number): Pick<Match, "named"> {
  if (coverage < 0.999) return {};
  let [from, to, count] = [inName.length, 0, 0];
  for (let i = 0; i < inName.length; i++) {
    if (inName[i] < 0) continue;
    if (quality[i] < FORM) return {};
    from = Math.min(from, i);
    to = i + 1;
    count++;
  }
  return count > 0 && count === to - from ? { named: [from, to] } : {};
}

/**
 * For each word of the query the word of the name it means, or −1; best fits first, each word of the name once. Then
 * words that were joined or split. `covered` is the weight of the name's words that the query has.
 */
function assign(
  words: readonly Word[],
  { words: target, weights, coded }: Name,
  typos: boolean,
  quality: Float64Array,
): { inName: number[]; covered: number } {
  const inName = new Array<number>(words.length).fill(-1);
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
  for (const { i, k, quality: fits } of pairs) {
    if (inName[i] >= 0 || taken & (1 << k)) continue;
    inName[i] = k;
    taken |= 1 << k;
    covered += weights[k];
    quality[i] = fits;
  }
  for (let i = 0; i < words.length; i++) {
    if (inName[i] >= 0) continue;
    const { text, joined, mistakes } = words[i];
    if (joined.length > 0 && inName[i + 1] < 0) {
      const k = target.findIndex((name, at) => !(taken & (1 << at)) && !(coded && at === 0) && joined.includes(name));
      if (k >= 0) {
        inName[i] = inName[i + 1] = k;
        taken |= 1 << k;
        covered += weights[k];
        quality[i] = quality[i + 1] = FORM;
      }
    } else if (text.length === 1 && !words[i].number) {
      const k = initialAt(text, target, inName[i + 1], taken);
      if (k >= 0 && !(coded && k === 0)) {
        inName[i] = k;
        taken |= 1 << k;
        covered += weights[k];
        quality[i] = INITIAL;
      }
    } else if (typos && text.length >= TWO_WORDS) {
      for (let k = 0; k + 1 < target.length; k++) {
        if (taken & (3 << k) || mistakesOf(text, target[k] + target[k + 1], mistakes) > mistakes) continue;
        inName[i] = k;
        taken |= 3 << k;
        covered += weights[k] + weights[k + 1];
        quality[i] = MISTAKE;
        break;
      }
    }
  }
  return { inName, covered };
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
function houseNumberAmong(
  words: readonly Word[],
  rest: readonly number[],
  inName: readonly number[],
): { key: string; used: number[] } | undefined {
  const isAdjacent = (i: number) =>
    inName[i - 1] >= 0 ||
    inName[i + 1] >= 0 ||
    (words[i - 1]?.mark && inName[i - 2] >= 0) ||
    continuesTo(words, rest, inName, i);
  const candidates = rest
    .filter((i) => words[i].number)
    .sort(
      (a, b) =>
        Number(isAdjacent(b)) - Number(isAdjacent(a)) ||
        Number(words[a].text.length > 4) - Number(words[b].text.length > 4) ||
        a - b,
    );
  if (candidates.length === 0) return undefined;
  const [at] = candidates;
  const used = [at];
  let text = words[at].text;
  const next = words[at + 1];
  if (next && rest.includes(at + 1) && continuesHouseNumber(next.text)) {
    used.push(at + 1);
    text += next.text;
  }
  return { key: houseNumberKey(text), used };
}

/** "12 bis rue …": the name follows the suffix of the number. */
function continuesTo(words: readonly Word[], rest: readonly number[], inName: readonly number[], i: number): boolean {
  return rest.includes(i + 1) && continuesHouseNumber(words[i + 1].text) && inName[i + 2] >= 0;
}
