import NUMERALS from "../habits/numerals.json" with { type: "json" };

/** The days of a month: streets are named after dates, in digits, in words or in Roman numerals. */
const DAYS = 31;

function roman(n: number): string {
  return "x".repeat(Math.floor(n / 10)) + ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"][n % 10];
}

/** All ways to write each number, and the number of each word. */
const FORMS = Array.from({ length: DAYS + 1 }, (_, n) => new Set(n === 0 ? [] : [`${n}`, roman(n)]));
for (const word of ["1o", "1er", "1a"]) FORMS[1].add(word);
const { source: _, ...languages } = NUMERALS;
for (const list of Object.values(languages))
  list.split(" ").forEach((words, i) => {
    for (const word of words.split(",")) if (word !== "-") FORMS[i + 1].add(word);
  });
const VALUES = new Map(FORMS.flatMap((forms, n) => [...forms].map((form) => [form, n] as const)));

/**
 * Other ways to write a number in a name: "Via XX Settembre" is Via 20 Settembre and Via Venti Settembre. Where no date follows, only Roman
 * numerals of two letters are surely numbers: Henri IV.
 */
export function otherNumerals(word: string, isDay: boolean): readonly string[] {
  const value = VALUES.get(word);
  if (value === undefined) return [];
  if (isDay) return [...FORMS[value]].filter((form) => form !== word);
  return word.length > 1 && word === roman(value) ? [`${value}`] : [];
}

/** Whether two words are one number of a name. */
export const isSameNumeral = (a: string, b: string): boolean => VALUES.has(a) && VALUES.get(a) === VALUES.get(b);
