import { inFlatRing } from "../../../../core/geo/shapes/in-ring.ts";
import { clipParts, type Rect } from "../../../../core/maps/tiles/clip.ts";
import { LINE, ringArea } from "../../../../core/maps/tiles/mvt.ts";
import type { CoastWay } from "./drawer.ts";

/**
 * Coastlines have land on their left. Ways are joined end to beginning, by node; a closed line is an island (or a sea
 * within land), an open one was cut by the extract's edge. Returns the positions of ways that make up each line.
 */
export function joinCoastlines(ways: readonly { first: number; last: number }[]): number[][] {
  const byStart = new Map<number, number[]>();
  ways.forEach(({ first }, i) => {
    const list = byStart.get(first);
    if (list) list.push(i);
    else byStart.set(first, [i]);
  });
  const used = new Uint8Array(ways.length);
  const ends = new Set(ways.map(({ last }) => last));
  const joined: number[][] = [];
  const follow = (first: number) => {
    used[first] = 1;
    const line = [first];
    for (let last = ways[first].last; last !== ways[first].first; ) {
      const next = byStart.get(last)?.find((i) => !used[i]);
      if (next === undefined) break;
      used[next] = 1;
      line.push(next);
      last = ways[next].last;
    }
    joined.push(line);
  };
  // First the ways that no other leads to, so that open lines come out whole; the rest are closed.
  ways.forEach(({ first }, i) => {
    if (!used[i] && !ends.has(first)) follow(i);
  });
  ways.forEach((_, i) => {
    if (!used[i]) follow(i);
  });
  return joined;
}

/** Places of ways that follow each other, without the node in which two meet. */
export function placesAlong(ways: readonly CoastWay[], line: readonly number[]): Int32Array {
  const length = line.reduce((sum, i) => sum + ways[i].places.length, 0) - 2 * (line.length - 1);
  const places = new Int32Array(length);
  let at = 0;
  line.forEach((i, k) => {
    const own = k === 0 ? ways[i].places : ways[i].places.subarray(2);
    places.set(own, at);
    at += own.length;
  });
  return places;
}

/**
 * The sea within a box, as rings (outer ones clockwise on the screen, islands in them the other way round), from
 * coastlines on the plane. Lines are cut at the box and closed along its edge with the water, which is on their right.
 * A line that ends within the box, as where an extract has another shape than its box, is led to the nearest edge. No
 * coastline: no sea.
 */
export function seaWithin(box: Rect, coastlines: readonly (readonly number[])[]): number[][] {
  const rings: number[][] = [];
  const pieces: number[][] = [];
  for (const line of joinPieces(clipParts(LINE, coastlines, box))) {
    const n = line.length;
    if (line[0] !== line[n - 2] || line[1] !== line[n - 1]) pieces.push(reachEdge(box, line));
    else if (n >= 8) rings.push(line.slice(0, -2));
  }
  const outer = closeAlongEdge(box, pieces);
  // Land on the left: islands run counter-clockwise, as holes do, and seas within land clockwise.
  const islands = rings.filter((ring) => ringArea(ring) < 0);
  const seas = rings.filter((ring) => ringArea(ring) > 0);
  if (
    pieces.length === 0 &&
    islands.length > 0 &&
    !islands.every((island) => seas.some((sea) => holdsRing(sea, island)))
  ) {
    outer.push([box.left, box.top, box.right, box.top, box.right, box.bottom, box.left, box.bottom]);
  }
  return nest([...outer, ...seas], islands);
}

/** Tells whether a point is in the sea that rings bound: an odd number of rings surround it. Made for many queries. */
export function seaProbe(rings: readonly (readonly number[])[]): (x: number, y: number) => boolean {
  const boxes = rings.map((ring) => {
    const box: Rect = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (let i = 0; i < ring.length; i += 2) {
      box.left = Math.min(box.left, ring[i]);
      box.right = Math.max(box.right, ring[i]);
      box.top = Math.min(box.top, ring[i + 1]);
      box.bottom = Math.max(box.bottom, ring[i + 1]);
    }
    return box;
  });
  return (x, y) => {
    let inside = false;
    boxes.forEach(({ left, top, right, bottom }, i) => {
      if (x < left || x > right || y < top || y > bottom) return;
      if (inFlatRing(rings[i], x, y)) inside = !inside;
    });
    return inside;
  };
}

