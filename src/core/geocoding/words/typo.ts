/**
 * Number of mistakes allowed in a word of a query: none below 3 letters, one from 3, two from 8. Words with digits must
 * be exact.
 */
export function allowedMistakes(word: string): number {
  if (word.length < 3 || /\d/.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

const NONE = 99;
/** Longer words are not compared; no word of a name is that long. */
const MAX_LENGTH = 62;
/** Rows of the table of edits, reused by every call: none is in use between calls. */
const ROWS = [new Uint8Array(MAX_LENGTH + 2), new Uint8Array(MAX_LENGTH + 2), new Uint8Array(MAX_LENGTH + 2)];

/**
 * Number of mistakes in a query's word, up to `most`: like `mistakes`, but in a word of 3 letters only a missing letter
 * counts as one ("Rad" for Road), because too many words differ by one letter.
 */
export function mistakesOf(word: string, target: string, most: number, prefix = false): number {
  return word.length < 4 && target.length <= word.length ? NONE : mistakes(word, target, most, prefix);
}

/**
 * Number of letters to change, insert, omit or swap with their neighbor to turn one word into another (optimal string
 * alignment, Damerau 1964); a mistake in the first letter has double weight. Above `most` any larger number. With
 * `prefix`, the minimum over all prefixes of `target`.
 */
export function mistakes(word: string, target: string, most: number, prefix = false): number {
  const n = word.length;
  const m = Math.min(target.length, n + most);
  if (target.length < n - most || (!prefix && target.length > n + most) || n > MAX_LENGTH - most) return NONE;
  let [beforeLast, last, row] = ROWS;
  for (let j = 0; j <= m; j++) last[j] = j === 0 ? 0 : j + 1;
  let [before, letter] = [0, 0];
  for (let i = 1; i <= n; i++) {
    before = letter;
    letter = word.charCodeAt(i - 1);
    row[0] = i + 1;
    let least = i + 1;
    // Farther from the diagonal than `most`, no path can get back below it.
    const from = Math.max(1, i - most - 1);
    const to = Math.min(m, i + most + 1);
    if (from > 1) row[from - 1] = NONE;
    if (to < m) row[to + 1] = NONE;
    for (let j = from; j <= to; j++) {
      const other = target.charCodeAt(j - 1);
      let cost = last[j - 1] + (letter === other ? 0 : i === 1 && j === 1 ? 2 : 1);
      if (last[j] + 1 < cost) cost = last[j] + 1;
      if (row[j - 1] + 1 < cost) cost = row[j - 1] + 1;
      if (i > 1 && j > 1 && before === other && letter === target.charCodeAt(j - 2)) {
        const swapped = beforeLast[j - 2] + (i === 2 && j === 2 ? 2 : 1);
        if (swapped < cost) cost = swapped;
      }
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return NONE;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  if (!prefix) return last[m];
  let least = NONE;
  for (let j = Math.max(0, n - most - 1); j <= m; j++) if (last[j] < least) least = last[j];
  return least;
}

/**
 * Returns whether only the first letter is wrong, missing or extra, or the first two are swapped. Such words are
 * searched separately, because otherwise most of a tile's words would have to be compared. From 4 letters on, and for
 * `prefix` over the start of `target`.
 */
export function hasWrongStart(word: string, target: string, prefix = false): boolean {
  const n = word.length;
  const m = target.length;
  if (n < 4 || (prefix ? m < n - 1 : Math.abs(m - n) > 1) || /\d/.test(word)) return false;
  const second = word.charCodeAt(1);
  // A wrong letter, a letter too many, a letter missing, two letters swapped.
  if (target.charCodeAt(1) === second && fits(target, 1, word, 1, prefix)) return true;
  if (target.charCodeAt(0) === second && fits(target, 0, word, 1, prefix)) return true;
  if (target.charCodeAt(1) === word.charCodeAt(0) && fits(target, 1, word, 0, prefix)) return true;
  return (
    target.charCodeAt(0) === second && target.charCodeAt(1) === word.charCodeAt(0) && fits(target, 2, word, 2, prefix)
  );
}

/** Returns whether `target` from `at` on is the rest of `word` from `from` on, or begins with it. */
function fits(target: string, at: number, word: string, from: number, prefix: boolean): boolean {
  const rest = word.length - from;
  if (prefix ? target.length - at < rest : target.length - at !== rest) return false;
  for (let i = 0; i < rest; i++) if (target.charCodeAt(at + i) !== word.charCodeAt(from + i)) return false;
  return true;
}
