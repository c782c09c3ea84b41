import { type Passage, TRAVEL } from "./modes.ts";
import type { Numbers, Topology } from "./topology.ts";
import { TRAFFIC_MODES, trafficSpeed } from "./traffic.ts";
import { GATE_BIT, OBSTACLE, RESTRICTED_ENTRY, turnDuration } from "./turn-cost.ts";

/**
 * The edge-based graph of one mode: states are edges "at their end", an arc leads from an edge to one that follows it.
 * Cost of an arc = its turn + the whole of the edge it leads to.
 */
export interface Arcs {
  mode: number;
  /** Arcs of edge e: first[e] ≤ i < first[e + 1]. */
  first: Numbers;
  to: Numbers;
  /** [0.1 s] as time, and as weight. */
  turnDuration: Uint16Array;
  turnWeight: Uint16Array;
  /** The same arcs by the edge they lead to: `from` and the arc's number. */
  backFirst: Numbers;
  backFrom: Numbers;
  backArc: Numbers;
  /** Time of an edge [0.1 s], 0 where the mode may not go, and its weight before anything is avoided. */
  duration: Int32Array;
  weight: Int32Array;
}

/** The arcs as they are in a window of time (its bucket; 0: as ever): other durations and weights, all else the same. */
export function withTraffic(topology: Topology, arcs: Arcs, bucket: number): Arcs {
  const { traffic, profiles, profile } = topology;
  const { mode } = arcs;
  if (!traffic || bucket === 0 || !TRAFFIC_MODES.includes(mode)) return arcs;
  let changed: Pick<Arcs, "duration" | "weight"> | undefined;
  for (let edge = 0; edge < topology.edgeCount; edge++) {
    if (arcs.duration[edge] === 0) continue;
    const speed = trafficSpeed(traffic, edge, mode, bucket);
    if (speed === 0) continue;
    const passage = { ...profiles[profile[edge]].passages[mode], speed };
    const duration = edgeDuration(topology.length[edge], passage);
    if (duration === arcs.duration[edge]) continue;
    changed ??= { duration: arcs.duration.slice(), weight: arcs.weight.slice() };
    changed.duration[edge] = duration;
    changed.weight[edge] = edgeWeight(duration, passage);
  }
  return changed ? { ...arcs, ...changed } : arcs;
}

function edgeWeight(duration: number, { preference }: Passage): number {
  return Math.round((duration * 100) / preference);
}

/** Times are whole tenths of a second, at least one, so that sums are exact. */
export function edgeDuration(length: number, passage: Passage): number {
  return passage.speed === 0 ? 0 : Math.max(1, Math.round((length * 36) / passage.speed));
}

/**
 * Which turns are open, and at what cost. At a junction every turn is, except
 *  - back onto the same road, unless there is no other way on (a dead end) or a barrier stands there,
 *  - past a barrier, which leaves only the way back,
 *  - what an exception says; copies of edges are entered through exceptions alone.
 */
export function buildArcs(topology: Topology, mode: number): Arcs {
  const { edgeCount, tail, head, piece, original, profile, profiles, insideCount } = topology;
  const bit = 1 << mode;
  const passages = profiles.map(({ passages }) => passages[mode]);
  const duration = new Int32Array(edgeCount);
  const weight = new Int32Array(edgeCount);
  for (let edge = 0; edge < edgeCount; edge++) {
    const passage = passages[profile[edge]];
    duration[edge] = edgeDuration(topology.length[edge], passage);
    weight[edge] = edgeWeight(duration[edge], passage);
  }
  const leaving = edgesByNode(tail, duration, insideCount);
  const arriving = edgesByNode(head, duration, insideCount);
  const exceptions = new Map<number, Map<number, number>>();
  for (const { from, to, modes } of topology.exceptions) {
    let turns = exceptions.get(from);
    if (!turns) {
      turns = new Map();
      exceptions.set(from, turns);
    }
    turns.set(to, modes);
  }

  const first = new Int32Array(edgeCount + 1);
  let to = new Int32Array(edgeCount * 3);
  let durations = new Uint16Array(edgeCount * 3);
  let weights = new Uint16Array(edgeCount * 3);
  let count = 0;
  const add = (from: number, next: number, roads: number, uTurn: boolean) => {
    if (count === to.length) {
      to = grown(to, new Int32Array(count * 2));
      durations = grown(durations, new Uint16Array(count * 2));
      weights = grown(weights, new Uint16Array(count * 2));
    }
    const source = passages[profile[from]];
    const target = passages[profile[next]];
    const time = turnDuration(
      mode,
      topology.bearingOut[next] - topology.bearingIn[from],
      profiles[profile[from]].leftHand,
      roads > 2 || source.travel !== target.travel,
      uTurn,
      (topology.nodeBlocked[head[from]] & GATE_BIT) !== 0 ? OBSTACLE.gate : topology.signal[from],
    );
    to[count] = next;
    durations[count] = time;
    weights[count] = time + (target.restricted && !source.restricted ? RESTRICTED_ENTRY : 0);
    count++;
  };

  for (let from = 0; from < edgeCount; from++) {
    first[from] = count;
    const node = head[from];
    if (duration[from] === 0 || node >= insideCount) continue;
    const own = exceptions.get(from);
    const blocked = (topology.nodeBlocked[node] & bit) !== 0;
    const roads = roadsAt(leaving, arriving, piece, node);
    let back = -1;
    const before = count;
    for (let i = leaving.first[node]; i < leaving.first[node + 1]; i++) {
      const next = leaving.edges[i];
      const open = own?.get(next) ?? (original[next] === next ? 15 : 0);
      // A road that ends where it began (a loop) leaves along the same way it came; only the other direction is a return.
      const isReturn = piece[next] === piece[from] && topology.along[next] !== topology.along[from];
      if (isReturn) {
        if (original[next] === next) back = next;
      } else if (!blocked && (open & bit) !== 0) add(from, next, roads, false);
    }
    if (count === before && back >= 0 && ((own?.get(back) ?? 15) & bit) !== 0) add(from, back, roads, true);
  }
  first[edgeCount] = count;
  to = to.slice(0, count);
  durations = durations.slice(0, count);
  weights = weights.slice(0, count);
  // Most tiles have no restricted roads: one array then serves as both.
  const same = weights.every((cost, i) => cost === durations[i]);
  // A tile's numbers fit 16 bits; memory is what bounds how many tiles an isolate can hold.
  const narrow = edgeCount < 65536 && count < 65536;
  const packed = (numbers: Int32Array): Numbers => (narrow ? Uint16Array.from(numbers) : numbers);
  const back = reverse(first, to);
  return {
    mode,
    first: packed(first),
    to: packed(to),
    turnDuration: durations,
    turnWeight: same ? durations : weights,
    backFirst: packed(back.backFirst),
    backFrom: packed(back.backFrom),
    backArc: packed(back.backArc),
    duration,
    weight: weight.every((cost, edge) => cost === duration[edge]) ? duration : weight,
  };
}