/** Joins pieces of lines that were cut apart within the box: the end of one is the beginning of the other. */
function joinPieces(pieces: readonly (readonly number[])[]): number[][] {
  const byStart = new Map<string, number>();
  const hasBefore = new Set<number>();
  pieces.forEach((piece, i) => {
    byStart.set(`${piece[0]} ${piece[1]}`, i);
  });
  const next = pieces.map((piece, i) => {
    const n = piece.length;
    const follower = byStart.get(`${piece[n - 2]} ${piece[n - 1]}`);
    if (follower === undefined || follower === i || hasBefore.has(follower)) return -1;
    hasBefore.add(follower);
    return follower;
  });
  const used = new Set<number>();
  const joined: number[][] = [];
  const follow = (first: number) => {
    used.add(first);
    const line = [...pieces[first]];
    for (let i = next[first]; i >= 0 && !used.has(i); i = next[i]) {
      used.add(i);
      for (let k = 2; k < pieces[i].length; k++) line.push(pieces[i][k]);
    }
    joined.push(line);
  };
  pieces.forEach((_, i) => {
    if (!hasBefore.has(i)) follow(i);
  });
  pieces.forEach((_, i) => {
    if (!used.has(i)) follow(i);
  });
  return joined;
}

/** Each island after the ring it is in. */
function nest(outer: readonly number[][], islands: readonly number[][]): number[][] {
  const holes = outer.map((): number[][] => []);
  for (const island of islands) {
    const home = outer.findIndex((ring) => holdsRing(ring, island));
    if (home >= 0) holes[home].push(island);
  }
  return outer.flatMap((ring, i) => [ring, ...holes[i]]);
}

/** Coasts do not cross, but one may touch the edge of the box: one corner well inside is enough. */
function holdsRing(ring: readonly number[], inner: readonly number[]): boolean {
  for (let i = 0; i < inner.length; i += 2) if (inFlatRing(ring, inner[i], inner[i + 1])) return true;
  return false;
}

function reachEdge(box: Rect, piece: number[]): number[] {
  const n = piece.length;
  const start = onEdge(box, piece[0], piece[1]) ? [] : nearestEdge(box, piece[0], piece[1]);
  const end = onEdge(box, piece[n - 2], piece[n - 1]) ? [] : nearestEdge(box, piece[n - 2], piece[n - 1]);
  return [...start, ...piece, ...end];
}

function onEdge({ left, top, right, bottom }: Rect, x: number, y: number): boolean {
  return x === left || x === right || y === top || y === bottom;
}

function nearestEdge({ left, top, right, bottom }: Rect, x: number, y: number): [number, number] {
  const ways: [distance: number, x: number, y: number][] = [
    [x - left, left, y],
    [right - x, right, y],
    [y - top, x, top],
    [bottom - y, x, bottom],
  ];
  const [, edgeX, edgeY] = ways.reduce((best, way) => (way[0] < best[0] ? way : best));
  return [edgeX, edgeY];
}

/** How far round the box a point of its edge is, clockwise on the screen from the top left corner: 0 … 4. */
function roundOf({ left, top, right, bottom }: Rect, x: number, y: number): number {
  if (y === top) return (x - left) / (right - left);
  if (x === right) return 1 + (y - top) / (bottom - top);
  if (y === bottom) return 2 + (right - x) / (right - left);
  return 3 + (bottom - y) / (bottom - top);
}

/**
 * Joins open coastlines into rings of sea. Seen along the line water is on the right, so from a line's end the shore of
 * the box with the water runs clockwise on the screen to the beginning of the next line.
 */
function closeAlongEdge(box: Rect, pieces: readonly number[][]): number[][] {
  const corners = [
    [box.left, box.top],
    [box.right, box.top],
    [box.right, box.bottom],
    [box.left, box.bottom],
  ];
  const starts = pieces.map((piece) => roundOf(box, piece[0], piece[1]));
  const ends = pieces.map((piece) => roundOf(box, piece[piece.length - 2], piece[piece.length - 1]));
  const used = new Uint8Array(pieces.length);
  const rings: number[][] = [];
  for (let first = 0; first < pieces.length; first++) {
    if (used[first]) continue;
    const ring: number[] = [];
    for (let piece = first; !used[piece]; ) {
      used[piece] = 1;
      for (const value of pieces[piece]) ring.push(value);
      let next = first;
      let shortest = Number.POSITIVE_INFINITY;
      starts.forEach((start, i) => {
        const way = (start - ends[piece] + 4) % 4;
        if (way < shortest) {
          shortest = way;
          next = i;
        }
      });
      // Lines that cross after simplification lead to one that is used already: the ring is closed as it is, not all
      // round the box.
      if (used[next] && next !== first) break;
      for (let corner = Math.floor(ends[piece]) + 1; corner < ends[piece] + shortest; corner++) {
        ring.push(...corners[corner % 4]);
      }
      piece = next;
    }
    if (ringArea(ring) > 0) rings.push(ring);
  }
  return rings;
}
