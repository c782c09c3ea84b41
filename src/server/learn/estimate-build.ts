import { createWriteStream } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { BoundedCache } from "../../core/geo/bounded-cache.ts";
import { buildKey, type Manifest } from "../../core/geo/builds/manifest.ts";
import { SEAL, unseal } from "../../core/geo/builds/sealed.ts";
import type { TileSource } from "../../core/geo/builds/tile-source.ts";
import type { Coordinate } from "../../core/geo/coordinate.ts";
import { CAR } from "../../core/routing/graph/modes.ts";
import type { BuildSummary } from "../../core/routing/learn/build-summary.ts";
import { edgesOfTile, type KnownEdge } from "../../core/routing/learn/edge-facts.ts";
import { type EdgeKey, startOfKey } from "../../core/routing/learn/edge-key.ts";
import type { EdgeSums } from "../../core/routing/learn/edge-sums.ts";
import { type LearnedSpeeds, SpeedEstimate } from "../../core/routing/learn/estimate.ts";
import type { Delays } from "../../core/routing/learn/junction-delays.ts";
import { tileKey } from "../../core/routing/learn/keys.ts";
import { quietEdges } from "../../core/routing/learn/quiet-edges.ts";
import { SegmentIds } from "../../core/routing/learn/segment-ids.ts";
import { speedLines } from "../../core/routing/learn/speed-csv.ts";
import { mergeWeeks, readWeekTile } from "../../core/routing/learn/week-tile.ts";
import { chooseWindows, weekProfile } from "../../core/routing/learn/windows.ts";
import { Router } from "../../core/routing/route/router.ts";
import { ImportError } from "../../importer/common/import-error.ts";
import type { Progress } from "../../importer/common/progress.ts";
import { scanPbf } from "../../importer/osm/read/read-pbf.ts";
import type { Bucket } from "../../importer/publish/bucket.ts";
import type { MergedWeek } from "./merge-weeks.ts";

/** The windows of the week are chosen by so many edges at most, of the tiles with the most data. */
const MAX_PROFILE_EDGES = 100_000;
/** Memory for tiles of the build [bytes]. */
const TILE_MEMORY = 128e6;
/** How far the first point of an edge can be from its tile's outline: coordinates are rounded [m]. */
const EDGE_REACH = 5;

export interface Estimated {
  learned: LearnedSpeeds;
  ids: SegmentIds;
  /** Edges that the build no longer has. */
  unknown: number;
  lines: Map<EdgeKey, Coordinate[]>;
  /** Lines of edges that may be closed. */
  quiet: Coordinate[][];
  delays: BuildSummary["delays"];
}

/** The speeds of a build, from the merged weeks. */
export async function estimateBuild(
  bucket: Bucket,
  manifest: Manifest,
  weeks: readonly MergedWeek[],
  minimumDevices: number,
  progress: Progress,
): Promise<Estimated> {
  const router = await Router.open(sourceOf(bucket, manifest), new BoundedCache(TILE_MEMORY));
  if (!router) throw new ImportError(`${manifest.name} has no roads. Import it with the layer roads.`);
  const latest = Math.max(...weeks.map(({ week }) => week));
  const tiles = [...new Set(weeks.flatMap((week) => week.tiles))].sort();
  progress.expect(2 * tiles.length, "tiles");
  const sumsOf = async (tile: string) => {
    const all: [number, EdgeSums][] = [];
    for (const { week, tiles: own } of weeks) {
      if (!own.includes(tile)) continue;
      const stored = await bucket.get(tileKey(week, tile));
      if (stored) all.push([week, await readWeekTile(stored.bytes)]);
    }
    return { sums: mergeWeeks(all, latest), all };
  };
  const sample: EdgeSums = new Map();
  for (const tile of tiles) {
    if (sample.size < MAX_PROFILE_EDGES) for (const [key, hours] of (await sumsOf(tile)).sums) sample.set(key, hours);
    progress.advance();
  }
  const estimate = new SpeedEstimate(chooseWindows(weekProfile(sample)), minimumDevices);
  const ids = new SegmentIds();
  const lines = new Map<EdgeKey, Coordinate[]>();
  const quiet: Coordinate[][] = [];
  let unknown = 0;
  for (const tile of tiles) {
    const { sums, all } = await sumsOf(tile);
    const facts = await factsOf(router, sums);
    estimate.add(sums, (key) => facts.get(key));
    for (const [key, known] of facts) {
      if (!known.hasSignal) continue;
      estimate.addSignal(key, known);
      ids.need(key, known.line);
    }
    for (const [key, hours] of sums) {
      const known = facts.get(key);
      if (!known) unknown++;
      else if (new Set(hours.flatMap(({ devices }) => devices)).size >= minimumDevices) {
        ids.need(key, known.line);
        lines.set(key, known.line);
      }
    }
    // The running week is not complete.
    for (const key of quietEdges(all.filter(([week]) => week < latest).map(([, own]) => own))) {
      const known = facts.get(key);
      if (known) quiet.push(known.line);
    }
    progress.advance();
  }
  const learned = estimate.finish();
  return { learned, ids, unknown, lines, quiet, delays: rounded(learned.delays) };
}

function rounded({ signals, others }: Delays): BuildSummary["delays"] {
  const tenths = (seconds: number) => Math.round(seconds * 10) / 10;
  return {
    ...(signals !== undefined && { signals: tenths(signals) }),
    ...(others !== undefined && { others: tenths(others) }),
  };
}

/** The edges of the build with these keys, and those to traffic lights around them. */
async function factsOf({ store }: Router, sums: EdgeSums): Promise<Map<EdgeKey, KnownEdge>> {
  const starts = [...sums.keys()].map(startOfKey);
  const opening = store.districts.openAround(starts, EDGE_REACH, { mode: CAR, avoid: 0 });
  if (opening) await opening;
  const numbers = new Set(starts.flatMap((start) => [...store.districts.tilesAround(start, EDGE_REACH)]));
  const facts = new Map<EdgeKey, KnownEdge>();
  for (const number of numbers) {
    const tile = store.tileAtHand(number) ?? (await store.tile(number));
    if (!tile) continue;
    for (const [key, known] of edgesOfTile(tile)) if (sums.has(key) || known.hasSignal) facts.set(key, known);
  }
  return facts;
}

function sourceOf(bucket: Bucket, { id, checksum }: Manifest): TileSource {
  return {
    async read(key, range) {
      const stored = await bucket.get(buildKey(id, key));
      if (!stored) return undefined;
      const bytes = checksum === SEAL ? unseal(stored.bytes) : stored.bytes;
      if (!bytes) throw new ImportError(`${buildKey(id, key)} is damaged. See: npm run geodata -- verify ${id}`);
      return range ? bytes.slice(range.offset, range.offset + range.length) : bytes.slice();
    },
  };
}

/** Finds the OSM ids of the nodes of learned edges in the extracts. */
export async function findNodes(extracts: readonly string[], ids: SegmentIds, progress: Progress): Promise<void> {
  for (const path of extracts) {
    let before = 0;
    await scanPbf(
      path,
      { node: (node) => ids.addNode(node) },
      {
        progress(done, total) {
          if (before === 0) progress.expect(total, "B");
          progress.advance(done - before);
          before = done;
        },
      },
    );
  }
}

/** Writes speeds.csv; the file is replaced only when it is complete. */
export async function writeSpeeds(path: string, learned: LearnedSpeeds, ids: SegmentIds): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const lines = function* () {
    for (const line of speedLines(learned, (key) => ids.of(key))) yield `${line}\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(`${path}.part`));
  await rename(`${path}.part`, path);
}
