import type { Coordinate } from "../geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../geo/distance.ts";
import { isStartable } from "./arcs.ts";
import type { RoadStore } from "./road-store.ts";
import type { Tile } from "./tile.ts";

/** A place on a piece of road near a point that was asked for. */
export interface Snap {
  tile: Tile;
  piece: number;
  /** Share of the piece's length from its start, 0 … 1. */
  share: number;
  location: Coordinate;
  /** From the point to the road [m]. */
  distance: number;
  /** Directions that may be travelled from or to here. */
  forward: boolean;
  backward: boolean;
  /** On a small part of the network cut off from the rest. */
  island: boolean;
}

export interface SnapOptions {
  mode: number;
  /** How far a road may lie [m]. */
  reach?: number;
  /** Only roads that can be travelled within ±60° of this bearing [degrees]. */
  heading?: number;
}

/** Farther than this nobody means the road [m]. */
export const SNAP_REACH = 5000;
const FIRST_REACH = 70;
/** Roads this much farther than the nearest are the same place: the ends of several roads at a junction [m]. */
const SAME_PLACE = 0.05;
const HEADING_TOLERANCE = 60;
const MAX_SNAPS = 8;

/** Snaps of one point: the nearest roads, and the nearest on the mainland, which differ only near a small island. */
export interface Snaps {
  nearest: Snap[];
  mainland: Snap[];
}

/**
 * The nearest roads to a point that a mode may start on. Reads the tiles around the point, and farther ones only while
 * a nearer road may still lie there. Both lists are empty when no road lies within reach.
 */
export async function snap(store: RoadStore, point: Coordinate, options: SnapOptions): Promise<Snaps> {
  const reach = options.reach ?? SNAP_REACH;
  const found: Snap[] = [];
  const seen = new Set<number>();
  for (let radius = Math.min(FIRST_REACH, reach); ; ) {
    for (const tile of await tilesAround(store, point, radius)) {
      if (seen.has(tile.index)) continue;
      seen.add(tile.index);
      snapInTile(tile, point, options, reach, found);
    }
    found.sort((a, b) => a.distance - b.distance);
    const mainland = found.find(({ island }) => !island);
    if (radius >= reach || (mainland && mainland.distance <= radius)) break;
    // A road found beyond the radius bounds where a nearer one may lie; without one the circle grows.
    radius = Math.min(reach, mainland ? mainland.distance : radius * 3);
  }
  return { nearest: samePlace(found), mainland: samePlace(found.filter(({ island }) => !island)) };
}

async function tilesAround(store: RoadStore, point: Coordinate, radius: number): Promise<Tile[]> {
  const reach = (radius / METRES_PER_DEGREE) * 1e6;
  const wide = reach / Math.max(0.01, Math.cos(point.latitude * RADIANS));
  const near = store.manifest.tilesNear(point.latitude * 1e6, point.longitude * 1e6, reach, wide);
  return Promise.all([...near].sort((a, b) => a - b).map((index) => store.tileAtHand(index) ?? store.tile(index)));
}

function samePlace(snaps: readonly Snap[]): Snap[] {
  if (snaps.length === 0) return [];
  const bound = snaps[0].distance + SAME_PLACE;
  return distinct(snaps.filter(({ distance }) => distance <= bound)).slice(0, MAX_SNAPS);
}

/** A piece that crosses a tile's border is found in both tiles; once is enough. */
function distinct(snaps: readonly Snap[]): Snap[] {
  const kept: Snap[] = [];
  for (const one of snaps) {
    const crosses =
      one.tile.pieceStart[one.piece] >= one.tile.insideCount || one.tile.pieceEnd[one.piece] >= one.tile.insideCount;
    const twin =
      crosses &&
      kept.some(
        (other) =>
          other.tile !== one.tile &&
          other.distance === one.distance &&
          other.share === one.share &&
          crossingOf(other) === crossingOf(one),
      );
    if (!twin) kept.push(one);
  }
  return kept;
}

function crossingOf({ tile, piece }: Snap): number {
  const edge = tile.forwardEdge[piece] >= 0 ? tile.forwardEdge[piece] : tile.backwardEdge[piece];
  return tile.crossing[edge];
}

/** Boxes around the pieces of a tile, and around every 16 of them (they lie in the order of a space-filling curve). */
interface Boxes {
  /** south, west, north, east of piece p at 4 p [1e-6 degrees]. */
  pieces: Int32Array;
  groups: Int32Array;
}

const GROUP = 16;
const boxesOf = new WeakMap<Tile, Boxes>();

function boxes(tile: Tile): Boxes {
  let known = boxesOf.get(tile);
  if (known) return known;
  const pieces = new Int32Array(tile.pieceCount * 4);
  const groups = new Int32Array(Math.ceil(tile.pieceCount / GROUP) * 4);
  for (let piece = 0; piece < tile.pieceCount; piece++) {
    const a = tile.pieceStart[piece];
    const b = tile.pieceEnd[piece];
    let south = Math.min(tile.latitude[a], tile.latitude[b]);
    let north = Math.max(tile.latitude[a], tile.latitude[b]);
    let west = Math.min(tile.longitude[a], tile.longitude[b]);
    let east = Math.max(tile.longitude[a], tile.longitude[b]);
    for (let i = tile.shapeFirst[piece]; i < tile.shapeFirst[piece + 1]; i++) {
      south = Math.min(south, tile.shapeLatitude[i]);
      north = Math.max(north, tile.shapeLatitude[i]);
      west = Math.min(west, tile.shapeLongitude[i]);
      east = Math.max(east, tile.shapeLongitude[i]);
    }
    pieces.set([south, west, north, east], piece * 4);
    const at = Math.floor(piece / GROUP) * 4;
    if (piece % GROUP === 0) groups.set([south, west, north, east], at);
    else {
      groups[at] = Math.min(groups[at], south);
      groups[at + 1] = Math.min(groups[at + 1], west);
      groups[at + 2] = Math.max(groups[at + 2], north);
      groups[at + 3] = Math.max(groups[at + 3], east);
    }
  }
  known = { pieces, groups };
  boxesOf.set(tile, known);
  return known;
}

