const BETWEEN = 0;
const SOURCE = 1;
const SINK = 2;

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
  /** By node: SOURCE, SINK or BETWEEN. */
  readonly #kind: Uint8Array;
  readonly #queue: Int32Array;
  readonly #path: Int32Array;
  readonly #line: Int32Array;
  /** Those with a road to a node of another kind. */
  readonly #sources: Int32Array;
  readonly #sinks: Int32Array;

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
    this.#kind = new Uint8Array(count);
    this.#queue = new Int32Array(count);
    this.#path = new Int32Array(count + 1);
    this.#line = new Int32Array(count);
    this.#sources = new Int32Array(count);
    this.#sinks = new Int32Array(count);
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
    const depth = this.#depth;
    this.#mark(order, ends);
    this.#flow.fill(0, 0, this.#roads);
    const sources = this.#edgeOf(SOURCE, 0, ends, this.#sources);
    const sinks = this.#edgeOf(SINK, size - ends, size, this.#sinks);
    let total = 0;
    for (;;) {
      const reached = this.#layer(sinks);
      if (reached < 0) return { flow: total, size: this.#sourceSide(ends, sources) };
      this.#next.set(this.#first.subarray(0, size));
      for (let i = 0; i < sources; i++) {
        if (depth[this.#sources[i]] !== reached) continue;
        while (this.#augment(this.#sources[i])) if (++total > limit) return undefined;
      }
    }
  }

  #mark(order: Int32Array, ends: number): void {
    const size = this.#size;
    const line = this.#line;
    const kind = this.#kind;
    for (let i = 0; i < size; i++) {
      line[i] = this.#local[order[i]];
      kind[line[i]] = i < ends ? SOURCE : i >= size - ends ? SINK : BETWEEN;
    }
  }

  /** Finds the nodes of a kind with a road to one of another kind: no path leads through the rest. Returns how many they are. */
  #edgeOf(kind: number, from: number, end: number, into: Int32Array): number {
    const line = this.#line;
    const first = this.#first;
    const to = this.#to;
    let count = 0;
    for (let i = from; i < end; i++) {
      const node = line[i];
      const last = first[node + 1];
      let j = first[node];
      while (j < last && this.#kind[to[j]] === kind) j++;
      if (j < last) into[count++] = node;
    }
    return count;
  }

  /**
   * Breadth-first depths from the sink against the capacity that is left, up to the nearest source: every path along falling depths then
   * ends in the sink. Returns the source's depth, −1 if none is reached.
   */
  #layer(sinks: number): number {
    const depth = this.#depth.fill(-1, 0, this.#size);
    const queue = this.#queue;
    const first = this.#first;
    const to = this.#to;
    const flow = this.#flow;
    const kind = this.#kind;
    let tail = 0;
    for (; tail < sinks; tail++) {
      queue[tail] = this.#sinks[tail];
      depth[queue[tail]] = 0;
    }
    let reached = -1;
    for (let head = 0; head < tail; head++) {
      const node = queue[head];
      const deeper = depth[node] + 1;
      if (reached >= 0 && deeper > reached) break;
      const end = first[node + 1];
      for (let j = first[node]; j < end; j++) {
        // What flows along a road flows against its twin.
        if (flow[j] <= -1) continue;
        const there = to[j];
        if (depth[there] >= 0 || kind[there] === SINK) continue;
        depth[there] = deeper;
        if (kind[there] === SOURCE) reached = deeper;
        else queue[tail++] = there;
      }
    }
    return reached;
  }

  /** Gives the nodes that capacity is left to from the source a depth, and returns how many they are. */
  #sourceSide(ends: number, sources: number): number {
    const depth = this.#depth.fill(-1, 0, this.#size);
    const queue = this.#queue;
    const first = this.#first;
    const to = this.#to;
    const flow = this.#flow;
    for (let i = 0; i < ends; i++) depth[this.#line[i]] = 0;
    queue.set(this.#sources.subarray(0, sources));
    let tail = sources;
    for (let head = 0; head < tail; head++) {
      const node = queue[head];
      const end = first[node + 1];
      for (let j = first[node]; j < end; j++) {
        if (flow[j] >= 1 || depth[to[j]] >= 0) continue;
        depth[to[j]] = 0;
        queue[tail++] = to[j];
      }
    }
    return ends + tail - sources;
  }

  /** One path from a source node to the sink along falling depths. */
  #augment(source: number): boolean {
    const depth = this.#depth;
    const next = this.#next;
    const first = this.#first;
    const to = this.#to;
    const flow = this.#flow;
    const path = this.#path;
    const twin = this.#twin;
    let length = 0;
    let node = source;
    for (;;) {
      const nearer = depth[node] - 1;
      if (nearer < 0) {
        for (let i = 0; i < length; i++) {
          flow[path[i]]++;
          flow[twin[path[i]]]--;
        }
        return true;
      }
      const end = first[node + 1];
      let j = next[node];
      while (j < end && !(flow[j] < 1 && depth[to[j]] === nearer)) j++;
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
