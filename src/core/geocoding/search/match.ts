import type { Context } from "../entry/entry.ts";
import type { NamesTile } from "../index/names-tile.ts";
import type { ParsedQuery, Word } from "../parse/query.ts";
import { isOtherType, stemOf } from "../words/abbreviations.ts";
import { hasWrongStart, mistakesOf } from "../words/typo.ts";
import { explain, type Match } from "./explain.ts";
import type { Span } from "./named-region.ts";
import { type Around, surroundings } from "./surroundings.ts";
import type { Town } from "./towns.ts";
import { BEGINNING, FAR, FORM, MISTAKE, MISTAKES, OTHER_TYPE, TWO_WORDS, WRONG_START } from "./word-fit.ts";

/**
 * An entry is not matched closely when it has less than these shares of the best one, in all words and in the words of
 * its own name: of "12 Oak St, Salem, OR" every other street of Salem fits three words.
 */
const MIN_MATCH_SHARE = 0.55;
const MIN_NAME_SHARE = 0.45;
const NEARLY_BEST = 0.9;
/** The most entries of a tile that are matched closely, best first. */
const CLOSE_LOOK = 40;

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
  areas: readonly Span[] = [],
): Match[] {
  const { words } = query;
  const touched: number[] = [];
  makeRoom(names.count);
  scoreNames(names, words, typos, touched);
  if (touched.length === 0) return [];
  const groupOf = (entry: number) => (names.kinds[entry] < 2 ? 0 : 1);
  /** By context: entries of a tile share them. */
  const around = new Map<Context, (Around | undefined)[]>();
  const aroundOf = (entry: number, known: typeof around, typos: boolean) => {
    const context = names.context(entry);
    let found = known.get(context);
    if (!found) {
      found = surroundings(names, entry, words, typos, towns, areas);
      known.set(context, found);
    }
    return found;
  };
  for (const entry of touched) {
    const more = aroundOf(entry, around, false);
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
  const places = typos ? new Map() : around;
  return candidates
    .slice(0, CLOSE_LOOK)
    .map((entry) => explain(names, entry, query, typos, aroundOf(entry, places, typos)))
    .sort((a, b) => b.text - a.text);
}

/** Adds to each entry the weight of the query's words in its name; `touched` gets the entries that have any. */
function scoreNames(names: NamesTile, words: readonly Word[], typos: boolean, touched: number[]): void {
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

/** How an entry fits a query whose states and countries are known. */
export function matchEntry(
  names: NamesTile,
  entry: number,
  query: ParsedQuery,
  typos: boolean,
  areas: readonly Span[],
  only?: number,
): Match {
  return explain(names, entry, query, typos, surroundings(names, entry, query.words, typos, [], areas), only);
}
