import { Heap } from "../graph/heap.ts";
import { UNREACHABLE } from "../graph/pack.ts";

/**
 * Entries of cliques and arcs that searches examined since the last `takeWork`. A search runs without yielding, so
 * `takeWork` called after a search returns the work of that search alone.
 */
export const looked = { at: 0 };

/** Cost of settling a label by its arcs: about three arcs, which cost more than entries of a row. */
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
 * Capacity that is kept from one search to the next: enough for a distance across a country. The first search that
 * needs much less releases anything beyond that, because large matrices are rare and an isolate has little memory.
 */
const KEPT_LABELS = 98_304;

/**
 * Values that a search attaches to its labels (numbers of a window's label space, or edges of a tile): the queue, the
 * best known weight, and the requested columns. One object serves one search after another, of any kernel that does not
 * yield while another may use it; the next `reset` discards the last.
 *
 * All kernels use this class, so that the engine sees the same object shape everywhere; columns that are not requested
 * stay as they are. A kernel writes its columns itself, next to `lower`: as parameters they would slow down kernels
 * that have no such column.
 */
export class SearchLabels {
  readonly heap = new Heap(0);
  /** Weight of the best known path [0.1 s], UNREACHABLE before: one comparison rejects worse and missing paths. */
  key = new Int32Array(0);
  /** Of that path: time [0.1 s] and length [0.1 m]. */
  duration = new Float64Array(0);
  distance = new Float64Array(0);
  /** The label it came from. */
  from = new Int32Array(0);
  /** What was crossed from there, as in `Hop`; or any other value that a kernel stores for a label. */
  level = new Int8Array(0);
  place = new Int32Array(0);
  #touched = new Int32Array(0);
  #touchedCount = 0;

  /**
   * Discards the last search and allocates labels 0 ≤ label < count in these columns; their values are undefined.
   * Earlier references to the arrays may be stale.
   */
  reset(count: number, ...columns: readonly Column[]): void {
    const { heap, key } = this;
    const isTooLarge = key.length > KEPT_LABELS && count < key.length / 3;
    if (count > key.length || isTooLarge) this.#resize(Math.ceil(count * 1.3));
    else {
      heap.clear();
      for (let i = 0; i < this.#touchedCount; i++) key[this.#touched[i]] = UNREACHABLE;
    }
    this.#touchedCount = 0;
    for (const column of columns) if (this[column].length < this.key.length) this.#widen(column, this.key.length);
  }

  #resize(size: number): void {
    this.heap.resize(size);
    this.key = new Int32Array(size).fill(UNREACHABLE);
    this.#touched = new Int32Array(size);
    // Columns are allocated on request.
    this.level = new Int8Array(0);
    this.from = this.place = new Int32Array(0);
    this.duration = this.distance = new Float64Array(0);
  }

  #widen(column: Column, size: number): void {
    if (column === "level") this.level = new Int8Array(size);
    else if (column === "from" || column === "place") this[column] = new Int32Array(size);
    else this[column] = new Float64Array(size);
  }

  isReached(label: number): boolean {
    return this.key[label] < UNREACHABLE;
  }

  /** Takes over a weight that is lower than the label's. */
  lower(label: number, weight: number): void {
    if (this.key[label] === UNREACHABLE) this.#touched[this.#touchedCount++] = label;
    this.key[label] = weight;
    this.heap.set(label, weight);
  }

  /** Approximate memory size [bytes]. */
  get bytes(): number {
    // Without a list: each search reads this.
    const numbers = this.key.length + this.#touched.length + this.from.length + this.place.length;
    const wide = this.duration.length + this.distance.length;
    return this.heap.bytes + 4 * numbers + 8 * wide + this.level.length;
  }
}

/**
 * For all searches of a window's overlay: none of them yields between `reset` and its last read, so they can share
 * these. The second is for searches from both ends.
 */
export const overlayLabels = [new SearchLabels(), new SearchLabels()] as const;

/** For searches within one tile, which may run during a search of the overlay. */
export const tileLabels = new SearchLabels();

/** Labels that no search uses which yields before it ends: others may search meanwhile. */
const idle: SearchLabels[] = [];

/** Labels of one's own, for searches that yield. They are taken again only after `returnLabels`. */
export const takeLabels = (): SearchLabels => idle.pop() ?? new SearchLabels();

/** One is kept: more are in use only where several such searches run at once. */
export function returnLabels(labels: SearchLabels): void {
  if (idle.length === 0) idle.push(labels);
}

/** The memory that searches leave behind [bytes]. */
export const labelBytes = () =>
  overlayLabels[0].bytes + overlayLabels[1].bytes + tileLabels.bytes + (idle[0]?.bytes ?? 0);
