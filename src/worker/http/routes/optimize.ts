import { z } from "zod";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { distanceQuantity, durationQuantity } from "../../../core/geo/units.ts";
import {
  MAX_LOCATIONS,
  optimizeOrder,
  optimize as optimizeRoute,
  type VisitingOrder,
} from "../../../core/routing/route/optimize.ts";
import { NoRoad, type RouteOptions, type Router } from "../../../core/routing/route/router.ts";
import { pathGeometry } from "../../../core/routing/search/path.ts";
import { areasOf, NOT_FOR_VEHICLE, ONLY_THROUGH_AREAS } from "../../answers/routes/areas-of.ts";
import { departureFrom, NO_ROAD_DATA, NOT_CONNECTED, noRoadNear, roadsFor } from "../../answers/routes/road-router.ts";
import {
  connectionShape,
  coordinateShape,
  geometryShape,
  wireConnection,
  wireCoordinate,
  wireLine,
} from "../../wire/quantities.ts";
import { avoidAreasFields } from "../../wire/routes/avoid-fields.ts";
import {
  departureField,
  geometryField,
  locationsField,
  modeField,
  profileOf,
  unitsField,
} from "../../wire/routes/route-fields.ts";
import { vehicleField, vehicleFor } from "../../wire/routes/vehicle-fields.ts";
import { endpoint } from "../serve/endpoint.ts";

const legShape = connectionShape.extend({
  startLocation: coordinateShape,
  endLocation: coordinateShape,
  startIndex: z.number(),
  endIndex: z.number(),
  geometry: geometryShape.optional(),
});

export const optimize = endpoint({
  name: "optimize",
  method: "GET",
  path: "/v1/route/optimize",
  level: "publishable",
  geodataOnly: true,
  chapter: "Routing",
  summary: "Returns the fastest order of up to 10 locations, and the route through them.",
  description:
    "The first location is the origin, the last is the destination; use the same location for a round trip. The order is optimal, not approximate. `startIndex` and `endIndex` are indexes into `locations`. Without a route (see above), `route` is absent and `unavailable` has the reason.",
  query: z.object({
    locations: locationsField(2, MAX_LOCATIONS),
    mode: modeField().default("car"),
    units: unitsField(),
    geometry: geometryField().optional(),
    ...avoidAreasFields(),
    departureTime: departureField(),
    vehicle: vehicleField(),
  }),
  response: z.object({
    route: connectionShape.extend({ legs: z.array(legShape) }).optional(),
    unavailable: z.string().optional(),
  }),
  async handle(call) {
    const { query } = call;
    const { locations, units, geometry, departureTime } = query;
    const vehicle = vehicleFor(query.vehicle, [query.mode]);
    const roads = await roadsFor(call, locations);
    const router = roads.isApart ? undefined : roads.router;
    if (!router) return { unavailable: roads.trouble ?? NO_ROAD_DATA };
    const departure = departureFrom(router, locations[0], departureTime);
    const anywhere = { mode: profileOf(query.mode), departure, vehicle };
    const areas = await areasOf(call, router, query);
    const options = { ...anywhere, areas };
    const found = geometry ? optimizeWithLines(router, locations, options) : optimizeOrder(router, locations, options);
    const route = await found.catch((error: unknown) => {
      if (error instanceof NoRoad) return error;
      throw error;
    });
    if (route instanceof NoRoad) return { unavailable: roads.trouble ?? noRoadNear(route) };
    if (!route && areas && !roads.trouble && (await optimizeOrder(router, locations, anywhere)))
      return { unavailable: ONLY_THROUGH_AREAS };
    if (!route && vehicle && !roads.trouble) {
      const isOthers = await optimizeOrder(router, locations, { ...options, vehicle: undefined });
      return { unavailable: isOthers ? NOT_FOR_VEHICLE : NOT_CONNECTED };
    }
    if (!route) return { unavailable: roads.trouble ?? NOT_CONNECTED };
    return {
      route: {
        distance: distanceQuantity(route.distance, units),
        duration: durationQuantity(route.duration),
        legs: route.legs.map(
          (leg: OptimizedLeg, i): z.input<typeof legShape> => ({
            startLocation: wireCoordinate(leg.start.location),
            endLocation: wireCoordinate(leg.end.location),
            startIndex: route.order[i],
            endIndex: route.order[i + 1],
            ...wireConnection(leg, units),
            ...(geometry && leg.line ? { geometry: wireLine(leg.line, geometry) } : {}),
          }),
        ),
      },
    };
  },
});

type OptimizedLeg = VisitingOrder["legs"][number] & { line?: Coordinate[] };

async function optimizeWithLines(router: Router, locations: readonly Coordinate[], options: RouteOptions) {
  const route = await optimizeRoute(router, locations, options);
  return route && { ...route, legs: route.legs.map((leg) => ({ ...leg, line: pathGeometry(leg) })) };
}
