import { beginObject, openObject } from "../geo/bytes/bytes.ts";
import { packObject, unpackObject } from "../geo/bytes/packed.ts";
import { cellsTouching } from "../geo/cells/cell-neighbourhood.ts";
import { cellAt, type PackedCell } from "../geo/cells/cells.ts";
import type { Coordinate } from "../geo/coordinate.ts";
import { haversine } from "../geo/distance.ts";

/**
 * Cities as points, for places where no import has their areas. An object for each H3 cell with any:
 *
 *     cities/cells     cells that have an object (geo/cells/cell-list.ts)
 *     cities/<cell>    packed (geo/bytes/packed.ts, "GCIP"): "GCIT", u32 version, number of countries, their codes, number of cities, of each by ascending latitude:
 *                      latitude less the one before, longitude less the one before (signed) [1e-3 degrees],
 *                      number of its country, eight times the binary logarithm of its people (byte), the name
 */
export const CITIES_VERSION = 1;
const MAGIC = "GCIT";
/** Packed (geo/bytes/packed.ts), as most of it are names. */
const PACKED = "GCIP";
const GRID = 1e3;

/** Objects of cells with edges of 160 km: most points need one. */
const RESOLUTION = 2;
/** A city is not named farther away [m]. */
const MAX_DISTANCE = 30_000;

/**
 * A city attracts a point by people^0.3 / (distance + 1 km). Of 1,850 parts of municipalities and addresses with a city (GeoNames' points with
 * administrative codes in Belgium, France, Germany and Great Britain, OpenAddresses of Santa Clara County), this names the right one in 64 %,
 * most others being neighbors; the nearest city 42 %, the square root of people 56 %.
 */
const EXPONENT = 0.3;
const BESIDE = 1000;
/** Of a city whose number of people is not known. */
const FEW = 500;

export const CITIES_LAYER = "cities";
export const CITY_CELLS_KEY = "cities/cells";
export const cityKey = (cell: PackedCell): string => `cities/${cell}`;
export const cityCell = (at: Coordinate): PackedCell => cellAt(at, RESOLUTION);
/** The cells with all cities that can be named at a point. */
export const cityCellsAround = (at: Coordinate): PackedCell[] => cellsTouching(at, MAX_DISTANCE, RESOLUTION);

export interface PointCity extends Coordinate {
  name: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** 0 where unknown. */
  population: number;
}

export function encodeCities(cities: readonly PointCity[]): Uint8Array {
  const onGrid = cities
    .map((city) => ({ ...city, y: Math.round(city.latitude * GRID), x: Math.round(city.longitude * GRID) }))
    .sort((a, b) => a.y - b.y || a.x - b.x || (a.name < b.name ? -1 : 1));
  const countries = [...new Set(onGrid.map(({ country }) => country))].sort();
  const out = beginObject(MAGIC, CITIES_VERSION);
  out.unsigned(countries.length);
  for (const country of countries) out.text(country);
  out.unsigned(onGrid.length);
  let [lastY, lastX] = [-90 * GRID, 0];
  for (const { y, x, country, population, name } of onGrid) {
    out.unsigned(y - lastY);
    out.signed(x - lastX);
    out.unsigned(countries.indexOf(country));
    out.byte(Math.round(8 * Math.log2(Math.max(FEW, population))));
    out.text(name);
    [lastY, lastX] = [y, x];
  }
  return packObject(PACKED, CITIES_VERSION, out.finish());
}

/** The cities of a cell. */
export class NearCities {
  readonly #cities: (PointCity & { pull: number })[];

  /** @throws Error on bytes that are no such object */
  constructor(bytes: Uint8Array) {
    const object = unpackObject(bytes, PACKED, [CITIES_VERSION, CITIES_VERSION], "packed cities of a cell");
    const reader = openObject(object, MAGIC, CITIES_VERSION, "cities of a cell");
    const countries = Array.from({ length: reader.unsigned() }, () => reader.text());
    let [y, x] = [-90 * GRID, 0];
    this.#cities = Array.from({ length: reader.unsigned() }, () => {
      y += reader.unsigned();
      x += reader.signed();
      const country = countries[reader.unsigned()];
      const population = 2 ** (reader.byte() / 8);
      const pull = population ** EXPONENT;
      return { latitude: y / GRID, longitude: x / GRID, country, population, pull, name: reader.text() };
    });
  }

  /** Bytes in memory, about. */
  get weight(): number {
    return 120 * this.#cities.length;
  }

  /** The city of a country that attracts a point most. */
  strongest(point: Coordinate, country: string): { city: PointCity; strength: number } | undefined {
    let best: { city: PointCity; strength: number } | undefined;
    const reach = MAX_DISTANCE / 110_000;
    for (let i = this.#firstFrom(point.latitude - reach); i < this.#cities.length; i++) {
      const city = this.#cities[i];
      if (city.latitude > point.latitude + reach) break;
      if (city.country !== country) continue;
      const away = haversine(point.latitude, point.longitude, city.latitude, city.longitude);
      const strength = city.pull / (away + BESIDE);
      if (away <= MAX_DISTANCE && strength > (best?.strength ?? 0)) best = { city, strength };
    }
    return best;
  }
  /** The first city at a latitude or north of it. */
  #firstFrom(latitude: number): number {
    let [low, high] = [0, this.#cities.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#cities[middle].latitude < latitude) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
