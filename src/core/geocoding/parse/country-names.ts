import TABLE from "./country-names.json" with { type: "json" };

/**
 * Formal names of countries with words that the short name lacks (ISO 3166-1, English; for Germany, Austria and others
 * also in their own language). The importer stores them as names, and the words confirm a country after a town.
 */
const OFFICIAL: Readonly<Record<string, string>> = TABLE;

export function officialNameOf(code: string): string[] {
  return (OFFICIAL[code] ?? "").split("|").filter((name) => name !== "");
}
