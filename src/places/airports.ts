import type { Place } from "./place.ts";
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
const VERSION = 1;
const HEADER = 8;

export function encodeAirports(airports: readonly { iata: string; place: PlaceRecord }[]): Uint8Array {
  const tile = encodeTile(
    airports.map(({ place }) => place),
    [],
  );
  const bytes = new Uint8Array(HEADER + 4 * airports.length + tile.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, VERSION, true);
  view.setUint16(6, airports.length, true);
  airports.forEach(({ iata }, i) => {
    for (let k = 0; k < 3; k++) bytes[HEADER + 4 * i + k] = iata.charCodeAt(k);
  });
  bytes.set(tile, HEADER + 4 * airports.length);
  return bytes;
}

/** The airports with a code, usually one; the code in any case. Throws on bytes that are no airports of this version. */
export function airportsWithCode(bytes: Uint8Array, code: string): Place[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER || view.getUint32(0, true) !== MAGIC) throw new Error("not a list of airports");
  const version = view.getUint16(4, true);
  if (version !== VERSION) throw new Error(`airports of version ${version}, this reader knows ${VERSION}`);
  const n = view.getUint16(6, true);
  const asked = code.toUpperCase();
  const found: number[] = [];
  for (let i = 0; i < n; i++) {
    const at = HEADER + 4 * i;
    if (String.fromCharCode(bytes[at], bytes[at + 1], bytes[at + 2]) === asked) found.push(i);
  }
  if (found.length === 0) return [];
  const tile = new PlaceTile(bytes.subarray(HEADER + 4 * n));
  return found.map((i) => tile.place(i));
}
