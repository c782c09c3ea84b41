import { z } from "zod";
import { distance } from "../../../../core/geo/distance.ts";
import type { MatrixCell } from "../../../../core/routing/matrix/matrix.ts";
import type { RouteOptions, RoutePoint, Router, Stop } from "../../../../core/routing/route/router.ts";
import { type EtaAsker, matrixNow } from "../../../answers/learn/eta-corrector.ts";
import { departureFrom, roadsForPairs, routerFor } from "../../../answers/routes/road-router.ts";
import { avoidanceOf } from "../../../answers/routes/zones-of.ts";
import type { Asker } from "../../../platform/call.ts";
import { number, oneOf } from "../../../wire/input/fields.ts";
import type { Traffic } from "../../../wire/routes/route-fields.ts";
import { endpoint } from "../../serve/endpoint.ts";
import { coordinatesOf } from "./coordinates.ts";
import { approachFields, excludeField, ignoredFields, indexesField, indexesOf, pointsOf } from "./fields.ts";
import { coreModeOf, json, OSRM, osrmError, trafficOf } from "./osrm.ts";
import { tenths, waypoint } from "./write-route.ts";

/** As many as a matrix has. */
const MAX_CELLS = 625;
/** A table with one source has as many destinations. */
export const MAX_TABLE_COORDINATES = MAX_CELLS + 1;

export const tableFields = {
  sources: indexesField("numbers of the coordinates where routes begin; default: all"),
  destinations: indexesField("numbers of the coordinates where routes end; default: all"),
  annotations: oneOf(["duration", "distance", "duration,distance", "distance,duration"])
    .default("duration")
    .meta({ description: "durations [s], distances [m], or both" }),
  fallback_speed: number({ above: 0, max: 1000 }).optional().meta({
    description:
      "speed along a straight line, for cells without a route, above 0, at most 1000 [m/s]; default: such cells are null",
  }),
  ...approachFields,
};

/** A question for a table, whatever the API in which it was asked. */
export interface TableQuestion {
  points: readonly RoutePoint[];
  sources: readonly number[];
  destinations: readonly number[];
  options: RouteOptions;
  avoid?: Parameters<typeof avoidanceOf>[1]["avoid"];
  departureTime?: number | undefined;
  traffic: Traffic;
}

export interface Table {
  cells: readonly (readonly (MatrixCell | undefined)[])[];
  sources: Stop[];
  destinations: Stop[];
}

/** @throws ApiError 400 for too many cells, or a coordinate without a road */
export async function tableOf(call: Asker & EtaAsker, question: TableQuestion): Promise<Table> {
  const { points, sources, destinations, options, avoid, departureTime, traffic } = question;
  if (sources.length * destinations.length > MAX_CELLS)
    throw osrmError(
      "TooBig",
      `At most ${MAX_CELLS} cells: sources × destinations is ${sources.length * destinations.length}.`,
    );
  const at = (indexes: readonly number[]) => indexes.map((i) => points[i]);
  const cells: (MatrixCell | undefined)[][] = sources.map(() => destinations.map(() => undefined));
  const stops = new Map<number, Stop>();
  /** Finds the roads near some points; returns the options of a journey from the first of them. */
  const find = async (router: Router, indexes: readonly number[]): Promise<RouteOptions> => {
    const departure = departureFrom(router, points[indexes[0]], departureTime);
    const asked = { ...options, ...(await avoidanceOf(router, { avoid })), departure };
    const found = await router.stops(at(indexes), asked);
    for (const [k, stop] of found.entries()) if (stop) stops.set(indexes[k], stop);
    return asked;
  };
  const parts = await roadsForPairs(call, at(sources), at(destinations));
  if (parts.length > 0 && parts.every(({ router }) => !router))
    throw osrmError("NoSegment", parts[0].trouble ?? "No road data is imported around these coordinates.");
  for (const { router, origins, destinations: columns, has } of parts) {
    if (!router) continue;
    const [from, to] = [origins.map((i) => sources[i]), columns.map((j) => destinations[j])];
    const asked = await find(router, [...from, ...to]);
    const ends = [at(from), at(to)] as const;
    const typical = await router.matrix(...ends, asked);
    const now = await matrixNow(call, router, ends, asked, { departureTime, traffic }, typical);
    for (const [row, i] of origins.entries())
      for (const [column, j] of columns.entries()) if (has(i, j)) cells[i][j] = now[row][column];
  }
  const ofOthers = [...sources, ...destinations].filter((i) => !stops.has(i));
  for (const i of ofOthers) {
    // Apart from all others, or without a road.
    const router = await routerFor(call, [points[i]]);
    if (router) await find(router, [i]);
    if (!stops.has(i)) throw osrmError("NoSegment", `Could not find a matching segment for coordinate ${i}.`);
  }
  const named = (indexes: readonly number[]) => indexes.map((i) => stops.get(i) as Stop);
  return { cells, sources: named(sources), destinations: named(destinations) };
}

