import { DISTRICT_MAGIC, DISTRICT_VERSION } from "../../../../core/routing/graph/district.ts";
import { writeDistrict } from "../../../../core/routing/graph/write-manifest.ts";
import type { CachedParts, LayerResources } from "../../../frame/layer.ts";
import { ThreadPool } from "../../../threads/thread-pool.ts";
import { shareGraph } from "../graph/graph-columns.ts";
import type { RoadGraph } from "../graph/road-graph.ts";
import { type CarriedRoads, decodeCarried, encodeCarried } from "../partition/carried-roads.ts";
import type { Crossings } from "../partition/crossings.ts";
import { type Division, withPlaces } from "../partition/division.ts";
import { type Parts, partsOf } from "../partition/parts.ts";
import { deflatedObject } from "./deflated-object.ts";
import { districtContents } from "./manifest-content.ts";
import { digestOfPart, type PartLook } from "./part-digest.ts";
import type { RoadsJob, RoadsResult, RoadsWorld } from "./roads-job.ts";
import { StepStore } from "./step-store.ts";
import type { RoadGrids } from "./tile-grid.ts";

/** Hands on how roads were divided. */
export type Carrying = Pick<CachedParts, "carried" | "carry">;

export type WriteObject = (key: string, bytes: Uint8Array) => Promise<void> | void;

/** The graph, made or read again; without `shapes` its lines and records are not needed. */
export type OpenGraph = (options: { shapes: boolean }) => RoadGraph | Promise<RoadGraph>;

/** A part holds at most so many junctions, as the cells of level 3 do. */
const MAX_PART_JUNCTIONS = 65_536;
/** A thread takes about so much for each junction of a part: arcs, labels, cliques and objects of a mode [bytes]. */
const PER_JUNCTION = 700;
/** … and so much more for each window of time with its own speeds. */
const PER_WINDOW = 150;
/** Parts per thread, so that none waits long for the last. */
const PARTS_PER_THREAD = 6;
const MIN_PART_JUNCTIONS = 4096;

/** Fewer junctions are done before threads have started. */
const MIN_JUNCTIONS_FOR_THREADS = 50_000;

/** Where roads are written: what the steps share, each part of it opened when it is first asked for. */
export class RoadsSite {
  readonly write: WriteObject;
  readonly memory: number;
  readonly threads: number;
  readonly store: StepStore;
  readonly #carrying: Carrying | undefined;
  /** Cached results for parts of the graph. */
  readonly kept: CachedParts | undefined;
  #looks: readonly PartLook[] = [];
  #digests: Uint8Array[] | undefined;
  readonly #open: OpenGraph;
  #pool: ThreadPool<RoadsJob, RoadsResult> | undefined;
  readonly #partSize: number | undefined;
  #graph: { graph: RoadGraph; shapes: boolean } | undefined;
  #division: Division | undefined;
  #parts: Parts | undefined;
  #crossings: Crossings | undefined;

  constructor(
    open: OpenGraph,
    write: WriteObject,
    resources: LayerResources | undefined,
    { partSize, carrying = resources?.parts }: { partSize?: number; carrying?: Carrying } = {},
  ) {
    this.#carrying = carrying;
    this.kept = resources?.parts;
    this.write = write;
    this.memory = resources?.memory ?? 2 ** 31;
    this.threads = resources?.threads ?? 0;
    this.store = new StepStore(resources && ((name) => resources.path(name)));
    this.#open = open;
    this.#partSize = partSize;
  }

  async graph(shapes: boolean): Promise<RoadGraph> {
    const held = this.#graph;
    // Lines that are not needed go where memory is short: reading the rest again takes less than a second a gigabyte.
    const fits = held && (held.shapes === shapes || (held.shapes && bytesOf(held.graph) * 4 < this.memory));
    if (held && fits) return held.graph;
    this.#graph = undefined;
    const graph = await this.#open({ shapes });
    this.#graph = { graph, shapes };
    return graph;
  }

  /** Runs a job per item in the threads, which stay for all steps; what they answer comes in the order of the items. */
  async *inOrder<T, Result extends RoadsResult>(
    items: Iterable<T>,
    toJob: (item: T) => RoadsJob,
  ): AsyncGenerator<Result> {
    const worthIt = this.division.nodeAt.length >= MIN_JUNCTIONS_FOR_THREADS || this.#partSize !== undefined;
    this.#pool ??= new ThreadPool(worthIt ? this.threads : 0, new URL("./roads-job.ts", import.meta.url));
    const transfers = (job: RoadsJob) =>
      job.kind === "join" ? job.cells.map(({ buffer }) => buffer as ArrayBuffer) : [];
    yield* this.#pool.inOrder(items, toJob, transfers) as AsyncGenerator<Result>;
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }

