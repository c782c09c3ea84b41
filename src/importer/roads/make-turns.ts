import { CAR } from "../../routing/modes.ts";
import type { TurnException } from "../../routing/topology.ts";
import { BEARING_STEPS } from "../../routing/turn-cost.ts";
import type { CollectedRoads } from "./collected-roads.ts";
import type { NumberedEdges } from "./make-edges.ts";
import type { Pieces } from "./make-pieces.ts";
import { resolveRestrictions } from "./resolve-restrictions.ts";
import { type RestrictedPath, restrictTurns } from "./restrictions.ts";
import { closedAcrossRings } from "./roundabout-turns.ts";

const HALF_TURN = BEARING_STEPS / 2;

/**
 * Phase three: what restrictions and roundabouts say of turns, as exceptions of the general rule (`buildArcs`), and the
 * copies of edges this takes: for each the edge it copies. `broken`: restrictions that fit no road.
 */
export function makeTurns(
  source: CollectedRoads,
  pieces: Pieces,
  edges: NumberedEdges,
): { exceptions: TurnException[]; copies: number[]; broken: number } {
  const { start, end } = pieces;
  const tailOf = (edge: number) => (edges.along[edge] ? start : end)[edges.piece[edge]];
  const headOf = (edge: number) => (edges.along[edge] ? end : start)[edges.piece[edge]];
  const leavingNode: number[][] = pieces.nodeLatitude.map(() => []);
  for (let edge = 0; edge < edges.count; edge++) leavingNode[tailOf(edge)].push(edge);
  const { paths, broken } = resolveRestrictions(source.restrictions, {
    start,
    end,
    forwardEdge: edges.forwardEdge,
    backwardEdge: edges.backwardEdge,
    piecesOfWay: pieces.piecesOfWay,
    nodeOf: (id) => {
      const number = source.numbers.get(id);
      return number === undefined ? undefined : pieces.nodeOf.get(number);
    },
  });
  const restricted = paths.concat(acrossRings(pieces, edges, tailOf, headOf));
  return { ...restrictTurns(restricted, edges.count, (edge) => leavingNode[headOf(edge)]), broken };
}

function acrossRings(
  pieces: Pieces,
  edges: NumberedEdges,
  tail: (edge: number) => number,
  head: (edge: number) => number,
): RestrictedPath[] {
  const { forward, backward, bearingStart, bearingEnd } = pieces;
  const isOpenToCars = (profile: number) => pieces.profiles[profile].passages[CAR].speed > 0;
  return closedAcrossRings({
    count: edges.count,
    tail,
    head,
    onRing: (edge) => {
      const piece = edges.piece[edge];
      const ring = pieces.records[pieces.record[piece]].junction !== undefined;
      const [own, other] = edges.along[edge] ? [forward, backward] : [backward, forward];
      return ring && isOpenToCars(own[piece]) && !isOpenToCars(other[piece]);
    },
    sameRoad: (a, b) => edges.piece[a] === edges.piece[b],
    bearingOut: (edge) =>
      edges.along[edge] ? bearingStart[edges.piece[edge]] : bearingEnd[edges.piece[edge]] + HALF_TURN,
    bearingIn: (edge) =>
      edges.along[edge] ? bearingEnd[edges.piece[edge]] : bearingStart[edges.piece[edge]] + HALF_TURN,
  });
}
