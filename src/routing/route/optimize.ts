import type { Coordinate } from "../../geo/coordinate.ts";
import type { Snap, Snaps } from "../store/snap.ts";
import type { Connection, Route, RouteOptions, Router } from "./router.ts";

/** Bounds the table of Held & Karp: 8 free stops are 2,048 entries. */
export const MAX_LOCATIONS = 10;

export interface OptimizedRoute extends Route {
  /** Locations in the order they are visited; legs[i] leads from order[i] to order[i + 1]. */
  order: number[];
}

/**
 * The quickest route from the first location through all others to the last, or undefined if the network does not
 * connect them. 2 to MAX_LOCATIONS locations; equal first and last make a round trip. Throws NoRoad, by the caller's
 * index. With a departure time the order is the best for the traffic at that time; the duration of each leg is that at
 * its own start time.
 */
export async function optimize(
  router: Router,
  locations: readonly Coordinate[],
  options: RouteOptions,
): Promise<OptimizedRoute | undefined> {
  if (locations.length <= 3) return asGiven(router, locations, options);
  const { order, snaps } = await orderOf(router, locations, options);
  if (!order) return asGiven(router, locations, options);
  const route = await router.routeThrough(
    order.map((i) => snaps[i]),
    options,
  );
  return route && { ...route, order };
}

/** An order of locations with the duration and distance of each leg, without the legs' paths. */
export interface VisitingOrder extends Connection {
  order: number[];
  legs: (Connection & { start: Snap; end: Snap })[];
}

/**
 * The same order, for callers that need no lines: the legs are cells of the matrix that determined the order, so no
 * route is searched again. If two routes take exactly the same time, a leg may have the length of the other one. If
 * speeds depend on time, or a location is on an island of roads, legs are found one by one, as in `optimize`.
 */
export async function optimizeOrder(
  router: Router,
  locations: readonly Coordinate[],
  options: RouteOptions,
): Promise<VisitingOrder | undefined> {
  if (locations.length <= 3 || router.knowsTraffic) return optimize(router, locations, options);
  const { order, snaps, cells } = await orderOf(router, locations, options);
  if (!order) return asGiven(router, locations, options);
  if (snaps.some(({ nearest }) => nearest[0].island)) return optimize(router, locations, options);
  const found: VisitingOrder = { order, legs: [], duration: 0, distance: 0 };
  for (let i = 1; i < order.length; i++) {
    const [from, to] = [order[i - 1], order[i]];
    const cell = cells[from][to];
    if (!cell) throw new Error(`the best order leads from ${from} to ${to}, where there is no way`);
    const { duration, distance } = cell;
    found.legs.push({ start: snaps[from].nearest[0], end: snaps[to].nearest[0], duration, distance });
    found.duration += duration;
    found.distance += distance;
  }
  return found;
}

async function orderOf(router: Router, locations: readonly Coordinate[], options: RouteOptions) {
  const { cells, snaps } = await router.squareMatrix(locations, options);
  const weights = cells.map((row) => row.map((cell) => cell?.weight ?? Number.POSITIVE_INFINITY));
  return { order: bestOrder(weights), cells, snaps: snaps as readonly Snaps[] };
}

/**
 * The route in the given order of the locations. If no order was found, either a location has no road, which this
 * reports, or there is no path.
 */
async function asGiven(
  router: Router,
  locations: readonly Coordinate[],
  options: RouteOptions,
): Promise<OptimizedRoute | undefined> {
  const route = await router.route(locations, options);
  return route && { ...route, order: locations.map((_, i) => i) };
}

/**
 * The lightest order that begins with the first location, ends with the last and visits every other once (Held & Karp
 * 1962). weights[i][j]: from i to j, Infinity if there is no route. Of equal orders the first by location. Undefined if
 * there is none. Time n² 2ⁿ for n free stops.
 */
export function bestOrder(weights: readonly (readonly number[])[]): number[] | undefined {
  const last = weights.length - 1;
  const free = last - 1;
  if (free <= 0) return weights[0][last] < Number.POSITIVE_INFINITY ? [0, last] : undefined;
  const sets = 1 << free;
  // rest[set × free + stop]: from `stop` (location stop + 1) through all free stops not in `set` to the end.
  const rest = new Float64Array(sets * free).fill(Number.POSITIVE_INFINITY);
  const next = new Int8Array(sets * free).fill(-1);
  for (let stop = 0; stop < free; stop++) rest[(sets - 1) * free + stop] = weights[stop + 1][last];
  for (let set = sets - 2; set > 0; set--) {
    for (let stop = 0; stop < free; stop++) {
      if ((set & (1 << stop)) === 0) continue;
      const at = set * free + stop;
      for (let to = 0; to < free; to++) {
        if ((set & (1 << to)) !== 0) continue;
        const weight = weights[stop + 1][to + 1] + rest[(set | (1 << to)) * free + to];
        if (weight >= rest[at]) continue;
        rest[at] = weight;
        next[at] = to;
      }
    }
  }
  let best = Number.POSITIVE_INFINITY;
  let first = -1;
  for (let stop = 0; stop < free; stop++) {
    const weight = weights[0][stop + 1] + rest[(1 << stop) * free + stop];
    if (weight >= best) continue;
    best = weight;
    first = stop;
  }
  if (first < 0) return undefined;
  const order = [0];
  for (let set = 0, stop = first; stop >= 0; ) {
    order.push(stop + 1);
    set |= 1 << stop;
    stop = next[set * free + stop];
  }
  return [...order, last];
}
