import {
  type Arcs,
  arrivingEdges,
  atDefaultTimes,
  type ByNode,
  buildArcs,
  metricWeights,
  narrowArcs,
  withTraffic,
} from "../graph/arcs.ts";
import { AVOID_FACTOR, type Metric, type Variant } from "../graph/modes.ts";
import type { Tile } from "../graph/tile.ts";
import type { Numbers, Topology } from "../graph/topology.ts";
import type { ManeuverNote } from "../guidance/junction-maneuver.ts";
import { Findings } from "./findings.ts";
import { type CellClique, makeClique, SearchCells } from "./search-cells.ts";
import { ARCS, tileLabels as labels, looked } from "./search-labels.ts";

/**
 * A tile as one metric sees it. Only the data that a path across the tile needs is built immediately. The data for
 * searches that begin or end in it is built with the first such searches: incoming arcs, the search cells, and finally
 * their cliques, which take a fraction of a millisecond each and would be half the bytes of the overlay. Findings stay
 * when the view is dropped (`Findings`).
 */
export class TileView {
  readonly tile: Tile;
  readonly arcs: Arcs;
  readonly weight: Numbers;
  /**
   * For `Marks`: by search cell, the stamp of the last search with an end in it. One too many opens a cell in vain, no
   * more.
   */
  readonly cellStamps: Int32Array;
  readonly #found: Findings;
  readonly #variant: Variant | undefined;
  readonly #bucket: number;
  /** Whether the arcs count as part of its size: siblings share them. */
  #isOwner: boolean;
  /** Of a view for one query: cliques that others have found. */
  #sharedClique: SharedClique | undefined;
  #arriving: ByNode | undefined;
  #cells: SearchCells | undefined;
  #dropped = false;
  #size: number;

  /**
   * `found`: the findings of the tile for this metric. `sibling`: a view of the same tile, mode, minutes and variant that
   * avoids nothing, in any time window, whose arcs are the same.
   */
  static of(tile: Tile, metric: Metric, found: Findings, sibling?: TileView): TileView {
    const { mode, avoid, bucket = 0, variant, minutes } = metric;
    const stored = tile.topology();
    const topology = variant ? { ...stored, profiles: tile.profilesFor(variant, mode) } : stored;
    const base = sibling ? sibling.#defaultArcs(topology, minutes) : buildArcs(topology, mode, minutes);
    const arcs = withTraffic(topology, base, bucket, variant);
    const weight = metricWeights(topology, arcs, avoid, AVOID_FACTOR);
    return new TileView(tile, narrowArcs(arcs, weight), found, sibling, { variant, bucket });
  }

