import type { RestrictedPath, Restriction } from "./restrictions.ts";

/** The pieces and edges for resolving. Edges −1 are closed to all. */
export interface PieceView {
  start: Int32Array;
  end: Int32Array;
  /** How far one turns from an edge onto another [degrees], to the right positive, to the left negative; optional. */
  angle?: (from: number, to: number) => number;
  pieceOf: (edge: number) => number;
  /** The edge along and the edge against a piece. */
  forwardEdge: (piece: number) => number;
  backwardEdge: (piece: number) => number;
  piecesOf: (way: number) => readonly number[];
  nodeOf: (osmNode: number) => number | undefined;
}

/** Restrictions in ways and nodes → paths of directed edges. Restrictions that do not match the map are counted as broken. */
export function resolveRestrictions(
  restrictions: readonly Restriction[],
  view: PieceView,
): { paths: RestrictedPath[]; broken: number } {
  const paths: RestrictedPath[] = [];
  let broken = 0;
  for (const restriction of restrictions) {
    const found = restriction.viaWays.length > 0 ? overWays(restriction, view) : atNode(restriction, view);
    if (found.length === 0) broken++;
    for (const path of found) paths.push(path);
  }
  return { paths, broken };
}

function edgesOf(view: PieceView, way: number, node: number, arriving: boolean): number[] {
  const edges: number[] = [];
  for (const piece of view.piecesOf(way)) {
    if ((arriving ? view.end : view.start)[piece] === node) edges.push(view.forwardEdge(piece));
    if ((arriving ? view.start : view.end)[piece] === node) edges.push(view.backwardEdge(piece));
  }
  return edges.filter((edge) => edge >= 0);
}

/** A turn by less than this is to neither side [degrees]. */
const STRAIGHT_DEGREES = 15;

/**
 * Where a way continues through the junction, its restriction may mean several turns. The side in its name then decides
 * which: "no_left_turn" does not forbid the turn to the right that arrives from the other end of the way.
 */
function meant(paths: RestrictedPath[], { side }: Restriction, { angle }: PieceView): RestrictedPath[] {
  if (!side || !angle || paths.length < 2) return paths;
  const onSide = paths.filter(({ path: [from, to] }) => {
    const degrees = angle(from, to);
    return side === "left" ? degrees < -STRAIGHT_DEGREES : degrees > STRAIGHT_DEGREES;
  });
  return onSide.length > 0 ? onSide : paths;
}

function atNode(restriction: Restriction, view: PieceView): RestrictedPath[] {
  const { from, viaNode, to, only, uTurn, modes, hours } = restriction;
  const node = viaNode === undefined ? undefined : view.nodeOf(viaNode);
  if (node === undefined) return [];
  const paths: RestrictedPath[] = [];
  for (const a of from.flatMap((way) => edgesOf(view, way, node, true))) {
    for (const b of to.flatMap((way) => edgesOf(view, way, node, false))) {
      // A restriction from a way onto itself forbids turning back only if it is one of U-turns: dead ends need it.
      const back = view.pieceOf(a) === view.pieceOf(b);
      if (back && !uTurn) continue;
      paths.push({ path: [a, b], only, modes, hours });
    }
  }
  return meant(paths, restriction, view);
}

/** From the end of a way along the via ways to the target: all ways to walk them that meet, without turning back. */
function overWays({ from, viaWays, to, only, modes, hours }: Restriction, view: PieceView): RestrictedPath[] {
  const headOf = (edge: number) => {
    const piece = view.pieceOf(edge);
    return view.forwardEdge(piece) === edge ? view.end[piece] : view.start[piece];
  };
  const paths: RestrictedPath[] = [];
  const viaPieces = viaWays.map((way) => new Set(view.piecesOf(way)));
  const targets = new Map<number, number[]>();
  const targetsAt = (node: number) => {
    let list = targets.get(node);
    if (!list) {
      list = to.flatMap((way) => edgesOf(view, way, node, false));
      targets.set(node, list);
    }
    return list;
  };
  const walk = (path: number[], used: Set<number>, via: number) => {
    if (path.length > 40 || paths.length > 8) return;
    const node = headOf(path[path.length - 1]);
    if (via === viaWays.length - 1 && path.length > 1) {
      for (const target of targetsAt(node)) {
        if (!used.has(view.pieceOf(target))) paths.push({ path: [...path, target], only, modes, hours });
      }
    }
    for (const next of [via, via + 1]) {
      if (next < 0 || next >= viaWays.length) continue;
      for (const edge of edgesOf(view, viaWays[next], node, false)) {
        const piece = view.pieceOf(edge);
        if (!viaPieces[next].has(piece) || used.has(piece)) continue;
        walk([...path, edge], new Set(used).add(piece), next);
      }
    }
  };
  for (const way of from) {
    for (const piece of view.piecesOf(way)) {
      for (const edge of [view.forwardEdge(piece), view.backwardEdge(piece)]) {
        if (edge >= 0) walk([edge], new Set([piece]), -1);
      }
    }
  }
  return paths;
}
