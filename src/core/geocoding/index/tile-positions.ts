import { beginObject, openObject } from "../../geo/bytes/bytes.ts";
import { cellCircle, type PackedCell } from "../../geo/cells/cells.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import { haversine } from "../../geo/distance.ts";
import { ADDRESSES_VERSION } from "../entry/entry.ts";

/**
 * addresses/positions: position of each tile, to about a four-thousandth of the build's extent, so that of many tiles
 * with the same words the nearer ones are opened first:
 *
 *     "GADO", u32 version, number of tiles; south, west, height, width of all centers [f64, degrees]; then of each tile
 *     three bytes: 12 bits of latitude, 12 bits of longitude, low ones first, from south and west
 */
const MAGIC = "GADO";
const STEPS = 4095;

export function encodePositions(cells: readonly PackedCell[]): Uint8Array {
  const middles = cells.map((cell) => cellCircle(cell).center);
  const [south, height] = extent(middles.map(({ latitude }) => latitude));
  const [west, width] = extent(middles.map(({ longitude }) => longitude));
  const out = beginObject(MAGIC, ADDRESSES_VERSION);
  out.unsigned(cells.length);
  for (const value of [south, west, height, width]) out.f64(value);
  const step = (value: number, least: number, all: number) =>
    all === 0 ? 0 : Math.round(((value - least) / all) * STEPS);
  for (const { latitude, longitude } of middles) {
    const both = step(latitude, south, height) + 4096 * step(longitude, west, width);
    for (const shift of [0, 8, 16]) out.byte((both >>> shift) & 255);
  }
  return out.finish();
}

function extent(values: readonly number[]): [least: number, all: number] {
  if (values.length === 0) return [0, 0];
  const least = values.reduce((min, value) => Math.min(min, value));
  return [least, values.reduce((max, value) => Math.max(max, value)) - least];
}

/** Reads the positions in place. */
export class TilePositions {
  readonly #bytes: Uint8Array;
  readonly #at: number;
  readonly #box: readonly number[];

  constructor(bytes: Uint8Array) {
    const reader = openObject(bytes, MAGIC, ADDRESSES_VERSION, "positions of address tiles");
    const count = reader.unsigned();
    this.#box = Array.from({ length: 4 }, () => reader.f64());
    this.#at = reader.at;
    if (bytes.length < reader.at + 3 * count) throw new Error("positions of address tiles are cut short");
    this.#bytes = bytes;
  }

  /** From a point to the middle of a tile [m]; infinitely far where there is no such tile. */
  distance(tile: number, { latitude, longitude }: Coordinate): number {
    const at = this.#at + 3 * tile;
    if (at + 3 > this.#bytes.length) return Number.POSITIVE_INFINITY;
    const both = this.#bytes[at] + 256 * this.#bytes[at + 1] + 65536 * this.#bytes[at + 2];
    const [south, west, height, width] = this.#box;
    const own = [south + ((both & 4095) / STEPS) * height, west + ((both >>> 12) / STEPS) * width];
    return haversine(latitude, longitude, own[0], own[1]);
  }
}
