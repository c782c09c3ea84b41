import type { Arcs } from "../graph/arcs.ts";
import { type NarrowTable, narrowed, scratchFor, tableBytes } from "../graph/narrow.ts";
import { UNREACHABLE } from "../graph/pack.ts";
import type { Tile } from "../graph/tile.ts";
import type { Numbers } from "../graph/topology.ts";
import { ARCS, tileLabels as labels, looked } from "./search-labels.ts";

/** The clique of a search cell, as `Clique`, but that edges are the tile's. */
export interface CellClique extends NarrowTable {
  ins: Uint16Array;
  outs: Uint16Array;
}

/** Search cells (level 0) of a tile for a mode: the edges that lead into each, and out of it. */
export class SearchCells {
  readonly ins: readonly Uint16Array[];
  readonly outs: readonly Uint16Array[];
  readonly #first: number;
  /** From edge `first` on: where it stands among those that enter its head's cell, or leave its tail's. */
  readonly #row: Int16Array;
  readonly #column: Int16Array;

  /** `isOpen`: may the mode use an edge at some hour? */
  constructor(tile: Tile, isOpen: (edge: number) => boolean) {
    const ins: number[][] = Array.from({ length: tile.cellCount }, () => []);
    const outs: number[][] = Array.from({ length: tile.cellCount }, () => []);
    this.#first = tile.firstBetween;
    this.#row = new Int16Array(tile.edgeCount - this.#first).fill(-1);
    this.#column = new Int16Array(tile.edgeCount - this.#first).fill(-1);
    for (let edge = this.#first; edge < tile.edgeCount; edge++) {
      if (!isOpen(edge)) continue;
      const from = tile.nodeCell[tile.tailOf(edge)];
      const into = tile.nodeCell[tile.headOf(edge)];
      if (from === into) continue;
      if (from >= 0) this.#column[edge - this.#first] = outs[from].push(edge) - 1;
      if (into >= 0) this.#row[edge - this.#first] = ins[into].push(edge) - 1;
    }
    this.ins = ins.map((edges) => Uint16Array.from(edges));
    this.outs = outs.map((edges) => Uint16Array.from(edges));
  }

  rowOf(edge: number): number {
    return this.#row[edge - this.#first];
  }

  columnOf(edge: number): number {
    return this.#column[edge - this.#first];
  }

  /** Approximate memory size [bytes]. */
  get size(): number {
    let size = OBJECTS + this.#row.byteLength * 2;
    for (let cell = 0; cell < this.ins.length; cell++) {
      size += ARRAYS + this.ins[cell].byteLength + this.outs[cell].byteLength;
    }
    return size;
  }
}

const OBJECTS = 300;
/** Two arrays, in addition to their numbers [bytes]. */
const ARRAYS = 240;

/**
 * Dijkstra's algorithm from every edge that enters a cell, within the cell. `arcHours`: bits by arc (`hoursOfArcs`), for those of
 * the clique's paths.
 */
export function makeClique(
  tile: Tile,
  cells: SearchCells,
  arcs: Arcs,
  weights: Numbers,
  cell: number,
  arcHours?: Uint8Array,
): CellClique {
  const { nodeCell, ends, side, pieceLength } = tile;
  const ins = cells.ins[cell];
  const outs = cells.outs[cell];
  const entries = ins.length * outs.length;
  const scratch = scratchFor(entries);
  const { weight, duration, distance } = scratch;
  const hours = arcHours && new Uint8Array(entries);
  weight.fill(UNREACHABLE, 0, entries);
  for (let r = 0; r < ins.length; r++) {
    labels.reset(tile.edgeCount, "duration", "distance", "place");
    const { heap, key: keys, duration: durations, distance: distances, place: bits } = labels;
    const start = ins[r];
    labels.lower(start, 0);
    durations[start] = distances[start] = bits[start] = 0;
    let found = 0;
    while (heap.size > 0 && found < outs.length) {
      const key = heap.least;
      const edge = heap.pop();
      if (edge !== start && nodeCell[ends[side[edge]]] !== cell) {
        const at = r * outs.length + cells.columnOf(edge);
        weight[at] = key;
        duration[at] = durations[edge];
        distance[at] = distances[edge];
        if (hours) hours[at] = bits[edge];
        found++;
        continue;
      }
      looked.at += ARCS;
      for (let i = arcs.first[edge]; i < arcs.first[edge + 1]; i++) {
        const next = arcs.to[i];
        const sum = key + arcs.turnWeight[arcs.turn[i]] + weights[next];
        if (sum >= keys[next]) continue;
        labels.lower(next, sum);
        durations[next] = durations[edge] + arcs.turnDuration[arcs.turn[i]] + arcs.duration[next];
        distances[next] = distances[edge] + pieceLength[side[next] >> 1];
        if (arcHours) bits[next] = bits[edge] | arcHours[i];
      }
    }
  }
  return { ins, outs, ...narrowed(scratch, entries), hours };
}

/** Approximate memory size of a clique [bytes]. */
export function cliqueSize(clique: CellClique): number {
  return CLIQUE + tableBytes(clique);
}

const CLIQUE = 450;
