import { CAR } from "../../../../core/routing/graph/modes.ts";
import type { TurnException } from "../../../../core/routing/graph/topology.ts";
import { BEARING_STEPS } from "../../../../core/routing/graph/turn-cost.ts";
import { DEEPEST, type RoadsAround } from "../turns/blind-roads.ts";
import { type PieceView, resolveRestrictions } from "../turns/resolve-restrictions.ts";
import { type RestrictedPath, restrictTurns } from "../turns/restrictions.ts";
import { closedAcrossRings } from "../turns/roundabout-turns.ts";
import type { CollectedRoads } from "./collected-roads.ts";
import type { EdgeColumns } from "./make-edges.ts";
import { MeetingPieces } from "./meeting-pieces.ts";
import type { Pieces } from "./piece-columns.ts";

const HALF_TURN = BEARING_STEPS / 2;

/** Turns after restrictions and roundabouts. */
interface Turns {
  /** Of the general rule (`buildArcs`). */
  exceptions: TurnException[];
  /** Copies of edges this takes: for each the edge it copies. */
  copies: number[];
  /** Restrictions that fit no road. */
  broken: number;
  /** Turns over several roads that are not restricted, because there would be too many copies. */
  unfollowed: number;
}

/** Phase three. */
export function makeTurns(source: CollectedRoads, pieces: Pieces, edges: EdgeColumns): Turns {
  const { start, end } = pieces;
  const tailOf = (edge: number) => (edges.along[edge] ? start : end)[edges.piece[edge]];
  const headOf = (edge: number) => (edges.along[edge] ? end : start)[edges.piece[edge]];
  const { paths, broken } = resolveRestrictions(source.restrictions, pieceView(source, pieces, edges));
  const passable = paths.map((path) => boundModes(path, pieces, edges, headOf)).filter(({ modes }) => modes !== 0);
  for (const path of acrossRings(pieces, edges, tailOf, headOf)) passable.push(path);
  for (const path of pastBarriers(pieces, edges)) passable.push(path);
  return { ...restrictTurns(passable, edges.count, roadsAround(passable, pieces, edges, headOf)), broken };
}

/** The pieces and edges as relations name them. */
export function pieceView(source: CollectedRoads, pieces: Pieces, edges: EdgeColumns): PieceView {
  const bearings = bearingsOf(pieces, edges);
  return {
    start: pieces.start,
    end: pieces.end,
    angle: (from, to) => {
      const [before, after] = [bearings.bearingIn(from), bearings.bearingOut(to)];
      const steps = ((after - before + HALF_TURN) & (BEARING_STEPS - 1)) - HALF_TURN;
      return (steps * 360) / BEARING_STEPS;
    },
    pieceOf: (edge) => edges.piece[edge],
    forwardEdge: (piece) => edges.forwardOf(piece),
    backwardEdge: (piece) => edges.backwardOf(piece),
    piecesOf: (way) => pieces.piecesOfWay.get(way) ?? [],
    nodeOf: (id) => {
      const junction = source.nodes.junctionAt(source.nodes.numberOf(id));
      return junction < 0 ? undefined : junction;
    },
  };
}

/** The turns past barriers that are closed at some hours, as restrictions. The way back stays open. */
function pastBarriers({ timedBarriers, nodeCount, start, end }: Pieces, edges: EdgeColumns): RestrictedPath[] {
  if (timedBarriers.length === 0) return [];
  const paths: RestrictedPath[] = [];
  const nodes = Int32Array.from(timedBarriers, ({ node }) => node).sort();
  const meeting = new MeetingPieces(nodes, nodeCount, start, end);
  for (const { node, closed } of timedBarriers) {
    const pieces = Array.from(meeting.at(node));
    const ends = (isEnd: (piece: number, forward: boolean) => boolean) =>
      pieces
        .flatMap((piece) => [
          isEnd(piece, true) ? edges.forwardOf(piece) : -1,
          isEnd(piece, false) ? edges.backwardOf(piece) : -1,
        ])
        .filter((edge) => edge >= 0);
    const arriving = ends((piece, forward) => (forward ? end : start)[piece] === node);
    const leaving = ends((piece, forward) => (forward ? start : end)[piece] === node);
    for (const from of arriving) {
      for (const to of leaving) {
        if (edges.piece[from] === edges.piece[to]) continue;
        for (const { modes, hours } of closed) paths.push({ path: [from, to], only: false, modes, hours });
      }
    }
  }
  return paths;
}

