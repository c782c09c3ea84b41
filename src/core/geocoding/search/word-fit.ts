import type { Word } from "../parse/query.ts";
import { isOtherType } from "../words/abbreviations.ts";
import { hasWrongStart, mistakesOf } from "../words/typo.ts";

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
