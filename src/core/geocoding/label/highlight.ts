import { otherForms } from "../words/abbreviations.ts";
import { fold, tokensOf } from "../words/normalise.ts";
import { allowedMistakes, mistakesOf } from "../words/typo.ts";

/** A range of a text: from the first to before the last position [UTF-16 units]. */
export type Span = [from: number, to: number];

/** A query prepared for many labels. */
export interface Highlighter {
  words: { text: string; forms: readonly string[]; mistakes: number; open: boolean }[];
  /** The query as one string, for scripts that write words without spaces. */
  joined: string;
}

export function highlighterOf(query: string, open: boolean): Highlighter {
  const tokens = tokensOf(query);
  const typing = open && !/[\s,;.]$/.test(query);
  return {
    words: tokens.map((text, i) => ({
      text,
      forms: otherForms(text),
      mistakes: allowedMistakes(text),
      open: typing && i === tokens.length - 1,
    })),
    joined: UNSPACED.test(query) ? fold(query).replace(/[\s,]+/g, "") : "",
  };
}

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Returns the parts of a label that match a query: entire words, in any form or with a typo, and the typed letters of
 * an incomplete word. Adjacent words are one span.
 *
 *     "jay st brook" in "20 Jay St, Brooklyn, NY 11201 USA"  →  [[3, 9], [11, 16]]
 */
export function highlight({ words, joined }: Highlighter, label: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: word, index: at } of label.matchAll(WORD)) {
    const length = matchedLength(words, fold(word), word.length);
    if (length > 0) spans.push([at, at + length]);
    else if (joined !== "" && UNSPACED.test(word)) spans.push(...runsIn(word, joined, at));
  }
  const out: Span[] = [];
  for (const span of spans) {
    const last = out.at(-1);
    if (last && span[0] > last[1] && /^[\s-]+$/.test(label.slice(last[1], span[0])) && isWordEnd(label, last[1]))
      last[1] = span[1];
    else out.push([...span]);
  }
  return out;
}

const isWordEnd = (label: string, at: number) => !/[\p{L}\p{N}]/u.test(label[at] ?? "");

/** Returns how many letters of a word matched, from its start; 0 for none. */
function matchedLength(words: Highlighter["words"], folded: string, length: number): number {
  let best = 0;
  for (const { text, forms, mistakes, open } of words) {
    if (text === folded || forms.includes(folded)) return length;
    // Folding may lengthen a word ("ß" → "ss"), so letters that are still being typed end within it.
    if (open && folded.startsWith(text)) best = Math.max(best, Math.min(length, text.length));
    else if (mistakes > 0 && best === 0 && mistakesOf(text, folded, mistakes, open) <= mistakes)
      best = open ? Math.min(length, text.length) : length;
  }
  return best;
}

/** The longest part of the query in a run of letters without spaces; at least two letters, or the entire run. */
function runsIn(word: string, joined: string, at: number): Span[] {
  const folded = fold(word);
  for (let length = Math.min(folded.length, joined.length); length > 0; length--) {
    for (let from = 0; from + length <= folded.length; from++) {
      if (
        (length > 1 || folded.length === 1 || joined.length === 1) &&
        joined.includes(folded.slice(from, from + length))
      )
        return [[at + from, at + Math.min(word.length, from + length)]];
    }
  }
  return [];
}
