/** Finals of a syllable in Unicode's order (the Unicode Standard, 3.12): none, and ㄹ. */
const SYLLABLES = { first: 0xac00, last: 0xd7a3, finals: 28 };
const RIEUL = 8;
/** How digits are read, by their last sound: 영, 일, 이, 삼, 사, 오, 육, 칠, 팔, 구. */
const DIGITS = [21, RIEUL, 0, 16, 0, 0, 1, RIEUL, RIEUL, 0];
/** Letters that end a name with a consonant, as Koreans read them; others end with a vowel. */
const LETTERS: Record<string, number> = { l: RIEUL, r: RIEUL, m: 16, n: 4, g: 21 };

/** The final of the last sound of some words; 0 after a vowel. */
function lastFinal(words: string): number {
  const letter = [...words.toLowerCase()].findLast((one) => /[\p{L}\p{N}]/u.test(one)) ?? "";
  const code = letter.codePointAt(0) ?? 0;
  if (code >= SYLLABLES.first && code <= SYLLABLES.last) return (code - SYLLABLES.first) % SYLLABLES.finals;
  return DIGITS[Number.parseInt(letter, 10)] ?? LETTERS[letter] ?? 0;
}

/** The rest of a Korean sentence after some words, with the particle that their last sound requires: "서울로", "부산으로", "길을", "거리를". */
export function withParticle(words: string, rest: string): string {
  const final = lastFinal(words);
  return rest
    .replace(/^ ?으?로(?=[ .]|$)/, final === 0 || final === RIEUL ? "로" : "으로")
    .replace(/^ ?[을를](?=[ .]|$)/, final === 0 ? "를" : "을");
}
