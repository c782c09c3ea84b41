/**
 * Smallest cuts between the two ends of a cell by Dinic's algorithm (1970) with capacities of one per road and
 * direction. A cell is copied out before it is cut: its nodes numbered from 0, and only the roads between them, so that
 * the eight searches of a cell run over arrays as small as the cell.
 */
export class MinimumCut {
  /** Roads at each node of the whole graph, in both directions. */
  readonly #roadsAt: Int32Array;
  readonly #otherEnd: Int32Array;
  readonly #twinRoad: Int32Array;

  /** The number of a node within the cell. */
  readonly #local: Int32Array;
  /** -1 outside the cell. */
  readonly #localRoad: Int32Array;
  readonly #first: Int32Array;
  readonly #to: Int32Array;
  readonly #twin: Int32Array;
  #size = 0;
  #roads = 0;

  readonly #flow: Int8Array;
  readonly #depth: Int32Array;
  readonly #next: Int32Array;
  readonly #isSink: Uint8Array;
  readonly #queue: Int32Array;
  readonly #path: Int32Array;
  readonly #line: Int32Array;

  constructor(count: number, roadsFrom: Int32Array, roadsTo: Int32Array) {
    const roadsAt = new Int32Array(count + 1);
    for (let road = 0; road < roadsFrom.length; road++) {
      if (roadsFrom[road] === roadsTo[road]) continue;
      roadsAt[roadsFrom[road] + 1]++;
      roadsAt[roadsTo[road] + 1]++;
    }
    for (let node = 0; node < count; node++) roadsAt[node + 1] += roadsAt[node];
    const next = roadsAt.slice(0, count);
    const total = roadsAt[count];
    this.#roadsAt = roadsAt;
    this.#otherEnd = new Int32Array(total);
    this.#twinRoad = new Int32Array(total);
    for (let road = 0; road < roadsFrom.length; road++) {
      if (roadsFrom[road] === roadsTo[road]) continue;
      const a = next[roadsFrom[road]]++;
      const b = next[roadsTo[road]]++;
      this.#otherEnd[a] = roadsTo[road];
      this.#otherEnd[b] = roadsFrom[road];
      this.#twinRoad[a] = b;
      this.#twinRoad[b] = a;
    }
    this.#local = new Int32Array(count).fill(-1);
    this.#localRoad = new Int32Array(total).fill(-1);
    this.#first = new Int32Array(count + 1);
    this.#to = new Int32Array(total);
    this.#twin = new Int32Array(total);
    this.#flow = new Int8Array(total);
    this.#depth = new Int32Array(count);
    this.#next = new Int32Array(count);
    this.#isSink = new Uint8Array(count);
    this.#queue = new Int32Array(count);
    this.#path = new Int32Array(count + 1);
    this.#line = new Int32Array(count);
  }

  /** Copies the cell of these nodes out; what was copied out before is forgotten. */
  enter(nodes: Int32Array): void {
    const local = this.#local;
    const roadsAt = this.#roadsAt;
    for (let i = 0; i < nodes.length; i++) local[nodes[i]] = i;
    let roads = 0;
    for (let i = 0; i < nodes.length; i++) {
      this.#first[i] = roads;
      for (let j = roadsAt[nodes[i]]; j < roadsAt[nodes[i] + 1]; j++) {
        const other = local[this.#otherEnd[j]];
        // The numbers of other cells are left where they are: a node that is not under its number is elsewhere.
        const inside = other >= 0 && other < nodes.length && nodes[other] === this.#otherEnd[j];
        this.#localRoad[j] = inside ? roads : -1;
        if (inside) this.#to[roads++] = other;
      }
    }
    this.#first[nodes.length] = roads;
    for (let i = 0; i < nodes.length; i++) {
      for (let j = roadsAt[nodes[i]]; j < roadsAt[nodes[i] + 1]; j++) {
        if (this.#localRoad[j] >= 0) this.#twin[this.#localRoad[j]] = this.#localRoad[this.#twinRoad[j]];
      }
    }
    this.#size = nodes.length;
    this.#roads = roads;
  }

  /** After `between`: whether the node of the cell is on the source's side of the cut. */
  onSourceSide(node: number): boolean {
    return this.#depth[this.#local[node]] >= 0;
  }

  /**
   * The smallest cut between the first and the last `ends` of the cell's nodes in this order; undefined when it is over
   * `limit`. `size`: nodes on the source's side.
   */
  between(order: Int32Array, ends: number, limit: number): { flow: number; size: number } | undefined {
    const size = this.#size;
    const line = this.#line;
    const isSink = this.#isSink;
    for (let i = 0; i < size; i++) {
      line[i] = this.#local[order[i]];
      isSink[line[i]] = i >= size - ends ? 1 : 0;
    }
    this.#flow.fill(0, 0, this.#roads);
    const next = this.#next;
    let total = 0;
    for (;;) {
      const reached = this.#layer(ends);
      if (!reached.sink) return { flow: total, size: reached.count };
      next.set(this.#first.subarray(0, size));
      for (let i = 0; i < ends; i++) {
        while (this.#augment(line[i])) if (++total > limit) return undefined;
      }
    }
  }

  /** Breadth-first depths from the source in what capacity is left. */
  #layer(ends: number): { sink: boolean; count: number } {
    const depth = this.#depth;
    const queue = this.#queue;
    const first = this.#first;
    const to = this.#to;
    const flow = this.#flow;
    const isSink = this.#isSink;
    depth.fill(-1, 0, this.#size);
    let tail = 0;
    for (; tail < ends; tail++) {
      queue[tail] = this.#line[tail];
      depth[queue[tail]] = 0;
    }
    let sinkDepth = -1;
    for (let head = 0; head < tail; head++) {
      const node = queue[head];
      const deeper = depth[node] + 1;
      if (sinkDepth >= 0 && deeper > sinkDepth) break;
      const end = first[node + 1];
      for (let j = first[node]; j < end; j++) {
        if (flow[j] >= 1) continue;
        const there = to[j];
        if (depth[there] >= 0) continue;
        depth[there] = deeper;
        queue[tail++] = there;
        if (isSink[there] === 1 && sinkDepth < 0) sinkDepth = deeper;
      }
    }
    return { sink: sinkDepth >= 0, count: tail };
  }

  /** One path from a source node to the sink along rising depths. */
  #augment(source: number): boolean {
    const depth = this.#depth;
    const next = this.#next;
    const first = this.#first;
    const to = this.#to;
    const flow = this.#flow;
    const isSink = this.#isSink;
    const path = this.#path;
    const twin = this.#twin;
    let length = 0;
    let node = source;
    for (;;) {
      if (isSink[node] === 1) {
        for (let i = 0; i < length; i++) {
          flow[path[i]]++;
          flow[twin[path[i]]]--;
        }
        return true;
      }
      const end = first[node + 1];
      const deeper = depth[node] + 1;
      let j = next[node];
      while (j < end && !(flow[j] < 1 && depth[to[j]] === deeper)) j++;
      next[node] = j;
      if (j < end) {
        path[length++] = j;
        node = to[j];
      } else {
        if (length === 0) return false;
        const back = path[--length];
        node = to[twin[back]];
        next[node]++;
      }
    }
  }
}
