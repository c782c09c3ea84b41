import { mistakes } from "./typo.ts";

/**
 * Returns the sorted prefixes that may begin the intended word if one letter is wrong, the longest first, because they
 * agree in most letters. A prefix that longer ones continue keeps only the best-known regions, which the longer ones
 * contain too.
 */
export function similarPrefixes(prefixes: readonly string[], word: string): number[] {
  const found: { block: number; shared: number }[] = [];
  for (const [block, prefix] of prefixes.entries()) {
    if (prefix.length < 2 || prefixes[block + 1]?.startsWith(prefix)) continue;
    if (mistakes(prefix, word, 1, true) > 1 && !beginsOtherwise(prefix, word)) continue;
    let shared = 0;
    while (shared < prefix.length && prefix[shared] === word[shared]) shared++;
    found.push({ block, shared: prefix.length + shared / 10 });
  }
  return found.sort((a, b) => b.shared - a.shared || a.block - b.block).map(({ block }) => block);
}

/**
 * Returns whether the first letter of a word is wrong, missing or extra, or the first two are swapped, and the rest of
 * the prefix matches.
 */
function beginsOtherwise(prefix: string, word: string): boolean {
  const rest = prefix.slice(1);
  if (word.startsWith(rest, 1) || word.startsWith(rest) || word.startsWith(prefix, 1)) return true;
  return prefix[0] === word[1] && prefix[1] === word[0] && word.startsWith(prefix.slice(2), 2);
}
