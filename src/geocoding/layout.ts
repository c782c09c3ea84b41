import { beginObject, openObject } from "../geo/bytes.ts";
import { cellReach } from "../geo/cell-tree.ts";
import { ancestorOf, type PackedCell, resolutionOf } from "../geo/cells.ts";
import type { Coordinate } from "../geo/coordinate.ts";
import { haversine } from "../geo/distance.ts";
import { ADDRESSES_VERSION } from "./entry.ts";
import { WordTable, writeWords } from "./names-tile.ts";

/**
 * The objects of the layer `addresses` in a build:
 *
 *     addresses/tiles              every tile, the one with most in it first
 *     addresses/names/<i>          names of tile i (names-tile.ts)
 *     addresses/houses/<i>         its house numbers and lines (details-tile.ts)
 *     addresses/coverage           how many addresses, by state (coverage.ts)
 *     addresses/filter             which words there are, for choosing among builds (word-filter.ts)
 *     addresses/filter/<s>         shard s of it, where it is large
 *     addresses/words              the first word of each block of the word index
 *     addresses/words/<b>          block b: words with the tiles that hold them
 *     addresses/pairs              the first pair of each block of the pair index
 *     addresses/pairs/<b>          block b: two words that follow each other in a street's name ("walnut street"), with tiles
 *     addresses/head               the prefixes that regions are found under
 *     addresses/head/<h>           regions with a word that begins with prefix h, as a tile of names
 */
export const TILES_KEY = "addresses/tiles";
export const FILTER_KEY = "addresses/filter";
export const WORDS_KEY = "addresses/words";
export const PAIRS_KEY = "addresses/pairs";
export const HEAD_KEY = "addresses/head";
export const namesKey = (tile: number): string => `addresses/names/${tile}`;
export const housesKey = (tile: number): string => `addresses/houses/${tile}`;
export const filterKey = (shard: number): string => `addresses/filter/${shard}`;
export const wordsKey = (block: number): string => `addresses/words/${block}`;
export const pairsKey = (block: number): string => `addresses/pairs/${block}`;
export const headKey = (block: number): string => `addresses/head/${block}`;

/** Tiles are cells of these resolutions; a dense cell is split into its seven children. */
export const COARSEST_TILE = 3;
export const FINEST_TILE = 8;

/**
 * addresses/tiles: "GADT", u32 version, number of tiles, and for each its packed cell (geo/cells.ts), and latitude and
 * longitude [1e-5 degrees, signed] and radius [m] of a circle around all that lies in it.
 */
export function encodeDirectory(cells: readonly PackedCell[]): Uint8Array {
  const out = beginObject("GADT", ADDRESSES_VERSION);
  out.unsigned(cells.length);
  for (const cell of cells) {
    const { center, radius } = cellReach(cell);
    out.unsigned(cell);
    out.signed(Math.round(center.latitude * 1e5));
    out.signed(Math.round(center.longitude * 1e5));
    out.unsigned(Math.ceil(radius) + 2);
  }
  return out.finish();
}

export interface NearTile {
  tile: number;
  /** No entry of the tile is nearer than this [m]. */
  distance: number;
}

export class TileDirectory {
  readonly cells: PackedCell[] = [];
  readonly #latitudes: number[] = [];
  readonly #longitudes: number[] = [];
  readonly #radii: number[] = [];
  readonly #numbers = new Map<PackedCell, number>();
  readonly #byLatitude: Uint32Array;
  readonly #largest: number;

  constructor(bytes: Uint8Array) {
    const reader = openObject(bytes, "GADT", ADDRESSES_VERSION, "a list of address tiles");
    for (let left = reader.unsigned(); left > 0; left--) {
      const cell = reader.unsigned();
      this.#numbers.set(cell, this.cells.length);
      this.cells.push(cell);
      this.#latitudes.push(reader.signed() / 1e5);
      this.#longitudes.push(reader.signed() / 1e5);
      this.#radii.push(reader.unsigned());
    }
    this.#byLatitude = Uint32Array.from(this.cells.keys()).sort((a, b) => this.#latitudes[a] - this.#latitudes[b]);
    this.#largest = this.#radii.reduce((most, radius) => Math.max(most, radius), 0);
  }

  /** The tile that a cell belongs to, if there is one. */
  tileOf(cell: PackedCell): number | undefined {
    for (let resolution = COARSEST_TILE; resolution <= Math.min(FINEST_TILE, resolutionOf(cell)); resolution++) {
      const tile = this.#numbers.get(ancestorOf(cell, resolution));
      if (tile !== undefined) return tile;
    }
    return undefined;
  }

  /** From a point to the middle of a tile [m]. */
  distance(tile: number, { latitude, longitude }: Coordinate): number {
    return haversine(latitude, longitude, this.#latitudes[tile], this.#longitudes[tile]);
  }

  /** The first in order of latitude that is not south of the given one. */
  #firstAt(latitude: number): number {
    let low = 0;
    let high = this.#byLatitude.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#latitudes[this.#byLatitude[middle]] < latitude) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Tiles that reach into a circle, nearest first, at most `most`. */
  near({ latitude, longitude }: Coordinate, radius: number, most: number): NearTile[] {
    const found: (NearTile & { toCentre: number })[] = [];
    // One degree of latitude is 111 km: most tiles are too far away by latitude alone.
    const reach = (radius + this.#largest) / 111_000;
    const far =
      (radius + 2 * this.#largest) /
      (111_000 * Math.max(0.01, Math.cos(((Math.abs(latitude) + reach) * Math.PI) / 180)));
    const { length } = this.#byLatitude;
    for (let i = this.#firstAt(latitude - reach); i < length; i++) {
      const tile = this.#byLatitude[i];
      if (this.#latitudes[tile] > latitude + reach) break;
      const aside = Math.abs(this.#longitudes[tile] - longitude);
      if (Math.min(aside, 360 - aside) > far) continue;
      const room = radius + this.#radii[tile];
      const toCentre = haversine(latitude, longitude, this.#latitudes[tile], this.#longitudes[tile]);
      if (toCentre <= room) found.push({ tile, distance: Math.max(0, toCentre - this.#radii[tile]), toCentre });
    }
    return found.sort((a, b) => a.distance - b.distance || a.toCentre - b.toCentre).slice(0, most);
  }
}

/** addresses/words, addresses/pairs and addresses/head: "GADP", u32 version, number of texts, texts in order. */
export function encodePrefixes(texts: readonly string[]): Uint8Array {
  const out = beginObject("GADP", ADDRESSES_VERSION);
  out.unsigned(texts.length);
  for (const text of texts) out.text(text);
  return out.finish();
}

export function decodePrefixes(bytes: Uint8Array): string[] {
  const reader = openObject(bytes, "GADP", ADDRESSES_VERSION, "a list of prefixes");
  return Array.from({ length: reader.unsigned() }, () => reader.text());
}

/**
 * addresses/words/<b>, addresses/pairs/<b>: "GADK", u32 version, number of words, words as in a tile of names, with
 * tiles for entries.
 */
export function encodeWordBlock(words: readonly string[], tilesOf: (word: string) => readonly number[]): Uint8Array {
  const out = beginObject("GADK", ADDRESSES_VERSION);
  out.unsigned(words.length);
  writeWords(out, words, tilesOf);
  return out.finish();
}

export function decodeWordBlock(bytes: Uint8Array): WordTable {
  const reader = openObject(bytes, "GADK", ADDRESSES_VERSION, "a block of words");
  return new WordTable(reader, reader.unsigned());
}
