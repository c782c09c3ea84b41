import { RADIANS } from "../../geo/distance.ts";
import { isStartable } from "./arcs.ts";
import { type Metric, passageAt } from "./modes.ts";
import type { Tile } from "./tile.ts";

/** Pieces of a tile are ordered along a space-filling curve, so that this many in a row are close together. */
export const PIECE_GROUP = 16;

/**
 * South, west, north, east from 4 i on: of the i-th PIECE_GROUP pieces and of as many of those [1e-6 degrees]; of the i-th piece, in
 * steps of its group from the group's corner (`stepOf`), rounded outward.
 */
export interface PieceBoxes {
  groups: Int32Array;
  quarters: Int32Array;
  pieces: Uint8Array;
}

/** Steps along each side of a group's box. */
const STEPS = 255;

/** The step of a group's box between two of its sides [1e-6 degrees]. */
export const stepOf = (low: number, high: number): number => Math.max(1, (high - low) / STEPS);

const boxesOf = new WeakMap<Tile["kept"], PieceBoxes>();

export function pieceBoxes(tile: Tile): PieceBoxes {
  let boxes = boxesOf.get(tile.kept);
  if (boxes) return boxes;
  const groups = emptyBoxes(Math.ceil(tile.pieceCount / PIECE_GROUP));
  const quarters = emptyBoxes(Math.ceil(tile.pieceCount / PIECE_GROUP ** 2));
  const own = emptyBoxes(tile.pieceCount);
  for (let piece = 0; piece < tile.pieceCount; piece++) {
    const at = piece * 4;
    let y = tile.latitude[tile.startOf(piece)];
    let x = tile.longitude[tile.startOf(piece)];
    widen(own, at, y, x);
    for (let i = tile.shapeFirst[piece]; i < tile.shapeFirst[piece + 1]; i++) {
      y += tile.shapeNorth[i];
      x += tile.shapeEast[i];
      widen(own, at, y, x);
    }
    const end = tile.endOf(piece);
    widen(own, at, tile.latitude[end], tile.longitude[end]);
    const group = Math.floor(piece / PIECE_GROUP) * 4;
    widen(groups, group, own[at], own[at + 1]);
    widen(groups, group, own[at + 2], own[at + 3]);
  }
  for (let at = 0; at < groups.length; at += 4) {
    const larger = Math.floor(at / 4 / PIECE_GROUP) * 4;
    widen(quarters, larger, groups[at], groups[at + 1]);
    widen(quarters, larger, groups[at + 2], groups[at + 3]);
  }
  const pieces = inSteps(own, groups);
  boxes = { groups, quarters, pieces };
  boxesOf.set(tile.kept, boxes);
  tile.resize(groups.byteLength + quarters.byteLength + pieces.byteLength);
  return boxes;
}

function inSteps(own: Int32Array, groups: Int32Array): Uint8Array {
  const pieces = new Uint8Array(own.length);
  for (let at = 0; at < own.length; at += 4) {
    const group = Math.floor(at / 4 / PIECE_GROUP) * 4;
    for (let axis = 0; axis < 2; axis++) {
      const low = groups[group + axis];
      const step = stepOf(low, groups[group + 2 + axis]);
      pieces[at + axis] = Math.floor((own[at + axis] - low) / step);
      pieces[at + 2 + axis] = Math.min(STEPS, Math.ceil((own[at + 2 + axis] - low) / step));
    }
  }
  return pieces;
}

function emptyBoxes(count: number): Int32Array {
  const boxes = new Int32Array(count * 4).fill(2 ** 30);
  for (let i = 0; i < boxes.length; i += 4) boxes.fill(-(2 ** 30), i + 2, i + 4);
  return boxes;
}

function widen(boxes: Int32Array, at: number, y: number, x: number): void {
  if (y < boxes[at]) boxes[at] = y;
  if (x < boxes[at + 1]) boxes[at + 1] = x;
  if (y > boxes[at + 2]) boxes[at + 2] = y;
  if (x > boxes[at + 3]) boxes[at + 3] = x;
}

/** Squared distance [m²] of (y, x) [1e-6 degrees] to the box at `at`; `ky`, `kx`: meters per unit. */
export function boxDistance2(boxes: Int32Array, at: number, y: number, x: number, ky: number, kx: number): number {
  const dy = (y < boxes[at] ? boxes[at] - y : y > boxes[at + 2] ? y - boxes[at + 2] : 0) * ky;
  const dx = (x < boxes[at + 1] ? boxes[at + 1] - x : x > boxes[at + 3] ? x - boxes[at + 3] : 0) * kx;
  return dy * dy + dx * dx;
}

/** Likewise to the box of a piece, all in steps of its group's box. Apart, because the engine compiles for one kind of array. */
export function pieceBoxDistance2(
  boxes: Uint8Array,
  piece: number,
  y: number,
  x: number,
  ky: number,
  kx: number,
): number {
  const at = piece * 4;
  const dy = (y < boxes[at] ? boxes[at] - y : y > boxes[at + 2] ? y - boxes[at + 2] : 0) * ky;
  const dx = (x < boxes[at + 1] ? boxes[at + 1] - x : x > boxes[at + 3] ? x - boxes[at + 3] : 0) * kx;
  return dy * dy + dx * dx;
}

