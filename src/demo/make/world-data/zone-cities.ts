import { readFileSync } from "node:fs";
import { join } from "node:path";
import tzLookup from "@photostructure/tz-lookup";
import { LANGUAGES } from "../../../core/geocoding/entry/entry.ts";
import { fold } from "../../../core/geocoding/words/normalise.ts";
import { MAP_LANGUAGES } from "../../../importer/layers/basemap/features/names.ts";
import { type City, worldCities } from "../../../importer/world/cities.ts";

/** Names of cities in any script that city-names.txt has besides those of the API's languages. */
const MORE_LANGUAGES =
  "it nl sv nb da fi pl cs sk hu ro hr sl el tr uk bg sr he hi th vi id fa kk lt lv et ca eu gl mk is sq ka hy az bs bn ta te kn ml km my lo am gu pa or si mr ne ur ps sd as be mn ky uz tg sw af cy ga ms fil tk ckb ug zh-Hant yue so ha ig".split(
    " ",
  );
/** What GeoNames calls the city of a zone, where CLDR has another name. */
const CALLED: Readonly<Record<string, string>> = {
  "Africa/El_Aaiun": "Laayoune",
  "America/Bahia": "Salvador",
  "Asia/Aqtobe": "Aktobe",
  "Asia/Ulaanbaatar": "Ulan Bator",
};
/** The catalog of a language, where it is not under its own code. */
const CATALOGS: Readonly<Record<string, string>> = { nb: "no" };

type Zones = Record<string, { exemplarCity?: string } | Record<string, { exemplarCity?: string }>>;

/** city-names.txt: cities that time zones are called after, with names by language, or ":" for other languages. */
export function* citiesOfZones(folder: string): Generator<string> {
  for (const { city, names } of zoneCities(folder, [...LANGUAGES, ...MORE_LANGUAGES])) {
    const seen = new Set([city.name]);
    const fields: string[] = [];
    for (const [language, name] of names) {
      const isOurs = LANGUAGES.some((one) => one === language);
      if (language === "en" || seen.has(name)) continue;
      if (!isOurs) seen.add(name);
      fields.push(`${isOurs ? language : ""}:${name}`);
    }
    yield [`${city.country} ${city.name}`, ...fields].join("|");
  }
}

/** map-city-names.txt: the same cities with their names in the languages of maps. */
export function* citiesOnMaps(folder: string): Generator<string> {
  for (const { city, names } of zoneCities(folder, MAP_LANGUAGES)) {
    const fields = names.filter(([language, name]) => language !== "en" && name !== city.name);
    yield [`${city.country} ${city.name}`, ...fields.map((pair) => pair.join(":"))].join("|");
  }
}

/** The names of a state or an island by its English one, where a zone of its country is called after it: Azores. */
export function regionsOfZones(folder: string): (country: string, english: string) => readonly string[] {
  const catalogs = catalogsOf(folder, [...LANGUAGES, ...MORE_LANGUAGES]);
  const cities = new Map(worldCities().map(({ country, name }) => [`${country} ${fold(name)}`, true]));
  const english = catalogs.find(([language]) => language === "en")?.[1] ?? new Map<string, string>();
  const zones = new Map(
    catalogs.flatMap(([, catalog]) =>
      [...catalog.keys()].map((zone) => [fold(english.get(zone) ?? lastOf(zone)), zone]),
    ),
  );
  return (country, name) => {
    const zone = zones.get(fold(name));
    if (zone === undefined || cities.has(`${country} ${fold(name)}`) || !isZoneOf(country, zone)) return [];
    return catalogs.flatMap(([, catalog]) => catalog.get(zone) ?? []);
  };
}

/** The types of this runtime's `Intl` lack the zones of a country. */
interface WithZones {
  getTimeZones?(): readonly string[] | undefined;
}

const isZoneOf = (country: string, zone: string) =>
  (new Intl.Locale(`und-${country}`) as WithZones)
    .getTimeZones?.()
    ?.some((one) => canonical(one) === canonical(zone)) ?? false;

const lastOf = (zone: string) => zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");

function catalogsOf(folder: string, languages: readonly string[]) {
  return languages.map((language) => {
    const path = `cldr-dates-full/package/main/${CATALOGS[language] ?? language}/timeZoneNames.json`;
    const { main } = JSON.parse(readFileSync(join(folder, path), "utf8"));
    return [language, new Map(exemplars(main[CATALOGS[language] ?? language].dates.timeZoneNames.zone))] as const;
  });
}

function* zoneCities(folder: string, languages: readonly string[]) {
  const catalogs = catalogsOf(folder, languages);
  const english = catalogs.find(([language]) => language === "en")?.[1] ?? new Map();
  const byName = new Map<string, City[]>();
  for (const city of worldCities()) byName.set(fold(city.name), [...(byName.get(fold(city.name)) ?? []), city]);
  const zones = new Set(catalogs.flatMap(([, catalog]) => [...catalog.keys()]));
  for (const zone of [...zones].sort()) {
    const called = [english.get(zone), lastOf(zone), CALLED[zone]].flatMap((name) =>
      name ? (byName.get(fold(name)) ?? []) : [],
    );
    const inZone = (same: (one: string, other: string) => boolean) =>
      called.find(({ latitude, longitude }) => same(tzLookup(latitude, longitude), zone));
    const near = inZone((one, other) => canonical(one) === canonical(other));
    // Of the zones that countries are called after, a village elsewhere may have the name.
    const seat = called.find((one) => one.rank !== "other" && hasSameTime(tzLookup(one.latitude, one.longitude), zone));
    const city = near ?? seat;
    if (!city) continue;
    yield { city, names: catalogs.flatMap(([language, catalog]) => pairOf(language, catalog.get(zone))) };
  }
}

/** CLDR has older names of some zones: Asia/Calcutta. */
const canonical = (zone: string) => new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;

/** The part of the world and the time of a day, where a border of zones is not exact. */
function hasSameTime(one: string, other: string): boolean {
  const timeIn = (timeZone: string) =>
    new Intl.DateTimeFormat("en", { timeZone, timeStyle: "short" }).format(new Date("2026-01-01T00:00:00Z"));
  return one.split("/")[0] === other.split("/")[0] && timeIn(one) === timeIn(other);
}

const pairOf = (language: string, name: string | undefined) => (name === undefined ? [] : [[language, name] as const]);

function* exemplars(zones: Zones, prefix = ""): Generator<[zone: string, city: string]> {
  for (const [key, value] of Object.entries(zones)) {
    if (typeof value.exemplarCity === "string") yield [`${prefix}${key}`, value.exemplarCity];
    else if (typeof value === "object" && !("long" in value)) yield* exemplars(value as Zones, `${prefix}${key}/`);
  }
}
