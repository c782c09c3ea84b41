/** Where alphabets begin in Unicode, Latin first; Han and Kana, which one name has together, are one. */
const ALPHABETS = [
  ...[
    0, 0x370, 0x400, 0x530, 0x590, 0x600, 0x700, 0x900, 0x980, 0xa00, 0xa80, 0xb00, 0xb80, 0xc00, 0xc80, 0xd00, 0xd80,
  ],
  ...[0xe00, 0xe80, 0xf00, 0x1000, 0x10a0, 0x1100, 0x1200, 0x1380, 0x1780, 0x1800, 0x3040],
];

/** The alphabet of a word by its first letter, as a number; 0 is Latin. */
export function alphabetOf(word: string): number {
  const letter = word.charCodeAt(0);
  return letter < ALPHABETS[1] ? 0 : ALPHABETS.findLastIndex((first) => first <= letter);
}

const HANGUL = 0xac00;

/** The same of a text that may begin with digits; Korean, whose syllables follow those of China, is another one. */
export function alphabetOfText(text: string): number {
  const [letter = ""] = /\p{L}/u.exec(text) ?? [];
  return letter >= String.fromCharCode(HANGUL) ? ALPHABETS.length : letter === "" ? 0 : alphabetOf(letter);
}
