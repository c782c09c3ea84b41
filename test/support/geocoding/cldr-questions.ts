import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { distance } from "../../../src/core/geo/distance.ts";
import { fold } from "../../../src/core/geocoding/words/normalise.ts";
import { type City, worldCities } from "../../../src/importer/world/cities.ts";
import { firstLevelRegions } from "../../../src/importer/world/lists.ts";
import { stateFinder } from "../../../src/importer/world/state-shapes.ts";
import { randomFrom } from "../../core/geocoding/sample.ts";
import { withAreas } from "./namesakes.ts";
import type { Question } from "./question.ts";

/**
 * Questions whose names and positions are not from the lists of the world base: the cities that CLDR calls time zones after, in its languages
 * with complete names (cldr-dates-full), where the zones' own table has them (tzdata's zone.tab); countries (the runtime's CLDR); and states
 * (cldr-subdivisions-full).
 */

const LANGUAGES =
  "af am ar as az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu ha he hi hr hu hy id ig is it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my ne nl no or pa pl ps pt ro ru sd si sk sl so sq sr sv sw ta te th tk tr uk ur uz vi yo yue zh zh-Hant zu".split(
    " ",
  );
const ZONES = "/usr/share/zoneinfo/zone.tab";

interface ZoneCity extends Coordinate {
  country: string;
  /** How far off is still right [km]: a zone may be called after an island or a state. */
  km: number;
  /** People of the base's largest city there. */
  people: number;
  names: [language: string, name: string][];
}

const readJson = (folder: string, path: string) => JSON.parse(readFileSync(join(folder, path), "utf8"));

/** "+4830-00215" is 48.5, -2.25; degrees have two or three digits. */
function degreesOf(text: string): Coordinate {
  const [latitude, longitude] = [...text.matchAll(/([+-])(\d+)/g)].map(([, sign, digits], i) => {
    const whole = Number(digits.slice(0, 2 + i));
    const rest = digits.slice(2 + i);
    const value = whole + Number(rest.slice(0, 2)) / 60 + Number(rest.slice(2) || 0) / 3600;
    return sign === "-" ? -value : value;
  });
  return { latitude, longitude };
}

function zoneCities(folder: string, cities: readonly City[]): ZoneCity[] {
  const catalogs = LANGUAGES.map((language) => {
    const path = `cldr-dates-full/package/main/${language}/timeZoneNames.json`;
    return [language, readJson(folder, path).main[language].dates.timeZoneNames.zone] as const;
  });
  return readFileSync(ZONES, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .flatMap((line): ZoneCity[] => {
      const [country, point, zone] = line.split("\t");
      const at = degreesOf(point);
      const names = catalogs.flatMap(([language, zones]): [string, string][] => {
        const name: unknown = zone.split("/").reduce((level, part) => level?.[part], zones)?.exemplarCity;
        return typeof name === "string" ? [[language, name]] : [];
      });
      const near = cities.filter((city) => city.country === country && distance(city, at) < 60_000);
      const there = near.find((city) => distance(city, at) < 30_000);
      const own = fold(zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " "));
      const km = near.some(({ name }) => fold(name) === own) ? 45 : 700;
      // Guyana is the zone's name, not that of a city.
      const ofCity = names.filter(
        ([language, name]) => fold(name) !== fold(countryIn(language, country)) || near[0]?.name === name,
      );
      return there && ofCity.length > 0 ? [{ ...at, country, people: there.population, names: ofCity, km }] : [];
    });
}

