import { BIKE, type HourlyPassage, type Passage, passageAt, TRAVEL, type Variant } from "./modes.ts";
import { entryAt } from "./schedule.ts";
import { modesAt, type Numbers, type Topology, type TurnException } from "./topology.ts";
import { TRAFFIC_MODES, trafficSpeed } from "./traffic.ts";
import { BEARING_STEPS, obstacleAt, obstacleCost, RESTRICTED_ENTRY, turnCurve, uTurnCost } from "./turn-cost.ts";

/**
 * The edge-based graph of one mode: states are edges "at their end", an arc leads from an edge to one that follows it.
 * Cost of an arc = its turn + the whole of the edge it leads to.
 */
export interface Arcs {
  mode: number;
  /** Arcs of edge e: first[e] ≤ i < first[e + 1]. */
  first: Numbers;
  to: Numbers;
  /** The turn of each arc: its number in the next two. A tile has some dozens of different turns, so that a byte is enough. */
  turn: Uint8Array | Uint16Array;
  /** Of a turn [0.1 s], as time, and as weight. */
  turnDuration: Uint16Array;
  turnWeight: Uint16Array;
  /** Time of an edge [0.1 s], 0 if the mode may not use it, and its weight before avoidance. */
  duration: Numbers;
  weight: Numbers;
}

const TENTHS_PER_MINUTE = 600;

/** The same arcs with default times, from those of any time window: traffic opens and closes no road. */
export function atDefaultTimes(topology: Topology, arcs: Arcs, minutes: readonly number[] = []): Arcs {
  return { ...arcs, ...defaultTimes(topology, passagesAt(topology, arcs.mode, minutes)) };
}

const passagesAt = ({ profiles }: Topology, mode: number, minutes: readonly number[]) =>
  profiles.map(({ passages }) => passageAt(passages[mode], minutes));

function defaultTimes({ edgeCount, length, profile }: Topology, passages: readonly HourlyPassage[]) {
  const duration = new Int32Array(edgeCount);
  const weight = new Int32Array(edgeCount);
  let asLong = true;
  for (let edge = 0; edge < edgeCount; edge++) {
    const passage = passages[profile[edge]];
    duration[edge] = edgeDuration(length[edge], passage);
    weight[edge] = edgeWeight(duration[edge], passage);
    if (weight[edge] !== duration[edge]) asLong = false;
  }
  return { duration, weight: asLong ? duration : weight };
}

/**
 * The arcs in a time window (its bucket; 0: default): other durations and weights, otherwise the same. `variant`: the vehicle that
 * the passages of the profiles are for.
 */
export function withTraffic(topology: Topology, arcs: Arcs, bucket: number, variant?: Variant): Arcs {
  const { traffic, profiles, profile } = topology;
  const { mode } = arcs;
  if (!traffic || bucket === 0 || !TRAFFIC_MODES.includes(mode)) return arcs;
  let changed: { duration: Int32Array; weight: Int32Array } | undefined;
  for (let edge = 0; edge < topology.edgeCount; edge++) {
    if (arcs.duration[edge] === 0) continue;
    const inTraffic = trafficSpeed(traffic, edge, mode, bucket);
    if (inTraffic === 0) continue;
    const own = profiles[profile[edge]];
    const speed = variant ? variant.inTraffic(inTraffic, own, mode) : inTraffic;
    const passage = { ...own.passages[mode], speed };
    const duration = edgeDuration(topology.length[edge], passage);
    if (duration === arcs.duration[edge]) continue;
    changed ??= { duration: new Int32Array(arcs.duration), weight: new Int32Array(arcs.weight) };
    changed.duration[edge] = duration;
    changed.weight[edge] = edgeWeight(duration, passage);
  }
  return changed ? { ...arcs, ...changed } : arcs;
}

function edgeWeight(duration: number, { preference }: Pick<HourlyPassage, "preference">): number {
  return Math.round((duration * 100) / preference);
}

/** Times are integer tenths of a second, at least one, so that sums are exact. */
function edgeDuration(length: number, passage: Pick<HourlyPassage, "speed">): number {
  return passage.speed === 0 ? 0 : Math.max(1, Math.round((length * 36) / passage.speed));
}

