import type { Coordinate } from "../../geo/coordinate.ts";
import { arcBetween } from "../graph/arcs.ts";
import type { Tile } from "../graph/tile.ts";
import type { TileView } from "../store/tile-view.ts";
import type { OverlayPath } from "./search.ts";
import type { Stretch } from "./unpack.ts";

/** One edge of a path, or the part of it that is travelled. */
export interface PathEdge {
  /** The tile of the turn onto this edge (for the first edge: of the turn after it). */
  view: TileView;
  edge: number;
  /** Part of the edge, counted in its direction: 0 ≤ from ≤ to ≤ 1. */
  from: number;
  to: number;
  /** With the turn onto it [s]. */
  duration: number;
  /** [m]. */
  distance: number;
  /** For `lineOf`. */
  line?: Coordinate[];
}

/** A path through the network from a snapped point to another. */
export interface Path {
  edges: PathEdge[];
  /** The turn from edges[i] to edges[i + 1] is in this view, with these edges joined by this arc. */
  turns: { view: TileView; from: number; to: number; arc: number }[];
  /** The minimized weight [0.1 s]. */
  weight: number;
  /** [s] */
  duration: number;
  /** [m] */
  distance: number;
}

/** Joins the stretches of an unpacked path and sums the cost of each edge. */
export function assemblePath(found: OverlayPath, stretches: readonly Stretch[]): Path {
  const { start, end } = found;
  const edges: PathEdge[] = [];
  const turns: Path["turns"] = [];
  const first = stretches[0].view;
  const direct = found.hops.length === 0;
  const push = (view: TileView, edge: number, turn: number, from: number, to: number) => {
    const share = to - from;
    edges.push({
      view,
      edge,
      from,
      to,
      duration: (turn + view.arcs.duration[edge] * share) / 10,
      distance: (view.tile.lengthOf(edge) * share) / 10,
      line: undefined,
    });
  };
  push(first, start.edge, 0, start.share, direct ? end.share : 1);
  for (const { view, edges: run } of stretches) {
    for (let i = 1; i < run.length; i++) {
      const arc = arcBetween(view.arcs, run[i - 1], run[i]);
      if (arc < 0) throw new Error(`tile ${view.tile.index}: edge ${run[i]} does not follow edge ${run[i - 1]}`);
      push(view, run[i], view.arcs.turnDuration[view.arcs.turn[arc]], 0, 1);
      turns.push({ view, from: run[i - 1], to: run[i], arc });
    }
  }
  if (!direct) {
    const last = edges[edges.length - 1];
    last.to = end.share;
    last.duration -= (last.view.arcs.duration[last.edge] * (1 - end.share)) / 10;
    last.distance *= end.share;
  }
  let duration = 0;
  let distance = 0;
  for (const edge of edges) {
    duration += edge.duration;
    distance += edge.distance;
  }
  return { edges, turns, weight: found.weight, duration, distance };
}

/** The line of an edge, or of a part of it, in its direction. At least two points. */
export function edgeGeometry(tile: Tile, edge: number, from = 0, to = 1): Coordinate[] {
  const points = wholeLine(tile, tile.pieceOf(edge), tile.isAlong(edge));
  return from === 0 && to === 1 ? points : partOfLine(points, from, to);
}

/** The line of a piece, along it or against it. Its length is known: arrays that grow are copied several times. */
function wholeLine(tile: Tile, piece: number, along: boolean): Coordinate[] {
  const { latitude, longitude, shapeNorth, shapeEast, shapeFirst } = tile;
  const start = tile.startOf(piece);
  const end = tile.endOf(piece);
  const first = shapeFirst[piece];
  const count = shapeFirst[piece + 1] - first;
  const points = new Array<Coordinate>(count + 2);
  const step = along ? 1 : -1;
  let at = along ? 0 : count + 1;
  let y = latitude[start];
  let x = longitude[start];
  points[at] = { latitude: y / 1e6, longitude: x / 1e6 };
  for (let i = first; i < first + count; i++) {
    y += shapeNorth[i];
    x += shapeEast[i];
    at += step;
    points[at] = { latitude: y / 1e6, longitude: x / 1e6 };
  }
  points[at + step] = { latitude: latitude[end] / 1e6, longitude: longitude[end] / 1e6 };
  return points;
}

/** The part of a line between two shares of its length. */
function partOfLine(points: readonly Coordinate[], from: number, to: number): Coordinate[] {
  const cos = Math.cos((points[0].latitude * Math.PI) / 180);
  const lengths = points.map((point, i) =>
    i === 0
      ? 0
      : Math.hypot(point.latitude - points[i - 1].latitude, (point.longitude - points[i - 1].longitude) * cos),
  );
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const at = (target: number): Coordinate => {
    let walked = 0;
    for (let i = 1; i < points.length; i++) {
      if (walked + lengths[i] >= target || i === points.length - 1) {
        const share = lengths[i] > 0 ? Math.max(0, Math.min(1, (target - walked) / lengths[i])) : 0;
        const a = points[i - 1];
        const b = points[i];
        return {
          latitude: round6(a.latitude + (b.latitude - a.latitude) * share),
          longitude: round6(a.longitude + (b.longitude - a.longitude) * share),
        };
      }
      walked += lengths[i];
    }
    return points[points.length - 1];
  };
  const line = [at(from * total)];
  let walked = 0;
  for (let i = 1; i < points.length - 1; i++) {
    walked += lengths[i];
    if (walked > from * total && walked < to * total) line.push(points[i]);
  }
  line.push(at(to * total));
  return line;
}

const round6 = (degrees: number) => Math.round(degrees * 1e6) / 1e6;

/** The line of an edge of a path, computed once. */
export function lineOf(part: PathEdge): Coordinate[] {
  part.line ??= edgeGeometry(part.view.tile, part.edge, part.from, part.to);
  return part.line;
}

/** The whole line of a path, junction points once. */
export function pathGeometry({ edges }: Path): Coordinate[] {
  let most = 0;
  for (const edge of edges) most += lineOf(edge).length;
  const line = new Array<Coordinate>(most);
  let count = 0;
  let last: Coordinate | undefined;
  for (const edge of edges) {
    for (const point of lineOf(edge)) {
      if (last && last.latitude === point.latitude && last.longitude === point.longitude) continue;
      line[count++] = point;
      last = point;
    }
  }
  if (count === 1) line[count++] = line[0];
  line.length = count;
  return line;
}
