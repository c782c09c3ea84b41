import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES } from "../../../geocoding/entry.ts";
import { baseShapes } from "../../../importer/world/base.ts";
import { firstLevelRegions } from "../../../importer/world/lists.ts";
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
  const catalogs = LANGUAGES.map((language) => [language, readNames(folder, language)] as const);
  const seen = new Set<string>();
  for (const { country, code, name, english } of allStates()) {
    const region = countries[country]?.regions?.find(({ iso }) => iso === code && code !== "");
    if (!region || seen.has(`${country} ${code}`)) continue;
    seen.add(`${country} ${code}`);
    const id = region.reference.geonames ?? 0;
    const others = catalogs.flatMap(([language, catalog]) => {
      const other = catalog.get(id) ?? names[id]?.[THEIR_CODES[language] ?? language];
      // The English names of CLDR come first.
      const isKnown = other === name || (language === "en" && english !== undefined);
      return other === undefined || isKnown || !isWritten(language, other) ? [] : [`${language}:${other}`];
    });
    if (others.length > 0) yield [`${country} ${code}`, ...others].join("|");
  }
}

function allStates(): { country: string; code: string; name: string; english?: string }[] {
  const shapes = baseShapes().filter(({ kind }) => kind === "state");
  return [...shapes.map(({ country, code, name }) => ({ country, code, name, english: name })), ...firstLevelRegions()];
}

const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  ja: /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]/u,
  ko: /\p{Script=Hangul}/u,
  ru: /\p{Script=Cyrillic}/u,
  zh: /\p{Script=Han}/u,
};

const isWritten = (language: string, name: string) =>
  (SCRIPTS[language] ?? /^[\p{Script=Latin}\p{M}\s\p{P}]+$/u).test(name);