  #defaultArcs(topology: Topology, minutes: readonly number[] | undefined): Arcs {
    return this.#bucket === 0 ? this.arcs : atDefaultTimes(topology, this.arcs, minutes);
  }

  private constructor(
    tile: Tile,
    { arcs, weight }: { arcs: Arcs; weight: Numbers },
    found: Findings,
    sibling: TileView | undefined,
    { variant, bucket }: { variant: Variant | undefined; bucket: number },
  ) {
    this.tile = tile;
    this.#variant = variant;
    this.#bucket = bucket;
    this.#isOwner = sibling?.arcs.first !== arcs.first;
    this.arcs = arcs;
    this.weight = weight;
    this.cellStamps = new Int32Array(tile.cellCount);
    this.#found = found;
    this.#arriving = sibling ? sibling.#arriving : undefined;
    this.#size = OBJECTS + bytesBeside(sibling, this.arcs, this.weight);
  }

  /** The same with other edge weights, for one query: its size is not part of the tile's. */
  weighing(weight: Numbers, sharedClique: SharedClique): TileView {
    const view = new TileView(
      this.tile,
      { arcs: this.arcs, weight },
      new Findings(this.tile, this.#found, false),
      this,
      { variant: this.#variant, bucket: this.#bucket },
    );
    view.drop();
    view.#sharedClique = sharedClique;
    // Built for the tile's own view, which outlives the query.
    view.#arriving = this.arriving;
    return view;
  }

  /** Approximate memory size, including derived data [bytes]. */
  get size(): number {
    return this.#size;
  }

  /** The store has dropped it: its size is not part of the tile's from now on. */
  drop(): void {
    this.#dropped = true;
  }

  /** Takes over the arcs that it shares with a dropped sibling. */
  inherit(dropped: TileView): void {
    if (!dropped.#isOwner || this.#isOwner) return;
    this.#isOwner = true;
    const { first, to, turn, turnDuration, turnWeight } = this.arcs;
    let bytes = 0;
    for (const { byteLength } of new Set([first, to, turn, turnDuration, turnWeight])) bytes += byteLength;
    this.#grow(bytes);
  }

  #grow(bytes: number): void {
    this.#size += bytes;
    if (!this.#dropped) this.tile.resize(bytes);
  }

  get cells(): SearchCells {
    this.#cells ??= this.#findCells();
    return this.#cells;
  }

  #findCells(): SearchCells {
    const { tile, arcs } = this;
    const variant = this.#variant;
    // A search may arrive, from the other side, at a road that is closed for now.
    const atSomeHour = (edge: number) =>
      (variant ? variant.passage(tile.profileOf(edge), arcs.mode) : tile.passage(edge, arcs.mode)).speed > 0;
    const isOpen = tile.hours ? atSomeHour : (edge: number) => arcs.duration[edge] > 0;
    return this.#found.cells(() => new SearchCells(tile, isOpen));
  }

  /** The edges that end at each inside node. */
  get arriving(): ByNode {
    if (!this.#arriving) {
      const { side, ends, insideCount } = this.tile;
      this.#arriving = arrivingEdges({ head: side.map((at) => ends[at]), insideCount }, this.arcs);
      this.#grow(this.#arriving.first.byteLength + this.#arriving.edges.byteLength);
    }
    return this.#arriving;
  }

  /**
   * Returns whether so few searches end in the tile that they should traverse it edge by edge. The cliques of all its
   * search cells cost as much as a few such searches. Called once for each window in which the view is opened.
   */
  isNew(): boolean {
    return this.#found.opened++ < CLIQUES_AFTER;
  }

  /** Guidance notes for the turn (by arc). */
  noteOf(arc: number): ManeuverNote | undefined {
    return this.#found.noteOf(arc);
  }

  keepNote(arc: number, note: ManeuverNote): void {
    this.#found.keepNote(arc, note);
  }

  /** Whether the piece this arc leads onto is the middle of a crossing, as guidance found. */
  insideOf(arc: number): boolean | undefined {
    return this.#found.insideOf(arc);
  }

  keepInside(arc: number, inside: boolean): void {
    this.#found.keepInside(arc, inside);
  }

  clique(cell: number): CellClique {
    const known = this.#found.clique(cell);
    if (known) return known;
    const make = () => makeClique(this.tile, this.cells, this.arcs, this.weight, cell);
    const clique = this.#sharedClique ? this.#sharedClique(cell, make) : make();
    this.#found.keepClique(cell, clique);
    return clique;
  }

  /** The edges from one that enters the tile to one that leaves it, both included, staying inside. */
  path(from: number, to: number): Uint16Array {
    return this.#remembered(from * 65536 + to, from, to, -1);
  }

  /** The edges across one search cell, both ends included. */
  pathInCell(cell: number, from: number, to: number): Uint16Array {
    return this.#remembered(from * 65536 + to + 4294967296, from, to, cell);
  }

  #remembered(key: number, from: number, to: number, cell: number): Uint16Array {
    return this.#found.path(key) ?? this.#found.keepPath(key, this.#findPath(from, to, cell));
  }

  #findPath(from: number, to: number, cell: number): Uint16Array {
    const { tile, arcs, weight } = this;
    const { ends, side, insideCount, nodeCell } = tile;
    labels.reset(tile.edgeCount, "from");
    const { heap, key: keys, from: before } = labels;
    labels.lower(from, 0);
    before[from] = -1;
    for (;;) {
      if (heap.size === 0) throw new Error(`tile ${tile.index}: no path from edge ${from} to edge ${to}`);
      const key = heap.least;
      const edge = heap.pop();
      if (edge === to && edge !== from) break;
      const head = ends[side[edge]];
      if (edge !== from && (cell < 0 ? head >= insideCount : nodeCell[head] !== cell)) continue;
      looked.at += ARCS;
      for (let i = arcs.first[edge]; i < arcs.first[edge + 1]; i++) {
        const next = arcs.to[i];
        const sum = key + arcs.turnWeight[arcs.turn[i]] + weight[next];
        if (sum >= keys[next]) continue;
        labels.lower(next, sum);
        before[next] = edge;
      }
    }
    let count = 0;
    for (let edge = to; edge >= 0; edge = before[edge]) count++;
    const path = new Uint16Array(count);
    for (let edge = to; edge >= 0; edge = before[edge]) path[--count] = edge;
    return path;
  }
}

/** The clique of a search cell, which several views have in common; made if none has it. */
type SharedClique = (cell: number, make: () => CellClique) => CellClique;

/** The memory of a view's arrays, those apart that it shares with a sibling [bytes]. */
function bytesBeside(sibling: TileView | undefined, arcs: Arcs, weight: Numbers): number {
  const { mode: _, ...columns } = arcs;
  const own = new Set<{ byteLength: number }>([...Object.values(columns), weight]);
  if (sibling) {
    for (const column of Object.values(sibling.arcs)) if (typeof column !== "number") own.delete(column);
    own.delete(sibling.weight);
  }
  let bytes = 0;
  for (const { byteLength } of own) bytes += byteLength;
  return bytes;
}

/** Number of searches ending in a tile after which cliques of its search cells are built. */
const CLIQUES_AFTER = 3;

/** Objects of a view, in addition to its arrays [bytes]. */
const OBJECTS = 600;
