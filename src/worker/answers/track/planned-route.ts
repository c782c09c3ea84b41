import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { encodeLine } from "../../../core/geo/shapes/polyline.ts";
import { thinned } from "../../../core/geo/thinned.ts";
import { MODES, type Mode } from "../../../core/routing/graph/modes.ts";
import { pathGeometry } from "../../../core/routing/search/path.ts";
import { openLegs } from "../../../core/tracking/legs.ts";
import { isRouteOf, routeKey } from "../../../core/tracking/steps/follow-route.ts";
import type { RouteAround } from "../../../core/tracking/types/planned-route.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import type { Trip } from "../../../core/tracking/types/trip.ts";
import { openGeodata } from "../../geodata/live.ts";
import { departureFrom, roadsAround } from "../../geodata/roads.ts";
import type { Env } from "../../platform/env.ts";

/** A Durable Object finishes its work after responding, so there is nothing to wait for. */
const GOES_ON = () => undefined;
/** A line is written with every update of its user. */
export const MAX_ROUTE_POINTS = 300;

/**
 * The route of a trip that has none yet, or from where its user left it; undefined if both are known. Without roads there is none: then
 * only a given route is watched.
 */
export async function routeAround(
  env: Env,
  before: UserState | undefined,
  trip: Trip,
  from: Coordinate,
): Promise<RouteAround | undefined> {
  const key = routeKey(trip);
  const known = before?.route && isRouteOf(before.route, trip) ? before.route : undefined;
  if (known && (known.off === undefined || known.detour !== undefined)) return undefined;
  const line = (!known && trip.plannedRoute) || (await routeFrom(env, trip, from));
  return { trip: key, ...(line !== undefined && { line }), ...(known && { isDetour: true }) };
}

async function routeFrom(env: Env, trip: Trip, from: Coordinate): Promise<string | undefined> {
  const goals = trip.legs
    ? openLegs(trip).map(({ destination }) => destination.location)
    : trip.destination
      ? [trip.destination.location]
      : [];
  if (goals.length === 0) return undefined;
  const mode = MODES.includes(trip.mode as Mode) ? (trip.mode as Mode) : "car";
  try {
    const geodata = await openGeodata(env.GEODATA, { now: Date.now(), waitUntil: GOES_ON });
    const router = await roadsAround(geodata, [from, ...goals]);
    const departure = router && departureFrom(router, from, undefined);
    const route = await router?.route([from, ...goals], { mode, ...(departure && { departure }) });
    if (!route) return undefined;
    return encodeLine(thinned(route.legs.flatMap(pathGeometry), MAX_ROUTE_POINTS), 5);
  } catch {
    // No road near one of the points, or no geodata.
    return undefined;
  }
}
