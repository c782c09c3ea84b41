import { beginObject, openVersions } from "../../geo/bytes/bytes.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import { distance } from "../../geo/distance.ts";
import { ADDRESSES_VERSION, ADDRESSES_VERSIONS } from "../entry/entry.ts";

/**
 * addresses/airports: the airports of each city that do not have its name, in the world base: JFK of New York.
 *
 *     "GADC", u32 version, number of cities, for each, from south to north:
 *       latitude, longitude [1/200 degree; latitude as difference from the last one], number of airports, their IATA codes
 */
export const AIRPORTS_KEY = "addresses/airports";

const GRID = 200;
const LETTERS = 3;
/** A city's center in other data is within this distance [m]. */
const SAME_CITY = 10_000;

/** A city, and the codes of its airports. */
export interface AirportCity extends Coordinate {
  codes: readonly string[];
}

export function encodeAirportCities(cities: readonly AirportCity[]): Uint8Array {
  const out = beginObject("GADC", ADDRESSES_VERSION);
  const rounded = cities
    .map(({ codes, ...at }) => ({ codes, y: Math.round(at.latitude * GRID), x: Math.round(at.longitude * GRID) }))
    .sort((a, b) => a.y - b.y || a.x - b.x);
  out.unsigned(rounded.length);
  let last = 0;
  for (const { codes, x, y } of rounded) {
    out.signed(y - last);
    out.signed(x);
    out.unsigned(codes.length);
    for (const letter of codes.join("")) out.byte(letter.charCodeAt(0));
    last = y;
  }
  return out.finish();
}

export function decodeAirportCities(bytes: Uint8Array): readonly AirportCity[] {
  const { reader } = openVersions(bytes, "GADC", ADDRESSES_VERSIONS, "a list of airports by city");
  let y = 0;
  return Array.from({ length: reader.unsigned() }, () => {
    y += reader.signed();
    const longitude = reader.signed() / GRID;
    const codes = Array.from({ length: reader.unsigned() }, () =>
      Array.from({ length: LETTERS }, () => String.fromCharCode(reader.byte())).join(""),
    );
    return { latitude: y / GRID, longitude, codes };
  });
}

/** The codes of the airports of the city at a position. */
export function airportsOfCity(cities: readonly AirportCity[], at: Coordinate): readonly string[] {
  const near = cities.filter(({ latitude }) => Math.abs(latitude - at.latitude) < 0.1);
  const away = near.map((city) => distance(city, at));
  const best = away.indexOf(Math.min(...away));
  return best >= 0 && away[best] < SAME_CITY ? near[best].codes : [];
}
