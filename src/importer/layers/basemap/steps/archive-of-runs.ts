import { readFile, rm, writeFile } from "node:fs/promises";
import type { Bounds } from "../../../../core/geo/builds/manifest.ts";
import { ArchiveTiles } from "../../../../core/maps/tiles/archive-tiles.ts";
import { type ArchiveOptions, TileArchiveWriter } from "../../../../core/maps/tiles/archive-writer.ts";
import { VECTOR_LAYERS } from "../../../../core/maps/tiles/schema.ts";
import { piecesOf } from "../../../common/file-range.ts";
import type { Progress } from "../../../common/progress.ts";
import type { CachedParts, LayerOutput, LayerResources } from "../../../frame/layer.ts";
import type { ThreadPool } from "../../../threads/thread-pool.ts";
import { joinBatch, type SplitBatch, splitBatches, wholeBatch } from "../tiles/cached-tiles.ts";
import type { PackedBatch } from "../tiles/pack-tiles.ts";
import { NODE_PACKING } from "../tiles/packing.ts";
import type { Run, SortedRun } from "../tiles/run.ts";
import { mergeToFit, tileBatches } from "../tiles/tile-batches.ts";
import { TileFile } from "../tiles/tile-file.ts";
import type { BasemapJob, BasemapResult } from "./thread.ts";

/** The one object of the layer. `src/worker/geodata/basemap.ts` reads it. */
export const BASEMAP_KEY = "basemap/tiles.pmtiles";

/** Share of the memory for merging runs. */
const MERGE_SHARE = 0.25;

export type BasemapPool = ThreadPool<BasemapJob, BasemapResult>;

interface BasemapArchiveOptions {
  bounds: Bounds;
  minZoom: number;
  maxZoom: number;
  attribution: string;
}

/** Result of a step for the next one. */
interface Reached {
  /** Tiles with smaller numbers are in the archive; −1: all are. */
  next: number;
  /** Bytes of the file of tiles. */
  bytes: number;
  /** The file with what is known of them. */
  known: string;
}

/**
 * Tile after tile from the runs into the layer's archive. The tiles go into their own file, as the directories, which are
 * before them, are known last; then both become the object.
 */
export async function writeBasemap(
  runs: readonly Run[],
  options: BasemapArchiveOptions,
  {
    resources,
    out,
    pool,
    stepBytes,
  }: { resources: LayerResources; out: LayerOutput; pool: BasemapPool; stepBytes: number },
): Promise<void> {
  const memory = resources.memory * MERGE_SHARE;
  const batches = resources.parts
    ? cachedBatches(runs, resources, resources.parts, memory)
    : await mergedBatches(runs, resources, memory);
  const tiles = resources.path("tiles");
  let reached: Reached = { next: 0, bytes: 0, known: "" };
  for (let step = 1; reached.next >= 0; step++) {
    const from = reached;
    const files = { tiles, known: resources.path(`known-tiles-${step}`) };
    const bytes = Math.min(stepBytes, batches.bytes);
    reached = await resources.step(`tiles ${step}`, (progress) => {
      progress.expect(bytes, "B");
      const some = batches.take(from.next, stepBytes);
      return packSome(some, from, files, { pool, progress, parts: resources.parts, next: () => batches.next });
    });
    if (from.known) await rm(from.known, { force: true });
  }
  await batches.remove();
  await resources.step("archive", async (progress) => {
    const known = ArchiveTiles.restore(await readFile(reached.known));
    const writer = new TileArchiveWriter(NODE_PACKING.gzip, async () => undefined, known);
    const head = await writer.head(describe(options));
    progress.expect(head.length + known.bytes, "B");
    const archive = await out.stream(BASEMAP_KEY);
    await archive.append(head);
    for await (const piece of piecesOf({ path: tiles, offset: 0, length: known.bytes })) {
      await archive.append(piece);
      progress.advance(piece.length);
    }
    await archive.end();
    out.count("tiles", known.addressed);
    out.count("different tiles", known.contents);
  });
}

