import { fold } from "../words/normalise.ts";

/**
 * Words that are the first of a longer city: behind "West", "Vancouver" is another place, and behind "rue de" no city.
 */
const QUALIFIERS = new Set(
  "de du des d la del della di do da dos von of the north south east west new old port fort saint st san santa los las la el le lake mount mt upper lower great little bad sankt".split(
    " ",
  ),
);
const MAX_WORDS = 4;

/** Returns whether a name is that of a town that a text names, of the country if one is given: what a search has found in it. */
export type Towns = (name: string, country?: string) => boolean;

export const NO_TOWNS: Towns = () => false;

/**
 * Returns how many of the last words are the name of a town, the longest name first; 0 if none, or if all words
 * are.
 */
export function cityWordsAtEnd(words: readonly string[], towns: Towns, country?: string): number {
  for (let count = Math.min(MAX_WORDS, words.length - 1); count > 0; count--) {
    if (!towns(words.slice(-count).join(" "), country)) continue;
    return QUALIFIERS.has(fold(words[words.length - count - 1]).replace(/\./g, "")) ? 0 : count;
  }
  return 0;
}
