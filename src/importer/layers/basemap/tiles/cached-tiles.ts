import { tileOfId } from "../../../../core/maps/tiles/tile-id.ts";
import type { CachedParts } from "../../../frame/layer.ts";
import { type PackedBatch, tilesOf } from "./pack-tiles.ts";
import type { Run } from "./run.ts";
import { RunRecords } from "./run-records.ts";
import { BATCH_BYTES, type TileBatch } from "./tile-batches.ts";
import { type ListedTile, listedTiles } from "./tile-list.ts";

/** A tile as it goes into the archive. */
interface PackedTile {
  tileId: number;
  digest: Uint8Array;
  packed: Uint8Array;
}

/** A batch of which some tiles are known from the previous import. */
export interface SplitBatch {
  /** All its tiles in their order; without a key where the tile is known. Absent where nothing is known of any. */
  tiles?: { tileId: number; key?: Uint8Array; known?: Uint8Array }[];
  /** The others. */
  unknown: TileBatch;
  /** Bytes of all records. */
  read: number;
  /** The largest number of a tile. */
  last: number;
}

const DIGEST = 32;
/** Memory of the list of tiles, and of what is read of the runs. */
const FOR_LIST = 1 / 2;

/**
 * The tiles of all runs in batches, from a number on; what the previous import made of the same records is copied from there, and those
 * records are not read. A tile's bytes follow from its zoom and its records alone.
 */
export function* splitBatches(
  runs: readonly Run[],
  from: number,
  parts: CachedParts,
  sorting: { path: string; memory: number },
): Generator<SplitBatch> {
  const records = new RunRecords(runs, sorting.memory * (1 - FOR_LIST));
  let tiles: NonNullable<SplitBatch["tiles"]> = [];
  let unknown: ListedTile[] = [];
  let held = 0;
  let read = 0;
  const batch = (): SplitBatch => {
    const made = { tiles, unknown: gathered(unknown, records), read, last: tiles[tiles.length - 1].tileId };
    tiles = [];
    unknown = [];
    held = read = 0;
    return made;
  };
  try {
    for (const tile of listedTiles(runs, from, { ...sorting, memory: sorting.memory * FOR_LIST })) {
      const { tileId } = tile;
      const key = parts.key("tile", `${tileOfId(tileId).z}`, tile.hashes);
      const known = parts.find(key);
      tiles.push(known ? { tileId, known } : { tileId, key });
      if (!known) unknown.push(tile);
      held += known ? known.length + DIGEST : tile.bytes;
      read += tile.bytes;
      if (held >= BATCH_BYTES) yield batch();
    }
    if (tiles.length > 0) yield batch();
  } finally {
    records.close();
  }
}

/** A batch of which nothing is known. */
export const wholeBatch = (batch: TileBatch): SplitBatch => ({
  unknown: batch,
  read: batch.bytes.length,
  last: batch.tiles[batch.tiles.length - 1],
});

function gathered(tiles: readonly ListedTile[], records: RunRecords): TileBatch {
  const count = tiles.reduce((sum, tile) => sum + tile.records.length, 0);
  const whole = {
    tiles: new Float64Array(count),
    ends: new Uint32Array(count),
    bytes: new Uint8Array(tiles.reduce((sum, { bytes }) => sum + bytes, 0)),
  };
  let [i, at] = [0, 0];
  for (const { tileId, records: own } of tiles) {
    for (const { run, start, size } of own) {
      records.read(run, start, size, whole.bytes, at);
      at += size;
      whole.tiles[i] = tileId;
      whole.ends[i++] = at;
    }
  }
  return whole;
}

/** The tiles of a batch in their order, those that were packed now among those that were known. */
export function* joinBatch(
  { tiles }: SplitBatch,
  packed: PackedBatch,
  parts: CachedParts | undefined,
): Generator<PackedTile> {
  if (!parts || !tiles) {
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
