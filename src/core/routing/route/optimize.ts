import type { MatrixCell } from "../matrix/matrix.ts";
import type { Snaps } from "../store/snap.ts";
import {
  type Connection,
  NoRoad,
  type Route,
  type RouteOptions,
  type RoutePoint,
  type Router,
  type SnappedConnection,
} from "./router.ts";

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
  locations: readonly RoutePoint[],
  options: RouteOptions,
): Promise<OptimizedRoute | undefined> {
  const plan = await planOf(router, locations, options);
  if (!plan) return undefined;
  const { order, snaps } = plan;
  const route = await router.routeThrough(
    order.map((i) => snaps[i]),
    options,
  );
  return route && { ...route, order };
}

/** An order of locations with the duration and distance of each leg, without the legs' paths. */
export interface VisitingOrder extends Connection {
  order: number[];
  /** The nearest roads of some locations are cut off: all legs start and end on the mainland. */
  isOnMainland?: true;
  legs: SnappedConnection[];
}

/**
 * The same order, for callers that need no lines: the legs are cells of the matrix that determined the order, so no
 * route is searched again, unless the time when a leg begins may make a difference. If two routes take exactly the same time, a leg
 * may have the length of the other one.
 */
export async function optimizeOrder(
  router: Router,
  locations: readonly RoutePoint[],
  options: RouteOptions,
): Promise<VisitingOrder | undefined> {
  const plan = await planOf(router, locations, options);
  if (!plan) return undefined;
  const { order, snaps, cells, isOnMainland } = plan;
  const found: VisitingOrder = { order, ...(isOnMainland && { isOnMainland }), legs: [], duration: 0, distance: 0 };
  for (let i = 1; i < order.length; i++) {
    const [from, to] = [order[i - 1], order[i]];
    const cell = cells[from][to];
    if (!cell) throw new Error(`the best order leads from ${from} to ${to}, where there is no way`);
    const leg = isSteady(router, options, cell, found.duration)
      ? { ...cell, start: snaps[from].nearest[0], end: snaps[to].nearest[0] }
      : await router.connection(snaps[from], snaps[to], options, found.duration);
    if (!leg) return undefined;
    const { duration, distance, start, end } = leg;
    found.legs.push({ start, end, duration, distance });
    found.duration += duration;
    found.distance += distance;
  }
  return found;
}

/** Whether a leg that begins so many seconds after the departure takes as long as one at the departure. */
function isSteady(
  router: Router,
  options: RouteOptions,
  { duration, steadyUntil }: MatrixCell,
  after: number,
): boolean {
  if (after === 0) return true;
  if (steadyUntil !== undefined && after + duration > steadyUntil) return false;
  return router.metric(options, after).bucket === router.metric(options).bucket;
}

/** An order, and the roads on which all its legs start and end, by location. */
interface Plan {
  order: number[];
  snaps: readonly Snaps[];
  cells: (MatrixCell | undefined)[][];
  isOnMainland?: true;
}

/**
 * The best order, and where it stops: each location has one road, so that a leg starts where the previous one ends, and the order is
 * the best of these legs. It is the nearest road; if these are not connected, because some are on islands, then the
 * nearest of the mainland. Throws NoRoad.
 */
async function planOf(
  router: Router,
  locations: readonly RoutePoint[],
  options: RouteOptions,
): Promise<Plan | undefined> {
  const snaps = await router.snapAll(locations, options);
  const lost = snaps.findIndex(({ nearest, hidden }) => nearest.length === 0 && !hidden);
  if (lost >= 0) throw new NoRoad(lost);
  if (snaps.some(({ hidden }) => hidden)) return undefined;
  const plan = await planThrough(router, snaps, options);
  const isOnIsland = snaps.some(({ nearest, mainland }) => nearest[0].island && mainland.length > 0);
  if (plan || !isOnIsland) return plan;
  const onMainland = snaps.map(({ nearest, mainland }): Snaps => {
    const roads = mainland.length > 0 ? mainland : nearest;
    return { nearest: roads, mainland: roads };
  });
  const other = await planThrough(router, onMainland, options);
  return other && { ...other, isOnMainland: true };
}

async function planThrough(router: Router, snaps: readonly Snaps[], options: RouteOptions): Promise<Plan | undefined> {
  const cells = await router.squareMatrix(snaps, options);
  const weights = cells.map((row) => row.map((cell) => cell?.weight ?? Number.POSITIVE_INFINITY));
  const order = bestOrder(weights);
  return order && { order, snaps, cells };
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
