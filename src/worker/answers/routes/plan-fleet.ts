import { type Model, modelOf } from "../../../core/fleet/model.ts";
import { type PlannedStep, planOf, reasonFor } from "../../../core/fleet/plan.ts";
import type { Span, TravelMatrix } from "../../../core/fleet/problem.ts";
import type { Assignment } from "../../../core/fleet/search.ts";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { formatLine } from "../../../core/geo/shapes/polyline.ts";
import type { RouteOptions, Router } from "../../../core/routing/route/router.ts";
import { pathGeometry } from "../../../core/routing/search/path.ts";
import type { Asker } from "../../platform/call.ts";
import type { FleetBody } from "../../wire/routes/fleet-body.ts";
import { type AreasAsker, areasOf } from "./areas-of.ts";
import { fleetAnswer } from "./fleet-answer.ts";
import { type FleetClock, fleetClock, fleetMatrix, joinedMatrix } from "./fleet-matrix.ts";
import type { FleetQuestion } from "./fleet-problem.ts";
import { NO_ROAD_DATA, roadsForPairs, UNREADABLE } from "./road-router.ts";

/** A fleet with its matrices, ready to be planned and written. */
interface FleetPlan {
  model: Model;
  answer(found: Assignment): Promise<ReturnType<typeof fleetAnswer>>;
}

/** Computes the matrices of all locations. @throws ApiError 400 for areas that cannot be avoided */
export async function openFleet(call: Asker & AreasAsker, body: FleetBody, query: FleetQuestion): Promise<FleetPlan> {
  const needsRoads = query.asked.length > 0 && query.places.length > 0;
  const roads: FleetRoads[] = [];
  const found = needsRoads ? await roadsForPairs(call, query.places, query.places) : [];
  for (const part of found) {
    const { router, origins } = part;
    if (!router) continue;
    const areas = await areasOf(call, router, body);
    const { departureTime } = body;
    const clock = departureTime === undefined ? undefined : fleetClock(router, query.places[origins[0]], departureTime);
    roads.push({ router, clock, areas, places: origins, has: part.has });
  }
  const options = query.asked.map(({ mode, vehicle }): RouteOptions => ({ mode, vehicle }));
  const matrices: TravelMatrix[] = [];
  for (const one of options) {
    const parts: Parameters<typeof joinedMatrix>[1][number][] = [];
    for (const { router, clock, areas, places, has } of roads) {
      const own = places.map((place) => query.places[place]);
      const matrix = await fleetMatrix(router, own, { ...one, areas }, clock, hoursOfFleet(body));
      parts.push({ places, has, matrix });
    }
    matrices.push(joinedMatrix(query.places.length, parts));
  }
  const model = modelOf(query.problem(matrices));
  return {
    model,
    async answer(assignment) {
      const undone = [...assignment.undone].sort((a, b) => a - b);
      const lost = undone.map((task) => ({ task, reason: reasonFor(model, task) }));
      const planned = planOf(model, assignment);
      const answer = fleetAnswer(body, query, model, planned, lost);
      if (body.options.g) {
        for (const [i, { vehicle, steps }] of planned.entries()) {
          const own = options[model.problem.vehicles[vehicle].matrix];
          answer.routes[i].geometry = await drawn(roads, query, steps, own);
        }
      }
      if (roads.length > 0 || query.asked.length === 0) return answer;
      return { ...answer, unavailable: found.some(({ trouble }) => trouble) ? UNREADABLE : NO_ROAD_DATA };
    },
  };
}

/** The roads of one import, for the pairs of places that it has. */
interface FleetRoads {
  router: Router;
  clock: FleetClock | undefined;
  areas: RouteOptions["areas"];
  places: readonly number[];
  has(from: number, to: number): boolean;
}

/** When the first vehicle can leave, and when the last one returns. */
function hoursOfFleet({ vehicles }: FleetBody): Span {
  const windows = vehicles.map(({ time_window: window }) => window ?? [0, Number.POSITIVE_INFINITY]);
  return [Math.min(...windows.map(([from]) => from)), Math.max(...windows.map(([, until]) => until))];
}

/** The geometry of a route along the roads, each leg as they are when the vehicle leaves. */
async function drawn(
  roads: readonly FleetRoads[],
  { places }: FleetQuestion,
  steps: readonly PlannedStep[],
  options: RouteOptions,
): Promise<string | undefined> {
  const line: Coordinate[] = [];
  let last: PlannedStep | undefined;
  for (const step of steps) {
    if (step.location === undefined) continue;
    if (last?.location !== undefined && last.location !== step.location) {
      const [from, to] = [last.location, step.location];
      const part = roads.find(({ has }) => has(from, to));
      const departure = part?.clock?.(last.arrival + last.waiting + last.setup + last.service);
      const own = { ...options, areas: part?.areas, departure };
      const route = await part?.router.route([places[from], places[to]], own);
      if (!route) return undefined;
      line.push(...route.legs.flatMap((leg) => pathGeometry(leg)));
    }
    last = step;
  }
  if (line.length === 0) return undefined;
  const drawnLine = formatLine(line, "polyline5");
  return "polyline" in drawnLine ? drawnLine.polyline : undefined;
}
