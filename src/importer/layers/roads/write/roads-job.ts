import { buildArcs } from "../../../../core/routing/graph/arcs.ts";
import { MODES } from "../../../../core/routing/graph/modes.ts";
import { PACK_MAGIC, PACK_VERSION, tileKey } from "../../../../core/routing/graph/pack.ts";
import { TILE_MAGIC, TILE_VERSION } from "../../../../core/routing/graph/tile-counts.ts";
import { writePack } from "../../../../core/routing/graph/write-pack.ts";
import { writeTile } from "../../../../core/routing/graph/write-tile.ts";
import { openGraph, type SharedGraph } from "../graph/graph-columns.ts";
import { bitsOf, type CellCliques, flatten, type PackBits, packsOf, unflatten } from "../overlay/cell-cliques.ts";
import { childrenOf, spanOf } from "../overlay/cell-tree.ts";
import { TileCliques } from "../overlay/customise.ts";
import { joinCells } from "../overlay/join-cells.ts";
import { type Crossings, crossingIds, type PartCrossings, partCrossings } from "../partition/crossings.ts";
import type { Division } from "../partition/division.ts";
import { makePart, searchCells } from "../partition/part.ts";
import type { Parts } from "../partition/parts.ts";
import { planTiles } from "../partition/tile-plan.ts";
import { deflatedObject } from "./deflated-object.ts";
import { lookAtPart, type PartLook } from "./part-digest.ts";
import { type OpenComponents, partIslands } from "./part-islands.ts";
import { exceptionsByTile, tileContent } from "./tile-content.ts";
import { gridCells } from "./tile-grid.ts";

/** Input of all jobs, nearly all in shared memory. */
export interface RoadsWorld {
  graph: SharedGraph;
  division: Division;
  parts: Parts;
}

export type RoadsJob = LookJob | SurveyJob | TilesJob | OverlayJob | JoinJob;

/** The key of a part in the cache. */
export interface LookJob {
  kind: "look";
  world: RoadsWorld;
  part: number;
}

/** A part as the others see it: its edges between tiles, its islands. */
export interface SurveyJob {
  kind: "survey";
  world: RoadsWorld;
  part: number;
  /** By edge of the graph; written to. Where it is absent, the numbers are those of the part. */
  islands?: Uint8Array;
}

export interface SurveyResult {
  crossings: PartCrossings;
  /** By mode. */
  open: OpenComponents[];
  /** By edge of the part, where the graph's were not there to write to. */
  marks?: Uint8Array;
}

export interface TilesJob {
  kind: "tiles";
  world: RoadsWorld;
  part: number;
  islands: Uint8Array;
  crossings: Crossings;
}

export interface TilesResult {
  objects: RoadsObject[];
  /** See `gridCells`. */
  grid: Float64Array;
}

/** Customisation of a part for a mode, up to its cells of `parts.level`. */
export interface OverlayJob {
  kind: "overlay";
  world: RoadsWorld;
  part: number;
  mode: number;
  crossings: Crossings;
}

/** The cells of `level` in cell `parent` of the next become one. */
export interface JoinJob {
  kind: "join";
  division: Division;
  crossings: Crossings;
  mode: number;
  level: number;
  parent: number;
  windows: number;
  cells: Int32Array[];
}

export interface OverlayResult {
  /** Packs, most of which go into bundles. */
  objects: RoadsObject[];
  /** By level, from the first that was written on, and by parent cell. */
  bits: PackBits[][];
  /** Of the next level (`flatten`); none above the last. */
  cells: Int32Array[];
}

export interface RoadsObject {
  key: string;
  bytes: Uint8Array;
}

export type RoadsResult = PartLook | SurveyResult | TilesResult | OverlayResult;

/** The jobs of the threads that write tiles and overlay. */
export function run(job: RoadsJob): RoadsResult {
  if (job.kind === "look") return look(job);
  if (job.kind === "survey") return survey(job);
  if (job.kind === "tiles") return makeTiles(job);
  return job.kind === "overlay" ? customise(job) : join(job);
}

