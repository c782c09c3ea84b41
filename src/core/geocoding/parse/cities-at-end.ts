import { fold } from "../words/normalise.ts";
import KNOWN_CITIES from "./known-cities.json" with { type: "json" };

/**
 * Words that are the first of a longer city: behind "West", "Vancouver" is another place, and behind "rue de" no city.
 */
const QUALIFIERS = new Set(
  "de du des d la del della di do da dos von of the north south east west new old port fort saint st san santa los las la el le lake mount mt upper lower great little bad sankt".split(
    " ",
  ),
);
const MAX_WORDS = 4;

/**
 * Countries by large city, for addresses written without commas: "10 Downing Street London". From GeoNames (CC BY 4.0, geonames.org):
 * cities of 120,000 people and more where most addresses are looked up, of 600,000 elsewhere, and some local names in addition to the
 * English ones.
 */
let countriesByCity: Map<string, string[]> | undefined;

function cities(): Map<string, string[]> {
  if (countriesByCity) return countriesByCity;
  countriesByCity = new Map();
  for (const [country, names] of Object.entries(KNOWN_CITIES)) {
    for (const name of names.split("|")) {
      const key = fold(name);
      const known = countriesByCity.get(key);
      if (known) known.push(country);
      else countriesByCity.set(key, [country]);
    }
  }
  return countriesByCity;
}

/** Returns whether it is the name of a large city, of the country if one is given. */
export function isKnownCity(name: string, country?: string): boolean {
  const found = cities().get(fold(name.trim()));
  return found !== undefined && (country === undefined || found.includes(country));
}

/**
 * Returns how many of the last words are the name of a large city, the longest name first; 0 if none, or if all words
 * are.
 */
export function cityWordsAtEnd(words: readonly string[], country?: string): number {
  for (let count = Math.min(MAX_WORDS, words.length - 1); count > 0; count--) {
    if (!isKnownCity(words.slice(-count).join(" "), country)) continue;
    return QUALIFIERS.has(fold(words[words.length - count - 1]).replace(/\./g, "")) ? 0 : count;
  }
  return 0;
}
