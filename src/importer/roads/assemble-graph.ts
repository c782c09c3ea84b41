import { haversine } from "../../geo/distance.ts";
import { AVOID_BITS, CAR, type EdgeProfile, TRAVEL, TRUCK } from "../../routing/modes.ts";
import type { NodeRecord, RoadRecord } from "../../routing/road-record.ts";
import { BEARING_STEPS, GATE_BIT } from "../../routing/turn-cost.ts";
import type { Tags } from "../osm/element.ts";
import { blockedModes } from "./barriers.ts";
import { bearingAlong } from "./bearing.ts";
import { type GraphBuilder, MICRO, type RoadWay } from "./build-graph.ts";
import { isGate, markObstacles, type Obstacle, obstacleOf } from "./obstacles.ts";
import { edgeProfile, type Rules } from "./profile.ts";
import { resolveRestrictions } from "./resolve-restrictions.ts";
import { restrictTurns } from "./restrictions.ts";
import type { Edges, RoadGraph } from "./road-graph.ts";
import { nodeRecord, roadRecord } from "./road-records.ts";
import { closedAcrossRings } from "./roundabout-turns.ts";

/** What a node does to the roads through it. */
interface NodeEffect {
  blocked: number;
  record: NodeRecord | undefined;
  border: boolean;
  toll: boolean;
  obstacle: Obstacle | undefined;
}

const NO_EFFECT: NodeEffect = { blocked: 0, record: undefined, border: false, toll: false, obstacle: undefined };

function effectOf(tags: Tags | undefined): NodeEffect {
  if (!tags) return NO_EFFECT;
  return {
    blocked: blockedModes(tags) | (isGate(tags) ? GATE_BIT : 0),
    record: nodeRecord(tags),
    border: tags.barrier === "border_control",
    toll: tags.barrier === "toll_booth",
    obstacle: obstacleOf(tags),
  };
}

/** Numbers the distinct values of a list as they come. */
class Interning<T> {
  readonly values: T[] = [];
  private readonly numbers = new Map<string, number>();
  add(value: T): number {
    const key = JSON.stringify(value);
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.values.length;
      this.numbers.set(key, number);
      this.values.push(value);
    }
    return number;
  }
}

