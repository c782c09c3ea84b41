import NUMBERS from "./numbers.json" with { type: "json" };

/** What the parts of a house number mean in a country; everywhere it may be a number, a letter, a range or a fraction. */
export interface NumberForms {
  /** Words that belong to the number before them, each with letters that may stand for it: "bis b". */
  suffixes?: readonly string[];
  /** Rows of numbers on one street, by color; word and letter are the same: "rosso r". */
  colors?: readonly string[];
  /** What is on the sides of a slash: "12/5" is flat 5 of house 12, flat 12 of house 5, or a house with two numbers. */
  slash?: string;
  /** What is behind a dash, where it is no range. */
  dash?: string;
  /** Letters of buildings of one number, each with its words: "3 корп. 7" is 3к7. */
  buildings?: Readonly<Record<string, string>>;
}

const ROWS: readonly (NumberForms & { countries: string; source: string })[] = NUMBERS;
const NONE: NumberForms = {};
const BY_COUNTRY = new Map<string, NumberForms>();
for (const row of ROWS)
  for (const country of row.countries.split(" ")) BY_COUNTRY.set(country, { ...BY_COUNTRY.get(country), ...row });

export const numberFormsOf = (country: string): NumberForms => BY_COUNTRY.get(country) ?? NONE;

/** Words for suffixes in any country, without their letters: these belong to a number anyway. */
export const SUFFIXES = [
  ...new Set(
    ROWS.flatMap(({ suffixes = [], colors = [] }) => [...suffixes, ...colors].flatMap((group) => group.split(" "))),
  ),
].filter(({ length }) => length > 1);

/** Letters of buildings, and the words for each as a regular expression. */
export const BUILDINGS = ROWS.flatMap(({ buildings = {} }) =>
  Object.entries(buildings).map(([letter, words]) => [letter, words.replaceAll(" ", "|")] as const),
);

/** What a suffix may stand for in a country: "bis" for "b", but "12 bis" is no house 12 B. */
export function otherSuffixes(suffix: string, country: string): string[] {
  const { suffixes = [], colors = [] } = numberFormsOf(country);
  const words = suffixes.map((group) => group.split(" ")).filter(([, ...letters]) => letters.includes(suffix));
  const rows = colors.map((group) => group.split(" ")).filter((group) => group.includes(suffix));
  return [...words.map(([word]) => word), ...rows.flat().filter((one) => one !== suffix)];
}
