import type { Coordinate } from "../../geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../../geo/distance.ts";
import { boxDistance2, mayComeWithin, nearest, PIECE_GROUP, pieceBoxes, project } from "../graph/pieces.ts";
import type { Tile } from "../graph/tile.ts";
import type { OverlayWindow } from "../search/overlay.ts";
import type { TileView } from "../store/tile-view.ts";

/** An edge of the path between two candidates, with its number in one of its tiles. */
export interface PathStep {
  tile: Tile;
  edge: number;
}

/** A position on a road, in one direction, where the traveler may have been at a point of the trace. */
export interface Candidate extends PathStep {
  /** From the edge's tail, 0 … 1. */
  share: number;
  location: Coordinate;
  /** Log-likelihood of measuring the point from here. */
  emission: number;
  /** Index of the same position in the other direction, among the candidates of the point; −1 if there is none. */
  twin: number;
  /** Log-likelihood of the best path to here; −Infinity before one is found. */
  score: number;
  /** Index of the candidate of the previous point where that path starts, or −1. */
  from: number;
  /** Edges entered since then, the last is this one; empty: still on the same edge. */
  path: readonly PathStep[];
  /** The traveler reached this by a U-turn, from the twin. */
  turned: boolean;
}

interface Nearby {
  view: TileView;
  piece: number;
  share: number;
  y: number;
  x: number;
  distance2: number;
}

/**
 * Candidates for a point: the `most` nearest pieces of road within `radius` [m] that the window's mode may use, in each
 * direction it may. `sigma`: standard deviation of the measurement [m].
 */
export function candidatesFor(
  window: OverlayWindow,
  tiles: Iterable<number>,
  point: Coordinate,
  sigma: number,
  radius: number,
  most: number,
): Candidate[] {
  const near: Nearby[] = [];
  for (const index of tiles) {
    const view = window.viewOfTile.get(index);
    if (view !== undefined) collect(window.views[view], point, radius, near);
  }
  near.sort((a, b) => a.distance2 - b.distance2);
  const candidates: Candidate[] = [];
  const crossings = new Set<number>();
  let pieces = 0;
  for (const { view, piece, share, y, x, distance2 } of near) {
    const { tile, arcs } = view;
    const forward = tile.forwardEdge(piece);
    const backward = tile.backwardEdge(piece);
    // A piece between tiles is in both of them.
    const id = tile.crossingOf(forward >= 0 ? forward : backward);
    if (id >= 0) {
      if (crossings.has(id)) continue;
      crossings.add(id);
    }
    if (++pieces > most) break;
    const location = { latitude: y / 1e6, longitude: x / 1e6 };
    const emission = (-0.5 * distance2) / (sigma * sigma);
    const there = forward >= 0 && arcs.duration[forward] > 0;
    const back = backward >= 0 && arcs.duration[backward] > 0;
    const at = candidates.length;
    const common = { tile, location, emission, score: Number.NEGATIVE_INFINITY, from: -1, path: [], turned: false };
    if (there) candidates.push({ ...common, edge: forward, share, twin: back ? at + 1 : -1 });
    if (back) candidates.push({ ...common, edge: backward, share: 1 - share, twin: there ? at : -1 });
  }
  return candidates;
}

function collect(view: TileView, point: Coordinate, radius: number, found: Nearby[]): void {
  const { tile, arcs } = view;
  const { groups, quarters } = pieceBoxes(tile);
  const y = point.latitude * 1e6;
  const x = point.longitude * 1e6;
  const ky = METRES_PER_DEGREE / 1e6;
  const kx = ky * Math.cos(point.latitude * RADIANS);
  const bound = radius * radius;
  for (let group = 0; group * 4 < groups.length; group++) {
    if (group % PIECE_GROUP === 0 && boxDistance2(quarters, (group / PIECE_GROUP) * 4, y, x, ky, kx) > bound) {
      group += PIECE_GROUP - 1;
      continue;
    }
    if (boxDistance2(groups, group * 4, y, x, ky, kx) > bound) continue;
    const last = Math.min(tile.pieceCount, (group + 1) * PIECE_GROUP);
    for (let piece = group * PIECE_GROUP; piece < last; piece++) {
      if (!mayComeWithin(tile, piece, y, x, ky, kx, radius)) continue;
      const forward = tile.forwardEdge(piece);
      const backward = tile.backwardEdge(piece);
      if (!(forward >= 0 && arcs.duration[forward] > 0) && !(backward >= 0 && arcs.duration[backward] > 0)) continue;
      if (project(tile, piece, y, x, ky, kx) <= bound) {
        found.push({ view, piece, share: nearest.share, y: nearest.y, x: nearest.x, distance2: nearest.distance2 });
      }
    }
  }
}
