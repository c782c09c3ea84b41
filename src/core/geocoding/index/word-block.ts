import { type ByteReader, type ByteWriter, beginObject, openVersions } from "../../geo/bytes/bytes.ts";
import { ADDRESSES_VERSION, ADDRESSES_VERSIONS } from "../entry/entry.ts";
import { WordTable, writeWord } from "./names-tile.ts";
import type { TileSet } from "./tile-set.ts";

/**
 * addresses/words/<b>, addresses/pairs/<b>: strings in order, each with the tiles that contain it. A word that occurs
 * in most tiles, such as "street", would take more than a byte for each, so its tiles are stored as bits: all tiles of
 * all words are listed, and no word takes more than an eighth of a byte for each tile of the build.
 *
 *     "GADK", u32 version, number of words, of each: bytes shared with the word before, length of the rest, the rest; then
 *     2 × number of tiles,     tiles ascending, each less the one before
 *     2 × number of bytes + 1, bits: tile 0 is the lowest bit of the first byte
 */
export function encodeWordBlock(words: readonly string[], tilesOf: (word: string) => readonly number[]): Uint8Array {
  const out = beginObject("GADK", ADDRESSES_VERSION);
  out.unsigned(words.length);
  let before: Uint8Array = new Uint8Array();
  for (const word of words) {
    before = writeWord(out, word, before);
    writeTiles(out, tilesOf(word));
  }
  return out.finish();
}

/** Maximum size of the tiles of a word [bytes], for deciding when a block is full. */
export const sizeOfTiles = (tiles: readonly number[]): number => Math.min(1.3 * tiles.length, bitsOf(tiles));

const bitsOf = (tiles: readonly number[]): number => (tiles.length === 0 ? 0 : (tiles[tiles.length - 1] >> 3) + 1);

/** A difference takes at least one byte, so with as many of them bits are never longer. */
function writeTiles(out: ByteWriter, tiles: readonly number[]): void {
  const bytes = bitsOf(tiles);
  if (tiles.length < bytes) {
    out.unsigned(2 * tiles.length);
    let last = 0;
    for (const tile of tiles) {
      out.unsigned(tile - last);
      last = tile;
    }
    return;
  }
  const bits = new Uint8Array(bytes);
  for (const tile of tiles) bits[tile >> 3] |= 1 << (tile & 7);
  out.unsigned(2 * bytes + 1);
  out.bytes(bits);
}

function skipTiles(reader: ByteReader): void {
  const head = reader.unsigned();
  if (head % 2 === 1) reader.skip(Math.floor(head / 2));
  else for (let left = head / 2; left > 0; left--) reader.unsigned();
}

/** A block, checked. */
export class WordBlock {
  readonly #table: WordTable;
  readonly #hasBits: boolean;

  constructor(bytes: Uint8Array) {
    const { reader, version } = openVersions(bytes, "GADK", ADDRESSES_VERSIONS, "a block of words");
    this.#hasBits = version > 2;
    this.#table = new WordTable(reader, reader.unsigned(), this.#hasBits ? skipTiles : undefined);
  }

  get words(): readonly string[] {
    return this.#table.words;
  }

  lowerBound(word: string): number {
    return this.#table.lowerBound(word);
  }

  indexOf(word: string): number {
    return this.#table.indexOf(word);
  }

  /** Adds the tiles of a word to a set. */
  addTo(tiles: TileSet, i: number): void {
    if (!this.#hasBits) {
      this.#table.each(i, (tile) => tiles.add(tile));
      return;
    }
    const reader = this.#table.listAt(i);
    const head = reader.unsigned();
    if (head % 2 === 1) {
      const start = reader.at;
      reader.skip(Math.floor(head / 2));
      tiles.addBits(reader.bytes.subarray(start, reader.at));
      return;
    }
    let tile = 0;
    for (let left = head / 2; left > 0; left--) {
      tile += reader.unsigned();
      tiles.add(tile);
    }
  }
}
