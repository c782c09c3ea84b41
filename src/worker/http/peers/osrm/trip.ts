import { z } from "zod";
import { MAX_LOCATIONS, optimizeOrder } from "../../../../core/routing/route/optimize.ts";
import { NoRoad, type RouteOptions, type RoutePoint, type Router } from "../../../../core/routing/route/router.ts";
import type { RoutesAsker } from "../../../answers/routes/find-routes.ts";
import { departureFrom, roadsFor } from "../../../answers/routes/road-router.ts";
import { flag, oneOf } from "../../../wire/input/fields.ts";
import { profileOf } from "../../../wire/routes/route-fields.ts";
import { endpoint } from "../../serve/endpoint.ts";
import { coordinatesOf } from "./coordinates.ts";
import { approachFields, ignoredFields, pointsOf, routeFormFields } from "./fields.ts";
import { json, modeOf, OSRM, osrmError } from "./osrm.ts";
import { ANY_TEXT, type Asked, noRoute, osrmRoutes } from "./routes.ts";

export const tripFields = {
  roundtrip: flag().default(true).meta({ description: "return to the first coordinate" }),
  source: oneOf(["any", "first"]).default("any").meta({ description: "where the trip begins" }),
  destination: oneOf(["any", "last"]).default("any").meta({ description: "where the trip ends" }),
};

/** Where a trip begins and ends. */
export type TripEnds = z.output<z.ZodObject<typeof tripFields>>;

/** A round trip visits its first location twice. */
export const MAX_TRIP = MAX_LOCATIONS - 1;

/** The best order of the locations, without the return; undefined if the roads do not connect them. @throws NoRoad */
async function orderOf(
  router: Router,
  points: readonly RoutePoint[],
  { roundtrip, source, destination }: TripEnds,
  options: RouteOptions,
): Promise<number[] | undefined> {
  const last = points.length - 1;
  const along = async (given: readonly number[]) => {
    const found = await optimizeOrder(
      router,
      given.map((i) => points[i]),
      options,
    );
    return found && { order: found.order.map((i) => given[i]), duration: found.duration };
  };
  const all = points.map((_, i) => i);
  const fixed = source === "first" && destination === "last";
  if (fixed) return (await along(all))?.order;
  if (roundtrip) {
    const circle = (await along([...all, 0]))?.order.slice(0, -1);
    if (!circle || destination === "any") return circle;
    const end = circle.indexOf(last);
    return [...circle.slice(end + 1), ...circle.slice(0, end + 1)];
  }
  // Open at one end: the best of the trips to each possible end.
  const others = source === "first" ? all.slice(1) : all.slice(0, -1);
  let best: { order: number[]; duration: number } | undefined;
  for (const other of others) {
    const [from, to] = source === "first" ? [0, other] : [other, last];
    const found = await along([from, ...all.filter((i) => i !== from && i !== to), to]);
    if (found && (!best || found.duration < best.duration)) best = found;
  }
  return best?.order;
}

/** The response to a trip. @throws ApiError 400 if there is none */
export async function osrmTrip(call: RoutesAsker, asked: Omit<Asked, "stops" | "alternatives">, ends: TripEnds) {
  const { locations, departureTime, options } = asked;
  const { roundtrip, source, destination } = ends;
  if (!roundtrip && source === "any" && destination === "any")
    throw osrmError("NotImplemented", "A trip that is not a round trip needs source=first, destination=last, or both.");
  const { router, trouble, isApart } = await roadsFor(call, locations);
  if (!router || isApart) throw osrmError("NoTrips", trouble ?? "No road data is imported around these coordinates.");
  const departure = departureFrom(router, locations[0], departureTime);
  const order = await orderOf(router, locations, ends, { ...options, departure }).catch((error: unknown) => {
    if (!(error instanceof NoRoad)) throw error;
    throw noRoute({ routes: [], lost: error.index }, locations, "NoTrips");
  });
  if (!order) throw osrmError("NoTrips", trouble ?? "No trip visiting all destinations possible.");
  const visited = (roundtrip ? [...order, order[0]] : order).map((i) => locations[i]);
  const stops = visited.map((_, i) => i);
  const found = await osrmRoutes(call, { ...asked, locations: visited, stops, alternatives: 0 });
  const [first] = found.routes;
  if (!first) throw noRoute(found, visited, "NoTrips");
  const waypoints = locations.map((_, i) => {
    const at = order.indexOf(i);
    return { ...first.waypoints[at], waypoint_index: at, trips_index: 0 };
  });
  return { code: "Ok", trips: [first.route], waypoints, segments: first.segments };
}

export const osrmTripEndpoint = endpoint({
  ...OSRM,
  name: "osrmTrip",
  countedAs: "optimize",
  path: "/osrm/trip/v1/:profile/:coordinates",
  summary: "Returns the fastest order of up to 9 coordinates and the route through them, as OSRM's trip service does.",
  query: z.strictObject({ ...routeFormFields, ...tripFields, ...approachFields, ...ignoredFields }),
  async handle(call) {
    const { params, query } = call;
    const coordinates = coordinatesOf(params.coordinates, 2, MAX_TRIP);
    const mode = modeOf(params.profile);
    const asked = {
      form: query,
      locations: pointsOf(coordinates, query),
      mode,
      options: { mode: profileOf(mode) },
      telling: query.steps ? ANY_TEXT : undefined,
    };
    const { waypoints, segments: _, ...rest } = await osrmTrip(call, asked, query);
    return json({ ...rest, ...(!query.skip_waypoints && { waypoints }) });
  },
});
