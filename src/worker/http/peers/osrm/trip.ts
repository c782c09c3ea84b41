import { z } from "zod";
import { MAX_LOCATIONS, optimizeOrder } from "../../../../core/routing/route/optimize.ts";
import {
  NoRoad,
  type RouteOptions,
  type RoutePoint,
  type Router,
  type SnappedConnection,
} from "../../../../core/routing/route/router.ts";
import type { RoutesAsker } from "../../../answers/routes/find-routes.ts";
import { departureFrom, roadsFor } from "../../../answers/routes/road-router.ts";
import { flag, oneOf } from "../../../wire/input/fields.ts";
import { profileOf } from "../../../wire/routes/route-fields.ts";
import { endpoint } from "../../serve/endpoint.ts";
import { coordinatesOf } from "./coordinates.ts";
import { approachFields, ignoredFields, pointsOf, routeFormFields } from "./fields.ts";
import { json, modeOf, OSRM, osrmError } from "./osrm.ts";
import { type Asked, NO_TEXT, noRoute, osrmRoutes } from "./routes.ts";
import { tenths } from "./write-route.ts";

export const tripFields = {
  roundtrip: flag().default(true).meta({ description: "return to the first coordinate" }),
  source: oneOf(["any", "first"]).default("any").meta({ description: "where the trip begins" }),
  destination: oneOf(["any", "last"]).default("any").meta({ description: "where the trip ends" }),
};

/** Where a trip begins and ends. */
export type TripEnds = z.output<z.ZodObject<typeof tripFields>>;

/** A round trip visits its first location twice. */
export const MAX_TRIP = MAX_LOCATIONS - 1;

/** An order of the locations, without the return, and where its legs begin and end if not on their nearest roads. */
interface Order {
  order: number[];
  duration: number;
  /** By location. */
  moved: Map<number, SnappedConnection["start"]>;
}

/** The best order of the locations; undefined if the roads do not connect them. @throws NoRoad */
async function orderOf(
  router: Router,
  points: readonly RoutePoint[],
  { roundtrip, source, destination }: TripEnds,
  options: RouteOptions,
): Promise<Order | undefined> {
  const last = points.length - 1;
  const along = async (given: readonly number[]): Promise<Order | undefined> => {
    const found = await optimizeOrder(
      router,
      given.map((i) => points[i]),
      options,
    );
    if (!found) return undefined;
    const order = found.order.map((i) => given[i]);
    const ends = found.isOnMainland ? found.legs.flatMap(({ start, end }) => [start, end]) : [];
    return { order, duration: found.duration, moved: new Map(ends.map((end, i) => [order[(i + 1) >> 1], end])) };
  };
  const all = points.map((_, i) => i);
  if (source === "first" && destination === "last") return along(all);
  if (roundtrip) {
    const circle = await along([...all, 0]);
    if (!circle) return undefined;
    const order = circle.order.slice(0, -1);
    const end = destination === "any" ? order.length - 1 : order.indexOf(last);
    return { ...circle, order: [...order.slice(end + 1), ...order.slice(0, end + 1)] };
  }
  // Open at one end: the best of the trips to each possible end.
  const others = source === "first" ? all.slice(1) : all.slice(0, -1);
  let best: Order | undefined;
  for (const other of others) {
    const [from, to] = source === "first" ? [0, other] : [other, last];
    const found = await along([from, ...all.filter((i) => i !== from && i !== to), to]);
    if (found && (!best || found.duration < best.duration)) best = found;
  }
  return best;
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
  const best = await orderOf(router, locations, ends, { ...options, departure }).catch((error: unknown) => {
    if (!(error instanceof NoRoad)) throw error;
    throw noRoute({ routes: [], lost: error.index }, locations, "NoTrips");
  });
  if (!best) throw osrmError("NoTrips", trouble ?? "No trip visiting all destinations possible.");
  const { order, moved } = best;
  const visited = (roundtrip ? [...order, order[0]] : order).map((i) => ({
    ...locations[i],
    ...moved.get(i)?.location,
  }));
  const stops = visited.map((_, i) => i);
  const found = await osrmRoutes(call, { ...asked, locations: visited, stops, alternatives: 0 });
  const [first] = found.routes;
  if (!first) throw noRoute(found, visited, "NoTrips");
  const waypoints = locations.map((_, i) => {
    const at = order.indexOf(i);
    const way = moved.get(i);
    return {
      ...first.waypoints[at],
      ...(way && { distance: tenths(way.distance) }),
      waypoint_index: at,
      trips_index: 0,
    };
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
      telling: query.steps ? NO_TEXT : undefined,
    };
    const { waypoints, segments: _, ...rest } = await osrmTrip(call, asked, query);
    return json({ ...rest, ...(!query.skip_waypoints && { waypoints }) });
  },
});
