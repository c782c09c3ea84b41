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
import { type FleetClock, fleetClock, fleetMatrix } from "./fleet-matrix.ts";
import type { FleetQuestion } from "./fleet-problem.ts";
import { NO_ROAD_DATA, routerFor, UNREADABLE } from "./road-router.ts";

/** A fleet with its matrices, ready to be planned and written. */
interface FleetPlan {
  model: Model;
  answer(found: Assignment): Promise<ReturnType<typeof fleetAnswer>>;
}

/** Computes the matrices of all locations. @throws ApiError 400 for areas that cannot be avoided */
export async function openFleet(call: Asker & AreasAsker, body: FleetBody, query: FleetQuestion): Promise<FleetPlan> {
  let isDamaged = false;
  const router =
    query.asked.length > 0 && query.places.length > 0
      ? await routerFor(call, query.places, () => {
          isDamaged = true;
        })
      : undefined;
  const areas = router && (await areasOf(call, router, body));
  const { departureTime } = body;
  const clock = router && departureTime !== undefined ? fleetClock(router, query.places[0], departureTime) : undefined;
  const options = query.asked.map(({ mode, vehicle }): RouteOptions => ({ mode, vehicle, areas }));
  const matrices: TravelMatrix[] = [];
  for (const one of options) matrices.push(await fleetMatrix(router, query.places, one, clock, hoursOfFleet(body)));
  const model = modelOf(query.problem(matrices));
  return {
    model,
    async answer(found) {
      const undone = [...found.undone].sort((a, b) => a - b).map((task) => ({ task, reason: reasonFor(model, task) }));
      const planned = planOf(model, found);
      const answer = fleetAnswer(body, query, model, planned, undone);
      if (body.options.g && router) {
        for (const [i, { vehicle, steps }] of planned.entries()) {
          const own = options[model.problem.vehicles[vehicle].matrix];
          answer.routes[i].geometry = await drawn(router, query, steps, own, clock);
        }
      }
      if (router || query.asked.length === 0) return answer;
      return { ...answer, unavailable: isDamaged ? UNREADABLE : NO_ROAD_DATA };
    },
  };
}

/** When the first vehicle can leave, and when the last one returns. */
function hoursOfFleet({ vehicles }: FleetBody): Span {
  const windows = vehicles.map(({ time_window: window }) => window ?? [0, Number.POSITIVE_INFINITY]);
  return [Math.min(...windows.map(([from]) => from)), Math.max(...windows.map(([, until]) => until))];
}

/** The geometry of a route along the roads, each leg as they are when the vehicle leaves. */
async function drawn(
  router: Router,
  { places }: FleetQuestion,
  steps: readonly PlannedStep[],
  options: RouteOptions,
  clock: FleetClock | undefined,
): Promise<string | undefined> {
  const line: Coordinate[] = [];
  let last: PlannedStep | undefined;
  for (const step of steps) {
    if (step.location === undefined) continue;
    if (last?.location !== undefined && last.location !== step.location) {
      const departure = clock?.(last.arrival + last.waiting + last.setup + last.service);
      const route = await router.route([places[last.location], places[step.location]], { ...options, departure });
      if (!route) return undefined;
      line.push(...route.legs.flatMap((leg) => pathGeometry(leg)));
    }
    last = step;
  }
  if (line.length === 0) return undefined;
  const drawnLine = formatLine(line, "polyline5");
  return "polyline" in drawnLine ? drawnLine.polyline : undefined;
}
