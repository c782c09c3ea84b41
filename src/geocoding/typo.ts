/**
 * How many mistakes a word of a query may have: none below 4 letters, one from 4, two from 8. Words with digits are to be
 * right.
 */
export function allowedMistakes(word: string): number {
  if (word.length < 4 || /\d/.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

const NONE = 99;

/**
 * Letters to change, insert, leave out or swap with their neighbour to make one word of another (optimal string alignment,
 * Damerau 1964), a mistake in the first letter counted twice. Above `most` any larger number. With `prefix`, the least
 * over all beginnings of `target`.
 */
export function mistakes(word: string, target: string, most: number, prefix = false): number {
  const n = word.length;
  const m = Math.min(target.length, n + most);
  if (target.length < n - most || (!prefix && target.length > n + most)) return NONE;
  let beforeLast: number[] = [];
  let last = Array.from({ length: m + 1 }, (_, j) => (j === 0 ? 0 : j + 1));
  for (let i = 1; i <= n; i++) {
    const row = [i + 1];
    let least = row[0];
    for (let j = 1; j <= m; j++) {
      const first = i === 1 && j === 1 ? 2 : 1;
      const same = word.charCodeAt(i - 1) === target.charCodeAt(j - 1);
      let cost = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : first));
      if (i > 1 && j > 1 && word.charCodeAt(i - 1) === target.charCodeAt(j - 2)) {
        if (word.charCodeAt(i - 2) === target.charCodeAt(j - 1))
          cost = Math.min(cost, beforeLast[j - 2] + (i === 2 && j === 2 ? 2 : 1));
      }
      row.push(cost);
      if (cost < least) least = cost;
    }
    if (least > most) return NONE;
    beforeLast = last;
    last = row;
  }
  return prefix ? Math.min(...last) : last[m];
}
