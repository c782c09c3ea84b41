/** A set of tiles, one bit each, lowest bits first: for combining the tiles of several words. */
export class TileSet {
  #bits: Uint8Array = new Uint8Array(64);
  /** Bytes in use. */
  #length = 0;
  #size: number | undefined = 0;

  add(tile: number): void {
    const at = tile >> 3;
    if (at >= this.#length) this.#reach(at + 1);
    this.#bits[at] |= 1 << (tile & 7);
    this.#size = undefined;
  }

  addBits(bits: Uint8Array): void {
    if (bits.length > this.#length) this.#reach(bits.length);
    for (let i = 0; i < bits.length; i++) this.#bits[i] |= bits[i];
    this.#size = undefined;
  }

  get size(): number {
    if (this.#size === undefined) {
      let size = 0;
      for (let i = 0; i < this.#length; i++) size += ONES[this.#bits[i]];
      this.#size = size;
    }
    return this.#size;
  }

  /** One more than the highest tile may be. */
  get end(): number {
    return 8 * this.#length;
  }

  /** Adds to the weight of each tile of the set. */
  addWeight(weights: Float64Array, weight: number): void {
    const bits = this.#bits;
    for (let i = 0; i < this.#length; i++) {
      for (let rest = bits[i], tile = 8 * i; rest > 0; rest >>= 1, tile++) if (rest & 1) weights[tile] += weight;
    }
  }

  #reach(length: number): void {
    this.#length = length;
    if (length <= this.#bits.length) return;
    const larger = new Uint8Array(Math.max(length, 2 * this.#bits.length));
    larger.set(this.#bits);
    this.#bits = larger;
  }
}

/** How many bits of a byte are set. */
const ONES = Uint8Array.from({ length: 256 }, (_, byte) => [...byte.toString(2)].filter((bit) => bit === "1").length);
