import type { FontSet } from "../text/font-set.ts";
import { readsRightToLeft } from "../text/shape-text.ts";

export const LINE_HEIGHT = 1.2;
/** From the middle of a line of text down to its baseline [em]: half the height of capitals. */
export const BASELINE = 0.36;
const MAX_LINES = 4;

/**
 * Breaks a text into lines of about equal width, none wider than `maxWidth` em if words allow. Chinese and Japanese
 * break between any two characters.
 */
export function breakLines(fonts: FontSet, font: string, text: string, spacing: number, maxWidth: number): string[] {
  const width = fonts.width(font, text, spacing);
  if (width <= maxWidth) return [text];
  const words = wordsOf(text);
  if (words.length === 1) return [text];
  const count = Math.min(MAX_LINES, words.length, Math.ceil(width / maxWidth));
  const widths = words.map((word) => fonts.width(font, word, spacing));
  const lines = balance(words, widths, count, width / count);
  // The text is in drawing order, from the left: in a right-to-left text the first words come last.
  return readsRightToLeft(text) ? lines.reverse() : lines;
}

/** Words with the space that follows them; each ideograph separately. */
function wordsOf(text: string): string[] {
  return (
    text.match(/[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]|[^\s\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]+\s*/g) ?? [text]
  );
}

/** The split into `count` lines with the least squared difference to the mean: few words, so every split is tried. */
function balance(words: readonly string[], widths: readonly number[], count: number, mean: number): string[] {
  const memo = new Map<number, { cost: number; lines: string[] }>();
  const best = (from: number, lines: number): { cost: number; lines: string[] } => {
    const key = from * 8 + lines;
    const known = memo.get(key);
    if (known) return known;
    let found = { cost: Infinity, lines: [] as string[] };
    let width = 0;
    for (let to = from + 1; to <= words.length - lines + 1; to++) {
      width += widths[to - 1];
      if (lines === 1 && to < words.length) continue;
      const rest = lines > 1 ? best(to, lines - 1) : { cost: 0, lines: [] };
      const cost = (width - mean) ** 2 + rest.cost;
      if (cost < found.cost) found = { cost, lines: [words.slice(from, to).join("").trim(), ...rest.lines] };
    }
    memo.set(key, found);
    return found;
  };
  return best(0, count).lines;
}
