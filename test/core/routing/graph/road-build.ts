import { memorySource, type TileSource } from "../../../../src/core/geo/builds/tile-source.ts";
import { Router } from "../../../../src/core/routing/route/router.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import type { RoadGraph } from "../../../../src/importer/layers/roads/graph/road-graph.ts";
import { writeRoads } from "../../../../src/importer/layers/roads/write/write-roads.ts";
import type { OsmElement } from "../../../../src/importer/osm/pbf/element.ts";
import { scanPbf } from "../../../../src/importer/osm/read/read-pbf.ts";
import { keptOnce } from "../../../support/worlds/kept-layers.ts";
import { randomTown } from "./random-town.ts";
import { type RoadsBuild, wholeGraph } from "./whole-graph.ts";

/** The graph of an extract. */
export async function graphOfExtract(path: string): Promise<RoadGraph> {
  const elements: OsmElement[] = [];
  await scanPbf(path, {
    node: (node) => elements.push(node),
    way: (way) => elements.push(way),
    relation: (relation) => elements.push(relation),
  });
  return buildGraph(elements);
}

/** A graph as the objects of a build, in memory, with a router that reads them. */
export async function buildRoads(
  graph: RoadGraph,
  levelSizes?: readonly number[],
): Promise<{ router: Router; build: RoadsBuild; objects: Map<string, Uint8Array>; source: TileSource }> {
  const objects = new Map<string, Uint8Array>();
  const write = (key: string, bytes: Uint8Array) => {
    objects.set(key, bytes);
  };
  const build = wholeGraph(graph, await writeRoads(graph, write, { levelSizes }));
  const source = memorySource(objects);
  const router = await Router.open(source);
  if (!router) throw new Error("the build has no manifest");
  return { router, build, objects, source };
}

const towns = new Map<string, Promise<Omit<Awaited<ReturnType<typeof buildRoads>>, "router">>>();

/** A random town as the objects of a build, which one process of a test run writes; the router is the caller's own. */
export async function roadsOfTown(
  size: number,
  seed: number,
  levelSizes?: readonly number[],
): ReturnType<typeof buildRoads> {
  const key = JSON.stringify([size, seed, levelSizes]);
  if (!towns.has(key)) towns.set(key, keptTown(size, seed, levelSizes));
  const made = await towns.get(key)!;
  const router = (await Router.open(made.source))!;
  return { ...made, router };
}

async function keptTown(size: number, seed: number, levelSizes?: readonly number[]) {
  const graph = buildGraph(randomTown(size, seed));
  const { objects, division } = await keptOnce(`town-${[size, seed, ...(levelSizes ?? [])].join("-")}`, async () => {
    const objects = new Map<string, Uint8Array>();
    const division = await writeRoads(graph, (key, bytes) => void objects.set(key, bytes), { levelSizes });
    return { objects, division: unshared(division) };
  });
  return { build: wholeGraph(graph, division), objects, source: memorySource(objects) };
}

/** A copy in which no array is in memory that threads share: such memory cannot be written to a file. */
function unshared<T>(value: T): T {
  if (ArrayBuffer.isView(value)) return (value as unknown as Int32Array).slice() as unknown as T;
  if (Array.isArray(value)) return value.map(unshared) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, unshared(part)])) as T;
}

/** Counts what is read through a source: objects, bytes, and rounds (reads that were begun while others ran are one). */
export class CountingSource implements TileSource {
  objects = 0;
  bytes = 0;
  rounds = 0;
  private readonly inner: TileSource;
  private underWay = 0;

  constructor(inner: TileSource) {
    this.inner = inner;
  }

  reset(): void {
    this.objects = 0;
    this.bytes = 0;
    this.rounds = 0;
  }

  async read(key: string, range?: { offset: number; length: number }): Promise<Uint8Array | undefined> {
    if (this.underWay++ === 0) this.rounds++;
    const bytes = await this.inner.read(key, range);
    // As a network would: whoever is begun now waits with us.
    await new Promise((resolve) => setTimeout(resolve, 8));
    this.underWay--;
    this.objects++;
    this.bytes += bytes?.length ?? 0;
    return bytes;
  }
}
