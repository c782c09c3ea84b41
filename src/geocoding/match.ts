import { isStreetType } from "./abbreviations.ts";
import { type ContextWord, contextWords } from "./context-words.ts";
import type { Context } from "./entry.ts";
import { continuesHouseNumber, houseNumberKey } from "./house-number.ts";
import type { NamesTile } from "./names-tile.ts";
import { tokensOf } from "./normalise.ts";
import type { ParsedQuery, Word } from "./query.ts";
import { mistakesOf } from "./typo.ts";

/** How well a word fits: 1 as it is, less for other forms, beginnings and mistakes. */
const FORM = 0.97;
const BEGINNING = 0.75;
const MISTAKE = 0.72;
const MISTAKES = 0.5;
/** A word of the surroundings confirms, but is not what is looked for; a part of its words ("new" of New York) hardly. */
const AROUND = 0.95;
const PART_OF_AROUND = 0.5;

/** Entries of a tile that are looked at closely, best first. */
const CLOSE_LOOK = 40;

/** What a query says about an entry. */
export interface Match {
  entry: number;
  /** How well the words fit and how much of the name they cover, 0 … 1. */
  text: number;
  /** Words that fit nothing, by weight, over all words. */
  missing: number;
  /** Is every word of the query accounted for? A number may still turn out not to exist. */
  complete: boolean;
  /** Share of the name's words that were asked for. */
  coverage: number;
  /** Parts that were asked for and are right: the name, postal code, city, state, country. */
  confirmed: number;
  /** The house number asked for, as `houseNumberKey` writes it. */
  house?: string;
}

/** Entries of a tile that have words of the query in their names, the best first. */
export function matchTile(names: NamesTile, query: ParsedQuery, typos: boolean): Match[] {
  const { words } = query;
  const scores = new Float32Array(names.count);
  /** Words of the query that an entry's name has, as bits: there are at most 16. */
  const masks = new Uint16Array(names.count);
  const touched: number[] = [];
  for (const [i, word] of words.entries()) {
    const take = (at: number, quality: number) => {
      names.words.each(at, (entry) => {
        if (masks[entry] & (1 << i)) return;
        if (masks[entry] === 0) touched.push(entry);
        masks[entry] |= 1 << i;
        scores[entry] += quality * word.weight;
      });
    };
    eachWord(names, word, typos, take);
  }
  if (touched.length === 0) return [];
  const around = new Map<Context, number[]>();
  let best = 0;
  for (const entry of touched) {
    const context = names.context(entry);
    let more = around.get(context);
    if (!more) {
      more = words.map((word) => (aroundQuality(context, word, false)?.quality ?? 0) * word.weight);
      around.set(context, more);
    }
    for (let i = 0; i < words.length; i++) if (!(masks[entry] & (1 << i))) scores[entry] += more[i];
    best = Math.max(best, scores[entry]);
  }
  const candidates = touched
    .filter((entry) => scores[entry] >= best * 0.55)
    .sort((a, b) => scores[b] - scores[a] || a - b)
    .slice(0, CLOSE_LOOK);
  return candidates.map((entry) => explain(names, entry, query, typos)).sort((a, b) => b.text - a.text);
}

/** Words of the tile that a word of the query may mean, the best first. */
function eachWord(names: NamesTile, word: Word, typos: boolean, take: (at: number, quality: number) => void): void {
  const table = names.words;
  const exact = table.indexOf(word.text);
  if (exact >= 0) take(exact, 1);
  for (const form of word.forms) {
    const at = table.indexOf(form);
    if (at >= 0) take(at, FORM);
  }
  if (word.open) {
    for (let at = table.lowerBound(word.text); at < table.words.length; at++) {
      if (!table.words[at].startsWith(word.text)) break;
      if (at !== exact) take(at, BEGINNING);
    }
  }
  if (!typos || word.mistakes === 0) return;
  // A wrong first letter is two mistakes: who may have one only begins right.
  const sameStart = word.mistakes === 1;
  const start = sameStart ? table.lowerBound(word.text[0]) : 0;
  for (let at = start; at < table.words.length; at++) {
    if (sameStart && table.words[at][0] !== word.text[0]) break;
    if (at === exact) continue;
    const distance = mistakesOf(word.text, table.words[at], word.mistakes, word.open);
    if (distance <= word.mistakes) take(at, distance === 1 ? MISTAKE : MISTAKES);
  }
}