/** The second half of building: collected ways, nodes and restrictions become pieces, edges and exceptions. */
export function assembleGraph(source: GraphBuilder): RoadGraph {
  const { latitude, longitude, uses, numbers, special, borders, options } = source;
  const nodeOf = new Map<number, number>();
  const nodeLatitude: number[] = [];
  const nodeLongitude: number[] = [];
  const nodeBlocked: number[] = [];
  const nodeRecords = new Map<number, NodeRecord>();
  const start: number[] = [];
  const end: number[] = [];
  const pieceLengths: number[] = [];
  const forward: number[] = [];
  const backward: number[] = [];
  const record: number[] = [];
  const obstructed: [node: number, obstacle: Obstacle][] = [];
  const bearingStart: number[] = [];
  const bearingEnd: number[] = [];
  const shapeFirst: number[] = [0];
  const shapeLatitude: number[] = [];
  const shapeLongitude: number[] = [];
  const profiles = new Interning<EdgeProfile>();
  profiles.add(CLOSED_PROFILE);
  const records = new Interning<RoadRecord>();
  const restricted = new Set(source.restrictions.flatMap(({ from, viaWays, to }) => [...from, ...viaWays, ...to]));
  const piecesOfWay = new Map<number, number[]>();
  const { speeds } = options;
  const rows = new Interning<number[]>();
  const trafficForward: number[] = [];
  const trafficBackward: number[] = [];
  const ids = speeds ? idsOf(numbers) : [];
  const report = {
    ways: source.ways.length,
    brokenWays: 0,
    missingNodes: 0,
    restrictions: source.restrictions.length,
    brokenRestrictions: 0,
  };

  const effects = new Map<number, NodeEffect>();
  const effect = (number: number) => {
    const tags = special.get(number);
    if (!tags) return NO_EFFECT;
    let known = effects.get(number);
    if (!known) {
      known = effectOf(tags);
      effects.set(number, known);
    }
    return known;
  };
  const isJunction = (number: number) => {
    if (uses[number] > 1) return true;
    const { blocked, border, toll, obstacle, record: written } = effect(number);
    return blocked !== 0 || border || toll || obstacle !== undefined || written !== undefined;
  };
  const node = (number: number) => {
    let known = nodeOf.get(number);
    if (known === undefined) {
      known = nodeLatitude.length;
      nodeOf.set(number, known);
      nodeLatitude.push(latitude[number]);
      nodeLongitude.push(longitude[number]);
      const { blocked, record: written, obstacle } = effect(number);
      nodeBlocked.push(blocked);
      if (written) nodeRecords.set(known, written);
      if (obstacle) obstructed.push([known, obstacle]);
    }
    return known;
  };

  const addPiece = (way: RoadWay, run: readonly number[], profileFor: ProfileFor, recordNumber: number) => {
    const first = run[0];
    const last = run[run.length - 1];
    const lengths: number[] = [];
    let crossesBorder = false;
    for (let i = 1; i < run.length; i++) {
      const a = run[i - 1];
      const b = run[i];
      const latA = latitude[a] / MICRO;
      const lonA = longitude[a] / MICRO;
      const latB = latitude[b] / MICRO;
      const lonB = longitude[b] / MICRO;
      lengths.push(haversine(latA, lonA, latB, lonB));
      crossesBorder ||= borders.crosses(latA, lonA, latB, lonB);
    }
    const a = effect(first);
    const b = effect(last);
    const border = crossesBorder || a.border || b.border;
    const toll = a.toll || b.toll;
    const piece = start.length;
    start.push(node(first));
    end.push(node(last));
    pieceLengths.push(Math.round(lengths.reduce((sum, metres) => sum + metres, 0) * 10));
    const alongProfile = profileFor("forward", border, toll);
    const againstProfile = profileFor("backward", border, toll);
    if (!speeds) {
      forward.push(profiles.add(alongProfile));
      backward.push(profiles.add(againstProfile));
    } else {
      const nodes = run.map((number) => ids[number]);
      const along = speeds.apply(way.id, true, nodes, lengths, alongProfile);
      const against = speeds.apply(way.id, false, nodes.toReversed(), lengths.toReversed(), againstProfile);
      forward.push(profiles.add(along.profile));
      backward.push(profiles.add(against.profile));
      trafficForward.push(along.row ? rows.add(along.row) + 1 : 0);
      trafficBackward.push(against.row ? rows.add(against.row) + 1 : 0);
    }
    record.push(recordNumber);
    bearingStart.push(bearingAlong(run, latitude, longitude));
    bearingEnd.push((bearingAlong([...run].reverse(), latitude, longitude) + HALF_TURN) % BEARING_STEPS);
    for (let i = 1; i < run.length - 1; i++) {
      shapeLatitude.push(latitude[run[i]]);
      shapeLongitude.push(longitude[run[i]]);
    }
    shapeFirst.push(shapeLatitude.length);
    if (restricted.has(way.id)) {
      const list = piecesOfWay.get(way.id);
      if (list) list.push(piece);
      else piecesOfWay.set(way.id, [piece]);
    }
  };

  for (const way of source.ways) {
    const run: number[] = [];
    const all: number[] = [];
    for (const ref of way.refs) {
      const number = numbers.get(ref)!;
      if (latitude[number] === undefined) report.missingNodes++;
      else if (all[all.length - 1] !== number) all.push(number);
    }
    if (all.length < 2) {
      report.brokenWays++;
      continue;
    }
    let length = 0;
    for (let i = 1; i < all.length; i++) {
      length += haversine(
        latitude[all[i - 1]] / MICRO,
        longitude[all[i - 1]] / MICRO,
        latitude[all[i]] / MICRO,
        longitude[all[i]] / MICRO,
      );
    }
    const side = way.tags.driving_side;
    const leftHand = side
      ? side === "left"
      : (options.leftHand?.({ latitude: latitude[all[0]] / MICRO, longitude: longitude[all[0]] / MICRO }) ?? false);
    const profileFor = profileMaker(way, length, leftHand);
    const recordNumber = records.add(roadRecord(way.tags, vehicleOneway(way.rules)));
    for (let i = 0; i < all.length; i++) {
      run.push(all[i]);
      if (run.length > 1 && (i === all.length - 1 || isJunction(all[i]))) {
        addPiece(way, run.splice(0, run.length - 1).concat(all[i]), profileFor, recordNumber);
      }
    }
  }

  const edges = makeEdges(forward, backward);
  const leavingNode: number[][] = nodeLatitude.map(() => []);
  const headOf = (edge: number) => (edges.along[edge] ? end : start)[edges.piece[edge]];
  for (let edge = 0; edge < edges.count; edge++) {
    leavingNode[(edges.along[edge] ? start : end)[edges.piece[edge]]].push(edge);
  }
  const { paths, broken } = resolveRestrictions(source.restrictions, {
    start,
    end,
    forwardEdge: edges.forwardEdge,
    backwardEdge: edges.backwardEdge,
    piecesOfWay,
    nodeOf: (id) => {
      const number = numbers.get(id);
      return number === undefined ? undefined : nodeOf.get(number);
    },
  });
  report.brokenRestrictions = broken;
  const isOpenToCars = (profile: number) => profiles.values[profile].passages[CAR].speed > 0;
  const across = closedAcrossRings({
    count: edges.count,
    tail: (edge) => (edges.along[edge] ? start : end)[edges.piece[edge]],
    head: headOf,
    onRing: (edge) => {
      const piece = edges.piece[edge];
      const ring = records.values[record[piece]].junction !== undefined;
      const [own, other] = edges.along[edge] ? [forward, backward] : [backward, forward];
      return ring && isOpenToCars(own[piece]) && !isOpenToCars(other[piece]);
    },
    sameRoad: (a, b) => edges.piece[a] === edges.piece[b],
    bearingOut: (edge) =>
      edges.along[edge] ? bearingStart[edges.piece[edge]] : bearingEnd[edges.piece[edge]] + HALF_TURN,
    bearingIn: (edge) =>
      edges.along[edge] ? bearingEnd[edges.piece[edge]] : bearingStart[edges.piece[edge]] + HALF_TURN,
  });
  const { exceptions, copies } = restrictTurns(paths.concat(across), edges.count, (edge) => leavingNode[headOf(edge)]);

  return {
    nodeCount: nodeLatitude.length,
    nodeLatitude: Int32Array.from(nodeLatitude),
    nodeLongitude: Int32Array.from(nodeLongitude),
    nodeBlocked: Uint8Array.from(nodeBlocked),
    nodeRecords,
    pieceCount: start.length,
    pieceStart: Int32Array.from(start),
    pieceEnd: Int32Array.from(end),
    pieceLength: Int32Array.from(pieceLengths),
    pieceForward: Uint32Array.from(forward),
    pieceBackward: Uint32Array.from(backward),
    pieceRecord: Int32Array.from(record),
    pieceObstacles: markObstacles(obstructed, start, end, (piece) => ({
      length: pieceLengths[piece] / 10,
      speed: Math.max(...[forward[piece], backward[piece]].map((p) => profiles.values[p].passages[CAR].speed)),
    })),
    pieceBearingStart: Uint8Array.from(bearingStart),
    pieceBearingEnd: Uint8Array.from(bearingEnd),
    shapeFirst: Int32Array.from(shapeFirst),
    shapeLatitude: Int32Array.from(shapeLatitude),
    shapeLongitude: Int32Array.from(shapeLongitude),
    profiles: profiles.values,
    records: records.values,
    edges: withCopies(edges, copies),
    exceptions,
    ...(speeds && {
      traffic: {
        windows: speeds.table.windows,
        rows: rows.values.map((row) => Uint16Array.from(row)),
        forward: Uint32Array.from(trafficForward),
        backward: Uint32Array.from(trafficBackward),
      },
    }),
    report,
  };
}