/** The most of each kind; none where the data is not there. */
export function cldrQuestions(folder: string, seed: number, most = 400): Question[] {
  if (!existsSync(ZONES)) return [];
  const draw = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(draw() * list.length)];
  const cities = worldCities();
  const byName = Map.groupBy(cities, ({ name }) => fold(name));
  const zones = zoneCities(folder, cities);
  const scripts = [...Map.groupBy(LANGUAGES, (language) => new Intl.Locale(language).maximize().script).values()];
  const named = (one: ZoneCity) => {
    const languages = pick(scripts);
    return pick(
      one.names.filter(([language]) => languages.includes(language)).concat(pick(one.names) ? [pick(one.names)] : []),
    );
  };
  const questions: Question[] = [];
  const isKnown = (one: ZoneCity, name: string) =>
    one.people > 200_000 &&
    (byName.get(fold(name)) ?? []).every((city) => distance(city, one) < 50_000 || city.population * 3 < one.people);
  for (let i = 0; i < most; i++) {
    const one = pick(zones);
    const [language, name] = named(one);
    const place = { at: [one], km: one.km, from: one.country };
    if (isKnown(one, name)) questions.push(...withAreas({ set: "cldr: city", query: name, ...place }, name, one));
    const country = countryIn(language, one.country);
    questions.push({ set: "cldr: city, country", query: `${name}, ${country}`, ...place });
    if (i % 4 === 0) questions.push({ set: "cldr: country city", query: `${country} ${name}`, ...place });
    if (i % 4 === 1)
      questions.push({ set: "cldr: CITY, COUNTRY", query: `${name}, ${country}`.toUpperCase(), ...place });
    if (i % 4 === 2) {
      const query = countryIn(language, one.country);
      questions.push({ set: "cldr: country", query, at: [], country: one.country, km: 0, from: one.country });
    }
  }
  questions.push(...states(folder, pick, most, cities, byName));
  return [...questions, ...countries(draw)];
}

/** Names of countries of another list, which volunteers translate (i18n-iso-countries), in languages that both have. */
function countries(draw: () => number): Question[] {
  const folder = "node_modules/i18n-iso-countries/langs";
  const languages = LANGUAGES.filter((language) => existsSync(join(folder, `${language}.json`)));
  return languages.flatMap((language) => {
    const list: Record<string, string | string[]> = readJson(folder, `${language}.json`).countries;
    const drawn = Object.entries(list).filter(() => draw() < 0.05);
    return drawn.map(([country, names]): Question => {
      const [query] = [names].flat();
      return { set: "country of another list", query, at: [], country, km: 0, from: country };
    });
  });
}

const countryIn = (language: string, code: string) =>
  new Intl.DisplayNames(language === "no" ? "nb" : language, { type: "region" }).of(code) ?? code;

function states(
  folder: string,
  pick: <T>(list: readonly T[]) => T,
  most: number,
  cities: readonly City[],
  byName: ReadonlyMap<string, readonly City[]>,
): Question[] {
  const path = "cldr-subdivisions-full/package/subdivisions/en/en.json";
  const names: Record<string, string> = readJson(folder, path).subdivisions.localeDisplayNames.subdivisions;
  const nameOf = (country: string, code: string) => names[`${country}${code}`.toLowerCase()];
  const stateAt = stateFinder();
  const codeOf = (city: City) => city.state || (stateAt(city.country, [city.longitude, city.latitude])?.code ?? "");
  const large = cities.filter(({ population }) => population > 30_000);
  const regions = firstLevelRegions().filter(({ country, code }) => code !== "" && nameOf(country, code) !== undefined);
  return Array.from({ length: most }, (_, i): Question[] => {
    const city = pick(large);
    const code = codeOf(city);
    const state = nameOf(city.country, code);
    const out: Question[] = [];
    if (state !== undefined) {
      const at = byName.get(fold(city.name))!.filter((one) => one.country === city.country && codeOf(one) === code);
      const query = `${city.name}, ${state}, ${countryIn("en", city.country)}`;
      out.push({ set: "cldr: city, state, country", query, at, km: 30, from: city.country });
      if (i % 2 === 0)
        out.push({ set: "cldr: city, state", query: `${city.name}, ${state}`, at, km: 30, from: city.country });
    }
    if (i % 2 === 0) {
      const { country, code, latitude, longitude, width = 0 } = pick(regions);
      const query = `${nameOf(country, code)}, ${countryIn("en", country)}`;
      const seats = byName.get(fold(nameOf(country, code))) ?? [];
      out.push({
        set: "cldr: state, country",
        query,
        // A city of this name in the state is right, too.
        at: [{ latitude, longitude }, ...seats.filter((one) => one.country === country)],
        km: 60 + Number(width),
        from: country,
      });
    }
    return out;
  }).flat();
}
