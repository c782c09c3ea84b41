import type { Tile } from "./tile.ts";

/** Boxes around every PIECE_GROUP pieces of a tile, which lie in the order of a space-filling curve [1e-6 degrees]. */
export const PIECE_GROUP = 16;
const groupsOf = new WeakMap<Tile, Int32Array>();

export function groups(tile: Tile): Int32Array {
  let boxes = groupsOf.get(tile);
  if (boxes) return boxes;
  boxes = new Int32Array(Math.ceil(tile.pieceCount / PIECE_GROUP) * 4);
  for (let piece = 0; piece < tile.pieceCount; piece++) {
    const at = Math.floor(piece / PIECE_GROUP) * 4;
    if (piece % PIECE_GROUP === 0) boxes.set([2 ** 30, 2 ** 30, -(2 ** 30), -(2 ** 30)], at);
    for (let i = tile.shapeFirst[piece] - 2; i < tile.shapeFirst[piece + 1]; i++) {
      const end = i - tile.shapeFirst[piece];
      const node = end === -2 ? tile.pieceStart[piece] : tile.pieceEnd[piece];
      const y = end < 0 ? tile.latitude[node] : tile.shapeLatitude[i];
      const x = end < 0 ? tile.longitude[node] : tile.shapeLongitude[i];
      boxes[at] = Math.min(boxes[at], y);
      boxes[at + 1] = Math.min(boxes[at + 1], x);
      boxes[at + 2] = Math.max(boxes[at + 2], y);
      boxes[at + 3] = Math.max(boxes[at + 3], x);
    }
  }
  groupsOf.set(tile, boxes);
  return boxes;
}

/** What `project` found. */
export const nearest = { share: 0, y: 0, x: 0, distance2: 0 };

/** The place of a piece nearest to (y, x) [1e-6 degrees], in the plane tangent at the point; its squared distance [m²]. */
export function project(tile: Tile, piece: number, y: number, x: number, ky: number, kx: number): number {
  const first = tile.shapeFirst[piece];
  const count = tile.shapeFirst[piece + 1] - first;
  let lastY = tile.latitude[tile.pieceStart[piece]];
  let lastX = tile.longitude[tile.pieceStart[piece]];
  let walked = 0;
  let at = 0;
  nearest.distance2 = Number.POSITIVE_INFINITY;
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
    if (ey * ey + ex * ex < nearest.distance2) {
      nearest.distance2 = ey * ey + ex * ex;
      at = walked + share * length;
      nearest.y = lastY + share * (nextY - lastY);
      nearest.x = lastX + share * (nextX - lastX);
    }
    walked += length;
    lastY = nextY;
    lastX = nextX;
  }
  nearest.share = walked > 0 ? Math.min(1, at / walked) : 0;
  return nearest.distance2;
}
