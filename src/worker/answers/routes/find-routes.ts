import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { atFactor, type GuidedLeg, type Telling } from "../../../core/routing/route/guided-leg.ts";
import {
  type Leg,
  NoRoad,
  type Route,
  type RouteOptions,
  type RoutePoint,
  type Router,
} from "../../../core/routing/route/router.ts";
import type { Asker } from "../../platform/call.ts";
import { profileOf, type Traffic, type TravelMode } from "../../wire/routes/route-fields.ts";
import { type EtaAsker, etaCorrectorOf } from "../learn/eta-corrector.ts";
import { type AreasAsker, type AskedAreas, areasOf, NOT_FOR_VEHICLE, ONLY_THROUGH_AREAS } from "./areas-of.ts";
import { departureFrom, NO_ROAD_DATA, NOT_CONNECTED, noRoadNear, roadsFor } from "./road-router.ts";
import { type AskedAvoidance, avoidanceOf } from "./zones-of.ts";

export type RoutesAsker = Asker & AreasAsker & EtaAsker;

/** A question for routes, whatever the form in which it was asked. */
export interface RoutesQuestion extends AskedAvoidance, AskedAreas {
  locations: readonly RoutePoint[];
  mode: TravelMode;
  departureTime?: number | undefined;
  /** Whether times follow what the project's devices see now; absent: no. */
  traffic?: Traffic | undefined;
  /** The vehicle, directions and distances to roads. */
  options: RouteOptions;
  /** Up to so many, with exactly two locations. */
  alternatives: number;
  /** Undefined: the legs have no steps. */
  telling: Telling | undefined;
}

/** The legs of one route; ends with undefined if the roads do not connect two locations. */
export type GuidedLegs = AsyncIterable<GuidedLeg | undefined> | Iterable<GuidedLeg>;

/** What was found: without a route, the reason, and the location without a road if that is it. */
export interface FoundRoutes<T> {
  routes: T[];
  unavailable?: string;
  lost?: number;
}

/**
 * The routes of a question, the best first. `write` gets the legs of each in turn, and returns undefined for a route
 * that is not complete.
 * @throws ApiError 400 for areas and zones that cannot be avoided
 */
export async function findRoutes<T>(
  call: RoutesAsker,
  question: RoutesQuestion,
  write: (legs: GuidedLegs) => Promise<T | undefined>,
): Promise<FoundRoutes<T>> {
  const { locations, options: wishes } = question;
  const roads = await roadsFor(call, locations);
  const router = roads.isApart ? undefined : roads.router;
  if (!router) return { routes: [], unavailable: roads.trouble ?? NO_ROAD_DATA };
  const departure = departureFrom(router, locations[0], question.departureTime);
  const avoidance = await avoidanceOf(router, question);
  const options = { ...wishes, ...avoidance, departure, areas: await areasOf(call, router, question) };
  try {
    const routes: T[] = [];
    for (const legs of await legsOfRoutes(call, router, question, options)) {
      const route = await write(legs);
      if (route) routes.push(route);
    }
    if (routes.length > 0) return { routes };
    return { routes, unavailable: roads.trouble ?? (await reasonFor(router, locations, options)) };
  } catch (error) {
    if (!(error instanceof NoRoad)) throw error;
    return { routes: [], unavailable: roads.trouble ?? noRoadNear(error), lost: error.index };
  }
}

/** The first reason for which there is no route. Each one needs a search of its own. */
async function reasonFor(router: Router, locations: readonly Coordinate[], options: RouteOptions): Promise<string> {
  const without = (some: Partial<RouteOptions>) => connects(router.legs(locations, { ...options, ...some }));
  if (options.areas && (await without({ areas: undefined }))) return ONLY_THROUGH_AREAS;
  if (options.vehicle && (await without({ vehicle: undefined }))) return NOT_FOR_VEHICLE;
  return NOT_CONNECTED;
}

async function legsOfRoutes(
  call: RoutesAsker,
  router: Router,
  { locations, mode, departureTime, traffic, alternatives, telling }: RoutesQuestion,
  options: RouteOptions,
): Promise<GuidedLegs[]> {
  const isCar = profileOf(mode) === "car";
  const factorOf = isCar ? await etaCorrectorOf(call, locations[0], { departureTime, traffic }) : undefined;
  if (alternatives === 0) return [router.guidedLegs(locations, options, telling, factorOf)];
  const [origin, destination] = locations;
  const guided = async (route: Route): Promise<GuidedLeg[]> => {
    const [leg] = router.guide(route, locations, telling);
    return [factorOf ? atFactor(leg, await factorOf(route.legs[0], 0)) : leg];
  };
  const found = await router.routeWithAlternatives(origin, destination, options, alternatives);
  return Promise.all(found.map(guided));
}

/** Whether there is a route for all legs. */
async function connects(legs: AsyncIterable<Leg | undefined>): Promise<boolean> {
  for await (const leg of legs) if (!leg) return false;
  return true;
}