/** How well a word of a query fits a word of a name; 0 = not at all. */
function fitOf(word: Word, target: string, typos: boolean): number {
  if (word.text === target) return 1;
  if (word.forms.includes(target)) return FORM;
  if (word.open && target.startsWith(word.text)) {
    return BEGINNING + (FORM - BEGINNING) * (0.7 + 0.3 * (word.text.length / target.length));
  }
  if (!typos || word.mistakes === 0) return 0;
  const distance = mistakesOf(word.text, target, word.mistakes, word.open);
  return distance > word.mistakes ? 0 : distance <= 1 ? MISTAKE : MISTAKES;
}

interface Around extends ContextWord {
  quality: number;
}

function aroundQuality(context: Context, word: Word, typos: boolean): Around | undefined {
  const known = contextWords(context);
  const exact = known.get(word.text);
  if (exact) return { quality: AROUND, ...exact };
  for (const form of word.forms) {
    const other = known.get(form);
    if (other) return { quality: AROUND * FORM, ...other };
  }
  if (!word.open && !(typos && word.mistakes > 0)) return undefined;
  let best: Around | undefined;
  for (const [target, what] of known) {
    const quality = fitOf(word, target, typos && what.part !== "country") * AROUND;
    if (quality > (best?.quality ?? 0)) best = { quality, ...what };
  }
  return best;
}

const nameWords = new WeakMap<NamesTile, (readonly (readonly string[])[] | undefined)[]>();

/** The words of each of an entry's names. */
function wordsOfNames(names: NamesTile, entry: number): readonly (readonly string[])[] {
  let tile = nameWords.get(names);
  if (!tile) {
    tile = new Array(names.count);
    nameWords.set(names, tile);
  }
  tile[entry] ??= [names.name(entry), ...names.otherNames(entry)].map(tokensOf);
  return tile[entry];
}

/** Gives each word of the query its place: in the name (each word of which serves once), around it, or as house number. */
export function explain(names: NamesTile, entry: number, query: ParsedQuery, typos: boolean): Match {
  let best: Match | undefined;
  for (const target of wordsOfNames(names, entry)) {
    const match = explainName(names, entry, target, query, typos);
    if (!best || match.text > best.text) best = match;
  }
  return best!;
}

function explainName(
  names: NamesTile,
  entry: number,
  target: readonly string[],
  { words }: ParsedQuery,
  typos: boolean,
): Match {
  const quality = new Float64Array(words.length);
  const inName = assign(words, target, typos, quality);
  const nameWeight = target.reduce((sum, word) => sum + weightOf(word), 0);
  const covered = target.reduce((sum, word, k) => sum + (inName.includes(k) ? weightOf(word) : 0), 0);
  const confirmed = new Set<string>();
  if (covered > 0) confirmed.add("name");
  const context = names.context(entry);
  const postal = names.postalCode(entry);
  const rest: number[] = [];
  const arounds: (Around & { i: number })[] = [];
  words.forEach((word, i) => {
    if (inName[i] >= 0) return;
    const code = postal === "" ? 0 : postalQuality(postal, words, i);
    const around = code > 0 ? undefined : aroundQuality(context, word, typos);
    if (code > 0) confirmed.add("postalCode");
    if (around) arounds.push({ i, ...around });
    quality[i] = code || (around?.quality ?? 0);
    if (quality[i] === 0) rest.push(i);
  });
  const own = names.kind(entry);
  for (const { i, part, of } of arounds) {
    const whole = arounds.filter((other) => other.part === part && other.of === of).length >= of;
    if (!whole) quality[i] *= PART_OF_AROUND;
    // "Georgia, GA": a region's own code says nothing new.
    else if (part !== own) confirmed.add(part);
  }
  const house = names.kinds[entry] === 0 ? houseNumberAmong(words, rest, inName) : undefined;
  for (const i of house?.used ?? []) quality[i] = 0.8;
  // Behind a house number, the first digits of a postal code that is not known here are no contradiction.
  const begun = (i: number) => house !== undefined && words[i].unfinished && /^\d{1,3}$/.test(words[i].text);
  const missing = rest.filter((i) => !house?.used.includes(i) && !begun(i));
  const total = words.reduce((sum, word) => sum + word.weight, 0);
  const fits = words.reduce((sum, word, i) => sum + word.weight * quality[i], 0) / total;
  const coverage = nameWeight === 0 ? 0 : covered / nameWeight;
  return {
    entry,
    text: 0.8 * fits + 0.2 * coverage,
    missing: missing.reduce((sum, i) => sum + words[i].weight, 0) / total,
    complete: missing.length === 0,
    coverage,
    confirmed: confirmed.size,
    ...(house && { house: house.key }),
  };
}

