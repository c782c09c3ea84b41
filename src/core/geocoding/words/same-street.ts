import { otherForms } from "./abbreviations.ts";
import { tokensOf } from "./normalise.ts";
import { isSameNumeral } from "./numerals.ts";

/** Returns whether two names are the same street except for abbreviations: "Whitchurch St" and "Whitchurch Street". */
export function isSameStreet(a: string, b: string): boolean {
  if (a === b) return true;
  const [words, others] = [tokensOf(a), tokensOf(b)];
  return (
    words.length === others.length &&
    words.every(
      (word, i) =>
        word === others[i] ||
        isSameNumeral(word, others[i]) ||
        otherForms(word).includes(others[i]) ||
        otherForms(others[i]).includes(word),
    )
  );
}
