import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES } from "../../../core/geocoding/entry/entry.ts";
import { tokensOf } from "../../../core/geocoding/words/normalise.ts";
import { isSpokenIn } from "../../../core/geocoding/words/spoken-languages.ts";
import { baseShapes } from "../../../importer/world/base.ts";
import { firstLevelRegions, statesInLanguages } from "../../../importer/world/lists.ts";
import { FOREIGN } from "./city-names.ts";
import { readNames } from "./geonames.ts";
import ABBREVIATIONS from "./state-abbreviations.json" with { type: "json" };
import { regionsOfZones } from "./zone-cities.ts";

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

const allStates = (): { country: string; code: string; name: string; english?: string }[] => [
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

/** Some names are in Latin letters where no one has written them in those of the language. */
const isWritten = (language: string, name: string) =>
  (SCRIPTS[language] ?? (new Intl.Locale(language).maximize().script === "Latn" ? LATIN : FOREIGN)).test(name);
const LATIN = /^[\p{Script=Latin}\p{M}\s\p{P}]+$/u;

/** Names of the states of all countries would add 4.5 MB to the world base data: these add one. */
const WITH_ALIASES = new Set(
  "AT BD BR CA CH CN DE EG ES ET FR GE ID IN IR IT JP KH KR LA LK MM MX NL NP PL PT RU SA TH TR US".split(" "),
);

/** The languages of a country that the API does not have: all states in all of them would add megabytes. */
const SPOKEN: Readonly<Record<string, string>> = {
  ...{
    AF: "fa ps",
    AL: "sq",
    AM: "hy",
    AZ: "az",
    BA: "bs",
    BD: "bn",
    BE: "nl",
    BG: "bg",
    BY: "be",
    CY: "el tr",
    CZ: "cs",
  },
  ...{
    DK: "da",
    EE: "et",
    ES: "ca eu gl",
    ET: "am",
    FI: "fi sv",
    GB: "cy",
    GE: "ka",
    GR: "el",
    HR: "hr",
    HU: "hu",
    ID: "id",
  },
  ...{ IE: "ga", IL: "he", IN: "hi bn ta te kn ml mr gu pa or ur", IR: "fa", IS: "is", IT: "it", KE: "sw", KG: "ky" },
  ...{
    KH: "km",
    KZ: "kk",
    LA: "lo",
    LK: "ta si",
    LT: "lt",
    LV: "lv",
    ME: "sr",
    MK: "mk",
    MM: "my",
    MN: "mn",
    MY: "ms",
  },
  ...{
    NL: "nl",
    NO: "no",
    NP: "hi ne",
    PK: "ur sd",
    PL: "pl",
    RO: "ro",
    RS: "sr",
    SE: "sv",
    SI: "sl",
    SK: "sk",
    TH: "th",
  },
  ...{ TR: "tr", TZ: "sw", UA: "uk", UZ: "uz", VN: "vi", XK: "sq sr" },
};
const SPOKEN_LANGUAGES = [...new Set(Object.values(SPOKEN).flatMap((languages) => languages.split(" ")))];

/**
 * state-aliases.txt: country, code, then names by which a state is only found: Unicode CLDR's in the languages of the API and of the country,
 * without those that have all words of a name above; and those of a time zone that is called after the state (Azores).
 */
export function* stateAliases(folder: string): Generator<string> {
  const catalogs = [...LANGUAGES, ...SPOKEN_LANGUAGES].map(
    (language) => [language, readSubdivisions(folder, language)] as const,
  );
  const inLanguages = statesInLanguages();
  const zones = regionsOfZones(folder);
  const seen = new Set<string>();
  for (const { country, code, name, english } of allStates()) {
    const key = `${country} ${code}`;
    if (code === "" || seen.has(key)) continue;
    seen.add(key);
    const known = [name, ...(inLanguages.get(key) ?? []).map(([, other]) => other)].map(tokensOf);
    const aliases: string[] = [];
    const add = (alias: string, isLocal = false) => {
      const words = tokensOf(alias);
      if (words.length === 0 || known.some((own) => own.every((word) => words.includes(word)))) return;
      known.push(words);
      aliases.push(`${isLocal ? "!" : ":"}${alias}`);
    };
    for (const [language, subdivisions] of catalogs) {
      const isOurs = LANGUAGES.some((one) => one === language);
      if (!(isOurs ? WITH_ALIASES.has(country) : SPOKEN[country]?.split(" ").includes(language))) continue;
      const alias = subdivisions.get(`${country}${code}`.toLowerCase());
      if (alias !== undefined && isWritten(language, alias)) add(alias, isSpokenIn(language, country) || !isOurs);
    }
    for (const alias of zones(country, english ?? name)) add(alias);
    for (const alias of abbreviationsOf(country, code)) add(alias, true);
    if (aliases.length > 0) yield [key, ...aliases].join("|");
  }
}

/** How people write a state in short where ISO 3166-2 has other letters: "Calif", "Jal", "Herts"; facts, written for this list. */
const abbreviationsOf = (country: string, code: string): string[] =>
  ((ABBREVIATIONS as Record<string, string>)[country] ?? "")
    .split("|")
    .filter((one) => one.startsWith(`${code} `))
    .flatMap((one) => one.slice(code.length + 1).split(","));

/** CLDR's names of ISO 3166-2 subdivisions in one language by code: "deby". */
function readSubdivisions(folder: string, language: string): Map<string, string> {
  const path = `cldr/usr/share/unicode/cldr/common/subdivisions/${language}.xml`;
  const text = existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : "";
  const entries = [...text.matchAll(/<subdivision type="(\w+)"[^>]*>([^<]+)</g)];
  return new Map(entries.map(([, code, name]) => [code, name.replaceAll("&amp;", "&").replaceAll("|", " ")]));
}
