import { closeSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { deserialize, serialize } from "node:v8";
import { planeRects } from "../../../../core/maps/tiles/plane.ts";
import type { Progress } from "../../../common/progress.ts";
import type { CachedParts, ElementBlocks, LayerInput, LayerOutput } from "../../../frame/layer.ts";
import { addUnits, type ListedUnit, listUnits, type UnitUse } from "../../../glyphs/name-units.ts";
import { decodeBlock } from "../../../osm/pbf/decode-block.ts";
import type { OsmRelation, Tags } from "../../../osm/pbf/element.ts";
import { ExternalSort } from "../../../sort/external-sort.ts";
import { BorderWays } from "../features/boundaries.ts";
import { type BasemapFeature, POLYGON, polygonParts } from "../features/feature.ts";
import { planeLine } from "../features/plane-lines.ts";
import { type RoutesFile, routesByBlock, writeWayRoutes } from "../features/way-routes.ts";
import type { Run } from "../tiles/run.ts";
import type { BasemapPool } from "./archive-of-runs.ts";
import { KnownDrawings } from "./cached-drawings.ts";
import { joinCoastlines, placesAlong, seaWithin } from "./coastline.ts";
import type { CoastWay, DrawOptions } from "./drawer.ts";
import type { Drawing, Drawn } from "./thread.ts";

/** Maximum bytes that a job reads: its pieces are then some megabytes. */
const JOB_BYTES = 4e6;
/** Share of the memory for pieces that are gathered. */
const SPOOL_SHARE = 0.3;
/** Pieces that a thread gathers at least: below, runs would be too many and too short [bytes]. */
const MIN_SPOOL_BYTES = 1.5e6;
/** Corners of areas, and of borders, in a job. */
const JOB_CORNERS = 100_000;

interface Tools {
  input: LayerInput;
  out: LayerOutput;
  pool: BasemapPool;
  options: DrawOptions;
  /** Input of a step. */
  stepBytes: number;
}

/** Result of a step for later ones. */
interface Step {
  runs: Run[];
  /** Units of the names (NameUnits). */
  units?: ListedUnit[];
  /** A file with the coastlines and what is at sea, where there are some. */
  shore?: string;
}

interface Shore {
  coast: CoastWay[];
  maritime: number[];
}

/**
 * Everything the map shows, as pieces of tiles in runs. Features are in the order nodes, ways, areas of relations, borders, land
 * and sea, however many threads cut them: runs have the order of their jobs.
 */
export async function drawElements(tools: Tools): Promise<{ runs: Run[]; units: Map<string, UnitUse> }> {
  const { input } = tools;
  const steps: Step[] = [];
  const nodes = input.blocks("nodes");
  const ways = input.blocks("ways");
  const routes = await input.resources.step("routes", () => writeWayRoutes(input));
  const draw = async (name: string, kind: "nodes" | "ways", blocks: ElementBlocks) => {
    const step = steps.length;
    const ofWays = kind === "ways" ? routes : undefined;
    steps.push(await input.resources.step(name, (progress) => drawBlocks(tools, step, kind, blocks, progress, ofWays)));
  };
  await draw("points", "nodes", nodes);
  const shares = inShares(ways, tools.stepBytes);
  for (const [i, blocks] of shares.entries()) {
    await draw(shares.length > 1 ? `lines and areas ${i + 1} of ${shares.length}` : "lines and areas", "ways", blocks);
  }
  const shores = steps.flatMap(({ shore }) => (shore === undefined ? [] : [shore]));
  steps.push(
    await input.resources.step("relations, borders, sea", (progress) =>
      drawRelations(tools, steps.length, readShores(shores), progress),
    ),
  );
  for (const path of shores) await rm(path, { force: true });
  if (routes) for (const path of [routes.path, `${routes.path}.json`]) await rm(path, { force: true });
  const units = new Map<string, UnitUse>();
  for (const step of steps) addUnits(units, step.units ?? []);
  return { runs: steps.flatMap(({ runs }) => runs), units };
}

/** Blocks in parts of so many bytes, at least one. */
function inShares({ blocks, ...rest }: ElementBlocks, bytes: number): ElementBlocks[] {
  const shares: ElementBlocks["blocks"][number][][] = [[]];
  let held = 0;
  for (const block of blocks) {
    if (held >= bytes) {
      shares.push([]);
      held = 0;
    }
    shares[shares.length - 1].push(block);
    held += block.length;
  }
  return shares.map((share) => ({ ...rest, blocks: share }));
}

async function drawBlocks(
  tools: Tools,
  step: number,
  kind: "nodes" | "ways",
  all: ElementBlocks,
  progress: Progress,
  routes?: RoutesFile,
): Promise<Step> {
  const { input } = tools;
  const { resources } = input;
  const bytes = all.blocks.reduce((sum, { length }) => sum + length, 0);
  progress.expect(bytes, "B");
  const drawings = new Drawings(tools, step);
  const shore: Shore = { coast: [], maritime: [] };
  // Small enough that every thread has several.
  const size = Math.min(JOB_BYTES, bytes / (4 * Math.max(1, tools.pool.size)));
  const known = resources.parts && (await cachedDrawings(resources.parts, tools, kind, routes));
  const shares = known ? known.shares(all, size) : inShares(all, size);
  const results = drawings.run(
    shares.map(({ path, blocks: list, reads }): Drawing => ({ blocks: { path, reads, list, routes } })),
    known,
  );
  for await (const { number, coast, maritime } of results) {
    for (const way of coast) shore.coast.push(way);
    for (const way of maritime) shore.maritime.push(way);
    progress.advance(shares[number].blocks.reduce((sum, { length }) => sum + length, 0));
  }
  if (shore.maritime.length === 0) return { runs: drawings.runs, units: listUnits(drawings.units) };
  const path = resources.path(`shore-${step}`);
  writeFileSync(path, serialize(shore));
  return { runs: drawings.runs, units: listUnits(drawings.units), shore: path };
}

async function cachedDrawings(
  parts: CachedParts,
  { input, options }: Tools,
  kind: "nodes" | "ways",
  routes: RoutesFile | undefined,
): Promise<KnownDrawings> {
  const blocks = input.blocks(kind);
  const digests = await input.digests(kind);
  const ofRoutes = routes && (await routesByBlock(blocks, routes, parts, digests));
  return new KnownDrawings(parts, options, blocks, digests, ofRoutes);
}

function readShores(paths: readonly string[]): Shore {
  const all: Shore = { coast: [], maritime: [] };
  for (const path of paths) {
    const { coast, maritime }: Shore = deserialize(readFileSync(path));
    for (const way of coast) all.coast.push(way);
    for (const way of maritime) all.maritime.push(way);
  }
  return all;
}

/** Jobs of a step in their order, and what comes of them. */
class Drawings {
  readonly runs: Run[] = [];
  readonly units = new Map<string, UnitUse>();
  readonly #tools: Tools;
  readonly #step: number;
  #jobs = 0;

  constructor(tools: Tools, step: number) {
    this.#tools = tools;
    this.#step = step;
  }

  /** `known` returns for what was drawn before, and keeps what is drawn now. */
  async *run(
    drawings: Iterable<Drawing> | AsyncIterable<Drawing>,
    known?: KnownDrawings,
  ): AsyncGenerator<Drawn & { number: number }> {
    const { input, out, pool, options } = this.#tools;
    const memory = Math.max(MIN_SPOOL_BYTES, (input.resources.memory * SPOOL_SHARE) / Math.max(1, pool.size));
    let number = 0;
    const underWay: { drawing: Drawing; before: Drawn | undefined }[] = [];
    const results = pool.inOrder(drawings, (drawing) => {
      const before = known?.find(drawing);
      underWay.push({ drawing, before });
      const prefix = input.resources.path(`pieces-${this.#step}-${this.#jobs++}`);
      return { draw: { drawing: before ? { features: [] } : drawing, options, prefix, memory } };
    });
    for await (const result of results) {
      const { drawing, before } = underWay.shift()!;
      const { drawn: made } = result as { drawn: Drawn };
      const drawn = before ?? known?.keep(drawing, made) ?? made;
      this.runs.push(...drawn.runs);
      addUnits(this.units, drawn.units);
      for (const what in drawn.counts) out.count(what, drawn.counts[what]);
      yield { ...drawn, number: number++ };
    }
  }
}

async function drawRelations(tools: Tools, step: number, shore: Shore, progress: Progress): Promise<Step> {
  const { input, out } = tools;
  const drawings = new Drawings(tools, step);
  const borders = new BorderWays();
  const lines = new ExternalSort({ path: input.resources.path("borders"), memory: input.resources.memory / 8 });
  const blocks = input.blocks("relations");
  progress.expect(
    blocks.blocks.reduce((sum, { length }) => sum + length, 0),
    "B",
  );
  try {
    for await (const _ of drawings.run(areasOf(input, blocks, borders, lines, progress)));
    const maritime = new Set(shore.maritime);
    for await (const _ of drawings.run(bordersOf(lines, borders, maritime, out)));
    for await (const _ of drawings.run(landAndSea(input, coastlinesOf(shore, out))));
    return { runs: drawings.runs, units: listUnits(drawings.units) };
  } finally {
    lines.close();
  }
}

/** Multipolygons, put together here; the lines of borders go into the sort. */
async function* areasOf(
  input: LayerInput,
  { path, blocks, reads }: ElementBlocks,
  borders: BorderWays,
  lines: ExternalSort,
  progress: Progress,
): AsyncGenerator<Drawing> {
  let areas: { tags: Tags; parts: number[][] }[] = [];
  let corners = 0;
  const file = blocks.length > 0 ? openSync(path, "r") : -1;
  try {
    for (const { offset, length } of blocks) {
      const bytes = new Uint8Array(length);
      readSync(file, bytes, 0, length, offset);
      const relations: OsmRelation[] = [];
      decodeBlock(bytes, { relation: (relation) => void relations.push(relation) }, reads);
      for (const relation of relations) {
        const fresh = new Set(borders.add(relation));
        if (fresh.size > 0) {
          for (const { id, line } of input.memberLines(relation)) {
            if (fresh.delete(id)) lines.add(id, new Uint8Array(line.buffer, line.byteOffset, line.byteLength));
          }
        }
        if (!isMultipolygon(relation)) continue;
        const parts = polygonParts(input.multipolygon(relation, { partial: true }) ?? []);
        areas.push({ tags: relation.tags, parts });
        corners += parts.reduce((sum, part) => sum + part.length / 2, 0);
        if (corners < JOB_CORNERS) continue;
        yield { areas };
        areas = [];
        corners = 0;
      }
      progress.advance(length);
    }
    if (areas.length > 0) yield { areas };
  } finally {
    if (file >= 0) closeSync(file);
  }
}

function isMultipolygon({ tags }: OsmRelation): boolean {
  return tags.type === "multipolygon" || (tags.type === "boundary" && tags.boundary !== "administrative");
}

/** By ascending way; not where the coast is the border. */
function* bordersOf(
  lines: ExternalSort,
  borders: BorderWays,
  maritime: ReadonlySet<number>,
  out: LayerOutput,
): Generator<Drawing> {
  let features: BasemapFeature[] = [];
  let corners = 0;
  for (const { key, bytes, start, end } of lines.sorted()) {
    if (maritime.has(key)) continue;
    const { part, missing } = planeLine(new Int32Array(bytes.slice(start, end).buffer));
    if (missing > 0) out.count("nodes missing from lines", missing);
    const feature = part.length > 2 && borders.feature(key, [part]);
    if (!feature) continue;
    features.push(feature);
    corners += part.length / 2;
    if (corners < JOB_CORNERS) continue;
    yield { features };
    features = [];
    corners = 0;
  }
  if (features.length > 0) yield { features };
}

function coastlinesOf({ coast }: Shore, out: LayerOutput): number[][] {
  const lines: number[][] = [];
  for (const line of joinCoastlines(coast)) {
    const { part, missing } = planeLine(placesAlong(coast, line));
    if (missing > 0) out.count("nodes missing from lines", missing);
    if (part.length > 2) lines.push(part);
  }
  if (lines.length > 0) out.count("coastlines", lines.length);
  return lines;
}

/** Land is the extract's box; the sea, where there are coastlines, is over it. */
function* landAndSea(input: LayerInput, coastlines: readonly (readonly number[])[]): Generator<Drawing> {
  for (const { bounds } of input.extracts) {
    for (const box of planeRects(bounds)) {
      const { left, top, right, bottom } = box;
      const land = [[left, top, right, top, right, bottom, left, bottom]];
      yield {
        features: [
          { layer: "earth", type: POLYGON, parts: land, minZoom: 0, properties: { kind: "earth" }, order: -1e6 },
        ],
      };
      const rings = seaWithin(box, coastlines);
      if (rings.length > 0) yield { sea: { box, coastlines, rings } };
    }
  }
}
