import { type Arcs, metricWeights, withTraffic } from "../../../../core/routing/graph/arcs.ts";
import { hoursOfArcs } from "../../../../core/routing/graph/hours-of-arcs.ts";
import { AVOID_FACTOR, type EdgeProfile } from "../../../../core/routing/graph/modes.ts";
import { type Clique, UNREACHABLE } from "../../../../core/routing/graph/pack.ts";
import type { Numbers } from "../../../../core/routing/graph/topology.ts";
import { fastestInTraffic } from "../../../../core/routing/graph/traffic.ts";
import { limitCodes } from "../../../../core/routing/graph/vehicle.ts";
import { SearchLabels } from "../../../../core/routing/store/search-labels.ts";
import type { Part } from "../partition/part.ts";
import { type CellCliques, cliqueOf, hoursIfAny, makeAll } from "./cell-cliques.ts";

/** A cell with its edges as the part numbers them. */
interface Cell extends CellCliques {
  inEdges: number[];
  outEdges: number[];
}

/** Cells of one level, by number from the first of the part. */
interface Level {
  /** By node; −1 outside the part. */
  cellOf: Int32Array;
  cells: Cell[];
  /** Row and column of an edge in the clique of the cell it enters, and of the one it leaves. */
  row: Int32Array;
  column: Int32Array;
}

/** One mode at one time. */
interface Metric {
  arcs: Arcs;
  /** See `hoursOfArcs`; arcs are the same at all times. */
  hours: Uint8Array | undefined;
  /** By avoid set. */
  weights: Numbers[];
  /** Search cells and tiles in which some edge takes another time than ever. */
  slowed: readonly [search: Uint8Array, tiles: Uint8Array];
}

/** Customisation of a part's tiles for a mode: from the arcs to the cliques of search cells, and from these to the tiles'. */
export class TileCliques {
  readonly #part: Part;
  readonly #levels: readonly [search: Level, tiles: Level];
  /** By bucket; absent where nothing differs. */
  readonly #metrics: (Metric | undefined)[];
  readonly #labels = new SearchLabels();
  readonly #searchCellsOf: number[][];

  /** @param searchCellOf of each place of the part; @param crossing ids of the edges between tiles */
  constructor(part: Part, searchCellOf: Int32Array, crossing: Int32Array, arcs: Arcs) {
    this.#part = part;
    const { topology, firstTile, endTile, tileOf } = part;
    const search = new Int32Array(topology.nodeCount).fill(-1);
    search.set(searchCellOf);
    const tiles = new Int32Array(topology.nodeCount).fill(-1);
    for (let node = 0; node < topology.insideCount; node++) tiles[node] = tileOf[node] - firstTile;
    const searchCount = searchCellOf.length > 0 ? searchCellOf[searchCellOf.length - 1] + 1 : 0;
    this.#levels = [
      levelOf(part, arcs, crossing, search, searchCount),
      levelOf(part, arcs, crossing, tiles, endTile - firstTile),
    ];
    this.#searchCellsOf = Array.from({ length: endTile - firstTile }, () => []);
    for (let node = 0; node < topology.insideCount; node++) {
      const list = this.#searchCellsOf[tiles[node]];
      if (list[list.length - 1] !== search[node]) list.push(search[node]);
    }
    const windows = topology.traffic?.windows ?? 0;
    const hours = hoursOfArcs(topology, arcs);
    this.#metrics = Array.from({ length: windows + 1 }, (_, bucket) => this.#metricOf(arcs, bucket, hours));
  }

  /** The cliques of the part's tiles, tile by tile; those of its search cells are let go with it. */
  *tiles(): Generator<CellCliques> {
    const [search, tiles] = this.#levels;
    const windows = this.#metrics.length - 1;
    for (let tile = 0; tile < tiles.cells.length; tile++) {
      for (const cell of this.#searchCellsOf[tile]) this.#weigh(0, cell, windows);
      this.#weigh(1, tile, windows);
      for (const cell of this.#searchCellsOf[tile]) search.cells[cell].cliques.clear();
      const { avoid, traffic, ins, outs, cliques, codes } = tiles.cells[tile];
      yield { avoid, traffic, ins, outs, cliques, codes };
    }
  }

  #weigh(level: 0 | 1, number: number, windows: number): void {
    const cell = this.#levels[level].cells[number];
    cell.traffic = makeAll(
      cell,
      windows,
      (bucket) => this.#metrics[bucket]?.slowed[level][number] === 1,
      (avoid, bucket) => this.#makeClique(level, number, avoid, bucket),
    );
  }

  #metricOf(base: Arcs, bucket: number, hours: Uint8Array | undefined): Metric | undefined {
    const { topology } = this.#part;
    const arcs = withTraffic(topology, base, bucket);
    if (bucket > 0 && arcs === base) return undefined;
    const levels = this.#levels.map(({ cellOf, cells }) => {
      const slowed = new Uint8Array(cells.length);
      for (let edge = 0; edge < topology.edgeCount; edge++) {
        const cell = cellOf[topology.tail[edge]];
        if (cell >= 0 && arcs.duration[edge] !== base.duration[edge]) slowed[cell] = 1;
      }
      return slowed;
    });
    return {
      arcs,
      hours,
      weights: Array.from({ length: 16 }, (_, avoid) => metricWeights(topology, arcs, avoid, AVOID_FACTOR)),
      slowed: [levels[0], levels[1]],
    };
  }

  /** Dijkstra's algorithm from every edge in, through arcs (level 0) or the cliques of the search cells. */
  #makeClique(level: 0 | 1, number: number, avoid: number, bucket: number): Clique {
    const { cells, column, cellOf } = this.#levels[level];
    const { inEdges, outEdges, ins, outs } = cells[number];
    const { head, length, edgeCount } = this.#part.topology;
    const labels = this.#labels;
    // Where a window changes nothing in the whole part it is as at other times.
    const { arcs, weights: bySet, hours } = this.#metrics[bucket]!;
    const weights = bySet[avoid];
    const below = level > 0 ? this.#levels[0] : undefined;
    const width = outEdges.length;
    const entries = inEdges.length * width;
    const weight = new Int32Array(entries).fill(UNREACHABLE);
    const duration = new Int32Array(entries);
    const distance = new Int32Array(entries);
    const some = hours && new Uint8Array(entries);
    for (let r = 0; r < inEdges.length; r++) {
      const start = inEdges[r];
      labels.reset(edgeCount, "duration", "distance", "place");
      const { heap, key: keys, duration: durations, distance: distances, place: bits } = labels;
      labels.lower(start, 0);
      durations[start] = distances[start] = bits[start] = 0;
      let found = 0;
      while (heap.size > 0 && found < width) {
        const key = heap.least;
        const edge = heap.pop();
        // Out of the cell: an entry of the clique.
        if (edge !== start && cellOf[head[edge]] !== number) {
          const at = r * width + column[edge];
          weight[at] = key;
          duration[at] = durations[edge];
          distance[at] = distances[edge];
          if (some) some[at] = bits[edge];
          found++;
          continue;
        }
        if (!below) {
          for (let i = arcs.first[edge]; i < arcs.first[edge + 1]; i++) {
            const next = arcs.to[i];
            const sum = key + arcs.turnWeight[arcs.turn[i]] + weights[next];
            if (sum >= keys[next]) continue;
            labels.lower(next, sum);
            durations[next] = durations[edge] + arcs.turnDuration[arcs.turn[i]] + arcs.duration[next];
            distances[next] = distances[edge] + length[next];
            if (hours) bits[next] = bits[edge] | hours[i];
          }
          continue;
        }
        const child = below.cells[below.cellOf[head[edge]]];
        const inner = cliqueOf(child, avoid, bucket);
        const nexts = child.outEdges;
        const base = below.row[edge] * nexts.length;
        for (let c = 0; c < nexts.length; c++) {
          const next = nexts[c];
          const sum = key + inner.weight[base + c];
          if (sum >= keys[next]) continue;
          labels.lower(next, sum);
          durations[next] = durations[edge] + inner.duration[base + c];
          distances[next] = distances[edge] + inner.distance[base + c];
          if (hours) bits[next] = bits[edge] | (inner.hours?.[base + c] ?? 0);
        }
      }
    }
    return { ins, outs, weight, duration, distance, ...hoursIfAny(some) };
  }
}

