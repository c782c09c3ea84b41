import { type Coordinate, wrapLongitude } from "../coordinate.ts";
import { eastward, type Ring } from "./polygon.ts";

/** Where a ring crosses itself: the point, and the numbers of the two edges, from 1. */
interface SelfCrossing extends Coordinate {
  edges: [first: number, second: number];
}

/**
 * Returns the first point where two edges of a ring cross; undefined if there is none. A ring that only touches itself,
 * in a corner or along an edge, is valid.
 *
 * Edges are compared as straight lines in longitude and latitude, as `ringContains` reads them. Sorted by their west
 * end, each is compared with those that begin before it ends.
 */
export function selfCrossing(ring: Ring): SelfCrossing | undefined {
  const edges = edgesOf(ring);
  const byWest = edges.map((_, i) => i).sort((a, b) => edges[a].west - edges[b].west);
  let found: SelfCrossing | undefined;
  for (let i = 0; i < byWest.length; i++) {
    const a = edges[byWest[i]];
    for (let j = i + 1; j < byWest.length && edges[byWest[j]].west <= a.east; j++) {
      const b = edges[byWest[j]];
      if (a.south > b.north || b.south > a.north || !goThrough(a, b)) continue;
      const pair: [number, number] =
        byWest[i] < byWest[j] ? [byWest[i] + 1, byWest[j] + 1] : [byWest[j] + 1, byWest[i] + 1];
      if (!found || pair[0] < found.edges[0] || (pair[0] === found.edges[0] && pair[1] < found.edges[1])) {
        found = { ...meetingOf(a, b), edges: pair };
      }
    }
  }
  return found;
}

interface Edge {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  west: number;
  east: number;
  south: number;
  north: number;
}

/** The edges in one piece: longitudes run on across the 180th meridian. */
function edgesOf(ring: Ring): Edge[] {
  const edges: Edge[] = [];
  let x0 = ring[0][0];
  for (let i = 1; i < ring.length; i++) {
    const x1 = x0 + eastward(ring[i - 1], ring[i]);
    const [y0, y1] = [ring[i - 1][1], ring[i][1]];
    edges.push({
      x0,
      y0,
      x1,
      y1,
      west: Math.min(x0, x1),
      east: Math.max(x0, x1),
      south: Math.min(y0, y1),
      north: Math.max(y0, y1),
    });
    x0 = x1;
  }
  return edges;
}

/** Twice the area of the triangle: positive if (x, y) is to the left of the edge. */
function side({ x0, y0, x1, y1 }: Edge, x: number, y: number): number {
  return (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);
}

/** Returns whether both ends of each edge are on different sides of the other. Ends on the other edge are a touch. */
function goThrough(a: Edge, b: Edge): boolean {
  return side(a, b.x0, b.y0) * side(a, b.x1, b.y1) < 0 && side(b, a.x0, a.y0) * side(b, a.x1, a.y1) < 0;
}

function meetingOf(a: Edge, b: Edge): Coordinate {
  const before = side(b, a.x0, a.y0);
  const share = before / (before - side(b, a.x1, a.y1));
  return { latitude: a.y0 + share * (a.y1 - a.y0), longitude: wrapLongitude(a.x0 + share * (a.x1 - a.x0)) };
}
