import { z } from "zod";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { estimate } from "../../../core/routing/matrix/estimate.ts";
import type { MatrixCell } from "../../../core/routing/matrix/matrix.ts";
import type { RouteOptions, Router } from "../../../core/routing/route/router.ts";
import { type EtaAsker, matrixNow, type TimesQuestion } from "../../answers/learn/eta-corrector.ts";
import {
  type AreasAsker,
  type AskedAreas,
  areasOf,
  NOT_FOR_VEHICLE,
  ONLY_THROUGH_AREAS,
} from "../../answers/routes/areas-of.ts";
import {
  APART,
  departureFrom,
  NO_ROAD_DATA,
  NOT_CONNECTED,
  type PairRoads,
  roadsForPairs,
} from "../../answers/routes/road-router.ts";
import { type AskedAvoidance, avoidanceOf } from "../../answers/routes/zones-of.ts";
import type { Asker } from "../../platform/call.ts";
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
    const { origins, destinations, units } = query;
    if (origins.length * destinations.length > MAX_ROUTES) {
      throw invalid(
        "destinations",
        `At most ${MAX_ROUTES} routes: origins × destinations is ${origins.length * destinations.length}.`,
      );
    }
    const parts: Part[] = [];
    const options = { mode: profileOf(query.mode), vehicle: vehicleFor(query.vehicle, [query.mode]) };
    for (const roads of await roadsForPairs(call, origins, destinations)) {
      parts.push(await partOf(call, query, roads, options));
    }
    const mode = profileOf(query.mode);
    const isEstimated = query.estimates ?? call.request.headers.get("x-radar-device-type")?.toLowerCase() === "ios";
    return {
      origins: origins.map(wireCoordinate),
      destinations: destinations.map(wireCoordinate),
      matrix: origins.map((origin, originIndex) =>
        destinations.map((destination, destinationIndex) => {
          const { cell, reason = "", trouble } = cellIn(parts, originIndex, destinationIndex);
          if (cell) {
            // All cells have one shape, which is written faster.
            const { distance, duration } = wireConnection(cell, units);
            const route = { distance, duration, originIndex, destinationIndex };
            return cell.isElsewhere ? { ...route, ...wireWarnings(true) } : route;
          }
          return {
            ...(isEstimated && { ...wireConnection(estimate(origin, destination, mode), units), estimated: true }),
            originIndex,
            destinationIndex,
            reason: trouble ?? reason,
            ...(reason === ONLY_THROUGH_AREAS && { onlyThroughAreas: true }),
          };
        }),
      ),
    };
  },
});

/** The pairs of a matrix that go through one import. */
interface Part {
  roads: PairRoads;
  found: readonly (readonly (MatrixCell | undefined)[])[] | undefined;
  /** By row and column of `found`. */
  reasonOf: (row: number, column: number) => string;
}

type AskedMatrix = AskedAreas &
  AskedAvoidance &
  TimesQuestion &
  Pick<RouteOptions, "snapAvoid"> & { origins: Coordinate[]; destinations: Coordinate[] };

async function partOf(
  call: Asker & EtaAsker & AreasAsker,
  asked: AskedMatrix,
  roads: PairRoads,
  wishes: RouteOptions,
): Promise<Part> {
  const { router } = roads;
  if (!router) return { roads, found: undefined, reasonOf: () => NO_ROAD_DATA };
  const from = roads.origins.map((i) => asked.origins[i]);
  const to = roads.destinations.map((j) => asked.destinations[j]);
  const departure = departureFrom(router, from[0], asked.departureTime);
  const areas = await areasOf(call, router, asked);
  const { snapAvoid } = asked;
  const options = { ...wishes, ...(await avoidanceOf(router, asked)), departure, areas, snapAvoid };
  const typical = await router.matrix(from, to, options);
  const found = await matrixNow(call, router, [from, to], options, asked, typical);
  const isWhole = found.every((row) => row.every((cell) => cell !== undefined));
  return { roads, found, reasonOf: isWhole ? () => NO_ROAD_DATA : await reasons(roads, router, [from, to], options) };
}

function cellIn(
  parts: readonly Part[],
  i: number,
  j: number,
): { cell?: MatrixCell; reason?: string; trouble?: string } {
  const part = parts.find(({ roads }) => roads.has(i, j));
  if (!part) return { reason: APART };
  const { roads, found, reasonOf } = part;
  const [row, column] = [roads.origins.indexOf(i), roads.destinations.indexOf(j)];
  const cell = found?.[row][column];
  return cell ? { cell } : { reason: reasonOf(row, column), trouble: roads.trouble };
}

/** Why a cell has no route. Each possible reason needs a matrix of its own. */
async function reasons(
  roads: PairRoads,
  router: Router,
  [from, to]: readonly [readonly Coordinate[], readonly Coordinate[]],
  options: RouteOptions,
): Promise<Part["reasonOf"]> {
  const without = (some: Partial<RouteOptions>) => router.matrix(from, to, { ...options, ...some });
  const anywhere = options.areas && (await without({ areas: undefined }));
  const anyVehicle = options.vehicle && (await without({ vehicle: undefined }));
  const [starts, ends] = [await router.stops(from, options), await router.stops(to, options)];
  return (row, column) => {
    if (!starts[row]) return `No road is within reach of origin ${roads.origins[row]}.`;
    if (!ends[column]) return `No road is within reach of destination ${roads.destinations[column]}.`;
    if (anywhere?.[row][column]) return ONLY_THROUGH_AREAS;
    return anyVehicle?.[row][column] ? NOT_FOR_VEHICLE : NOT_CONNECTED;
  };
}
