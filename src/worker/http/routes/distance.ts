import { z } from "zod";
import { distance as metresBetween } from "../../../core/geo/distance.ts";
import { thinned } from "../../../core/geo/thinned.ts";
import { distanceQuantity } from "../../../core/geo/units.ts";
import type { AvoidedAreas } from "../../../core/routing/areas/avoided-areas.ts";
import { NoRoad, type Router, type SnappedConnection } from "../../../core/routing/route/router.ts";
import { pathGeometry } from "../../../core/routing/search/path.ts";
import { isElsewhere } from "../../../core/routing/store/snap.ts";
import { type EtaCorrector, etaCorrectorOf } from "../../answers/learn/eta-corrector.ts";
import { areasOf, NOT_FOR_VEHICLE, ONLY_THROUGH_AREAS } from "../../answers/routes/areas-of.ts";
import { departureFrom, roadsFor } from "../../answers/routes/road-router.ts";
import { avoidanceOf } from "../../answers/routes/zones-of.ts";
import { coordinate, number } from "../../wire/input/fields.ts";
import {
  connectionShape,
  geometryShape,
  quantityShape,
  snappedShape,
  warningsShape,
  wireConnection,
  wireLine,
  wireSnapped,
  wireWarnings,
} from "../../wire/quantities.ts";
import { avoidAreasFields, avoidZonesField } from "../../wire/routes/avoid-fields.ts";
import {
  avoidField,
  departureField,
  geometryField,
  maxSnapField,
  modesField,
  profileOf,
  snapAvoidField,
  trafficField,
  unitsField,
} from "../../wire/routes/route-fields.ts";
import { vehicleField, vehicleFor } from "../../wire/routes/vehicle-fields.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";

const query = z.object({
  origin: coordinate(),
  destination: coordinate(),
  modes: modesField(),
  units: unitsField(),
  avoid: avoidField(),
  avoidZones: avoidZonesField(),
  ...avoidAreasFields(),
  geometry: geometryField().optional(),
  geometryPoints: number({ min: 2, max: 100_000, integer: true })
    .optional()
    .meta({ description: "maximum number of points of a geometry; default: all" }),
  departureTime: departureField(),
  traffic: trafficField(),
  vehicle: vehicleField(),
  maxSnapDistance: maxSnapField(),
  snapAvoid: snapAvoidField(),
});
type Query = z.output<typeof query>;

const routeShape = connectionShape.extend({
  geometry: geometryShape.optional(),
  snapped: z.array(snappedShape).meta({ description: "of the origin and of the destination" }),
  warnings: warningsShape.optional(),
});

/** Reason why a mode has no route. */
interface Unavailable {
  mode: string;
  message: string;
}

export const distance = endpoint({
  name: "distance",
  method: "GET",
  path: "/v1/route/distance",
  level: "publishable",
  geodataOnly: true,
  chapter: "Routing",
  summary: "Returns the distance and duration between two points, straight and by each mode of travel.",
  description:
    "`routes` has a key for each requested mode that has a route. A mode without one (see above) has no key, and is listed in `unavailable` with the reason. `avoid` is a preference: a road to be avoided is used where there is no other route. The areas of `avoidPolygons` and `avoidGeofences` are never entered, unless a route starts or ends there.",
  query,
  response: z.object({
    routes: z.object({
      geodesic: z.object({ distance: quantityShape }),
      car: routeShape.optional(),
      truck: routeShape.optional(),
      foot: routeShape.optional(),
      bike: routeShape.optional(),
      motorbike: routeShape.optional(),
    }),
    unavailable: z
      .array(z.object({ mode: z.string(), message: z.string() }))
      .optional()
      .meta({ description: "the requested modes without a route, and why" }),
  }),
  async handle(call: Call<Query, unknown>) {
    const { origin, destination, units, modes } = call.query;
    vehicleFor(call.query.vehicle, modes);
    const routes: Record<string, unknown> = {
      geodesic: { distance: distanceQuantity(metresBetween(origin, destination), units) },
    };
    const unavailable: Unavailable[] = [];
    const roads = await roadsFor(call, [origin, destination]);
    const router = roads.isApart ? undefined : roads.router;
    const areas = router && (await areasOf(call, router, call.query));
    const corrector = await etaCorrectorOf(call, origin, call.query);
    for (const mode of new Set(modes)) {
      const found = router
        ? await routeBy(router, mode, call.query, areas, corrector)
        : "No road data is imported around these points.";
      if (typeof found !== "string") routes[mode] = found;
      else unavailable.push({ mode, message: roads.trouble ?? found });
    }
    return { routes, ...(unavailable.length > 0 ? { unavailable } : {}) };
  },
});

const NO_WAY = "The roads do not connect these points.";

async function routeBy(
  router: Router,
  mode: Query["modes"][number],
  query: Query,
  areas: AvoidedAreas | undefined,
  corrector: EtaCorrector | undefined,
) {
  const { origin, destination, units, geometry, geometryPoints, departureTime } = query;
  try {
    const departure = departureFrom(router, origin, departureTime);
    const { vehicle, snapAvoid, maxSnapDistance: reach } = query;
    const avoidance = await avoidanceOf(router, query);
    const anywhere = { mode: profileOf(mode), ...avoidance, departure, vehicle, reach, snapAvoid };
    const endsOf = ({ start, end }: Pick<SnappedConnection, "start" | "end">) => ({
      snapped: [start, end].map((one) => wireSnapped(one, units)),
      ...wireWarnings([start, end].some(isElsewhere)),
    });
    const options = { ...anywhere, areas };
    const noWay = async () => {
      if (areas && (await router.distance(origin, destination, anywhere))) return ONLY_THROUGH_AREAS;
      const isOthers = vehicle && (await router.distance(origin, destination, { ...options, vehicle: undefined }));
      return isOthers ? NOT_FOR_VEHICLE : NO_WAY;
    };
    const corrects = corrector && profileOf(mode) === "car" ? corrector : undefined;
    if (!geometry && !corrects) {
      const connection = await router.distance(origin, destination, options);
      if (!connection) return await noWay();
      return { ...wireConnection(connection, units), ...endsOf(connection) };
    }
    const route = await router.route([origin, destination], options);
    if (!route) return await noWay();
    const duration = route.duration * ((await corrects?.(route.legs[0], 0)) ?? 1);
    return {
      ...wireConnection({ ...route, duration }, units),
      ...endsOf(route.legs[0]),
      ...(geometry && { geometry: wireLine(thinned(pathGeometry(route.legs[0]), geometryPoints), geometry) }),
    };
  } catch (error) {
    if (error instanceof NoRoad)
      return `No road is within reach of the ${error.index === 0 ? "origin" : "destination"}.`;
    throw error;
  }
}
