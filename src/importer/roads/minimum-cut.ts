/**
 * Smallest cuts between the two ends of a cell by Dinic's algorithm (1970) with capacities of one per road and
 * direction. Cells are told apart by a number per node; roads to other cells do not count.
 */
export class MinimumCut {
  readonly #first: Int32Array;
  readonly #to: Int32Array;
  readonly #twin: Int32Array;
  readonly #flow: Int8Array;
  readonly #cell: Int32Array;
  readonly #depth: Int32Array;
  readonly #arc: Int32Array;
  readonly #kind: Uint8Array;
  readonly #queue: Int32Array;
  readonly #path: Int32Array;
  #cells = 1;

  constructor(count: number, roadsFrom: Int32Array, roadsTo: Int32Array) {
    this.#first = new Int32Array(count + 1);
    for (let road = 0; road < roadsFrom.length; road++) {
      if (roadsFrom[road] === roadsTo[road]) continue;
      this.#first[roadsFrom[road] + 1]++;
      this.#first[roadsTo[road] + 1]++;
    }
    for (let node = 0; node < count; node++) this.#first[node + 1] += this.#first[node];
    const next = this.#first.slice(0, count);
    this.#to = new Int32Array(this.#first[count]);
    this.#twin = new Int32Array(this.#first[count]);
    for (let road = 0; road < roadsFrom.length; road++) {
      if (roadsFrom[road] === roadsTo[road]) continue;
      const a = next[roadsFrom[road]]++;
      const b = next[roadsTo[road]]++;
      this.#to[a] = roadsTo[road];
      this.#to[b] = roadsFrom[road];
      this.#twin[a] = b;
      this.#twin[b] = a;
    }
    this.#flow = new Int8Array(this.#to.length);
    this.#cell = new Int32Array(count);
    this.#depth = new Int32Array(count);
    this.#arc = new Int32Array(count);
    this.#kind = new Uint8Array(count);
    this.#queue = new Int32Array(count);
    this.#path = new Int32Array(count + 1);
  }

  /** order[low … middle) and order[middle … high) become cells of their own. */
  separate(order: Int32Array, low: number, middle: number, high: number): void {
    const a = this.#cells++;
    const b = this.#cells++;
    for (let i = low; i < high; i++) this.#cell[order[i]] = i < middle ? a : b;
  }

  /** After `between`: does the node lie on the source's side of the cut? */
  onSourceSide(node: number): boolean {
    return this.#depth[node] >= 0;
  }

  /**
   * The smallest cut between the first and the last `ends` nodes of order[low … high); undefined when it is over
   * `limit`. `size`: nodes on the source's side.
   */
  between(
    order: Int32Array,
    low: number,
    high: number,
    ends: number,
    limit: number,
  ): { flow: number; size: number } | undefined {
    const kind = this.#kind;
    const first = this.#first;
    const flow = this.#flow;
    const cell = this.#cell[order[low]];
    for (let i = low; i < high; i++) {
      const node = order[i];
      kind[node] = i < low + ends ? 1 : i >= high - ends ? 2 : 0;
      for (let j = first[node]; j < first[node + 1]; j++) flow[j] = 0;
    }
    let total = 0;
    for (;;) {
      const reached = this.#layer(order, low, high, ends, cell);
      if (!reached.sink) return { flow: total, size: reached.count };
      for (let i = low; i < high; i++) this.#arc[order[i]] = first[order[i]];
      for (let i = low; i < low + ends; i++) {
        while (this.#augment(order[i], cell)) if (++total > limit) return undefined;
      }
    }
  }

  /** Breadth-first depths from the source in what capacity is left. */
  #layer(order: Int32Array, low: number, high: number, ends: number, cell: number) {
    const depth = this.#depth;
    const queue = this.#queue;
    const first = this.#first;
    const to = this.#to;
    const flow = this.#flow;
    const kind = this.#kind;
    for (let i = low; i < high; i++) depth[order[i]] = -1;
    let tail = 0;
    for (let i = low; i < low + ends; i++) {
      depth[order[i]] = 0;
      queue[tail++] = order[i];
    }
    let sinkDepth = -1;
    for (let head = 0; head < tail; head++) {
      const node = queue[head];
      if (sinkDepth >= 0 && depth[node] >= sinkDepth) break;
      for (let j = first[node]; j < first[node + 1]; j++) {
        const next = to[j];
        if (this.#cell[next] !== cell || depth[next] >= 0 || flow[j] >= 1) continue;
        depth[next] = depth[node] + 1;
        queue[tail++] = next;
        if (kind[next] === 2 && sinkDepth < 0) sinkDepth = depth[next];
      }
    }
    return { sink: sinkDepth >= 0, count: tail };
  }

  /** One path from a source node to the sink along rising depths. */
  #augment(source: number, cell: number): boolean {
    const depth = this.#depth;
    const arc = this.#arc;
    const first = this.#first;
    const to = this.#to;
    const flow = this.#flow;
    const kind = this.#kind;
    const path = this.#path;
    const twin = this.#twin;
    let length = 0;
    let node = source;
    for (;;) {
      if (kind[node] === 2) {
        for (let i = 0; i < length; i++) {
          flow[path[i]]++;
          flow[twin[path[i]]]--;
        }
        return true;
      }
      let forward = -1;
      for (; arc[node] < first[node + 1]; arc[node]++) {
        const j = arc[node];
        if (flow[j] < 1 && this.#cell[to[j]] === cell && depth[to[j]] === depth[node] + 1) {
          forward = j;
          break;
        }
      }
      if (forward >= 0) {
        path[length++] = forward;
        node = to[forward];
      } else {
        if (length === 0) return false;
        const back = path[--length];
        node = to[twin[back]];
        arc[node]++;
      }
    }
  }
}