/**
 * Builds the open turns and their costs. At a junction every turn is open, except
 *  - back onto the same road, unless there is no other way out (a dead end) or there is a barrier,
 *  - past a barrier, which leaves only the way back,
 *  - turns listed as exceptions; copies of edges are entered through exceptions alone.
 *
 * `minutes`: at these times (`Metric.minutes`). Then each arc is one of those without, and no lighter: a road that is
 * closed for now is still an arm of its junctions, and a street that leads to it is not a dead end.
 */
export function buildArcs(topology: Topology, mode: number, minutes: readonly number[] = []): Arcs {
  const { edgeCount, head, piece, along, original, profile, profiles, insideCount, obstacle } = topology;
  const bit = 1 << mode;
  const { travel, boarding, restricted, leftFreely, duration, weight, leaving, roads, exceptions } = waysOf(
    topology,
    mode,
    minutes,
  );

  const first = new Int32Array(edgeCount + 1);
  let to = new Int32Array(edgeCount * 3);
  let turn = new Uint16Array(edgeCount * 3);
  const turns = new TurnCosts();
  let count = 0;
  const { nodeBlocked, bearingIn, bearingOut } = topology;
  for (let from = 0; from < edgeCount; from++) {
    first[from] = count;
    const node = head[from];
    if (duration[from] === 0 || node >= insideCount) continue;
    const own = exceptions.get(from);
    const blocked = (nodeBlocked[node] & bit) !== 0;
    const source = profile[from];
    const { leftHand } = profiles[source];
    const met = obstacleCost(mode, obstacleAt(nodeBlocked[node], obstacle[from]));
    const curve = turnCurve(mode, leftHand);
    const counts = roads[node] > 2 || mode === BIKE;
    const end = leaving.first[node + 1];
    let exits = 0;
    if (count + end - leaving.first[node] >= to.length) {
      const larger = 2 * to.length + end;
      to = grown(to, new Int32Array(larger));
      turn = grown(turn, new Uint16Array(larger));
    }
    let back = -1;
    for (let i = leaving.first[node]; i < end; i++) {
      const next = leaving.edges[i];
      const exception = own?.get(next);
      const isOpen = exception ? (exception.modes & bit) !== 0 : original[next] === next;
      if (!isOpen) continue;
      // A road that ends where it began (a loop) leaves along the direction in which it came; only the other direction
      // is a return.
      if (piece[next] === piece[from] && along[next] !== along[from]) {
        back = next;
        continue;
      }
      if (blocked) continue;
      exits++;
      if (duration[next] === 0 || (exception && (modesAt(exception, minutes) & bit) === 0)) continue;
      const target = profile[next];
      const turned = counts || travel[source] !== travel[target];
      const boards = travel[target] === TRAVEL.ferry && travel[source] !== TRAVEL.ferry ? boarding[target] : 0;
      const time = met + boards + (turned ? curve[(bearingOut[next] - bearingIn[from]) & (BEARING_STEPS - 1)] : 0);
      to[count] = next;
      turn[count++] = turns.numberOf(time, restricted[target] > leftFreely[source]);
    }
    if (exits > 0 || back < 0 || duration[back] === 0) continue;
    const turnBack = own?.get(back);
    if (turnBack && (modesAt(turnBack, minutes) & bit) === 0) continue;
    const time = met + uTurnCost(mode) + curve[(bearingOut[back] - bearingIn[from]) & (BEARING_STEPS - 1)];
    to[count] = back;
    turn[count++] = turns.numberOf(time, restricted[profile[back]] > leftFreely[source]);
  }
  first[edgeCount] = count;
  return {
    mode,
    ...packed(first, to.slice(0, count)),
    turn: turns.count <= 256 ? Uint8Array.from(turn.subarray(0, count)) : turn.slice(0, count),
    ...turns.columns(),
    duration,
    weight,
  };
}

/** A tile's numbers fit 16 bits; memory limits the number of tiles that an isolate can hold. */
function packed(first: Int32Array, to: Int32Array): { first: Numbers; to: Numbers } {
  return first.length <= 65536 && to.length < 65536
    ? { first: new Uint16Array(first), to: new Uint16Array(to) }
    : { first, to };
}

