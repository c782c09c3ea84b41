/**
 * How streets and house numbers are written in a country. Words are folded (normalise.ts), without dots; a word may stand
 * in several lines and then means each of them.
 */
export interface Habit {
  /** ISO 3166-1 alpha-2 of those who write so. */
  countries: string;
  /** Who says so. */
  source: string;
  /** Kinds of streets, a group of words for the same thing per line: "avenue ave av". They tell less than names. */
  types?: string;
  /** Other words that are shortened: titles, saints, sides, adjectives. */
  words?: string;
  /** The end of a compound word, then what it is shortened to: "gade g gd" for Vesterbrog. */
  ends?: string;
  /** Say no more than that a street follows, so a name may have them or lack them: "ul" of "ul. Długa". */
  silent?: string;
  /** Stand beside a house number and say only that it is one: "no", "дом", "号". */
  marks?: string;
  /** Written with a sign in the middle that joins its halves: "s:t", "b-dul". */
  joined?: string;
  /** Behind a house number, with a number or a letter of their own: "apto" of "apto. 12". As written, in lower case. */
  units?: string;
  /** The same for floors and doors that are not words with a number: sources of regular expressions. */
  behind?: readonly string[];
}
