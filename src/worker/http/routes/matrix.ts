import { z } from "zod";
import { estimate } from "../../../core/routing/matrix/estimate.ts";
import { areasOf } from "../../answers/routes/areas-of.ts";
import { departureFrom, routerFor } from "../../answers/routes/road-router.ts";
import { avoidanceOf } from "../../answers/routes/zones-of.ts";
import { invalid } from "../../platform/errors.ts";
import { connectionShape, coordinateShape, wireConnection, wireCoordinate } from "../../wire/quantities.ts";
import { avoidAreasFields, avoidZonesField } from "../../wire/routes/avoid-fields.ts";
import {
  departureField,
  locationsField,
  modeField,
  optionalAvoidField,
  profileOf,
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
    "Every cell has numbers. A cell without a route (see above) has an estimate from the straight line (1.3 times as long, at a constant speed) and `estimated: true`, and `onlyThroughAreas: true` where the only routes lead through the areas to be avoided.",
  query: z.object({
    origins: locationsField(1, MAX_ROUTES),
    destinations: locationsField(1, MAX_ROUTES),
    mode: modeField(),
    units: unitsField(),
    avoid: optionalAvoidField(),
    avoidZones: avoidZonesField(),
    ...avoidAreasFields(),
    departureTime: departureField(),
    vehicle: vehicleField(),
  }),
  response: z.object({
    origins: z.array(coordinateShape),
    destinations: z.array(coordinateShape),
    matrix: z.array(
      z.array(
        connectionShape.extend({
          originIndex: z.number(),
          destinationIndex: z.number(),
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
    const router = await routerFor(call, [...origins, ...destinations]);
    const departure = router && departureFrom(router, origins[0], departureTime);
    const areas = router && (await areasOf(call, router, query));
    const options = { mode, ...(router && (await avoidanceOf(router, query))), departure, vehicle };
    const found = await router?.matrix(origins, destinations, { ...options, areas });
    const isWhole = found?.every((row) => row.every((cell) => cell !== undefined));
    const anywhere = areas && !isWhole ? await router?.matrix(origins, destinations, options) : undefined;
    return {
      origins: origins.map(wireCoordinate),
      destinations: destinations.map(wireCoordinate),
      matrix: origins.map((origin, originIndex) =>
        destinations.map((destination, destinationIndex) => {
          const cell = found?.[originIndex][destinationIndex];
          const connection = wireConnection(cell ?? estimate(origin, destination, mode), units);
          if (cell) return { ...connection, originIndex, destinationIndex };
          const onlyThroughAreas = anywhere?.[originIndex][destinationIndex] ? { onlyThroughAreas: true } : {};
          return { ...connection, originIndex, destinationIndex, estimated: true, ...onlyThroughAreas };
        }),
      ),
    };
  },
});