/** OSM ids of nodes by their number. */
function idsOf(numbers: ReadonlyMap<number, number>): number[] {
  const ids: number[] = new Array(numbers.size);
  for (const [id, number] of numbers) ids[number] = id;
  return ids;
}

const CLOSED_PROFILE: EdgeProfile = {
  passages: [0, 1, 2, 3].map(() => ({
    speed: 0,
    preference: 100,
    travel: TRAVEL.normal,
    restricted: false,
    private: false,
    avoid: 0,
  })),
  leftHand: false,
};

type ProfileFor = (direction: "forward" | "backward", border: boolean, toll: boolean) => EdgeProfile;

function profileMaker(way: RoadWay, length: number, leftHand: boolean): ProfileFor {
  const made = new Map<string, EdgeProfile>();
  return (direction, border, toll) => {
    const key = `${direction}${border}${toll}`;
    let profile = made.get(key);
    if (!profile) {
      profile = way.rules.some((rule) => rule[direction])
        ? edgeProfile(way.tags, way.rules, direction, length, leftHand, border)
        : CLOSED_PROFILE;
      if (toll && profile !== CLOSED_PROFILE) profile = withToll(profile);
      made.set(key, profile);
    }
    return profile;
  };
}

function withToll(profile: EdgeProfile): EdgeProfile {
  return {
    ...profile,
    passages: profile.passages.map((passage, mode) =>
      (mode === CAR || mode === TRUCK) && passage.speed > 0
        ? { ...passage, avoid: passage.avoid | AVOID_BITS.tolls }
        : passage,
    ),
  };
}

