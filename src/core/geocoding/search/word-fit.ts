import type { Name } from "../index/tile-names.ts";
import type { Word } from "../parse/query.ts";
import { isOtherType } from "../words/abbreviations.ts";
import { hasWrongStart, mistakesOf } from "../words/typo.ts";

/** An initial for a given name: likely, but there may be another name. */
const INITIAL = 0.85;
/** How well a word fits: 1 as written, less for other forms, beginnings and mistakes. */
export const FORM = 0.97;
export const BEGINNING = 0.75;
export const MISTAKE = 0.72;
export const MISTAKES = 0.5;
/** A mistake in the first letter, or the first two swapped: rarer than one within the word. */
export const WRONG_START = 0.66;
/** The same compound word with another kind of street: Karlweg for Karlstraße. */
export const OTHER_TYPE = 0.45;

/** The shortest word that may be two words without their space or hyphen. */
export const TWO_WORDS = 8;

/** More mistakes than any word may have. */
export const FAR = 99;

/** How well a word of a query fits a word of a name; 0 = not at all. */
export function fitOf(word: Word, target: string, typos: boolean, isType = false, isCode = false): number {
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

/** Of each word of a query, the word of a name that it means, or −1, and how well it fits. */
interface Assignment {
  inName: Int8Array;
  quality: Float64Array;
}

/**
 * Assigns words of a query to those of a name: best fits first, each word of the name once. Then words that were joined or split.
 * @returns the weight of the name's words that the query has
 */
export function assignWords(
  words: readonly Word[],
  { words: target, weights, coded }: Name,
  typos: boolean,
  only: number,
  { inName, quality }: Assignment,
): number {
  inName.fill(-1);
  quality.fill(0);
  const pairs: { i: number; k: number; quality: number }[] = [];
  for (let i = 0; i < words.length; i++) {
    if (!(only & (1 << i))) continue;
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
    if (inName[i] >= 0 || !(only & (1 << i))) continue;
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
    } else if (typos && text.length < MIN_ALONE && !number && isShortPair(words, i, target, inName[i - 1])) {
      const k = inName[i - 1] + 1;
      if (!(taken & (1 << k))) take(i, k, MISTAKE);
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

/** Shorter words are too similar to others to have mistakes, except together with a short word before them: "Is-Sr" for Is-Sur. */
const MIN_ALONE = 4;

/** Returns whether word i and the one before it, which is word k of the name, are words k and k + 1 with one mistake. */
function isShortPair(words: readonly Word[], i: number, target: readonly string[], k = -1): boolean {
  if (k < 0 || k + 1 >= target.length || words[i - 1].text.length >= MIN_ALONE) return false;
  return mistakesOf(words[i - 1].text + words[i].text, target[k] + target[k + 1], 1) <= 1;
}

/** "K." of "K.-Adenauer-Str.": the word of the name in front of the one that the next word is. */
function initialAt(letter: string, target: readonly string[], next: number | undefined, taken: number): number {
  const k = (next ?? 0) - 1;
  return k >= 0 && !(taken & (1 << k)) && target[k].startsWith(letter) ? k : -1;
}

/**
 * The names that have a word of the query: a city has up to thirty. Without typos no other name fits better than the first one.
 */
export function likelyNames(all: readonly Name[], words: readonly Word[], typos: boolean): readonly Name[] {
  if (typos || all.length === 1) return all;
  const spellings = spellingsOf(words);
  const last = words[words.length - 1];
  const beginning = last.open ? last.text : undefined;
  const isLikely = (word: string) => spellings.has(word) || (beginning !== undefined && word.startsWith(beginning));
  const likely = all.filter((name) => name.words.some(isLikely));
  return likely.length === 0 ? all.slice(0, 1) : likely;
}

/** All spellings of a query's words; computed once for each query. */
const spellings = new WeakMap<readonly Word[], ReadonlySet<string>>();

function spellingsOf(words: readonly Word[]): ReadonlySet<string> {
  let known = spellings.get(words);
  if (!known) {
    known = new Set(words.flatMap(({ text, forms, joined }) => [text, ...forms, ...joined]));
    spellings.set(words, known);
  }
  return known;
}
