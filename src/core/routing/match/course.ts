import type { Coordinate } from "../../geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../../geo/distance.ts";
import type { Steps } from "../../geo/steps.ts";
import type { Tile } from "../graph/tile.ts";
import { edgeGeometry } from "../search/path.ts";
import type { Candidate } from "./candidates.ts";
import type { Fix, TracePoint } from "./trace.ts";

/** Position on the roads of a point of the trace. */
export interface MatchedPoint {
  /** Its number in the trace. */
  index: number;
  location: Coordinate;
}

/** A part of an edge that was travelled; shares from its tail, 0 ≤ from ≤ to ≤ 1. */
export interface Stretch {
  tile: Tile;
  edge: number;
  from: number;
  to: number;
  /** Points of the trace on it: number and share, in the order travelled. */
  points: { index: number; share: number }[];
}

/** An unbroken path along roads. */
export interface Course {
  stretches: Stretch[];
  line: Coordinate[];
  /** [m] */
  distance: number;
}

/** Position of a point on the course. */
interface Position {
  stretch: number;
  share: number;
}

/** Cost of a stretch, its line included [units of a pace]. */
const STRETCH_COST = 2;

/** Joins the paths between the chosen candidates, and places every point of the trace on them, in steps. */
export function* layCourse(
  chain: readonly { arrived: Candidate; left: Candidate }[],
  fixes: readonly Fix[],
  trace: readonly TracePoint[],
): Steps<{ course: Course; points: MatchedPoint[] }> {
  const stretches: Stretch[] = [];
  const positions: Position[] = [];
  const begin = (tile: Tile, edge: number, from: number, to: number) => {
    stretches.push({ tile, edge, from, to, points: [] });
    return stretches[stretches.length - 1];
  };
  let current = begin(chain[0].left.tile, chain[0].left.edge, chain[0].left.share, chain[0].left.share);
  positions.push({ stretch: 0, share: chain[0].left.share });
  for (const { arrived, left } of chain.slice(1)) {
    const { path } = arrived;
    if (path.length > 0) {
      current.to = 1;
      for (const { tile, edge } of path.slice(0, -1)) begin(tile, edge, 0, 1);
      const last = path[path.length - 1];
      current = begin(last.tile, last.edge, 0, arrived.share);
    } else current.to = Math.max(current.to, arrived.share);
    positions.push({ stretch: stretches.length - 1, share: Math.max(current.from, arrived.share) });
    if (left !== arrived) current = begin(left.tile, left.edge, left.share, left.share);
  }

  const matched: MatchedPoint[] = [];
  for (const [i, { points }] of fixes.entries()) {
    yield STRETCH_COST;
    if (points.length === 1) {
      matched.push({ index: points[0], location: chain[i].arrived.location });
      stretches[positions[i].stretch].points.push({ index: points[0], share: positions[i].share });
      continue;
    }
    const parts = partsBetween(stretches, positions[i - 1] ?? positions[i], positions[i + 1] ?? positions[i]);
    for (const index of points) {
      const { stretch, share, location } = nearestPosition(parts, trace[index]);
      matched.push({ index, location });
      stretches[stretch].points.push({ index, share });
      yield parts.length * STRETCH_COST;
    }
  }
  for (const { points } of stretches) points.sort((a, b) => a.share - b.share || a.index - b.index);
  return { course: { stretches, line: yield* lineOf(stretches), distance: lengthOf(stretches) }, points: matched };
}

function lengthOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { tile, edge, from, to }) => sum + (tile.lengthOf(edge) * (to - from)) / 10, 0);
}

function* lineOf(stretches: readonly Stretch[]): Steps<Coordinate[]> {
  const line: Coordinate[] = [];
  for (const { tile, edge, from, to } of stretches) {
    yield STRETCH_COST;
    for (const point of edgeGeometry(tile, edge, from, to)) {
      const last = line[line.length - 1];
      if (!last || last.latitude !== point.latitude || last.longitude !== point.longitude) line.push(point);
    }
  }
  if (line.length === 1) line.push(line[0]);
  return line;
}

/** A piece of the course as a line whose ends have shares. */
interface Part {
  stretch: number;
  from: number;
  to: number;
  line: Coordinate[];
}

function partsBetween(stretches: readonly Stretch[], a: Position, b: Position): Part[] {
  const parts: Part[] = [];
  for (let i = a.stretch; i <= b.stretch; i++) {
    const { tile, edge, from: first, to: last } = stretches[i];
    const from = i === a.stretch ? a.share : first;
    const to = i === b.stretch ? Math.max(from, b.share) : Math.max(from, last);
    parts.push({ stretch: i, from, to, line: edgeGeometry(tile, edge, from, to) });
  }
  return parts;
}

function nearestPosition(parts: readonly Part[], point: Coordinate): Position & { location: Coordinate } {
  const ky = METRES_PER_DEGREE;
  const kx = ky * Math.cos(point.latitude * RADIANS);
  let least = Number.POSITIVE_INFINITY;
  let position = { stretch: parts[0].stretch, share: parts[0].from, location: parts[0].line[0] };
  for (const { stretch, from, to, line } of parts) {
    const segments = line.slice(1).map((end, i) => {
      const start = line[i];
      return { start, dy: (end.latitude - start.latitude) * ky, dx: (end.longitude - start.longitude) * kx };
    });
    const total = segments.reduce((sum, { dy, dx }) => sum + Math.hypot(dy, dx), 0);
    let walked = 0;
    for (const { start, dy, dx } of segments) {
      const py = (point.latitude - start.latitude) * ky;
      const px = (point.longitude - start.longitude) * kx;
      const length2 = dy * dy + dx * dx;
      const share = length2 > 0 ? Math.min(1, Math.max(0, (py * dy + px * dx) / length2)) : 0;
      const off = Math.hypot(py - share * dy, px - share * dx);
      if (off < least) {
        least = off;
        const along = total > 0 ? (walked + share * Math.sqrt(length2)) / total : 0;
        const location = {
          latitude: start.latitude + (share * dy) / ky,
          longitude: start.longitude + (share * dx) / kx,
        };
        position = { stretch, share: from + (to - from) * along, location };
      }
      walked += Math.sqrt(length2);
    }
  }
  return position;
}