  async world(shapes: boolean): Promise<RoadsWorld> {
    const graph = await this.graph(shapes);
    this.#parts ??= partsOf(graph, this.division, this.#mostJunctions(graph), this.kept !== undefined);
    return { graph: shareGraph(graph), division: this.division, parts: this.#parts };
  }

  /** Keys of the parts, and their numbers in the graph; none without a cache. */
  async looks(world: RoadsWorld): Promise<readonly PartLook[]> {
    if (!this.kept || this.#looks.length > 0) return this.#looks;
    const numbers = Array.from({ length: world.parts.count }, (_, part) => part);
    const looks: PartLook[] = [];
    const toJob = (part: number): RoadsJob => ({ kind: "look", world, part });
    for await (const look of this.inOrder<number, PartLook>(numbers, toJob)) looks.push(look);
    this.#looks = looks;
    return looks;
  }

  /** Names the parts for their overlay; none where nothing is kept. The looks are forgotten: they take a number for each edge. */
  async digests(world: RoadsWorld): Promise<readonly Uint8Array[]> {
    if (this.#digests) return this.#digests;
    const looks = await this.looks(world);
    this.#digests = looks.map((look, part) => digestOfPart(look, world.parts, part, this.crossings));
    this.#looks = [];
    return this.#digests;
  }

  #mostJunctions(graph: RoadGraph): number {
    if (this.#partSize !== undefined) return this.#partSize;
    const threads = Math.max(1, this.threads);
    const each = PER_JUNCTION + PER_WINDOW * (graph.traffic?.windows.length ?? 0);
    const fit = (this.memory - bytesOf(graph) - laidOut(graph)) / 2 / threads / each;
    const even = graph.nodeCount / (threads * PARTS_PER_THREAD);
    // Small ones are more of an update's to be known again.
    if (this.kept) return MIN_PART_JUNCTIONS;
    return Math.max(MIN_PART_JUNCTIONS, Math.min(MAX_PART_JUNCTIONS, fit, even));
  }

  set division(division: Division) {
    this.#division = division;
    const { levels, cellCounts, nodeAt, searchStart, tileStart, cellOf, parentOf } = division;
    this.store.putColumns("division", {
      counts: Int32Array.of(levels, ...cellCounts),
      nodeAt,
      searchStart,
      tileStart,
      ...Object.fromEntries(cellOf.map((column, level) => [`cellOf${level}`, column])),
      ...Object.fromEntries(parentOf.map((column, level) => [`parentOf${level}`, column])),
    });
  }

  get division(): Division {
    if (this.#division) return this.#division;
    const columns = this.store.columns("division");
    const { nodeAt, searchStart, tileStart } = columns;
    const [levels, ...cellCounts] = columns.counts;
    const byLevel = (name: string) => cellCounts.map((_, level) => columns[`${name}${level}`]);
    const division = withPlaces({
      levels,
      cellCounts,
      nodeAt,
      searchStart,
      tileStart,
      cellOf: byLevel("cellOf"),
      parentOf: byLevel("parentOf"),
    });
    this.#division = division;
    return division;
  }

  /** How the previous import divided its roads, where this one follows it. */
  carried(): CarriedRoads | undefined {
    const bytes = this.#carrying?.carried();
    return bytes && decodeCarried(bytes);
  }

  /** For the import that follows. */
  async carry(sizes: readonly number[]): Promise<void> {
    if (!this.#carrying) return;
    this.#carrying.carry(encodeCarried(await this.graph(false), this.division, this.crossings, sizes));
  }

  /** First ids of the edges into each tile, as the previous import has them; none where it is not followed. */
  set entering(firstEntering: Int32Array) {
    this.store.putColumns("entering", { firstEntering });
  }

  get entering(): Int32Array {
    return this.store.columns("entering").firstEntering;
  }

  /** Where roads are. */
  set grids(grids: RoadGrids) {
    this.store.putText("grids", JSON.stringify(grids));
  }

  get grids(): RoadGrids {
    return JSON.parse(this.store.text("grids")) as RoadGrids;
  }

  /** The tables of each district, as an object has them. */
  *tables(): Generator<Uint8Array> {
    for (const content of districtContents(this.division, this.grids))
      yield deflatedObject(DISTRICT_MAGIC, DISTRICT_VERSION, writeDistrict(content));
  }

  set crossings(crossings: Crossings) {
    this.#crossings = crossings;
    this.store.putColumns("crossings", { ...crossings });
  }

  get crossings(): Crossings {
    this.#crossings ??= this.store.columns("crossings") as Crossings;
    return this.#crossings;
  }
}

/** Memory besides the graph: places of junctions in both directions, pieces of parts, islands. */
const laidOut = ({ nodeCount, pieceCount, edges }: RoadGraph): number => 8 * nodeCount + 4 * pieceCount + edges.count;

/** Size of the columns of a graph. */
function bytesOf(graph: RoadGraph): number {
  return Object.values(shareGraph(graph).columns).reduce((sum, column) => sum + column.byteLength, 0);
}
