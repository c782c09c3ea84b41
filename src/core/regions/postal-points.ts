import { type ByteWriter, beginObject, openObject } from "../geo/bytes/bytes.ts";
import type { PackedCell } from "../geo/cells/cells.ts";
import type { Coordinate } from "../geo/coordinate.ts";
import { haversine } from "../geo/distance.ts";

/**
 * Postal codes as points, for places where no import has their areas. An object for each H3 cell with any:
 *
 *     postal-points/cells          cells that have an object (geo/cells/cell-list.ts)
 *     postal-points/<cell>         "GPCP", u32 version, number of countries, their codes, number of points, of each by ascending latitude:
 *                                  latitude less the one before, longitude less the one before (signed) [1e-5 degrees],
 *                                  number of its country, the code
 */
export const POSTAL_POINTS_VERSION = 1;
const MAGIC = "GPCP";
const GRID = 1e5;

/** A cell has an edge of 10 km: a point's own cell and its neighbors have all codes within this distance [m]. */
export const POSTAL_RESOLUTION = 5;
export const MAX_POSTAL_DISTANCE = 8_000;

export const POSTAL_CELLS_KEY = "postal-points/cells";
export const postalKey = (cell: PackedCell): string => `postal-points/${cell}`;

export interface PostalPoint {
  at: Coordinate;
  /** ISO 3166-1 alpha-2. */
  country: string;
  code: string;
}

export function encodePostalPoints(points: readonly PostalPoint[]): Uint8Array {
  const onGrid = points
    .map(({ at, country, code }) => ({
      y: Math.round(at.latitude * GRID),
      x: Math.round(at.longitude * GRID),
      country,
      code,
    }))
    .sort((a, b) => a.y - b.y || a.x - b.x || (a.code < b.code ? -1 : 1));
  const countries = [...new Set(onGrid.map(({ country }) => country))].sort();
  const out: ByteWriter = beginObject(MAGIC, POSTAL_POINTS_VERSION);
  out.unsigned(countries.length);
  for (const country of countries) out.text(country);
  out.unsigned(onGrid.length);
  let [lastY, lastX] = [-90 * GRID, 0];
  for (const { y, x, country, code } of onGrid) {
    out.unsigned(y - lastY);
    out.signed(x - lastX);
    out.unsigned(countries.indexOf(country));
    out.text(code);
    [lastY, lastX] = [y, x];
  }
  return out.finish();
}

/** The points of a cell, as columns. */
export class PostalPoints {
  readonly #latitudes: Float64Array;
  readonly #longitudes: Float64Array;
  readonly #countries: string[];
  readonly #codes: string[];

  /** @throws Error on bytes that are no such object */
  constructor(bytes: Uint8Array) {
    const reader = openObject(bytes, MAGIC, POSTAL_POINTS_VERSION, "postal codes of a cell");
    const countries = Array.from({ length: reader.unsigned() }, () => reader.text());
    const count = reader.unsigned();
    this.#latitudes = new Float64Array(count);
    this.#longitudes = new Float64Array(count);
    this.#countries = [];
    this.#codes = [];
    let [y, x] = [-90 * GRID, 0];
    for (let i = 0; i < count; i++) {
      y += reader.unsigned();
      x += reader.signed();
      this.#latitudes[i] = y / GRID;
      this.#longitudes[i] = x / GRID;
      this.#countries.push(countries[reader.unsigned()]);
      this.#codes.push(reader.text());
    }
  }

  /** Bytes in memory, about. */
  get weight(): number {
    return 60 * this.#codes.length;
  }

  /** The nearest code of a country within a distance [m]; of any country, where it is "". */
  nearest(
    { latitude, longitude }: Coordinate,
    country: string,
    most: number,
  ): { code: string; distance: number } | undefined {
    let best: { code: string; distance: number } | undefined;
    const reach = most / 110_000;
    for (let i = this.#firstFrom(latitude - reach); i < this.#codes.length; i++) {
      if (this.#latitudes[i] > latitude + reach) break;
      if (country !== "" && this.#countries[i] !== country) continue;
      const distance = haversine(latitude, longitude, this.#latitudes[i], this.#longitudes[i]);
      if (distance <= most && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
        best = { code: this.#codes[i], distance };
    }
    return best;
  }

  #firstFrom(latitude: number): number {
    let low = 0;
    let high = this.#latitudes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#latitudes[middle] < latitude) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
