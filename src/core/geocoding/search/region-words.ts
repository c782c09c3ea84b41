import type { ParsedQuery, Word } from "../parse/query.ts";
import { isStreetType } from "../words/abbreviations.ts";
import { isUnspaced } from "../words/normalise.ts";

/** Shorter words are no misspelled regions, of which there are too many: "BER" is not Bern, and "Palu" not Palau. */
const MIN_MISSPELT = 5;

/** Nor is a word for a kind of street one: "Rua 5" is not in Ruda. */
export function withoutTypes(query: ParsedQuery): ParsedQuery {
  const words = query.words.map((word) =>
    isStreetType(word.text) || (!word.open && word.text.length < MIN_MISSPELT) ? { ...word, mistakes: 0 } : word,
  );
  return { ...query, words };
}

/**
 * The words by which regions are looked up, those at the end first. Of adjacent words that are all words for kinds of
 * streets (Grand Rapids, Valley Stream, Park Ridge) one is enough, the longest.
 */
export function regionWords(words: readonly Word[]): Word[] {
  const out: Word[] = [];
  const runs: Word[][] = [];
  // "150-0001" and "ZE9 4QQ" are postal codes where nothing else is said.
  const isCode = words.every(({ number }) => number);
  const usable = withoutMiddles(words).filter(
    ({ number, text }) => (!number || isCode || /^\d{4,}/.test(text)) && (words.length === 1 || text.length > 1),
  );
  for (const [i, word] of usable.entries()) {
    if (isCodeAtEnd(word, words)) {
      out.push(word);
      continue;
    }
    const isType = word.weight <= 0.5;
    const before = usable[i - 1];
    const continues = isType && before !== undefined && before.weight <= 0.5 && before.segment === word.segment;
    if (continues) runs[runs.length - 1].push(word);
    else runs.push([word]);
  }
  for (const run of runs.toReversed()) {
    const [first] = run;
    if (run.length === 1 && first.weight <= 0.5 && !standsAlone(first, words) && !isShort(words)) continue;
    out.push(run.reduce((best, word) => (word.text.length >= best.text.length ? word : best)));
  }
  const rank = (word: Word) => (isLeading(word, words) ? 2 : Number(word.weight > 0.5));
  return out.length > 4 ? out.toSorted((a, b) => rank(b) - rank(a)) : out;
}

/** "50 Oxford Street Bristol CT": a code, though it is also short for Court. */
const isCodeAtEnd = (word: Word, words: readonly Word[]) => {
  const next = words[words.indexOf(word) + 1];
  return word.capitals === true && words.length > 2 && (next === undefined || /^\d{5}/.test(next.text));
};

/** In Chinese and Japanese, an address begins with its country, state and city: 上海市黄浦区南京东路100号, 中国临沂中山路100号. */
const isLeading = (word: Word, words: readonly Word[]) =>
  /\p{Script=Han}/u.test(word.text) && words.indexOf(word) < LEADING;
const LEADING = 4;

/** "Bend OR", "Summit NJ" */
const isShort = (words: readonly Word[]) =>
  words.length <= 3 && words[words.length - 1].text.length <= 3 && !words.some(({ number }) => number);

/** "Street, Somerset" and "Colonia, Alemania" are towns; in "Oak Street" the word is none. */
const standsAlone = ({ segment }: Word, words: readonly Word[]) =>
  words.every((word) => word.weight <= 0.5 || word.segment !== segment);

/**
 * Of several parts in a script without spaces the first and the last pair of letters: アメリカ合衆国 has six, each of which finds
 * the country, and the city before it would not be opened.
 */
function withoutMiddles(words: readonly Word[]): Word[] {
  if (!words.some(({ text, segment }) => segment !== words[0].segment && isUnspaced(text))) return [...words];
  return words.filter(({ text, segment }, i) => {
    const isMiddle = words[i - 1]?.segment === segment && words[i + 1]?.segment === segment;
    return !isMiddle || !isUnspaced(text);
  });
}
