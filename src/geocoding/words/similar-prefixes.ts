import { mistakes } from "./typo.ts";

/**
 * Which of the sorted prefixes may begin the word that was meant by one with a wrong letter, the longest first, as they
 * agree in most letters. Of a prefix that longer ones continue only the best known regions are kept, and the longer ones have them too.
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

/** Is the first letter of a word wrong, missing or too many, or are the first two swapped, and the rest of the prefix right? */
function beginsOtherwise(prefix: string, word: string): boolean {
  const rest = prefix.slice(1);
  if (word.startsWith(rest, 1) || word.startsWith(rest) || word.startsWith(prefix, 1)) return true;
  return prefix[0] === word[1] && prefix[1] === word[0] && word.startsWith(prefix.slice(2), 2);
}
