import { z } from "zod";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { estimate } from "../../../core/routing/matrix/estimate.ts";
import type { RouteOptions, Router } from "../../../core/routing/route/router.ts";
import { matrixNow } from "../../answers/learn/eta-corrector.ts";
import { areasOf, NOT_FOR_VEHICLE, ONLY_THROUGH_AREAS } from "../../answers/routes/areas-of.ts";
import { departureFrom, NO_ROAD_DATA, NOT_CONNECTED, roadsFor } from "../../answers/routes/road-router.ts";
import { avoidanceOf } from "../../answers/routes/zones-of.ts";
import { invalid } from "../../platform/errors.ts";
import { flag } from "../../wire/input/fields.ts";
import {
  connectionShape,
  coordinateShape,
  warningsShape,
  wireConnection,
  wireCoordinate,
  wireWarnings,
} from "../../wire/quantities.ts";
import { avoidAreasFields, avoidZonesField } from "../../wire/routes/avoid-fields.ts";
import {
  departureField,
  locationsField,
  modeField,
  optionalAvoidField,
  profileOf,
  snapAvoidField,
  trafficField,
  unitsField,
} from "../../wire/routes/route-fields.ts";
import { vehicleField, vehicleFor } from "../../wire/routes/vehicle-fields.ts";
import { endpoint } from "../serve/endpoint.ts";

const MAX_ROUTES = 625;

export const matrix = endpoint({
  name: "matrix",
  method: "GET",
  path: "/v1/route/matrix",
  level: "publishable",
  geodataOnly: true,
  chapter: "Routing",
  summary: "Returns the distance and duration from every origin to every destination, up to 625 routes.",
  description:
    "A cell without a route (see above) has no `distance` and no `duration`, but a `reason`, and `onlyThroughAreas: true` where the only routes lead through the areas to be avoided. With `estimates=true`, it also has an estimate from the straight line (1.3 times as long, at a constant speed) and `estimated: true`.",
  query: z.object({
    origins: locationsField(1, MAX_ROUTES),
    destinations: locationsField(1, MAX_ROUTES),
    mode: modeField(),
    units: unitsField(),
    avoid: optionalAvoidField(),
    avoidZones: avoidZonesField(),
    ...avoidAreasFields(),
    departureTime: departureField(),
    // Live times need the route of each cell.
    traffic: trafficField("typical"),
    vehicle: vehicleField(),
    snapAvoid: snapAvoidField(),
    estimates: flag().optional().meta({
      description:
        "whether cells without a route have an estimate; default: false, or true for the iOS SDK (`X-Radar-Device-Type: iOS`), which rejects a matrix with a cell without numbers",
    }),
  }),
  response: z.object({
    origins: z.array(coordinateShape),
    destinations: z.array(coordinateShape),
    matrix: z.array(
      z.array(
        connectionShape.partial().extend({
          originIndex: z.number(),
          destinationIndex: z.number(),
          reason: z.string().optional().meta({ description: "why there is no route" }),
          warnings: warningsShape.optional(),
          estimated: z.boolean().optional(),
          onlyThroughAreas: z.boolean().optional(),
        }),
      ),
    ),
  }),
  async handle(call) {
    const { query } = call;
    const { origins, destinations, units, departureTime } = query;
    if (origins.length * destinations.length > MAX_ROUTES) {
      throw invalid(
        "destinations",
        `At most ${MAX_ROUTES} routes: origins × destinations is ${origins.length * destinations.length}.`,
      );
    }
    const mode = profileOf(query.mode);
    const vehicle = vehicleFor(query.vehicle, [query.mode]);
    const roads = await roadsFor(call, [...origins, ...destinations]);
    const { router } = roads;
    const departure = router && departureFrom(router, origins[0], departureTime);
    const areas = router && (await areasOf(call, router, query));
    const { snapAvoid } = query;
    const avoidance = router && (await avoidanceOf(router, query));
    const options = { mode, ...avoidance, departure, vehicle, areas, snapAvoid };
    const typical = await router?.matrix(origins, destinations, options);
    const found =
      router && typical && (await matrixNow(call, router, [origins, destinations], options, query, typical));
    const isWhole = found?.every((row) => row.every((cell) => cell !== undefined));
    const reasonOf = isWhole || !router ? () => NO_ROAD_DATA : await reasons(router, origins, destinations, options);
    const isEstimated = query.estimates ?? call.request.headers.get("x-radar-device-type")?.toLowerCase() === "ios";
    return {
      origins: origins.map(wireCoordinate),
      destinations: destinations.map(wireCoordinate),
      matrix: origins.map((origin, originIndex) =>
        destinations.map((destination, destinationIndex) => {
          const cell = found?.[originIndex][destinationIndex];
          if (cell) {
            // All cells have one shape, which is written faster.
            const { distance, duration } = wireConnection(cell, units);
            const route = { distance, duration, originIndex, destinationIndex };
            return cell.isElsewhere ? { ...route, ...wireWarnings(true) } : route;
          }
          const reason = reasonOf(originIndex, destinationIndex);
          return {
            ...(isEstimated && { ...wireConnection(estimate(origin, destination, mode), units), estimated: true }),
            originIndex,
            destinationIndex,
            reason: roads.trouble ?? reason,
            ...(reason === ONLY_THROUGH_AREAS && { onlyThroughAreas: true }),
          };
        }),
      ),
    };
  },
});

/** Why a cell has no route. Each possible reason needs a matrix of its own. */
async function reasons(
  router: Router,
  origins: readonly Coordinate[],
  destinations: readonly Coordinate[],
  options: RouteOptions,
): Promise<(i: number, j: number) => string> {
  const without = (some: Partial<RouteOptions>) => router.matrix(origins, destinations, { ...options, ...some });
  const anywhere = options.areas && (await without({ areas: undefined }));
  const anyVehicle = options.vehicle && (await without({ vehicle: undefined }));
  const [starts, ends] = [await router.stops(origins, options), await router.stops(destinations, options)];
  return (i, j) => {
    if (!starts[i]) return `No road is within reach of origin ${i}.`;
    if (!ends[j]) return `No road is within reach of destination ${j}.`;
    if (anywhere?.[i][j]) return ONLY_THROUGH_AREAS;
    return anyVehicle?.[i][j] ? NOT_FOR_VEHICLE : NOT_CONNECTED;
  };
}
