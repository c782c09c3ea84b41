import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES } from "../../../core/geocoding/entry/entry.ts";
import { fold } from "../../../core/geocoding/words/normalise.ts";
import { MAP_LANGUAGES } from "../../../importer/layers/basemap/features/names.ts";
import { worldCities } from "../../../importer/world/cities.ts";
import { englishTown, plainEnglish } from "../../../importer/world/english-names.ts";
import { citiesForMaps, firstLevelRegions } from "../../../importer/world/lists.ts";
import { canadaShapes, usShapes } from "../../../importer/world/states.ts";
import { withoutArea } from "./area-words.ts";
import { namesInChina } from "./china-towns.ts";
import { readCities, readNames } from "./geonames.ts";

/** Smaller towns have their local name only, the smallest only GeoNames' own: the world base would be 2 MB larger. */
const MIN_TRANSLATED = 50_000;
const MIN_LOCAL = 40_000;
/** Towns with names in all languages of maps; others in those of the API and in Hindi. */
const MIN_ALL = 1_500_000;
const isMain = (language: string) => language === "hi" || LANGUAGES.some((one) => one === language);
/** The world base shows no smaller towns. */
const MIN_POPULATION = 9000;

/** Scripts of languages that are not written in Latin letters. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    ["ar", "fa", "ur", "ps", "dv"].map((language) => [language, /^[\p{Script=Arabic}\p{Script=Thaana}\p{M}\s]+$/u]),
  ),
  ...Object.fromEntries(
    ["be", "bg", "kk", "ky", "mk", "mn", "ru", "sr", "tg", "uk"].map((language) => [
      language,
      /^[\p{Script=Cyrillic}\p{M}\s’'-]+$/u,
    ]),
  ),
  am: /^[\p{Script=Ethiopic}\s]+$/u,
  ti: /^[\p{Script=Ethiopic}\s]+$/u,
  bn: /^[\p{Script=Bengali}\s]+$/u,
  el: /^[\p{Script=Greek}\p{M}\s-]+$/u,
  he: /^[\p{Script=Hebrew}\p{M}\s'"׳״-]+$/u,
  hi: /^[\p{Script=Devanagari}\s]+$/u,
  ne: /^[\p{Script=Devanagari}\s]+$/u,
  hy: /^[\p{Script=Armenian}\s-]+$/u,
  ja: /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー・ヶ]+$/u,
  ka: /^[\p{Script=Georgian}\s-]+$/u,
  km: /^[\p{Script=Khmer}\s]+$/u,
  ko: /^[\p{Script=Hangul}\s]+$/u,
  lo: /^[\p{Script=Lao}\s]+$/u,
  my: /^[\p{Script=Myanmar}\s]+$/u,
  si: /^[\p{Script=Sinhala}\s]+$/u,
  ta: /^[\p{Script=Tamil}\s]+$/u,
  te: /^[\p{Script=Telugu}\s]+$/u,
  th: /^[\p{Script=Thai}\s]+$/u,
  zh: /^[\p{Script=Han}·]+$/u,
};
const LATIN = /^[\p{Script=Latin}\p{M}\s\p{P}]+$/u;
/** One language is written in them, so a name without a language is one of it. */
const OWN_SCRIPT = ["am", "bn", "el", "he", "hi", "hy", "ka", "km", "ko", "lo", "my", "si", "ta", "te", "th"];
/** The language of most signs of a country, where it is not the first of CLDR's; "mul" where it depends on the town. */
const SIGNS: Readonly<Record<string, string>> = {
  ...{ BE: "mul", CH: "mul", CM: "mul", ES: "mul", LU: "mul", NA: "mul", ZA: "mul" },
  ...{ IN: "en", KE: "en", ME: "mul", PH: "mul", PK: "en", UG: "en", UZ: "uz" },
};

function languageOf(country: string): string {
  return SIGNS[country] ?? new Intl.Locale(`und-${country}`).maximize().language;
}

/**
 * town-names.txt: GeoNames id, the local name where it is not GeoNames' own, the English one where it is not plainEnglish() of it,
 * then "language:name" in the languages of maps for towns of 50,000 people (names in China also of GB/T 2260); "?" at the end of the id where GeoNames has one
 * name only of a large place: its number of people is that of a county, or a mistake.
 */