interface TableForm {
  annotations: string;
  fallback_speed?: number | undefined;
  fallback_coordinate?: "input" | "snapped" | undefined;
  scale_factor?: number | undefined;
}

/** The table as the response of OSRM. */
export function writeTable({ cells, sources, destinations }: Table, form: TableForm, question: TableQuestion) {
  const { annotations, fallback_speed: speed, scale_factor: factor = 1 } = form;
  const straight = (i: number, j: number) => {
    if (form.fallback_coordinate === "snapped") return distance(sources[i].location, destinations[j].location);
    return distance(question.points[question.sources[i]], question.points[question.destinations[j]]);
  };
  const estimated =
    speed === undefined ? [] : cells.flatMap((row, i) => row.flatMap((cell, j) => (cell ? [] : [[i, j]])));
  const gridOf = (known: (cell: MatrixCell) => number, other: (metres: number) => number) =>
    cells.map((row, i) =>
      row.map((cell, j) => {
        if (cell) return tenths(known(cell));
        return speed === undefined ? null : tenths(other(straight(i, j)));
      }),
    );
  const perSecond = speed ?? 1;
  return {
    code: "Ok",
    ...(annotations.includes("duration") && {
      durations: gridOf(
        ({ duration }) => duration * factor,
        (metres) => (metres / perSecond) * factor,
      ),
    }),
    ...(annotations.includes("distance") && {
      distances: gridOf(
        (cell) => cell.distance,
        (metres) => metres,
      ),
    }),
    ...(estimated.length > 0 && { fallback_speed_cells: estimated }),
    sources: sources.map(waypoint),
    destinations: destinations.map(waypoint),
  };
}

export const osrmTable = endpoint({
  ...OSRM,
  name: "osrmTable",
  countedAs: "matrix",
  path: "/osrm/table/v1/:profile/:coordinates",
  summary: "Returns the duration or distance of the routes between coordinates, as OSRM's table service does.",
  query: z.strictObject({
    ...tableFields,
    fallback_coordinate: oneOf(["input", "snapped"]).default("input").meta({
      description: "ends of the straight line: the coordinates, or their positions on roads",
    }),
    scale_factor: number({ above: 0, max: 1000 })
      .default(1)
      .meta({ description: "multiplies the durations, above 0, at most 1000" }),
    exclude: excludeField(),
    ...ignoredFields,
  }),
  async handle(call) {
    const { params, query } = call;
    const coordinates = coordinatesOf(params.coordinates, 1, MAX_TABLE_COORDINATES);
    const question = {
      points: pointsOf(coordinates, query),
      sources: indexesOf("sources", query.sources, coordinates.length),
      destinations: indexesOf("destinations", query.destinations, coordinates.length),
      options: { mode: coreModeOf(params.profile) },
      avoid: query.exclude,
      traffic: trafficOf(params.profile),
    };
    const { sources, destinations, ...rest } = writeTable(await tableOf(call, question), query, question);
    return json({ ...rest, ...(!query.skip_waypoints && { sources, destinations }) });
  },
});