/** An "only" restriction does not bind modes that cannot follow it: they would have no way on. */
function boundModes(
  restricted: RestrictedPath,
  { nodeBlocked, profiles, forward, backward }: Pieces,
  edges: EdgeColumns,
  headOf: (edge: number) => number,
): RestrictedPath {
  const { path, only } = restricted;
  if (!only) return restricted;
  let { modes } = restricted;
  for (let i = 1; i < path.length; i++) {
    const piece = edges.piece[path[i]];
    const { passages } = profiles[(edges.along[path[i]] ? forward : backward)[piece]];
    modes &= ~nodeBlocked[headOf(path[i - 1])];
    for (let mode = 0; mode < passages.length; mode++) if (passages[mode].speed <= 0) modes &= ~(1 << mode);
  }
  return { ...restricted, modes };
}

/** The roads around the junctions of paths; where a path leads over several roads, their side roads too. */
function roadsAround(
  paths: readonly RestrictedPath[],
  { start, end, nodeCount, nodeBlocked, forward, backward, profiles }: Pieces,
  edges: EdgeColumns,
  headOf: (edge: number) => number,
): RoadsAround {
  const heads = new Set<number>();
  const between = new Set<number>();
  for (const { path } of paths) {
    for (let i = 0; i + 1 < path.length; i++) heads.add(headOf(path[i]));
    for (let i = 1; i + 2 < path.length; i++) between.add(headOf(path[i]));
  }
  const near = nodesNear(between, nodeCount, start, end, DEEPEST);
  for (const node of near) heads.add(node);
  const meeting = new MeetingPieces(Int32Array.from(heads).sort(), nodeCount, start, end);
  const leaving = (edge: number) => {
    const node = headOf(edge);
    const found: number[] = [];
    for (const piece of meeting.at(node)) {
      if (start[piece] === node) found.push(edges.forwardOf(piece));
      if (end[piece] === node) found.push(edges.backwardOf(piece));
    }
    return found.filter((next) => next >= 0);
  };
  return {
    leaving,
    onward: (edge, mode) => {
      const node = headOf(edge);
      if (!near.has(node)) return undefined;
      return leaving(edge).filter((next) => {
        const piece = edges.piece[next];
        const profile = profiles[(edges.along[next] ? forward : backward)[piece]];
        const isPassable = (nodeBlocked[node] & (1 << mode)) === 0 || piece === edges.piece[edge];
        return isPassable && profile.passages[mode].speed > 0;
      });
    },
  };
}

/** The junctions within `steps` pieces of some. Once through all pieces for each step: no table of the whole graph is created for a few. */
function nodesNear(
  from: ReadonlySet<number>,
  nodeCount: number,
  start: Int32Array,
  end: Int32Array,
  steps: number,
): Set<number> {
  const near = new Set(from);
  if (near.size === 0) return near;
  const isNear = new Uint8Array(nodeCount);
  for (const node of near) isNear[node] = 1;
  for (let step = 0; step < steps; step++) {
    const reached: number[] = [];
    for (let piece = 0; piece < start.length; piece++) {
      const [a, b] = [start[piece], end[piece]];
      if (isNear[a] !== isNear[b]) reached.push(isNear[a] === 1 ? b : a);
    }
    for (const node of reached) {
      isNear[node] = 1;
      near.add(node);
    }
  }
  return near;
}

function acrossRings(
  pieces: Pieces,
  edges: EdgeColumns,
  tail: (edge: number) => number,
  head: (edge: number) => number,
): RestrictedPath[] {
  const { forward, backward } = pieces;
  const isOpenToCars = pieces.profiles.map(({ passages }) => passages[CAR].speed > 0);
  return closedAcrossRings({
    count: edges.count,
    tail,
    head,
    onRing: (edge) => {
      const piece = edges.piece[edge];
      if (!pieces.records.isRing(pieces.record[piece])) return false;
      const [own, other] = edges.along[edge] ? [forward, backward] : [backward, forward];
      return isOpenToCars[own[piece]] && !isOpenToCars[other[piece]];
    },
    sameRoad: (a, b) => edges.piece[a] === edges.piece[b],
    ...bearingsOf(pieces, edges),
  });
}

/** Bearings at which an edge leaves its tail, and arrives at its head [BEARING_STEPS]. */
function bearingsOf({ bearingStart, bearingEnd }: Pieces, edges: EdgeColumns) {
  return {
    bearingOut: (edge: number) =>
      edges.along[edge] ? bearingStart[edges.piece[edge]] : bearingEnd[edges.piece[edge]] + HALF_TURN,
    bearingIn: (edge: number) =>
      edges.along[edge] ? bearingEnd[edges.piece[edge]] : bearingStart[edges.piece[edge]] + HALF_TURN,
  };
}
