import { Heap } from "./heap.ts";
import { UNREACHABLE } from "./pack.ts";

/**
 * Entries of cliques and arcs that searches looked at since `takeWork` was last called. A search runs without waiting,
 * so `takeWork` called after a search gives the work of that search alone.
 */
export const looked = { at: 0 };

/** What settling a label by its arcs counts for: some three arcs, which cost more than entries of a row. */
export const ARCS = 10;

/** How many of them a core looks at in a microsecond, labels settled meanwhile included. */
const LOOKED_AT_PER_MICROSECOND = 40;

/** The work of the searches since the last time [µs]. */
export function takeWork(): number {
  const work = looked.at / LOOKED_AT_PER_MICROSECOND;
  looked.at = 0;
  return work;
}

type Column = "duration" | "distance" | "from" | "level" | "place";

/**
 * What a search hangs on its labels (numbers of a window's label space, or edges of a tile): the queue, the best weight
 * known, and the columns it asks for. One object serves one search after another; the next `reset` forgets the last.
 *
 * All kernels use this one class, so that the engine meets one shape everywhere; columns not asked for stay empty. A
 * kernel writes its columns itself, beside `lower`: as parameters they would cost kernels that have no such column.
 */
export class SearchLabels {
  readonly heap = new Heap(0);
  /** Weight of the best path known [0.1 s], UNREACHABLE before: one comparison refuses worse and missing paths. */
  key = new Int32Array(0);
  /** Of that path: time [0.1 s] and length [0.1 m]. */
  duration = new Float64Array(0);
  distance = new Float64Array(0);
  /** The label it came from. */
  from = new Int32Array(0);
  /** What was crossed from there, as in `Hop`; or whatever else a kernel notes at a label. */
  level = new Int8Array(0);
  place = new Int32Array(0);
  readonly #columns: readonly Column[];
  #touched = new Int32Array(0);
  #touchedCount = 0;

  constructor(...columns: readonly Column[]) {
    this.#columns = columns;
  }

  /** Forgets the last search and makes room for labels 0 ≤ label < count. Arrays held from before may be void. */
  reset(count: number): void {
    const { heap, key } = this;
    heap.clear();
    if (count > key.length) this.#grow(Math.ceil(count * 1.3));
    else for (let i = 0; i < this.#touchedCount; i++) key[this.#touched[i]] = UNREACHABLE;
    this.#touchedCount = 0;
  }

  #grow(size: number): void {
    this.heap.reserve(size);
    this.key = new Int32Array(size).fill(UNREACHABLE);
    this.#touched = new Int32Array(size);
    for (const column of this.#columns) {
      if (column === "level") this.level = new Int8Array(size);
      else if (column === "from" || column === "place") this[column] = new Int32Array(size);
      else this[column] = new Float64Array(size);
    }
  }

  /** Takes over a weight that is lower than the label's. */
  lower(label: number, weight: number): void {
    if (this.key[label] === UNREACHABLE) this.#touched[this.#touchedCount++] = label;
    this.key[label] = weight;
    this.heap.set(label, weight);
  }
}