/** What turns and their costs follow from, by profile, edge and node. */
function waysOf(topology: Topology, mode: number, minutes: readonly number[]) {
  const { profiles } = topology;
  const passages = passagesAt(topology, mode, minutes);
  const travel = Uint8Array.from(passages, (passage) => passage.travel);
  const boarding = Uint16Array.from(profiles, ({ boarding = 0 }) => boarding * TENTHS_PER_MINUTE);
  const restricted = Uint8Array.from(passages, (passage) => (passage.restricted ? 1 : 0));
  // One that is restricted at some hour may be left for a restricted one at no cost.
  const leftFreely = profiles.map(({ passages }, i) => restrictedAtSome(passages[mode], minutes) ?? restricted[i]);
  const { duration, weight } = defaultTimes(topology, passages);
  const isHourly = minutes.length > 0 && profiles.some(({ passages }) => passages[mode].hours);
  const atSome = isHourly ? openAtSome(topology, mode) : duration;
  const leaving = edgesByNode(topology.tail, atSome, topology.insideCount);
  const roads = roadsByNode(topology, atSome);
  const exceptions = exceptionsByEdge(topology);
  return { travel, boarding, restricted, leftFreely, duration, weight, leaving, roads, exceptions };
}

/** Turns that take less than this have their numbers in a table [0.1 s]. */
const SHORT_TURN = 1024;

/** The different turns of a graph, by their costs. */
class TurnCosts {
  /** Number + 1 by twice the time, + 1 into a restricted road. */
  readonly #short = new Uint16Array(2 * SHORT_TURN);
  readonly #long = new Map<number, number>();
  readonly #durations: number[] = [];
  readonly #weights: number[] = [];

  get count(): number {
    return this.#durations.length;
  }

