import type { ParsedQuery, Word } from "../parse/query.ts";
import { isStreetType } from "../words/abbreviations.ts";
import { isUnspaced } from "../words/normalise.ts";

/** A word for a kind of street is not a misspelled name of a region: "Rua 5" is not in Ruda. */
export function withoutTypes(query: ParsedQuery): ParsedQuery {
  const words = query.words.map((word) => (isStreetType(word.text) ? { ...word, mistakes: 0 } : word));
  return { ...query, words };
}

/**
 * Of several parts in a script without spaces the first and the last pair of letters: アメリカ合衆国 has six, each of which finds
 * the country, and the city before it would not be opened.
 */
export function withoutMiddles(words: readonly Word[]): Word[] {
  if (!words.some(({ text, segment }) => segment !== words[0].segment && isUnspaced(text))) return [...words];
  return words.filter(({ text, segment }, i) => {
    const isMiddle = words[i - 1]?.segment === segment && words[i + 1]?.segment === segment;
    return !isMiddle || !isUnspaced(text);
  });
}