/** Adds to `found` the pieces of a tile within `reach` of the point that the mode may start on. */
function snapInTile(tile: Tile, point: Coordinate, options: SnapOptions, reach: number, found: Snap[]): void {
  const { pieces, groups } = boxes(tile);
  const y = point.latitude * 1e6;
  const x = point.longitude * 1e6;
  const ky = METRES_PER_DEGREE / 1e6;
  const kx = ky * Math.cos(point.latitude * RADIANS);
  // Far roads are of no use once enough near ones are known; a new find within the last reach is always kept.
  let bound = reach * reach;
  const isFar = (list: Int32Array, at: number) => {
    const dy = y < list[at] ? list[at] - y : y > list[at + 2] ? y - list[at + 2] : 0;
    const dx = x < list[at + 1] ? list[at + 1] - x : x > list[at + 3] ? x - list[at + 3] : 0;
    return dy * dy * ky * ky + dx * dx * kx * kx > bound;
  };
  for (let group = 0; group * 4 < groups.length; group++) {
    if (isFar(groups, group * 4)) continue;
    const last = Math.min(tile.pieceCount, (group + 1) * GROUP);
    for (let piece = group * GROUP; piece < last; piece++) {
      if (isFar(pieces, piece * 4)) continue;
      const directions = openDirections(tile, piece, options.mode);
      if (directions === 0) continue;
      const place = nearestOn(tile, piece, y, x, ky, kx);
      if (place.distance2 > bound) continue;
      const allowed = options.heading === undefined ? directions : directions & headed(place.bearing, options.heading);
      if (allowed === 0) continue;
      const distance = Math.sqrt(place.distance2);
      const island = (tile.pieceMarks[piece] & (16 << options.mode)) !== 0;
      if (!island) bound = Math.min(bound, (distance + SAME_PLACE) ** 2);
      found.push({
        tile,
        piece,
        share: place.share,
        location: { latitude: place.latitude / 1e6, longitude: place.longitude / 1e6 },
        distance,
        forward: (allowed & 1) !== 0,
        backward: (allowed & 2) !== 0,
        island,
      });
    }
  }
}

/** 1 along, 2 against the piece. */
function openDirections(tile: Tile, piece: number, mode: number): number {
  const forward = tile.forwardEdge[piece];
  const backward = tile.backwardEdge[piece];
  return (
    (forward >= 0 && isStartable(tile.passage(forward, mode)) ? 1 : 0) |
    (backward >= 0 && isStartable(tile.passage(backward, mode)) ? 2 : 0)
  );
}

/** Which directions of a road that runs at `bearing` [degrees] lie within the tolerance of a heading. */
function headed(bearing: number, heading: number): number {
  const off = Math.abs(((bearing - heading + 540) % 360) - 180);
  return (off <= HEADING_TOLERANCE ? 1 : 0) | (180 - off <= HEADING_TOLERANCE ? 2 : 0);
}

/** The point of a piece nearest to (y, x) [1e-6 degrees], in the plane tangent at the point. */
function nearestOn(tile: Tile, piece: number, y: number, x: number, ky: number, kx: number) {
  const first = tile.shapeFirst[piece];
  const count = tile.shapeFirst[piece + 1] - first;
  let lastY = tile.latitude[tile.pieceStart[piece]];
  let lastX = tile.longitude[tile.pieceStart[piece]];
  let walked = 0;
  let distance2 = Number.POSITIVE_INFINITY;
  let at = 0;
  let latitude = lastY;
  let longitude = lastX;
  let bearing = 0;
  for (let i = 0; i <= count; i++) {
    const nextY = i < count ? tile.shapeLatitude[first + i] : tile.latitude[tile.pieceEnd[piece]];
    const nextX = i < count ? tile.shapeLongitude[first + i] : tile.longitude[tile.pieceEnd[piece]];
    const dy = (nextY - lastY) * ky;
    const dx = (nextX - lastX) * kx;
    const length2 = dy * dy + dx * dx;
    let share = length2 > 0 ? ((y - lastY) * ky * dy + (x - lastX) * kx * dx) / length2 : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    const ey = (lastY - y) * ky + share * dy;
    const ex = (lastX - x) * kx + share * dx;
    const length = Math.sqrt(length2);
    if (ey * ey + ex * ex < distance2) {
      distance2 = ey * ey + ex * ex;
      at = walked + share * length;
      latitude = lastY + share * (nextY - lastY);
      longitude = lastX + share * (nextX - lastX);
      if (length2 > 0) bearing = (Math.atan2(dx, dy) / RADIANS + 360) % 360;
    }
    walked += length;
    lastY = nextY;
    lastX = nextX;
  }
  return { distance2, share: walked > 0 ? Math.min(1, at / walked) : 0, latitude, longitude, bearing };
}
