import { arcBetween } from "../graph/arcs.ts";
import type { Metric } from "../graph/modes.ts";
import type { Tile } from "../graph/tile.ts";
import type { Path } from "../search/path.ts";
import type { RoadStore } from "../store/road-store.ts";
import type { Course } from "./course.ts";

/** A point of the trace on its course. */
export interface CoursePoint {
  /** Its number in the trace. */
  index: number;
  stretch: number;
  /** Share of the stretch's edge. */
  share: number;
}

/** The points of a course in the order of the trace. A point that lies behind the one before it is moved to that one. */
export function pointsOn({ stretches }: Course): CoursePoint[] {
  const points = stretches.flatMap((one, stretch) => one.points.map(({ index, share }) => ({ index, stretch, share })));
  points.sort((a, b) => a.index - b.index);
  for (let i = 1; i < points.length; i++) {
    const [before, point] = [points[i - 1], points[i]];
    const isBehind = point.stretch < before.stretch || (point.stretch === before.stretch && point.share < before.share);
    if (isBehind) Object.assign(point, { stretch: before.stretch, share: before.share });
  }
  return points;
}

/**
 * A part of a course as paths, each of which continues where the previous one ended: one, or more where the traveler
 * turned round between two junctions, where no turn is known.
 */
export function coursePaths(
  store: RoadStore,
  metric: Metric,
  { stretches }: Course,
  from: CoursePoint,
  to: CoursePoint,
): Path[] {
  const paths: Path[] = [];
  let path: Path | undefined;
  for (let i = from.stretch; i <= to.stretch; i++) {
    const { tile, edge, ...whole } = stretches[i];
    const begin = i === from.stretch ? from.share : whole.from;
    const end = Math.max(begin, i === to.stretch ? to.share : whole.to);
    const view = store.view(tile, metric);
    const last = path?.edges[path.edges.length - 1];
    const isJunction = last?.to === 1 && begin === 0;
    const turn = isJunction && turnBetween(store, metric, last.view.tile, last.edge, tile, edge);
    if (!path || !turn) {
      path = { edges: [], turns: [], weight: 0, duration: 0, distance: 0 };
      paths.push(path);
    } else path.turns.push(turn);
    const share = end - begin;
    const cost = turn ? turn.view.arcs.turnDuration[turn.view.arcs.turn[turn.arc]] : 0;
    const duration = (cost + view.arcs.duration[edge] * share) / 10;
    const distance = (tile.lengthOf(edge) * share) / 10;
    path.edges.push({ view, edge, from: begin, to: end, duration, distance, line: undefined });
    path.duration += duration;
    path.distance += distance;
    path.weight += duration * 10;
  }
  return paths;
}

/** The turn from an edge to the next, in the tile of the junction between them; undefined if there is none. */
function turnBetween(
  store: RoadStore,
  metric: Metric,
  tile: Tile,
  edge: number,
  nextTile: Tile,
  next: number,
): Path["turns"][number] | undefined {
  const head = tile.headOf(edge);
  const at = head < tile.insideCount ? tile : store.tileAtHand(tile.outsideTile[head - tile.insideCount]);
  if (!at) return undefined;
  const from = at === tile ? edge : at.entering[tile.crossingOf(edge) - at.firstEntering];
  // An edge that leaves a tile has a number in it, and another one in the tile where it ends.
  const to = at === nextTile ? next : leavingEdge(at, nextTile, next);
  if (to < 0) return undefined;
  const view = store.view(at, metric);
  const arc = arcBetween(view.arcs, from, to);
  return arc < 0 ? undefined : { view, from, to, arc };
}

/** The number in `tile` of an edge that ends in `other`; -1 if it does not begin in `tile`. */
function leavingEdge(tile: Tile, other: Tile, edge: number): number {
  const crossing = other.crossingOf(edge);
  return crossing < 0 ? -1 : (tile.leaving?.get(crossing) ?? -1);
}
