/**
 * How streets and house numbers are written in a country. Words are folded (normalise.ts), without dots; a word may be
 * in several lines and then has each of their meanings.
 */
export interface Habit {
  /** ISO 3166-1 alpha-2 codes of the countries with these conventions. */
  countries: string;
  /** Source of the conventions. */
  source: string;
  /** Kinds of streets, one group of synonyms per line: "avenue ave av". They identify a street less than names do. */
  types?: string;
  /** Other words that are shortened: titles, saints, sides, adjectives. */
  words?: string;
  /** The end of a compound word, then its short forms: "gade g gd" for Vesterbrog. */
  ends?: string;
  /** Words that only announce a street, so a name may include or omit them: "ul" of "ul. Długa". */
  silent?: string;
  /** Words next to a house number that only mark it as one: "no", "дом", "号". */
  marks?: string;
  /** Written with a character in the middle that joins its halves: "s:t", "b-dul". */
  joined?: string;
  /**
   * Words after a house number, followed by their own number or letter: "apto" of "apto. 12". As written, in lower
   * case.
   */
  units?: string;
  /** The same for floors and doors that are not words with a number: sources of regular expressions. */
  behind?: readonly string[];
}
