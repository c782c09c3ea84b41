/** Edges remembered at most; then everything is forgotten: a tile on many routes must not remember without end. */
const MAX_COUNT = 8192;
const MAP_ENTRY = 56;

/** Well-used passages through a tile, each a run of edges, in one array one after the other. */
export class PathMemory {
  /** Start of each path; the number there encodes its length. */
  readonly #places = new Map<number, number>();
  #edges = new Uint16Array(0);
  #used = 0;

  get(key: number): Uint16Array | undefined {
    const at = this.#places.get(key);
    return at === undefined ? undefined : this.#edges.subarray(at + 1, at + 1 + this.#edges[at]);
  }

  /** Remembers a path and returns it. */
  keep(key: number, path: Uint16Array): Uint16Array {
    if (this.#used + path.length + 1 > MAX_COUNT) {
      this.#places.clear();
      this.#used = 0;
    }
    const end = this.#used + path.length + 1;
    if (end > MAX_COUNT) return path;
    if (end > this.#edges.length) {
      const larger = new Uint16Array(Math.max(256, Math.ceil(end * 1.5)));
      larger.set(this.#edges.subarray(0, this.#used));
      this.#edges = larger;
    }
    this.#places.set(key, this.#used);
    this.#edges[this.#used] = path.length;
    this.#edges.set(path, this.#used + 1);
    this.#used = end;
    return path;
  }

  /** Approximate memory size [bytes]. */
  get size(): number {
    return this.#edges.byteLength + this.#places.size * MAP_ENTRY;
  }
}
