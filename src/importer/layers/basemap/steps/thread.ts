import { open } from "node:fs/promises";
import { type ListedUnit, listUnits } from "../../../glyphs/name-units.ts";
import { decodeBlock } from "../../../osm/pbf/decode-block.ts";
import type { OsmWay, Tags } from "../../../osm/pbf/element.ts";
import type { Selection } from "../../../osm/pbf/selection.ts";
import type { BasemapFeature } from "../features/feature.ts";
import { type RoutesFile, WayRoutes } from "../features/way-routes.ts";
import { type PackedBatch, packTiles } from "../tiles/pack-tiles.ts";
import type { Run } from "../tiles/run.ts";
import { PieceSpool } from "../tiles/spool.ts";
import type { TileBatch } from "../tiles/tile-batches.ts";
import { type CoastWay, Drawer, type DrawOptions } from "./drawer.ts";
import { addSea, type Sea } from "./sea-tiles.ts";

const NO_LINE = new Int32Array();

/** Something to draw: elements as they are in the element store, or what the main thread made of them. */
export type Drawing =
  | {
      blocks: {
        path: string;
        reads: Selection;
        list: readonly { offset: number; length: number }[];
        /** The file of routes that ways are members of (way-routes.ts). */
        routes?: RoutesFile;
      };
    }
  | { areas: readonly { tags: Tags; parts: number[][] }[] }
  | { features: readonly BasemapFeature[] }
  | { sea: Sea };

export interface DrawJob {
  drawing: Drawing;
  options: DrawOptions;
  /** Prefix of the files of its runs. */
  prefix: string;
  /** Bytes it may hold. */
  memory: number;
}

/** Result of a drawing: pieces in runs, and data for the main thread. */
export interface Drawn {
  runs: Run[];
  counts: Record<string, number>;
  coast: CoastWay[];
  maritime: number[];
  /** Units of the names, and how many names have them (NameUnits). */
  units: ListedUnit[];
}

export type BasemapJob = { draw: DrawJob } | { pack: TileBatch };
export type BasemapResult = { drawn: Drawn } | { packed: PackedBatch };

/** Jobs of the basemap threads (ThreadPool). */
export async function run(job: BasemapJob): Promise<BasemapResult> {
  if ("pack" in job) return { packed: await packTiles(job.pack) };
  return { drawn: await draw(job.draw) };
}

export function transfers(result: BasemapResult): ArrayBuffer[] {
  if ("drawn" in result) return [];
  const { tiles, digests, ends, bytes } = result.packed;
  return [tiles.buffer, digests.buffer, ends.buffer, bytes.buffer];
}

async function draw({ drawing, options, prefix, memory }: DrawJob): Promise<Drawn> {
  const spool = new PieceSpool((run) => `${prefix}-${run}`, memory);
  const drawer = new Drawer(spool, options);
  if ("blocks" in drawing) await drawBlocks(drawer, drawing.blocks);
  else if ("areas" in drawing) for (const { tags, parts } of drawing.areas) drawer.area(tags, parts);
  else if ("features" in drawing) drawing.features.forEach(drawer.feature);
  else addSea(drawing.sea, spool, options);
  const { counts, coast, maritime } = drawer;
  return { runs: spool.finish(), counts, coast, maritime, units: listUnits(drawer.names.counts) };
}

async function drawBlocks(
  drawer: Drawer,
  { path, reads, list, routes: routesFile }: Extract<Drawing, { blocks: unknown }>["blocks"],
): Promise<void> {
  const file = await open(path);
  const routes = routesFile && new WayRoutes(routesFile);
  try {
    for (const { offset, length } of list) {
      const bytes = new Uint8Array(length);
      const { bytesRead } = await file.read(bytes, 0, length, offset);
      if (bytesRead !== length) throw new Error(`${path} is shorter than its index says`);
      const ways: OsmWay[] = [];
      const way = (one: OsmWay) => {
        if (routes) ways.push(one);
        else drawer.way(one, one.line ?? NO_LINE);
      };
      decodeBlock(bytes, { node: (node) => drawer.node(node), way }, reads);
      if (!routes || ways.length === 0) continue;
      const ofWays = routes.within(ways[0].id, ways[ways.length - 1].id);
      for (const one of ways) drawer.way(one, one.line ?? NO_LINE, ofWays.get(one.id));
    }
  } finally {
    routes?.close();
    await file.close();
  }
}