/** Longer pieces [0.1 m], and pieces beyond this latitude [1e-6 degrees], cannot be measured in a plane. */
const PLANE_LENGTH = 100_000;
const PLANE_LATITUDE = 85e6;

/**
 * Returns whether a piece can be within `reach` [m] of (y, x) at all. No point of it is farther from its start than its
 * length. Lengths are spherical, distances here are planar: hence a margin of 2 %.
 */
export function mayComeWithin(
  tile: Tile,
  piece: number,
  y: number,
  x: number,
  ky: number,
  kx: number,
  reach: number,
): boolean {
  const length = tile.pieceLength[piece];
  if (length > PLANE_LENGTH || Math.abs(y) > PLANE_LATITUDE) return true;
  const start = tile.startOf(piece);
  const dy = (tile.latitude[start] - y) * ky;
  const dx = (tile.longitude[start] - x) * kx;
  const most = reach + length * 0.102 + 1;
  return dy * dy + dx * dx <= most * most;
}

const startableOf = new WeakMap<Tile["kept"], Map<number | string, Uint8Array>>();
/** Variants that a tile remembers. */
const MAX_STARTABLE = 8;

/** By piece: in which directions journeys of a mode may start on it, 1 along + 2 against; at its minutes, if it has any. */
export function startable(tile: Tile, metric: Pick<Metric, "mode" | "variant" | "minutes">): Uint8Array {
  const { mode, variant, minutes = [] } = metric;
  let modes = startableOf.get(tile.kept);
  if (!modes) {
    modes = new Map();
    startableOf.set(tile.kept, modes);
  }
  const own = variant?.keyOf(tile.limitCodes(mode));
  const state = tile.hours?.stateAt(minutes) ?? 0;
  const key = own || state > 0 ? `${mode} ${state} ${own}` : mode;
  let directions = modes.get(key);
  if (!directions) {
    const passageOf = (edge: number) => (own ? variant!.passage(tile.profileOf(edge), mode) : tile.passage(edge, mode));
    const may = (edge: number) => edge >= 0 && isStartable(passageAt(passageOf(edge), minutes));
    directions = new Uint8Array(tile.pieceCount);
    for (let piece = 0; piece < tile.pieceCount; piece++) {
      directions[piece] = (may(tile.forwardEdge(piece)) ? 1 : 0) | (may(tile.backwardEdge(piece)) ? 2 : 0);
    }
    // A tile has as many as vehicles and hours that make a difference there: the oldest is dropped.
    if (modes.size === MAX_STARTABLE) modes.delete(modes.keys().next().value as number | string);
    else tile.resize(tile.pieceCount);
    modes.set(key, directions);
  }
  return directions;
}

/** Result of `project`; `north` and `east`: the segment of the piece that contains the position [m]. */
export const nearest = { share: 0, y: 0, x: 0, distance2: 0, north: 0, east: 0 };

/** Bearing of the piece, in its direction, at the place that `project` found [degrees]. */
export function nearestBearing(): number {
  return (Math.atan2(nearest.east, nearest.north) / RADIANS + 360) % 360;
}

/**
 * The place of a piece nearest to (y, x) [1e-6 degrees], in the plane tangent at the point; its squared distance [m²].
 */
export function project(tile: Tile, piece: number, y: number, x: number, ky: number, kx: number): number {
  const first = tile.shapeFirst[piece];
  const count = tile.shapeFirst[piece + 1] - first;
  let lastY = tile.latitude[tile.startOf(piece)];
  let lastX = tile.longitude[tile.startOf(piece)];
  let walked = 0;
  let at = 0;
  nearest.distance2 = Number.POSITIVE_INFINITY;
  nearest.north = 0;
  nearest.east = 0;
  for (let i = 0; i <= count; i++) {
    const nextY = i < count ? lastY + tile.shapeNorth[first + i] : tile.latitude[tile.endOf(piece)];
    const nextX = i < count ? lastX + tile.shapeEast[first + i] : tile.longitude[tile.endOf(piece)];
    const dy = (nextY - lastY) * ky;
    const dx = (nextX - lastX) * kx;
    const length2 = dy * dy + dx * dx;
    let share = length2 > 0 ? ((y - lastY) * ky * dy + (x - lastX) * kx * dx) / length2 : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    const ey = (lastY - y) * ky + share * dy;
    const ex = (lastX - x) * kx + share * dx;
    const length = Math.sqrt(length2);
    if (ey * ey + ex * ex < nearest.distance2) {
      nearest.distance2 = ey * ey + ex * ex;
      at = walked + share * length;
      nearest.y = lastY + share * (nextY - lastY);
      nearest.x = lastX + share * (nextX - lastX);
      if (length2 > 0) {
        nearest.north = dy;
        nearest.east = dx;
      }
    }
    walked += length;
    lastY = nextY;
    lastX = nextX;
  }
  nearest.share = walked > 0 ? Math.min(1, at / walked) : 0;
  return nearest.distance2;
}
