import { ID_LIMIT } from "../store/id-set.ts";

/**
 * Which nodes are looked for at a time. The ids of nodes are cut into ranges, so that the places of one range fit into
 * the memory there is; a small extract has one range. Each node belongs to the range of its id, there or not.
 */
export class NodeRanges {
  /** The first id of each range, the first of all being 0. */
  readonly starts: readonly number[];

  constructor(starts: readonly number[]) {
    this.starts = starts;
  }

  get count(): number {
    return this.starts.length;
  }

  /** From which id to before which a range reaches. */
  reach(range: number): [low: number, high: number] {
    return [this.starts[range], this.starts[range + 1] ?? ID_LIMIT];
  }

  rangeOf(id: number): number {
    const { starts } = this;
    let range = starts.length - 1;
    while (range > 0 && starts[range] > id) range--;
    return range;
  }
}

/** How ids are spread: in steps of 2^16, how many nodes there are, and in how many pages of 1,024 ids they are. */
export class NodeCensus {
  static readonly STEP = 2 ** 16;
  readonly #nodes = new Uint32Array(ID_LIMIT / NodeCensus.STEP);
  readonly #pages = new Uint32Array(ID_LIMIT / NodeCensus.STEP);

  /** Adds [step, nodes, pages, …] of a blob. */
  add(spread: ArrayLike<number>): void {
    for (let i = 0; i < spread.length; i += 3) {
      this.#nodes[spread[i]] += spread[i + 1];
      // Blobs may meet within a page, but there are only so many.
      this.#pages[spread[i]] = Math.min(NodeCensus.STEP / 1024, this.#pages[spread[i]] + spread[i + 2]);
    }
  }

  /** As it is remembered: [step, nodes, pages, …] of the steps that hold any. */
  spread(): Float64Array<ArrayBuffer> {
    const spread: number[] = [];
    for (let step = 0; step < this.#nodes.length; step++) {
      if (this.#nodes[step] > 0) spread.push(step, this.#nodes[step], this.#pages[step]);
    }
    return Float64Array.from(spread);
  }
}

/**
 * Bytes that finding nodes takes: two 1e-7 degree integers each; 132 bytes for every page of the set that ranks them,
 * three times while it grows and is copied to where threads see it.
 */
const PER_NODE = 8;
const PER_PAGE = 3 * 132;

/** Cuts where the next step would not fit into `memory` [bytes]; a range has at least one step. */
export function cutRanges(spread: ArrayLike<number>, memory: number): NodeRanges {
  const starts = [0];
  let held = 0;
  for (let i = 0; i < spread.length; i += 3) {
    const bytes = spread[i + 1] * PER_NODE + spread[i + 2] * PER_PAGE;
    if (held > 0 && held + bytes > memory) {
      starts.push(spread[i] * NodeCensus.STEP);
      held = 0;
    }
    held += bytes;
  }
  return new NodeRanges(starts);
}

/** How many nodes a range holds at most (elements in two extracts count twice). */
export function nodesWithin(spread: ArrayLike<number>, low: number, high: number): number {
  let nodes = 0;
  for (let i = 0; i < spread.length; i += 3) {
    const first = spread[i] * NodeCensus.STEP;
    if (first >= low && first < high) nodes += spread[i + 1];
  }
  return nodes;
}
