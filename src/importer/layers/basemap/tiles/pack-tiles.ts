import { isMainThread } from "node:worker_threads";
import { tileOfId } from "../../../../core/maps/tiles/tile-id.ts";
import { assembleTile } from "./assemble-tile.ts";
import { gzipHere, NODE_PACKING } from "./packing.ts";
import { PieceReader } from "./piece.ts";
import type { TileBatch } from "./tile-batches.ts";

/** The tiles of a batch, packed; tiles in which nothing is left do not come. */
export interface PackedBatch {
  tiles: Float64Array<ArrayBuffer>;
  /** 32 bytes for each. */
  digests: Uint8Array<ArrayBuffer>;
  /** Where each ends in `bytes`. */
  ends: Uint32Array<ArrayBuffer>;
  bytes: Uint8Array<ArrayBuffer>;
  /** Bytes that went in. */
  read: number;
}

const DIGEST = 32;
/** Below this many bytes a tile is likely to come again: the open sea, empty land. */
const SMALL = 400;
const MAX_SMALL_TILES = 500;

const reader = new PieceReader();
const small = new Map<string, Uint8Array>();
/** A thread compresses separately; where there are none, those of Node's file system do. */
const pack = isMainThread ? NODE_PACKING.gzip : gzipHere;

/** Pieces → vector tiles → gzip, for all tiles of a batch. */
export async function packTiles({ tiles, ends, bytes }: TileBatch): Promise<PackedBatch> {
  const ids: number[] = [];
  const digests: Uint8Array[] = [];
  const packed: (Uint8Array | Promise<Uint8Array>)[] = [];
  for (let i = 0, start = 0; i < tiles.length; ) {
    const id = tiles[i];
    const records: Uint8Array[] = [];
    for (; i < tiles.length && tiles[i] === id; start = ends[i++]) records.push(bytes.subarray(start, ends[i]));
    const tile = assembleTile(tileOfId(id).z, reader.read(records), reader.propertiesOf);
    if (tile.length === 0) continue;
    const digest = NODE_PACKING.digest(tile);
    ids.push(id);
    digests.push(digest);
    packed.push(tile.length < SMALL ? await packedBefore(tile, digest) : pack(tile));
  }
  const whole = await Promise.all(packed);
  let end = 0;
  return {
    tiles: Float64Array.from(ids),
    digests: joined(digests, ids.length * DIGEST),
    ends: Uint32Array.from(whole, ({ length }) => (end += length)),
    bytes: joined(whole, end),
    read: bytes.length,
  };
}

async function packedBefore(tile: Uint8Array, digest: Uint8Array): Promise<Uint8Array> {
  const key = Buffer.from(digest).toString("latin1");
  const known = small.get(key);
  if (known) return known;
  const packed = await pack(tile);
  if (small.size >= MAX_SMALL_TILES) small.clear();
  small.set(key, packed);
  return packed;
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The tiles of a packed batch one by one. */
export function* tilesOf({ tiles, digests, ends, bytes }: PackedBatch) {
  for (let i = 0; i < tiles.length; i++) {
    yield {
      tileId: tiles[i],
      digest: digests.subarray(DIGEST * i, DIGEST * (i + 1)),
      packed: bytes.subarray(i === 0 ? 0 : ends[i - 1], ends[i]),
    };
  }
}