function reverse(
  first: Int32Array,
  to: Int32Array,
): { backFirst: Int32Array; backFrom: Int32Array; backArc: Int32Array } {
  const edgeCount = first.length - 1;
  const backFirst = new Int32Array(edgeCount + 1);
  for (let i = 0; i < to.length; i++) backFirst[to[i] + 1]++;
  for (let edge = 0; edge < edgeCount; edge++) backFirst[edge + 1] += backFirst[edge];
  const next = backFirst.slice(0, edgeCount);
  const backFrom = new Int32Array(to.length);
  const backArc = new Int32Array(to.length);
  for (let edge = 0; edge < edgeCount; edge++) {
    for (let i = first[edge]; i < first[edge + 1]; i++) {
      const at = next[to[i]]++;
      backFrom[at] = edge;
      backArc[at] = i;
    }
  }
  return { backFirst, backFrom, backArc };
}

interface ByNode {
  first: Int32Array;
  edges: Int32Array;
}

/** Edges the mode may use, grouped by the node at one of their ends. */
function edgesByNode(end: Numbers, duration: Int32Array, nodeCount: number): ByNode {
  const first = new Int32Array(nodeCount + 1);
  for (let edge = 0; edge < end.length; edge++) if (duration[edge] > 0 && end[edge] < nodeCount) first[end[edge] + 1]++;
  for (let node = 0; node < nodeCount; node++) first[node + 1] += first[node];
  const next = first.slice(0, nodeCount);
  const edges = new Int32Array(first[nodeCount]);
  for (let edge = 0; edge < end.length; edge++) {
    if (duration[edge] > 0 && end[edge] < nodeCount) edges[next[end[edge]]++] = edge;
  }
  return { first, edges };
}

/** How many pieces of road meet at a node, a loop counting once. */
function roadsAt(leaving: ByNode, arriving: ByNode, piece: Numbers, node: number): number {
  const a = leaving.first[node];
  const b = leaving.first[node + 1];
  let count = 0;
  for (let i = a; i < b; i++) {
    let seen = false;
    for (let j = a; j < i && !seen; j++) seen = piece[leaving.edges[j]] === piece[leaving.edges[i]];
    if (!seen) count++;
  }
  const c = arriving.first[node];
  for (let i = c; i < arriving.first[node + 1]; i++) {
    const own = piece[arriving.edges[i]];
    let seen = false;
    for (let j = a; j < b && !seen; j++) seen = piece[leaving.edges[j]] === own;
    for (let j = c; j < i && !seen; j++) seen = piece[arriving.edges[j]] === own;
    if (!seen) count++;
  }
  return count;
}

function grown<T extends Int32Array | Uint16Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** Weights of the edges for a mode and an avoid set [0.1 s]. */
export function metricWeights(topology: Topology, arcs: Arcs, avoid: number, factor: number): Int32Array {
  if (avoid === 0) return arcs.weight;
  const hit = topology.profiles.map(({ passages }) => (passages[arcs.mode].avoid & avoid) !== 0);
  if (!hit.includes(true)) return arcs.weight;
  return arcs.weight.map((weight, edge) => (hit[topology.profile[edge]] ? weight * factor : weight));
}

/** May an edge be where a journey starts or ends? Not on a ferry or a train, nor on a private drive. */
export function isStartable(passage: Passage): boolean {
  return (
    passage.speed > 0 && !passage.private && (passage.travel === TRAVEL.normal || passage.travel === TRAVEL.pushing)
  );
}