export function transfers(result: RoadsResult): ArrayBuffer[] {
  const buffers = (views: readonly ArrayBufferView[]) => views.map(({ buffer }) => buffer as ArrayBuffer);
  if ("open" in result || "topology" in result) return [];
  const objects = buffers(result.objects.map(({ bytes }) => bytes));
  return objects.concat(buffers("grid" in result ? [result.grid] : result.cells));
}

function look({ world: { graph: shared, division, parts }, part }: LookJob): PartLook {
  const graph = openGraph(shared);
  return lookAtPart(graph, division, parts, makePart(graph, division, parts, part));
}

function survey({ world: { graph: shared, division, parts }, part: number, islands }: SurveyJob): SurveyResult {
  const graph = openGraph(shared);
  const part = makePart(graph, division, parts, number);
  const { edgeCount } = part.topology;
  const edges = islands ? part.edges : Int32Array.from({ length: edgeCount }, (_, edge) => edge);
  const marks = islands ?? new Uint8Array(edgeCount);
  const open = MODES.map((_, mode) => partIslands({ ...part, edges }, buildArcs(part.topology, mode), marks));
  const crossings = partCrossings({ ...part, edges }, planTiles(graph, division, part));
  return { crossings, open, ...(!islands && { marks }) };
}

function makeTiles({ world, part: number, islands, crossings }: TilesJob): TilesResult {
  const { division, parts } = world;
  const graph = openGraph(world.graph);
  const part = makePart(graph, division, parts, number);
  const plans = planTiles(graph, division, part);
  const { firstEntering } = crossings;
  const tiles = { graph, part, plans, islands, firstEntering, crossing: crossingIds(part, crossings) };
  const exceptions = exceptionsByTile(tiles);
  const objects = plans.map((plan, i) => ({
    key: tileKey(plan.tile),
    bytes: deflatedObject(TILE_MAGIC, TILE_VERSION, writeTile(tileContent(tiles, plan, exceptions[i]))),
  }));
  return { objects, grid: gridCells(graph, part, plans) };
}

function customise({ world, part: number, mode, crossings }: OverlayJob): OverlayResult {
  const { division, parts } = world;
  const part = makePart(openGraph(world.graph), division, parts, number);
  const arcs = buildArcs(part.topology, mode);
  const crossing = crossingIds(part, crossings);
  const windows = part.topology.traffic?.windows ?? 0;
  let cells = [...new TileCliques(part, searchCells(division, part), crossing, arcs).tiles()];
  let first = part.firstTile;
  const objects: RoadsObject[] = [];
  const bits: PackBits[][] = [];
  for (let level = 1; level < parts.level; level++) {
    const above: CellCliques[] = [];
    const own: PackBits[] = [];
    const firstParent = division.parentOf[level][first];
    for (let parent = firstParent; childrenOf(division, level, parent)[0] < first + cells.length; parent++) {
      const [from, end] = childrenOf(division, level, parent);
      if (from === end) break;
      const inside = cells.slice(from - first, end - first);
      own.push(bitsOf(inside));
      objects.push(...packObjects(inside, { mode, level, parent }));
      above.push(joinCells(inside, spanOf(division, crossings, level + 1, parent), crossings.tailTile, windows));
    }
    bits.push(own);
    first = firstParent;
    cells = above;
  }
  return { objects, bits, cells: cells.map(flatten) };
}

function join({ division, crossings, mode, level, parent, windows, cells }: JoinJob): OverlayResult {
  const inside = cells.map(unflatten);
  const objects = packObjects(inside, { mode, level, parent });
  const bits = [[bitsOf(inside)]];
  if (level + 1 >= division.levels) return { objects, bits, cells: [] };
  const joined = joinCells(inside, spanOf(division, crossings, level + 1, parent), crossings.tailTile, windows);
  return { objects, bits, cells: [flatten(joined)] };
}

function packObjects(
  cells: readonly CellCliques[],
  place: { mode: number; level: number; parent: number },
): RoadsObject[] {
  return Array.from(packsOf(cells, place), ([key, cliques]) => ({
    key,
    bytes: deflatedObject(PACK_MAGIC, PACK_VERSION, writePack(cliques)),
  }));
}
