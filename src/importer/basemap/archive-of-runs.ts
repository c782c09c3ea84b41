import { readFile, rm, writeFile } from "node:fs/promises";
import type { Bounds } from "../../geo/manifest.ts";
import { ArchiveTiles } from "../../maps/tiles/archive-tiles.ts";
import { type ArchiveOptions, TileArchiveWriter } from "../../maps/tiles/archive-writer.ts";
import { VECTOR_LAYERS } from "../../maps/tiles/schema.ts";
import type { LayerOutput, Workroom } from "../layer.ts";
import type { Progress } from "../progress.ts";
import { piecesOf } from "../publish/file-range.ts";
import type { ThreadPool } from "../threads/thread-pool.ts";
import { type PackedBatch, tilesOf } from "./pack-tiles.ts";
import { NODE_PACKING } from "./packing.ts";
import type { Run } from "./spool.ts";
import { mergeToFit, tileBatches } from "./tile-batches.ts";
import type { BasemapJob, BasemapResult } from "./thread.ts";
import { TileFile } from "./tile-file.ts";

/** The one object of the layer. `src/geodata/basemap.ts` reads it. */
export const BASEMAP_KEY = "basemap/tiles.pmtiles";

/** What a step reads of the runs: some minutes of work [bytes]. */
const STEP_BYTES = 1e9;
/** Share of the memory for merging runs. */
const MERGE_SHARE = 0.25;

export type BasemapPool = ThreadPool<BasemapJob, BasemapResult>;

export interface BasemapArchiveOptions {
  bounds: Bounds;
  minZoom: number;
  maxZoom: number;
  attribution: string;
}

/** What a step leaves for the next one. */
interface Reached {
  /** Tiles with smaller numbers are in the archive; −1: all are. */
  next: number;
  /** Bytes of the file of tiles. */
  bytes: number;
}

/**
 * Tile after tile from the runs into the layer's archive. The tiles go into a file of their own, as the directories, which stand
 * before them, are known last; then both become the object.
 */
export async function writeBasemap(
  runs: readonly Run[],
  options: BasemapArchiveOptions,
  { room, out, pool }: { room: Workroom; out: LayerOutput; pool: BasemapPool },
): Promise<void> {
  const merged = await room.step("merging", async () =>
    mergeToFit(runs, room.memory * MERGE_SHARE, (run) => room.path(`merged-${run}`)),
  );
  const files = { tiles: room.path("tiles"), known: room.path("known-tiles") };
  const batches = new BatchesFrom(merged);
  let reached: Reached = { next: 0, bytes: 0 };
  for (let step = 1; reached.next >= 0; step++) {
    const from = reached;
    reached = await room.step(`tiles ${step}`, (progress) => packSome(batches, from, files, pool, progress));
  }
  await room.step("archive", async (progress) => {
    for (const { path } of merged) await rm(path, { force: true });
    const known = ArchiveTiles.restore(await readFile(files.known));
    const writer = new TileArchiveWriter(NODE_PACKING.gzip, async () => undefined, known);
    const head = await writer.head(describe(options));
    progress.expect(head.length + known.bytes, "B");
    const archive = await out.stream(BASEMAP_KEY);
    await archive.append(head);
    for await (const piece of piecesOf({ path: files.tiles, offset: 0, length: known.bytes })) {
      await archive.append(piece);
      progress.advance(piece.length);
    }
    await archive.end();
    out.count("tiles", known.addressed);
    out.count("different tiles", known.contents);
  });
}

/** Batches from a tile on: goes on where it was, or finds the place in the runs after an interruption. */
class BatchesFrom {
  readonly #runs: readonly Run[];
  #batches: ReturnType<typeof tileBatches> | undefined;
  #next = -1;

  constructor(runs: readonly Run[]) {
    this.#runs = runs;
  }

  /** Bytes of all runs. */
  get bytes(): number {
    return this.#runs.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** So many bytes; afterwards `next` says with which tile it goes on, −1 when there are none. */
  *take(from: number, most: number) {
    if (!this.#batches || this.#next !== from) this.#batches = tileBatches(this.#runs, from);
    let taken = 0;
    for (let last = from; ; ) {
      const { value, done } = taken < most ? this.#batches.next() : { value: undefined, done: false };
      if (!value) {
        this.#next = done ? -1 : last;
        return;
      }
      taken += value.bytes.length;
      last = value.tiles[value.tiles.length - 1] + 1;
      yield value;
    }
  }

  get next(): number {
    return this.#next;
  }
}

async function packSome(
  batches: BatchesFrom,
  from: Reached,
  files: { tiles: string; known: string },
  pool: BasemapPool,
  progress: Progress,
): Promise<Reached> {
  progress.expect(Math.min(batches.bytes, STEP_BYTES), "B");
  const file = await TileFile.after(files.tiles, from.bytes);
  try {
    const known = from.bytes > 0 ? ArchiveTiles.restore(await readFile(files.known)) : new ArchiveTiles();
    const writer = new TileArchiveWriter(NODE_PACKING.gzip, (bytes) => file.append(bytes), known);
    const results = pool.inOrder(
      batches.take(from.next, STEP_BYTES),
      (batch): BasemapJob => ({ pack: batch }),
      (job) => ("pack" in job ? [job.pack.tiles.buffer, job.pack.ends.buffer, job.pack.bytes.buffer] : []),
    );
    for await (const result of results) {
      const { packed } = result as { packed: PackedBatch };
      for (const tile of tilesOf(packed)) await writer.add(tile);
      progress.advance(packed.read);
    }
    await writeFile(files.known, Buffer.concat(known.save()));
    return { next: batches.next, bytes: known.bytes };
  } finally {
    await file.close();
  }
}

function describe({ bounds, minZoom, maxZoom, attribution }: BasemapArchiveOptions): ArchiveOptions {
  const metadata = {
    name: "Graticule basemap",
    description: "In the schema of the Protomaps basemap, version 4",
    type: "baselayer",
    version: "4",
    attribution,
    vector_layers: VECTOR_LAYERS,
  };
  return { bounds, minZoom, maxZoom, metadata };
}
