/**
 * What is wrong with a ring of [longitude, latitude], said as a person would. The server tests a point by the even-odd
 * rule, under which a ring that crosses itself has holes nobody meant: so such a ring is refused while it is drawn or read.
 */

/** Most corners a geofence may have, as POST /v1/geofences says. */
export const MOST_CORNERS = 2000;

/** undefined when the ring is fit to be a geofence. */
export function ringFault(ring: readonly unknown[]): string | undefined {
  if (ring.length < 4) return "A ring needs at least three corners, and the first again at its end.";
  if (ring.length > MOST_CORNERS)
    return `The ring has ${ring.length.toLocaleString("en")} positions; ${MOST_CORNERS} are allowed.`;
  for (const [i, pair] of ring.entries()) {
    const fault = pairFault(pair);
    if (fault) return `Position ${i + 1}: ${fault}`;
  }
  const pairs = ring as number[][];
  const [first, last] = [pairs[0], pairs[pairs.length - 1]];
  if (first[0] !== last[0] || first[1] !== last[1])
    return "The ring is not closed: its last position must be its first.";
  if (new Set(pairs.map((pair) => pair.join())).size < 3) return "A ring needs at least three different corners.";
  const crossing = selfCrossing(pairs);
  if (crossing) {
    const [a, b] = crossing;
    return `The ring crosses itself: its edge ${a + 1} (from ${written(pairs[a])}) crosses its edge ${b + 1} (from ${written(pairs[b])}).`;
  }
  return undefined;
}

const written = ([longitude, latitude]: number[]) => `${Number(latitude.toFixed(5))}, ${Number(longitude.toFixed(5))}`;

/** What is wrong with one position. Latitude and longitude in each other's place is the common mistake, so it is named. */
export function pairFault(pair: unknown): string | undefined {
  if (!Array.isArray(pair) || pair.length < 2) return "Expected [longitude, latitude].";
  const [longitude, latitude] = pair as unknown[];
  if (typeof longitude !== "number" || typeof latitude !== "number") return "Expected two numbers.";
  if (Math.abs(latitude) > 90 && Math.abs(longitude) <= 90)
    return `The latitude is ${latitude}; are latitude and longitude swapped? Longitude comes first.`;
  if (!(Math.abs(latitude) <= 90)) return `The latitude is ${latitude}; it lies between -90 and 90.`;
  if (!(Math.abs(longitude) <= 180)) return `The longitude is ${longitude}; it lies between -180 and 180.`;
  return undefined;
}

/**
 * The numbers of two edges that cross or lie on each other, or undefined. Edges are sorted by their western end, and
 * compared while they overlap from west to east (Shamos and Hoey 1976, without the tree: of 2,000 edges few overlap).
 */
export function selfCrossing(ring: readonly (readonly number[])[]): [first: number, second: number] | undefined {
  const count = ring.length - 1;
  const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => west(ring, a) - west(ring, b));
  for (let i = 0; i < count; i++) {
    const a = order[i];
    const until = Math.max(ring[a][0], ring[a + 1][0]);
    for (let j = i + 1; j < count && west(ring, order[j]) <= until; j++) {
      const b = order[j];
      if (crosses(ring, a, b, count)) return a < b ? [a, b] : [b, a];
    }
  }
  return undefined;
}

const west = (ring: readonly (readonly number[])[], edge: number) => Math.min(ring[edge][0], ring[edge + 1][0]);

function crosses(ring: readonly (readonly number[])[], a: number, b: number, count: number): boolean {
  const [p, q, r, s] = [ring[a], ring[a + 1], ring[b], ring[b + 1]];
  const isNext = (a + 1) % count === b;
  const isBefore = (b + 1) % count === a;
  // Neighbours share a corner; they are at fault only when one folds back onto the other.
  if (isNext) return turn(p, q, s) === 0 && towards(q, p, s) > 0;
  if (isBefore) return turn(r, s, q) === 0 && towards(s, r, q) > 0;
  const [d1, d2, d3, d4] = [turn(r, s, p), turn(r, s, q), turn(p, q, r), turn(p, q, s)];
  if (d1 * d2 < 0 && d3 * d4 < 0) return true;
  return (
    (d1 === 0 && within(r, s, p)) ||
    (d2 === 0 && within(r, s, q)) ||
    (d3 === 0 && within(p, q, r)) ||
    (d4 === 0 && within(p, q, s))
  );
}

/** Twice the signed area of the triangle: left turn positive, right negative. */
function turn(a: readonly number[], b: readonly number[], c: readonly number[]): number {
  return Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
}

/** Do a and b lie on the same side of the corner? */
function towards(corner: readonly number[], a: readonly number[], b: readonly number[]): number {
  return (a[0] - corner[0]) * (b[0] - corner[0]) + (a[1] - corner[1]) * (b[1] - corner[1]);
}

function within(a: readonly number[], b: readonly number[], point: readonly number[]): boolean {
  return (
    Math.min(a[0], b[0]) <= point[0] &&
    point[0] <= Math.max(a[0], b[0]) &&
    Math.min(a[1], b[1]) <= point[1] &&
    point[1] <= Math.max(a[1], b[1])
  );
}
