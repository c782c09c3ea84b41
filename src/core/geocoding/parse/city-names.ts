import type { Language, LanguageName } from "../entry/entry.ts";
import { fold } from "../words/normalise.ts";
import TABLE from "./city-names.json" with { type: "json" };

/**
 * Names of large cities in the languages of the API where GeoNames' English name differs: key "country name". Includes
 * the local name, if the local language is one of the ten, and the names in neighboring countries.
 */
const NAMES: Record<string, Partial<Record<Language, string>>> = TABLE.names;

/** The local name of a city, where the world base has its English name. */
const LOCAL: Record<string, string> = TABLE.local;

/** Alternative names in any language. */
const ALIASES: Record<string, readonly string[]> = TABLE.aliases;

/** Other names of a city of the world base, by language; those of no language as English ones, after its own. */
export function cityNames(country: string, name: string): LanguageName[] {
  const key = `${country} ${name}`;
  const names = Object.entries(NAMES[key] ?? {}) as [Language, string][];
  const local = LOCAL[key] === undefined ? [] : [["en", LOCAL[key], "local"] as const];
  const more: LanguageName[] = [...local, ...(ALIASES[key] ?? []).map((one) => ["en", one, "other"] as const)];
  if (more.length === 0) return names;
  const own: [Language, string][] = names.some(([language]) => language === "en") ? [] : [["en", name]];
  return [...names, ...own, ...more];
}

/** The city's local name, as written in addresses there. */
export function localCityName(country: string, name: string): string {
  return LOCAL[`${country} ${name}`] ?? name;
}

let others: Map<string, readonly string[]> | undefined;

/** Other names of a city that an address names: "Milano" in Italy → Milan, Mailand, Milán. */
export function otherCityNames(country: string, name: string): readonly string[] {
  if (!others) {
    others = new Map();
    for (const key of new Set([...Object.keys(NAMES), ...Object.keys(LOCAL), ...Object.keys(ALIASES)])) {
      const [code, english] = [key.slice(0, 2), key.slice(3)];
      const all = [english, ...cityNames(code, english).map(([, other]) => other)];
      for (const one of all) others.set(`${code} ${fold(one)}`, all);
    }
  }
  return others.get(`${country} ${fold(name)}`) ?? [];
}
