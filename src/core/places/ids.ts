import type { PackedCell } from "../geo/cells/cells.ts";
import type { PlaceKey } from "./place.ts";

/**
 * Maps a place's key to its tile. Places are distributed over objects by the lower half of their keys. The number of
 * objects is a power of two, stored in a separate object. Little endian.
 *
 *     places/ids            0  u32 magic "GPLN",  4  u16 version,  6  u16 0,  8  u32 number of objects
 *     places/ids/<number>   0  u32 magic "GPLI",  4  u16 version,  6  u16 0,  8  u32 n,  12  u32 0
 *                           16 f64 × n  packed cell of its tile
 *                              u32 × n  lower half of the key, ascending
 *                              u32 × n  upper half
 */
export const IDS_KEY = "places/ids";
export const idsKey = (part: number): string => `places/ids/${part}`;
const VERSION = 1;
const COUNT_MAGIC = 0x4e4c5047;
const MAGIC = 0x494c5047;
const HEADER = 16;
/** Places in one object, about: 32 KB. */
const EACH = 2048;

export interface PlaceHome extends PlaceKey {
  cell: PackedCell;
}

/** How many objects for so many places. */
export function partsFor(count: number): number {
  let parts = 1;
  while (parts * EACH < count) parts *= 2;
  return parts;
}

export function encodeParts(parts: number): Uint8Array {
  const bytes = new Uint8Array(12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, COUNT_MAGIC, true);
  view.setUint16(4, VERSION, true);
  view.setUint32(8, parts, true);
  return bytes;
}

/** @throws on bytes that are no such object */
export function decodeParts(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || view.getUint32(0, true) !== COUNT_MAGIC || view.getUint16(4, true) !== VERSION)
    throw new Error("not a number of objects with ids of places");
  return view.getUint32(8, true);
}

/** @param homes of one object, in any order */
export function encodeIds(homes: readonly PlaceHome[]): Uint8Array {
  const n = homes.length;
  const bytes = new Uint8Array(HEADER + 16 * n);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, VERSION, true);
  view.setUint32(8, n, true);
  [...homes]
    .sort((a, b) => a.low - b.low || a.high - b.high)
    .forEach(({ cell, low, high }, i) => {
      view.setFloat64(HEADER + 8 * i, cell, true);
      view.setUint32(HEADER + 8 * n + 4 * i, low, true);
      view.setUint32(HEADER + 12 * n + 4 * i, high, true);
    });
  return bytes;
}

/** One object in its binary form. */
export class PlaceIds {
  readonly #cells: Float64Array;
  readonly #lows: Uint32Array;
  readonly #highs: Uint32Array;

  /** @throws on bytes that are no such object */
  constructor(source: Uint8Array) {
    const bytes = source.byteOffset % 8 === 0 ? source : source.slice();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < HEADER || view.getUint32(0, true) !== MAGIC) throw new Error("no ids of places");
    const version = view.getUint16(4, true);
    if (version !== VERSION) throw new Error(`ids of places of version ${version}, this reader knows ${VERSION}`);
    const n = view.getUint32(8, true);
    if (bytes.length < HEADER + 16 * n) throw new Error("ids of places are cut short");
    const start = bytes.byteOffset + HEADER;
    this.#cells = new Float64Array(bytes.buffer, start, n);
    this.#lows = new Uint32Array(bytes.buffer, start + 8 * n, n);
    this.#highs = new Uint32Array(bytes.buffer, start + 12 * n, n);
  }

  cellOf({ high, low }: PlaceKey): PackedCell | undefined {
    let from = 0;
    let to = this.#lows.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#lows[middle] < low) from = middle + 1;
      else to = middle;
    }
    for (let i = from; this.#lows[i] === low; i++) if (this.#highs[i] === high) return this.#cells[i];
    return undefined;
  }
}
