import type { Coordinate } from "../geo/coordinate.ts";
import type { Route, RouteOptions, Router } from "./router.ts";

/** Bounds the table of Held & Karp: 8 free stops are 2,048 entries. */
export const MAX_LOCATIONS = 10;

export interface OptimizedRoute extends Route {
  /** Locations in the order they are visited; legs[i] leads from order[i] to order[i + 1]. */
  order: number[];
}

/**
 * The quickest route from the first location through all others to the last, or undefined when the network does not
 * connect them. 2 to MAX_LOCATIONS locations; equal first and last make a round trip. Throws NoRoad, by the caller's
 * index. With a departure the order is the best for the traffic at that time; each leg then takes what it takes when it
 * begins.
 */
export async function optimize(
  router: Router,
  locations: readonly Coordinate[],
  options: RouteOptions,
): Promise<OptimizedRoute | undefined> {
  if (locations.length <= 3)
    return inOrder(
      router,
      locations,
      locations.map((_, i) => i),
      options,
    );
  const cells = await router.matrix(locations, locations, options);
  const weights = cells.map((row) => row.map((cell) => cell?.weight ?? Number.POSITIVE_INFINITY));
  const order = bestOrder(weights);
  // Without an order: either a location has no road, which `route` names, or there is no path.
  return inOrder(router, locations, order ?? locations.map((_, i) => i), options);
}

async function inOrder(
  router: Router,
  locations: readonly Coordinate[],
  order: number[],
  options: RouteOptions,
): Promise<OptimizedRoute | undefined> {
  const route = await router.route(
    order.map((i) => locations[i]),
    options,
  );
  return route && { ...route, order };
}

/**
 * The lightest order that begins with the first location, ends with the last and visits every other once (Held & Karp
 * 1962). weights[i][j]: from i to j, Infinity where there is no way. Of equal orders the first by location.
 * Undefined when there is none. Time n² 2ⁿ for n free stops.
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