function levelOf({ topology }: Part, arcs: Arcs, crossing: Int32Array, cellOf: Int32Array, count: number): Level {
  const { tail, head, edgeCount } = topology;
  const cells: Cell[] = Array.from({ length: count }, () => ({
    avoid: 0,
    traffic: 0,
    ins: new Int32Array(0),
    outs: new Int32Array(0),
    cliques: new Map(),
    codes: new Int32Array(0),
    inEdges: [],
    outEdges: [],
  }));
  const profilesOf = cells.map(() => new Set<EdgeProfile>());
  const fastestOf = new Uint16Array(count);
  for (let edge = 0; edge < edgeCount; edge++) {
    const profile = topology.profiles[topology.profile[edge]];
    const limited = profile.limited?.[arcs.mode];
    // An edge closed to the default vehicle has a row or a column, because it may be open to another one.
    if (arcs.duration[edge] === 0 && !limited) continue;
    const from = cellOf[tail[edge]];
    const into = cellOf[head[edge]];
    if (from >= 0) {
      cells[from].avoid |= (limited?.open ?? profile.passages[arcs.mode]).avoid;
      profilesOf[from].add(profile);
      fastestOf[from] = Math.max(fastestOf[from], fastestInTraffic(topology, edge, arcs.mode));
    }
    if (from === into) continue;
    if (from >= 0) cells[from].outEdges.push(edge);
    if (into >= 0) cells[into].inEdges.push(edge);
  }
  const row = new Int32Array(edgeCount).fill(-1);
  const column = new Int32Array(edgeCount).fill(-1);
  const place = (edges: number[], into: Int32Array) => {
    edges.sort((a, b) => crossing[a] - crossing[b] || a - b);
    for (let i = 0; i < edges.length; i++) into[edges[i]] = i;
    return Int32Array.from(edges, (edge) => crossing[edge]);
  };
  for (const [number, cell] of cells.entries()) {
    cell.ins = place(cell.inEdges, row);
    cell.outs = place(cell.outEdges, column);
    cell.codes = limitCodes(profilesOf[number], arcs.mode, fastestOf[number]);
  }
  return { cellOf, cells, row, column };
}