  /** @param time [0.1 s] */
  numberOf(time: number, entersRestricted: boolean): number {
    const key = 2 * time + (entersRestricted ? 1 : 0);
    const known = key < this.#short.length ? this.#short[key] : (this.#long.get(key) ?? 0);
    if (known > 0) return known - 1;
    this.#durations.push(time);
    const next = this.#weights.push(entersRestricted ? time + RESTRICTED_ENTRY : time);
    if (key < this.#short.length) this.#short[key] = next;
    else this.#long.set(key, next);
    return next - 1;
  }

  columns(): Pick<Arcs, "turnDuration" | "turnWeight"> {
    return { turnDuration: Uint16Array.from(this.#durations), turnWeight: Uint16Array.from(this.#weights) };
  }
}

/** Exceptions by the edges that they lead from and to. */
function exceptionsByEdge(topology: Pick<Topology, "exceptions">): Map<number, Map<number, TurnException>> {
  const exceptions = new Map<number, Map<number, TurnException>>();
  for (const exception of topology.exceptions) {
    const { from, to } = exception;
    let turns = exceptions.get(from);
    if (!turns) {
      turns = new Map();
      exceptions.set(from, turns);
    }
    turns.set(to, exception);
  }
  return exceptions;
}

/** 1 where the passage is restricted at some of these minutes, at any hour if there are none; undefined if it is the same at all times. */
function restrictedAtSome({ hours }: Passage, minutes: readonly number[]): number | undefined {
  if (!hours) return undefined;
  const some = minutes.length > 0 ? minutes.map((minute) => entryAt(hours, minute)) : hours.entries;
  return some.some(({ speed, restricted }) => speed > 0 && restricted) ? 1 : 0;
}

/** By edge: not 0 if the mode may use it at some hour. */
function openAtSome({ edgeCount, profile, profiles }: Topology, mode: number): Int32Array {
  return Int32Array.from({ length: edgeCount }, (_, edge) => profiles[profile[edge]].passages[mode].speed);
}

/** Edges by node: those of node n are edges[i], first[n] ≤ i < first[n + 1]. */
export interface ByNode {
  first: Numbers;
  edges: Numbers;
}

/** The edges that end at each inside node: sources of arcs, for searches against the direction of travel. */
export function arrivingEdges({ head, insideCount }: Pick<Topology, "head" | "insideCount">, arcs: Arcs): ByNode {
  const { first, edges } = edgesByNode(head, arcs.duration, insideCount);
  return { first: new Uint16Array(first), edges: new Uint16Array(edges) };
}

/**
 * The same arcs and edge weights in the smallest possible integer types, those created for this tile in one buffer
 * (separate small arrays would cost more than their contents). The number of tiles that an isolate can hold depends on
 * it.
 */
export function narrowArcs(arcs: Arcs, weight: Numbers): { arcs: Arcs; weight: Numbers } {
  const columns = new Set<Int32Array>();
  for (const column of [arcs.duration, arcs.weight, weight]) {
    if (column instanceof Int32Array && isNarrow(column)) columns.add(column);
  }
  const narrow = new Map<Numbers, Uint16Array>();
  const isFresh = ({ buffer, byteLength }: Numbers | Uint8Array) => buffer.byteLength === byteLength;
  const fresh = [arcs.first, arcs.to, arcs.turn, arcs.turnDuration, arcs.turnWeight].filter(
    (column) => column instanceof Uint16Array && isFresh(column),
  ) as Uint16Array[];
  const all = [...new Set<Numbers>([...columns, ...fresh])];
  const wide = all.reduce((sum, { length }) => sum + length, 0);
  const bytes = arcs.turn instanceof Uint8Array && isFresh(arcs.turn) ? arcs.turn : NO_BYTES;
  const { buffer } = new Uint8Array(2 * wide + bytes.length);
  let at = 0;
  for (const column of all) {
    const own = new Uint16Array(buffer, 2 * at, column.length);
    own.set(column);
    narrow.set(column, own);
    at += column.length;
  }
  const turn = new Uint8Array(buffer, 2 * wide);
  turn.set(bytes);
  const of = <T extends Numbers>(column: T) => (narrow.get(column) ?? column) as T;
  return {
    arcs: {
      ...arcs,
      first: of(arcs.first),
      to: of(arcs.to),
      turn: bytes === arcs.turn ? turn : (of(arcs.turn as Uint16Array) as Arcs["turn"]),
      turnDuration: of(arcs.turnDuration),
      turnWeight: of(arcs.turnWeight),
      duration: of(arcs.duration),
      weight: of(arcs.weight),
    },
    weight: of(weight),
  };
}

const NO_BYTES = new Uint8Array(0);

/** In a loop: the first route of an isolate runs uncompiled, and a call for each number is half of its work for a tile. */
function isNarrow(column: Int32Array): boolean {
  for (let i = 0; i < column.length; i++) if (column[i] >= 65536) return false;
  return true;
}

/** The number of the arc from one edge to another, −1 where that turn is not open. */
export function arcBetween({ first, to }: Arcs, from: number, next: number): number {
  const end = first[from + 1];
  for (let arc = first[from]; arc < end; arc++) if (to[arc] === next) return arc;
  return -1;
}

/** Edges the mode may use, grouped by the node at one of their ends. */
function edgesByNode(end: Numbers, duration: Numbers, nodeCount: number): { first: Int32Array; edges: Int32Array } {
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

/** How many pieces of road that the mode may use meet at each inside node, a loop counting once. */
function roadsByNode({ insideCount, head, tail, piece, original }: Topology, duration: Int32Array): Uint8Array {
  const roads = new Uint8Array(insideCount);
  // The two edges of a piece follow each other.
  const last = new Int32Array(insideCount).fill(-1);
  const count = (node: number, own: number) => {
    if (node >= insideCount || last[node] === own) return;
    last[node] = own;
    if (roads[node] < 255) roads[node]++;
  };
  for (let edge = 0; edge < duration.length; edge++) {
    if (duration[edge] === 0 || original[edge] !== edge) continue;
    count(tail[edge], piece[edge]);
    count(head[edge], piece[edge]);
  }
  return roads;
}

function grown<T extends Int32Array | Uint16Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** Weights of the edges for a mode and an avoid set [0.1 s]. */
export function metricWeights(topology: Topology, arcs: Arcs, avoid: number, factor: number): Numbers {
  if (avoid === 0) return arcs.weight;
  const hit = topology.profiles.map(({ passages }) => (passages[arcs.mode].avoid & avoid) !== 0);
  if (!hit.includes(true)) return arcs.weight;
  const weights = new Int32Array(arcs.weight);
  for (let edge = 0; edge < weights.length; edge++) if (hit[topology.profile[edge]]) weights[edge] *= factor;
  return weights;
}

/** Returns whether a journey may start or end on an edge: not on a ferry or a train, nor on a private driveway. */
export function isStartable(passage: HourlyPassage): boolean {
  return (
    passage.speed > 0 && !passage.private && (passage.travel === TRAVEL.normal || passage.travel === TRAVEL.pushing)
  );
}