/** The one direction vehicles take. Roads without cars are judged by whoever uses them. */
function vehicleOneway(rules: readonly Rules[]): "forward" | "backward" | undefined {
  const rule = rules.find(({ forward, backward }) => forward || backward);
  if (!rule || (rule.forward && rule.backward)) return undefined;
  return rule.forward ? "forward" : "backward";
}

const HALF_TURN = BEARING_STEPS / 2;

interface NumberedEdges extends Edges {
  forwardEdge: Int32Array;
  backwardEdge: Int32Array;
}

function makeEdges(forward: readonly number[], backward: readonly number[]): NumberedEdges {
  const forwardEdge = new Int32Array(forward.length).fill(-1);
  const backwardEdge = new Int32Array(forward.length).fill(-1);
  let count = 0;
  for (let piece = 0; piece < forward.length; piece++) {
    if (forward[piece] !== 0) forwardEdge[piece] = count++;
    if (backward[piece] !== 0) backwardEdge[piece] = count++;
  }
  const pieces = new Int32Array(count);
  const along = new Uint8Array(count);
  for (let piece = 0; piece < forward.length; piece++) {
    if (forwardEdge[piece] >= 0) {
      pieces[forwardEdge[piece]] = piece;
      along[forwardEdge[piece]] = 1;
    }
    if (backwardEdge[piece] >= 0) pieces[backwardEdge[piece]] = piece;
  }
  return {
    count,
    piece: pieces,
    along,
    original: Int32Array.from({ length: count }, (_, e) => e),
    forwardEdge,
    backwardEdge,
  };
}

function withCopies(edges: Edges, copies: readonly number[]): Edges {
  const piece = new Int32Array(edges.count + copies.length);
  const along = new Uint8Array(piece.length);
  const original = new Int32Array(piece.length);
  piece.set(edges.piece);
  along.set(edges.along);
  original.set(edges.original);
  copies.forEach((edge, i) => {
    piece[edges.count + i] = edges.piece[edge];
    along[edges.count + i] = edges.along[edge];
    original[edges.count + i] = edge;
  });
  return { count: piece.length, piece, along, original };
}
