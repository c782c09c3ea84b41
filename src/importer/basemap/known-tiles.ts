import { tileOfId } from "../../maps/tiles/tile-id.ts";
import type { Parts } from "../layer.ts";
import { type PackedBatch, tilesOf } from "./pack-tiles.ts";
import type { TileBatch } from "./tile-batches.ts";

/** A tile as it goes into the archive. */
export interface PackedTile {
  tileId: number;
  digest: Uint8Array;
  packed: Uint8Array;
}

/** A batch of which some tiles are known from the import before. */
export interface SplitBatch {
  /** All its tiles in their order; without a key where the tile is known. */
  tiles: { tileId: number; key?: Uint8Array; known?: Uint8Array }[];
  /** The others. */
  unknown: TileBatch;
  /** Bytes of all. */
  read: number;
}

const DIGEST = 32;

/** Which tiles of a batch were made of the same pieces before. A tile's bytes follow from its zoom and its records alone. */
export function splitBatch(batch: TileBatch, parts: Parts | undefined): SplitBatch {
  const { tiles, ends, bytes } = batch;
  if (!parts) return { tiles: [], unknown: batch, read: bytes.length };
  const split: SplitBatch["tiles"] = [];
  const left: { tile: number; start: number; end: number }[] = [];
  for (let i = 0, start = 0; i < tiles.length; ) {
    const tileId = tiles[i];
    const records: { tile: number; start: number; end: number }[] = [];
    for (; i < tiles.length && tiles[i] === tileId; start = ends[i++])
      records.push({ tile: tileId, start, end: ends[i] });
    const key = parts.key(`${tileOfId(tileId).z}`, ...records.map(({ start, end }) => bytes.subarray(start, end)));
    const known = parts.find(key);
    split.push(known ? { tileId, known } : { tileId, key });
    if (!known) left.push(...records);
  }
  return { tiles: split, unknown: pieced(bytes, left), read: bytes.length };
}

/** The records of a batch that are left, one behind the other. */
function pieced(bytes: Uint8Array, records: readonly { tile: number; start: number; end: number }[]): TileBatch {
  const whole = new Uint8Array(records.reduce((sum, { start, end }) => sum + end - start, 0));
  const ends = new Uint32Array(records.length);
  let at = 0;
  for (const [i, { start, end }] of records.entries()) {
    whole.set(bytes.subarray(start, end), at);
    at += end - start;
    ends[i] = at;
  }
  return { tiles: Float64Array.from(records, ({ tile }) => tile), ends, bytes: whole };
}

/** The tiles of a batch in their order, those that were packed now among those that were known. */
export function* joinBatch(
  { tiles }: SplitBatch,
  packed: PackedBatch,
  parts: Parts | undefined,
): Generator<PackedTile> {
  if (!parts) {
    yield* tilesOf(packed);
    return;
  }
  const made = new Map([...tilesOf(packed)].map((tile) => [tile.tileId, tile]));
  for (const { tileId, key, known } of tiles) {
    // Nothing was left in some tiles: they are known as no bytes.
    const tile = known ? tileIn(tileId, known) : made.get(tileId);
    if (key) parts.put(key, tile ? Buffer.concat([tile.digest, tile.packed]) : new Uint8Array());
    if (tile) yield tile;
  }
}

function tileIn(tileId: number, known: Uint8Array): PackedTile | undefined {
  if (known.length === 0) return undefined;
  return { tileId, digest: known.subarray(0, DIGEST), packed: known.subarray(DIGEST) };
}
