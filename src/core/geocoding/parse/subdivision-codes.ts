import CODES from "./subdivision-codes.json" with { type: "json" };

/**
 * Codes of two letters that people write after a town for its state, province or canton, by country (ISO 3166-2; of Argentina,
 * Poland and Venezuela also those in everyday use). Each is also the code of a country, or of a state of the US or Canada, of
 * which it is no evidence after a town of this country: "Amsterdam, NH" is in Noord-Holland. The US and Canada are not in the
 * table, because their states have borders in all data.
 */
const BY_COUNTRY = new Map(Object.entries(CODES).map(([country, codes]) => [country, new Set(codes.split(" "))]));

/** Returns whether a country's addresses may have these letters for a state, province or canton. */
export function isSubdivisionCode(letters: string, country: string): boolean {
  return BY_COUNTRY.get(country)?.has(letters.toUpperCase()) === true;
}
