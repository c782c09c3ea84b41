/** The pieces that meet at some of the junctions, ascending, a loop once; in columns made in two passes. */
export class MeetingPieces {
  readonly #places: NodePlaces;
  readonly #first: Int32Array;
  readonly #pieces: Int32Array;

  /** `nodes`: the junctions, ascending. `start`, `end`: of each piece. */
  constructor(nodes: Int32Array, nodeCount: number, start: Int32Array, end: Int32Array) {
    this.#places = new NodePlaces(nodes, nodeCount);
    const first = new Int32Array(nodes.length + 1);
    this.#forEach(start, end, (place) => first[place + 1]++);
    for (let i = 0; i < nodes.length; i++) first[i + 1] += first[i];
    const next = first.slice();
    this.#pieces = new Int32Array(first[nodes.length]);
    this.#forEach(start, end, (place, piece) => {
      this.#pieces[next[place]++] = piece;
    });
    this.#first = first;
  }

  at(node: number): Int32Array {
    const place = this.#places.of(node);
    return place < 0 ? this.#pieces.subarray(0, 0) : this.#pieces.subarray(this.#first[place], this.#first[place + 1]);
  }

  #forEach(start: Int32Array, end: Int32Array, visit: (place: number, piece: number) => void): void {
    for (let piece = 0; piece < start.length; piece++) {
      const from = this.#places.of(start[piece]);
      if (from >= 0) visit(from, piece);
      if (end[piece] === start[piece]) continue;
      const to = this.#places.of(end[piece]);
      if (to >= 0) visit(to, piece);
    }
  }
}

/** Where a junction is in an ascending list of some. A bit for each junction excludes most of the others immediately. */
class NodePlaces {
  readonly #nodes: Int32Array;
  readonly #marks: Uint8Array;

  constructor(nodes: Int32Array, nodeCount: number) {
    this.#nodes = nodes;
    this.#marks = new Uint8Array((nodeCount >>> 3) + 1);
    for (const node of nodes) this.#marks[node >>> 3] |= 1 << (node & 7);
  }

  of(node: number): number {
    if ((this.#marks[node >>> 3] & (1 << (node & 7))) === 0) return -1;
    let low = 0;
    let high = this.#nodes.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#nodes[middle] < node) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
