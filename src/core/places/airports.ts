import { categoriesOf, slugsOf } from "./categories.ts";
import { type Place, placeId, placeKey, placeSourceOf } from "./place.ts";
import { encodeTile, type PlaceRecord, PlaceTile } from "./tile.ts";

/**
 * All airports with an IATA code in one object, little endian:
 *
 *     0   u32  magic "GPLA"
 *     4   u16  version
 *     6   u16  n
 *     8   4 bytes × n  code in ASCII and a zero, ascending
 *         a tile (tile.ts) with the airports in the same order
 */
const MAGIC = 0x414c5047;
export const AIRPORTS_VERSION = 1;
const HEADER = 8;

export function encodeAirports(airports: readonly { iata: string; place: PlaceRecord }[]): Uint8Array {
  const tile = encodeTile(
    airports.map(({ place }) => place),
    [],
  );
  const bytes = new Uint8Array(HEADER + 4 * airports.length + tile.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, AIRPORTS_VERSION, true);
  view.setUint16(6, airports.length, true);
  airports.forEach(({ iata }, i) => {
    for (let k = 0; k < 3; k++) bytes[HEADER + 4 * i + k] = iata.charCodeAt(k);
  });
  bytes.set(tile, HEADER + 4 * airports.length);
  return bytes;
}

/** Radius of an airport of the world base data, of which only the position is known [m]. */
const BASE_FOOTPRINT = 1000;

/**
 * An airport of the world base data as a place. Its `_id` is derived from its code: a number below the operators' own
 * ids, except for one in 2^36.
 */
export function baseAirport(iata: string, { name, location }: Pick<Place, "name" | "location">): Place {
  const categories = slugsOf(categoriesOf({ aeroway: "aerodrome" }));
  return { id: baseAirportId(iata), name, categories, location, footprint: BASE_FOOTPRINT };
}

export const baseAirportId = (iata: string) => placeId(placeKey("operator", Number.parseInt(iata, 36)));

/** Returns the code from which the `_id` of an airport of the world base data was derived; undefined for other ids. */
export function codeOfBaseAirport(id: string): string | undefined {
  const source = placeSourceOf(id);
  const code = source?.source === "operator" ? source.id.toString(36).toUpperCase() : "";
  return /^[A-Z]{3}$/.test(code) ? code : undefined;
}

/** The list in its binary form. Throws if the bytes are not an airport list of this version. */
export class Airports {
  readonly #codes: Uint8Array;
  readonly #tile: PlaceTile;

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < HEADER || view.getUint32(0, true) !== MAGIC) throw new Error("not a list of airports");
    const version = view.getUint16(4, true);
    if (version !== AIRPORTS_VERSION)
      throw new Error(`airports of version ${version}, this reader knows ${AIRPORTS_VERSION}`);
    const end = HEADER + 4 * view.getUint16(6, true);
    this.#codes = bytes.subarray(HEADER, end);
    this.#tile = new PlaceTile(bytes.subarray(end));
  }

  /** The airports with a code, usually one; the code in any case. */
  withCode(code: string): Place[] {
    const asked = code.toUpperCase();
    const codes = this.#codes;
    const found: Place[] = [];
    for (let at = 0; at < codes.length; at += 4)
      if (String.fromCharCode(codes[at], codes[at + 1], codes[at + 2]) === asked) found.push(this.#tile.place(at / 4));
    return found;
  }
}