export async function townNames(folder: string): Promise<string[]> {
  const rows: string[] = [];
  const nameInChina = await namesInChina(folder);
  const catalogs = new Map<string, Map<number, string>>();
  const catalogOf = (language: string): Map<number, string> => {
    let catalog = catalogs.get(language);
    if (!catalog) {
      try {
        catalog = readNames(folder, language);
      } catch {
        catalog = new Map();
      }
      catalogs.set(language, catalog);
    }
    return catalog;
  };
  const towns = new Map(readCities(folder).map((city) => [city.id, city]));
  const zones = citiesForMaps();
  const labeled = new Set<string>();
  for (const { id, name, country, population, rank } of worldCities()) {
    if (population < MIN_POPULATION && rank === "other") continue;
    const key = `${country} ${name}`;
    const fromZones = labeled.has(key) ? undefined : zones.get(key);
    labeled.add(key);
    const town = towns.get(id);
    const others = town?.alternates ?? [];
    const nameIn = (language: string): string | undefined => {
      const script = SCRIPTS[language] ?? LATIN;
      const listed = fromZones?.[`name:${language}`] ?? catalogOf(language).get(id);
      const own = listed === undefined ? undefined : withoutArea(language, country, listed, name);
      if (own !== undefined && own !== "" && script.test(own)) return own;
      const isSole = OWN_SCRIPT.includes(language) || language === languageOf(country);
      const other = isSole && SCRIPTS[language] ? others.find((one) => script.test(one)) : undefined;
      if (other) return withoutArea(language, country, other, name);
      return language === "zh" && country === "CN" && town ? nameInChina(town) : undefined;
    };
    const english = englishTown(country, name, fromZones ? (fromZones["name:en"] ?? name) : catalogOf("en").get(id));
    const language = languageOf(country);
    const isLocal = language !== "en" && (population >= MIN_LOCAL || rank !== "other");
    const local = (isLocal ? nameIn(language) : undefined) ?? (language === "en" ? english : name);
    const translated: string[] = [];
    if (population >= MIN_TRANSLATED || rank === "capital") {
      for (const one of MAP_LANGUAGES) {
        if (one === "en" || one === language || (population < MIN_ALL && !isMain(one))) continue;
        const other = nameIn(one);
        if (other !== undefined && other !== local) translated.push(`${one}:${other}`);
      }
    }
    const isUncertain = population >= MIN_TRANSLATED && rank === "other" && others.length === 0;
    const shown = [local === name ? "" : local, english === plainEnglish(country, name) ? "" : english];
    if (shown.join("") === "" && translated.length === 0 && !isUncertain) continue;
    rows.push([`${id}${isUncertain ? "?" : ""}`, ...shown, ...translated].join("|"));
  }
  return rows;
}

interface Region {
  iso: string;
  reference: { geonames?: number };
}

/** CLDR's codes of states, where the atlas has former ones. */
const RENAMED: Readonly<Record<string, string>> = { "IN CT": "IN CG", "IN OR": "IN OD", "IN UT": "IN UK" };

/** The provinces of China, which no list has in Chinese: facts that every atlas has. */
const CHINA: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "AH安徽 BJ北京 CQ重庆 FJ福建 GD广东 GS甘肃 GX广西 GZ贵州 HA河南 HB湖北 HE河北 HI海南 HL黑龙江 HN湖南 JL吉林 JS江苏 JX江西 " +
    "LN辽宁 NM内蒙古 NX宁夏 QH青海 SC四川 SD山东 SH上海 SN陕西 SX山西 TJ天津 XJ新疆 XZ西藏 YN云南 ZJ浙江"
  )
    .split(" ")
    .map((text) => [`CN ${text.slice(0, 2)}`, text.slice(2)]),
);