/** With a cache each run stays separate, and is read only where a tile is not cached. */
function cachedBatches(
  runs: readonly Run[],
  resources: LayerResources,
  parts: CachedParts,
  memory: number,
): BatchesFrom {
  const path = resources.path("tiles-of-runs");
  return new BatchesFrom(
    (from) => splitBatches(runs, from, parts, { path, memory }),
    runs,
    async () => {
      for (const { path: run, tiles, kept } of runs) {
        if (kept) continue;
        for (const file of [run, tiles]) await rm(file, { force: true });
      }
    },
  );
}

async function mergedBatches(runs: readonly Run[], resources: LayerResources, memory: number): Promise<BatchesFrom> {
  const merged = await resources.step("merging pieces", async (progress) =>
    mergeToFit(runs, memory, (run) => resources.path(`merged-${run}`), progress),
  );
  const gone = runs.filter(({ path }) => !merged.some((run) => run.path === path));
  for (const { path } of gone) await rm(path, { force: true });
  for (const { tiles } of runs) await rm(tiles, { force: true });
  const batchesOf = function* (from: number) {
    for (const batch of tileBatches(merged, from)) yield wholeBatch(batch);
  };
  return new BatchesFrom(batchesOf, merged, async () => {
    for (const { path } of merged) await rm(path, { force: true });
  });
}

/** Batches from a tile on: continues where it was, or finds the place in the runs after an interruption. */
class BatchesFrom {
  /** Removes the runs, but for those that are kept. */
  readonly remove: () => Promise<void>;
  /** Bytes of all runs. */
  readonly bytes: number;
  readonly #batchesOf: (from: number) => Generator<SplitBatch>;
  #batches: Generator<SplitBatch> | undefined;
  #next = -1;

  constructor(
    batchesOf: (from: number) => Generator<SplitBatch>,
    runs: readonly SortedRun[],
    remove: () => Promise<void>,
  ) {
    this.#batchesOf = batchesOf;
    this.bytes = runs.reduce((sum, { bytes }) => sum + bytes, 0);
    this.remove = remove;
  }

  /** So many bytes; afterwards `next` says with which tile it continues, −1 when there are none. */
  *take(from: number, most: number) {
    if (!this.#batches || this.#next !== from) this.#batches = this.#batchesOf(from);
    let taken = 0;
    for (let last = from; ; ) {
      const { value, done } = taken < most ? this.#batches.next() : { value: undefined, done: false };
      if (!value) {
        this.#next = done ? -1 : last;
        return;
      }
      taken += value.read;
      last = value.last + 1;
      yield value;
    }
  }

  get next(): number {
    return this.#next;
  }
}

async function packSome(
  batches: Iterable<SplitBatch>,
  from: Reached,
  files: { tiles: string; known: string },
  { pool, progress, parts, next }: { pool: BasemapPool; progress: Progress; parts?: CachedParts; next: () => number },
): Promise<Reached> {
  const file = await TileFile.after(files.tiles, from.bytes);
  try {
    const known = from.known ? ArchiveTiles.restore(await readFile(from.known)) : new ArchiveTiles();
    const writer = new TileArchiveWriter(NODE_PACKING.gzip, (bytes) => file.append(bytes), known);
    // Results come in the order of the batches.
    const underWay: SplitBatch[] = [];
    const results = pool.inOrder(
      batches,
      (split): BasemapJob => {
        underWay.push(split);
        return { pack: split.unknown };
      },
      (job) => ("pack" in job ? [job.pack.tiles.buffer, job.pack.ends.buffer, job.pack.bytes.buffer] : []),
    );
    for await (const result of results) {
      const { packed } = result as { packed: PackedBatch };
      const split = underWay.shift() as SplitBatch;
      for (const tile of joinBatch(split, packed, parts)) await writer.add(tile);
      progress.advance(split.read);
    }
    await writeFile(files.known, Buffer.concat(known.save()));
    return { next: next(), bytes: known.bytes, known: files.known };
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
