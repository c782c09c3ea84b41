import { Column, sharedNumbers } from "./column.ts";
import type { Edges } from "./road-graph.ts";

/** An edge for each direction of a piece that some mode may take, numbered piece by piece (there, back). */
export class EdgeColumns {
  readonly #piece: Column<Int32Array>;
  readonly #along: Column<Uint8Array>;
  readonly #forward: Uint32Array;
  readonly #backward: Uint32Array;
  /** Edges that are no copies. */
  readonly count: number;
  readonly piece: Int32Array;
  readonly along: Uint8Array;

  /** Phase two. `forward`, `backward`: profiles of the pieces, 0 where closed. */
  constructor(forward: Uint32Array, backward: Uint32Array) {
    this.#forward = forward;
    this.#backward = backward;
    let count = 0;
    for (let piece = 0; piece < forward.length; piece++) {
      count += (forward[piece] === 0 ? 0 : 1) + (backward[piece] === 0 ? 0 : 1);
    }
    this.#piece = new Column(Int32Array, "directed edges of roads", count);
    this.#along = new Column(Uint8Array, "directed edges of roads", count);
    for (let piece = 0; piece < forward.length; piece++) {
      if (forward[piece] !== 0) this.#add(piece, 1);
      if (backward[piece] !== 0) this.#add(piece, 0);
    }
    this.count = count;
    this.piece = this.#piece.values;
    this.along = this.#along.values;
  }

  /** The edge along a piece, −1 where closed. */
  forwardOf(piece: number): number {
    return this.#forward[piece] === 0 ? -1 : this.#firstOf(piece);
  }

  backwardOf(piece: number): number {
    if (this.#backward[piece] === 0) return -1;
    return this.#firstOf(piece) + (this.#forward[piece] === 0 ? 0 : 1);
  }

  /** The edges with the copies that restrictions made of some, last. */
  withCopies(copies: readonly number[]): Edges {
    for (const edge of copies) this.#add(this.piece[edge], this.along[edge]);
    const piece = this.#piece.values;
    const original = sharedNumbers(Int32Array, piece.length);
    for (let edge = 0; edge < this.count; edge++) original[edge] = edge;
    for (let i = 0; i < copies.length; i++) original[this.count + i] = copies[i];
    return { count: piece.length, piece, along: this.#along.values, original };
  }

  #add(piece: number, along: number): void {
    this.#piece.push(piece);
    this.#along.push(along);
  }

  /** Edges are in the order of their pieces: binary search. */
  #firstOf(piece: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.piece[middle] < piece) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
