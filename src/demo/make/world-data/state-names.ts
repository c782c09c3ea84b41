import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES } from "../../../core/geocoding/entry/entry.ts";
import { tokensOf } from "../../../core/geocoding/words/normalise.ts";
import { baseShapes } from "../../../importer/world/base.ts";
import { firstLevelRegions, statesInLanguages } from "../../../importer/world/lists.ts";
import { FOREIGN, OTHER_SCRIPTS } from "./city-names.ts";
import { readNames } from "./geonames.ts";

/** The package's code of a language where it is not ISO's. */
const THEIR_CODES: Readonly<Record<string, string>> = { ko: "kr" };

interface Region {
  iso: string;
  reference: { geonames?: number };
}

/**
 * state-names.txt: country, code, then names by language where they differ from the state's own. The names are GeoNames' alone:
 * the package also has some of OpenStreetMap, under another license.
 */
export function* stateNames(folder: string): Generator<string> {
  const read = <T>(name: string): T =>
    JSON.parse(readFileSync(join(folder, "iso3166-2-db/package/data", name), "utf8"));
  const countries = read<Record<string, { regions?: Region[] }>>("iso3166-2.json");
  const names = read<Record<string, Record<string, string>>>("names_geonames.json");
  // English names are CLDR's: GeoNames calls the District of Columbia Washington.
  const catalogs = LANGUAGES.filter((language) => language !== "en").map(
    (language) => [language, readNames(folder, language)] as const,
  );
  const seen = new Set<string>();
  for (const { country, code, name } of allStates()) {
    const region = countries[country]?.regions?.find(({ iso }) => iso === code && code !== "");
    if (!region || seen.has(`${country} ${code}`)) continue;
    seen.add(`${country} ${code}`);
    const id = region.reference.geonames ?? 0;
    const others = catalogs.flatMap(([language, catalog]) => {
      const other = catalog.get(id) ?? names[id]?.[THEIR_CODES[language] ?? language];
      return other === undefined || other === name || !isWritten(language, other) ? [] : [`${language}:${other}`];
    });
    // The District of Columbia is not the city in it.
    const own = others.filter((other) => country !== "US" || code !== "DC" || !other.includes(":Washington"));
    if (own.length > 0) yield [`${country} ${code}`, ...own].join("|");
  }
}

const allStates = (): { country: string; code: string; name: string }[] => [
  ...baseShapes().filter(({ kind }) => kind === "state"),
  ...firstLevelRegions(),
];

const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  ja: /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]/u,
  ko: /\p{Script=Hangul}/u,
  ru: /\p{Script=Cyrillic}/u,
  zh: /\p{Script=Han}/u,
};

const isWritten = (language: string, name: string) =>
  (SCRIPTS[language] ?? /^[\p{Script=Latin}\p{M}\s\p{P}]+$/u).test(name);

/** Names of the states of all countries would add 4.5 MB to the world base data: these add one. */
const WITH_ALIASES = new Set(
  "AT BD BR CA CH CN DE EG ES ET FR GE ID IN IR IT JP KH KR LA LK MM MX NL NP PL PT RU SA TH TR US".split(" "),
);

/** The languages of other scripts that are spoken in a country. */
const SPOKEN: Readonly<Record<string, string>> = {
  BD: "bn",
  ET: "am",
  GE: "ka",
  IN: "hi bn ta te kn ml",
  KH: "km",
  LA: "lo",
  LK: "ta",
  MM: "my",
  NP: "hi",
  TH: "th",
};

/**
 * state-aliases.txt: country, code, then names by which a state is only found: Unicode CLDR's in the languages of the API and in other scripts,
 * without those that have all words of a name above.
 */
export function* stateAliases(folder: string): Generator<string> {
  const catalogs = [...LANGUAGES, ...OTHER_SCRIPTS].map(
    (language) => [language, readSubdivisions(folder, language)] as const,
  );
  const inLanguages = statesInLanguages();
  const seen = new Set<string>();
  for (const { country, code, name } of allStates()) {
    const key = `${country} ${code}`;
    if (code === "" || seen.has(key) || !WITH_ALIASES.has(country)) continue;
    seen.add(key);
    const known = [name, ...(inLanguages.get(key) ?? []).map(([, other]) => other)].map(tokensOf);
    const aliases: string[] = [];
    for (const [language, subdivisions] of catalogs) {
      const alias = subdivisions.get(`${country}${code}`.toLowerCase());
      const isOther = OTHER_SCRIPTS.includes(language);
      // All states in all scripts would add a megabyte.
      if (isOther && !(SPOKEN[country] ?? "").includes(language)) continue;
      if (alias === undefined || !(isOther ? FOREIGN.test(alias) : isWritten(language, alias))) continue;
      const words = tokensOf(alias);
      if (known.some((own) => own.every((word) => words.includes(word)))) continue;
      known.push(words);
      aliases.push(alias);
    }
    if (aliases.length > 0) yield [key, ...aliases].join("|");
  }
}

/** CLDR's names of ISO 3166-2 subdivisions in one language by code: "deby". */
function readSubdivisions(folder: string, language: string): Map<string, string> {
  const path = `cldr/usr/share/unicode/cldr/common/subdivisions/${language}.xml`;
  const text = readFileSync(join(folder, path), "utf8");
  const entries = [...text.matchAll(/<subdivision type="(\w+)"[^>]*>([^<]+)</g)];
  return new Map(entries.map(([, code, name]) => [code, name.replaceAll("&amp;", "&").replaceAll("|", " ")]));
}
