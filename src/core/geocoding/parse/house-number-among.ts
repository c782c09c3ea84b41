import { beginsWithLetters, continuesHouseNumber, houseNumberKey } from "../words/house-number.ts";
import type { Word } from "./query.ts";

/**
 * The house number among the unmatched words: the one next to the name, and of two such words the shorter (the other is
 * a postal code that is not in the tile), with its suffix ("12 bis") and the letters in front of it ("B 115", "N6 W23001").
 * @param rest the words that are not matched, as bits. @param inName the word of the name that each word means, or −1
 */
export function houseNumberAmong(
  words: readonly Word[],
  rest: number,
  inName: Int8Array,
): { key: string; used: number } | undefined {
  let [at, least] = [-1, 5];
  for (let i = 0; i < words.length; i++) {
    const { number, text } = words[i];
    if (!(rest & (1 << i)) || !number) continue;
    const doubt =
      (isNextToName(words, rest, inName, i) ? 0 : 2) + (text.length > 4 ? 1 : 0) + (beginsWithLetters(text) ? 1 : 0);
    if (doubt < least) [at, least] = [i, doubt];
  }
  if (at < 0) return undefined;
  const isRest = (i: number) => (rest & (1 << i)) !== 0;
  const isGrid = (i: number) => isRest(i) && /^[nsew]\d+$/.test(words[i].text);
  let [from, to] = [at, at + 1];
  if (isRest(to) && continuesHouseNumber(words[to].text)) to++;
  else if (isGrid(at) && isGrid(to)) to++;
  else if (isGrid(at) && isGrid(at - 1)) from--;
  else if (isRest(at - 1) && isPrefix(words[at - 1], words[at]) && !isNameBehindType(words, inName, at - 1)) from--;
  const isFree = (i: number) => words[i]?.number && inName[i] < 0;
  const chome = [at - 1, at + 1].find((i) => words[i] && isChome(words[i]) && inName[i] < 0 && isFree(i - 1));
  if (chome !== undefined) [from, to] = [chome - 1, isFree(chome + 1) ? chome + 2 : chome + 1];
  const text = words.slice(from, to).map((word) => (isChome(word) ? "-" : word.text));
  return { key: houseNumberKey(text.join("")), used: ((1 << (to - from)) - 1) << from };
}

/** "4丁目6-1" is 4-6-1 where the data does not have the parts of a district as names. */
const isChome = ({ text }: Word) => text === "丁目" || text === "chome";

/** Letters that begin a number: "B" of "B-115", "SCO" of "SCO 12". */
const isPrefix = ({ text, mark, segment }: Word, number: Word) =>
  (!mark || text.length === 1) &&
  segment === number.segment &&
  /^\p{L}{1,5}$/u.test(text) &&
  /^\d{1,4}(?:-\d{1,4})?[a-z]?$/.test(number.text);

/** "Acne" of "Rua Acne 85" is a street's name with a mistake. */
const isNameBehindType = (words: readonly Word[], inName: Int8Array, i: number) =>
  words[i].text.length > 2 &&
  inName[i - 1] >= 0 &&
  words[i - 1].weight < 1 &&
  words[i - 1].segment === words[i].segment;

/** Returns whether word i is next to the name, or a mark or suffix of the number is between them: "12 bis rue …". */
function isNextToName(words: readonly Word[], rest: number, inName: Int8Array, i: number): boolean {
  return (
    inName[i - 1] >= 0 ||
    inName[i + 1] >= 0 ||
    (words[i - 1]?.mark && inName[i - 2] >= 0) ||
    ((rest & (1 << (i + 1))) !== 0 && continuesHouseNumber(words[i + 1].text) && inName[i + 2] >= 0)
  );
}
