import { HABITS } from "../habits/all.ts";

/** Where the language of a habit is written besides its own countries, by the first of these. */
const ALSO_IN: Readonly<Record<string, string>> = {
  FR: "AD BF BI BJ BL CA CD CF CG CI CM DJ DZ GA GF GN GP HT KM LB MA MF MG ML MQ MR MU NC NE PF PM RE RW SC SN SY TD TG TN VU WF YT",
  ES: "AD BO CR CU DO GQ GT HN NI PA PH PR PY SV US",
  PT: "CV GW MO ST TL",
  DE: "IT LU BE",
  NL: "AW BQ CW SX",
  TR: "CY",
  ID: "BN TL",
  RU: "AM EE GE KG LT LV MD TJ TM UZ",
  RO: "UA",
  HU: "RO RS SK UA",
  SE: "FI",
  IT: "HR SI",
};
/** Shorter words are abbreviations of many. */
const MIN_LETTERS = 3;

const words = new Map<string, Set<string>>();
const everywhere = new Set<string>();
for (const { countries, types = "" } of HABITS) {
  const own = countries.split(" ");
  const all = [...own, ...(ALSO_IN[own[0]]?.split(" ") ?? [])];
  const isEnglish = own.some((country) => country === "US" || country === "GB" || country === "AU");
  for (const word of types.split(/\s+/)) {
    if (isEnglish) everywhere.add(word);
    if (word.length < MIN_LETTERS) continue;
    const known = words.get(word) ?? new Set();
    for (const country of all) known.add(country);
    words.set(word, known);
  }
}

/**
 * The countries (ISO 3166-1 alpha-2) where a word for a kind of street is used: "rue" in France and where French is written. None for
 * other words, and for those of English, which people use everywhere.
 */
export const countriesOfStreetWord = (word: string): ReadonlySet<string> | undefined =>
  everywhere.has(word) ? undefined : words.get(word);
