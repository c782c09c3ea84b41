import { beginObject, openObject } from "../geo/bytes/bytes.ts";
import { packObject, unpackObject } from "../geo/bytes/packed.ts";
import { cellsTouching } from "../geo/cells/cell-neighbourhood.ts";
import { cellAt, type PackedCell } from "../geo/cells/cells.ts";
import type { Coordinate } from "../geo/coordinate.ts";
import { haversine, RADIANS } from "../geo/distance.ts";

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

/** The cities of a cell, by ascending latitude. */
export class NearCities {
  readonly #countries: readonly string[];
  readonly #latitudes: Float64Array;
  readonly #longitudes: Float64Array;
  readonly #pulls: Float64Array;
  /** Of each city, the number of its country. */
  readonly #countryOf: Uint16Array;
  readonly #names: string[] = [];

  /** @throws Error on bytes that are no such object */
  constructor(bytes: Uint8Array) {
    const object = unpackObject(bytes, PACKED, [CITIES_VERSION, CITIES_VERSION], "packed cities of a cell");
    const reader = openObject(object, MAGIC, CITIES_VERSION, "cities of a cell");
    this.#countries = Array.from({ length: reader.unsigned() }, () => reader.text());
    const count = reader.unsigned();
    [this.#latitudes, this.#longitudes, this.#pulls] = [0, 1, 2].map(() => new Float64Array(count));
    this.#countryOf = new Uint16Array(count);
    let [y, x] = [-90 * GRID, 0];
    for (let i = 0; i < count; i++) {
      y += reader.unsigned();
      x += reader.signed();
      this.#latitudes[i] = y / GRID;
      this.#longitudes[i] = x / GRID;
      this.#countryOf[i] = reader.unsigned();
      this.#pulls[i] = 2 ** ((EXPONENT * reader.byte()) / 8);
      this.#names.push(reader.text());
    }
  }

  /** Bytes in memory, about. */
  get weight(): number {
    return 60 * this.#names.length;
  }

  /** The name of the city of a country that attracts a point most. */
  strongest(point: Coordinate, country: string): { name: string; strength: number } | undefined {
    const [wanted, latitudes, longitudes] = [this.#countries.indexOf(country), this.#latitudes, this.#longitudes];
    const reach = MAX_DISTANCE / 110_000;
    // The parallel nearer to a pole is the shorter one.
    const reachEast = reach / Math.cos(Math.min(89, Math.abs(point.latitude) + reach) * RADIANS);
    let [best, most] = [-1, 0];
    for (let i = this.#firstFrom(point.latitude - reach); latitudes[i] <= point.latitude + reach; i++) {
      const east = Math.abs(longitudes[i] - point.longitude);
      if (this.#countryOf[i] !== wanted || Math.min(east, 360 - east) > reachEast) continue;
      const away = haversine(point.latitude, point.longitude, latitudes[i], longitudes[i]);
      const strength = this.#pulls[i] / (away + BESIDE);
      if (away <= MAX_DISTANCE && strength > most) [best, most] = [i, strength];
    }
    return best < 0 ? undefined : { name: this.#names[best], strength: most };
  }

  /** The first city at a latitude or north of it. */
  #firstFrom(latitude: number): number {
    let [low, high] = [0, this.#latitudes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#latitudes[middle] < latitude) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