/** "Provincia di Sivas", "Рязанская Область" without the kind of the region. */
const withoutKind = (name: string) =>
  name
    .replace(
      /^(?:Departamento|Estado|Oblast|Préfecture|Prefectura|Province|Provincia|Región?)\s(?:d[aeiou]l?\s|d['’])/i,
      "",
    )
    .replace(/\sОбласть$/, " область")
    .replace(/^ولاية\s/, "");

/**
 * Names of towns by country and English name: a region that is called after its seat has the same name. Larger towns come first.
 */
async function townsByName(folder: string): Promise<Map<string, Map<string, string>>> {
  const ids = new Map<number, string>();
  for (const { id, country, name } of worldCities()) ids.set(id, `${country} ${name}`);
  const towns = new Map<string, Map<string, string>>();
  for (const row of await townNames(folder)) {
    const [number, local, english, ...others] = row.split("|");
    const [country, ...words] = (ids.get(Number(number.replace("?", ""))) ?? "").split(" ");
    const name = words.join(" ");
    const key = `${country} ${fold(english || plainEnglish(country, name))}`;
    if (towns.has(key)) continue;
    const names = new Map(others.map((text) => [text.slice(0, text.indexOf(":")), text.slice(text.indexOf(":") + 1)]));
    if (local && SCRIPTS[languageOf(country)]) names.set(languageOf(country), local);
    towns.set(key, names);
  }
  return towns;
}

/**
 * region-names.txt: "JP 27", the local name, the English one (CLDR's), then "language:name" in the languages of maps, from GeoNames.
 * Of the package's names, those of GeoNames only: it also has some of OpenStreetMap, under another license.
 */
export async function regionNames(folder: string): Promise<string[]> {
  const rows: string[] = [];
  const read = <T>(path: string): T => JSON.parse(readFileSync(join(folder, path), "utf8"));
  const cldr = read<{ subdivisions: { localeDisplayNames: { subdivisions: Record<string, string> } } }>(
    "cldr-subdivisions-full/package/subdivisions/en/en.json",
  ).subdivisions.localeDisplayNames.subdivisions;
  const countries = read<Record<string, { regions?: Region[] }>>("iso3166-2-db/package/data/iso3166-2.json");
  const names = read<Record<string, Record<string, string>>>("iso3166-2-db/package/data/names_geonames.json");
  const catalogs = new Map<string, Map<number, string>>();
  const seats = await townsByName(folder);
  const states = [...usShapes(), ...canadaShapes()].filter(({ kind }) => kind === "state");
  const seen = new Set<string>();
  for (const { country, code, name } of [...states, ...firstLevelRegions()]) {
    const key = `${country} ${code}`;
    if (code === "" || seen.has(key)) continue;
    seen.add(key);
    const id = countries[country]?.regions?.find(({ iso }) => iso === code)?.reference.geonames ?? 0;
    const listed = cldr[(RENAMED[key] ?? key).replace(" ", "").toLowerCase()];
    const english = listed === undefined ? undefined : plainEnglish(country, listed);
    const seat = seats.get(`${country} ${fold(english ?? plainEnglish(country, name))}`);
    const nameIn = (language: string): string | undefined => {
      const known = catalogs.get(language) ?? readNames(folder, language === "nb" ? "nn" : language);
      catalogs.set(language, known);
      const own = known.get(id) ?? names[id]?.[language === "ko" ? "kr" : language] ?? seat?.get(language);
      const listed = language === "zh" ? (CHINA[key] ?? own) : own;
      return listed !== undefined && (SCRIPTS[language] ?? LATIN).test(listed) ? withoutKind(listed) : undefined;
    };
    const language = languageOf(country);
    const local = SCRIPTS[language] ? nameIn(language) : language === "en" ? english : undefined;
    const translated = MAP_LANGUAGES.flatMap((one) => {
      const other = one === "en" || one === language || !isMain(one) ? undefined : nameIn(one);
      return other === undefined || other === (local ?? name) || (country === "US" && code === "DC")
        ? []
        : [`${one}:${other}`];
    });
    const isShown = local !== undefined || translated.length > 0 || (english !== undefined && english !== name);
    if (!isShown) continue;
    rows.push([key, local ?? "", english === undefined || english === name ? "" : english, ...translated].join("|"));
  }
  return rows;
}