const weightOf = (word: string) => (isStreetType(word) ? 0.4 : 1);

/** For each word of the query the word of the name it means, or −1; best fits first, each word of the name once. */
function assign(words: readonly Word[], target: readonly string[], typos: boolean, quality: Float64Array): number[] {
  const chosen = new Array<number>(words.length).fill(-1);
  const pairs: { i: number; k: number; quality: number }[] = [];
  words.forEach((word, i) => {
    target.forEach((name, k) => {
      const fits = fitOf(word, name, typos);
      // Where two words mean the same ("5 5th Ave"), the one in its place in the name is it.
      if (fits > 0) pairs.push({ i, k, quality: fits });
    });
  });
  pairs.sort((a, b) => b.quality - a.quality || Math.abs(a.i - a.k) - Math.abs(b.i - b.k) || b.i - a.i);
  const taken = new Set<number>();
  for (const pair of pairs) {
    if (chosen[pair.i] >= 0 || taken.has(pair.k)) continue;
    chosen[pair.i] = pair.k;
    taken.add(pair.k);
    quality[pair.i] = pair.quality;
  }
  return chosen;
}

/** Is word i a part of the postal code, or the code with something behind it ("11201-1234")? */
function postalQuality(postal: string, words: readonly Word[], i: number): number {
  const { text, open } = words[i];
  const parts = tokensOf(postal);
  if (parts.includes(text) || text === parts.join("")) return 1;
  if (open && text.length >= 2 && parts.join("").startsWith(text)) return BEGINNING;
  // The second half of a code in two words, still being typed: "V6B 1".
  if (open && i > 0 && parts.length === 2 && words[i - 1].text === parts[0] && parts[1].startsWith(text)) return 1;
  return /^\d{5}-\d{4}$/.test(text) && text.startsWith(parts[0]) ? 1 : 0;
}

/**
 * The house number among the words that fit nothing else: the one beside the name, and of two of those the shorter (the
 * other is a postal code that is not known here); with what continues it: "12 bis".
 */
function houseNumberAmong(
  words: readonly Word[],
  rest: readonly number[],
  inName: readonly number[],
): { key: string; used: number[] } | undefined {
  const beside = (i: number) => inName[i - 1] >= 0 || inName[i + 1] >= 0 || continuesTo(words, rest, inName, i);
  const candidates = rest
    .filter((i) => words[i].number)
    .sort(
      (a, b) =>
        Number(beside(b)) - Number(beside(a)) ||
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

/** "12 bis rue …": the name follows what continues the number. */
function continuesTo(words: readonly Word[], rest: readonly number[], inName: readonly number[], i: number): boolean {
  return rest.includes(i + 1) && continuesHouseNumber(words[i + 1].text) && inName[i + 2] >= 0;
}
