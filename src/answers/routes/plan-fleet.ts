import { formatLine } from "../../geo/shapes/polyline.ts";
import type { Asker } from "../../platform/call.ts";
import { type Model, modelOf } from "../../routing/fleet/model.ts";
import { planOf, reasonFor } from "../../routing/fleet/plan.ts";
import type { TravelMatrix } from "../../routing/fleet/problem.ts";
import type { Assignment } from "../../routing/fleet/search.ts";
import type { RouteOptions, Router } from "../../routing/route/router.ts";
import { pathGeometry } from "../../routing/search/path.ts";
import type { FleetBody } from "../../wire/routes/fleet-body.ts";
import { type AreasAsker, areasOf } from "./areas-of.ts";
import { fleetAnswer } from "./fleet-answer.ts";
import type { FleetQuestion } from "./fleet-problem.ts";
import { NO_ROAD_DATA, routerFor, UNREADABLE } from "./road-router.ts";

/** Rows and columns of a matrix block: the maximum of the engine per call. */
const BLOCK = 80;

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
  const matrices: TravelMatrix[] = [];
  const areas = router && (await areasOf(call, router, body));
  for (const { mode } of query.asked) matrices.push(await roadMatrix(router, query, { mode, areas }));
  const model = modelOf(query.problem(matrices));
  return {
    model,
    async answer(found) {
      const undone = [...found.undone].sort((a, b) => a - b).map((task) => ({ task, reason: reasonFor(model, task) }));
      const planned = planOf(model, found);
      const answer = fleetAnswer(body, query, model, planned, undone);
      if (body.options.g && router) {
        for (const [i, { vehicle, steps }] of planned.entries()) {
          const mode = query.asked[model.problem.vehicles[vehicle].matrix].mode;
          answer.routes[i].geometry = await drawn(router, query, steps, { mode, areas });
        }
      }
      if (router || query.asked.length === 0) return answer;
      return { ...answer, unavailable: isDamaged ? UNREADABLE : NO_ROAD_DATA };
    },
  };
}

/** Integer seconds and meters, so that sums match the displayed values. Block by block, because there are many large cells. */
async function roadMatrix(
  router: Router | undefined,
  { places }: FleetQuestion,
  options: RouteOptions,
): Promise<TravelMatrix> {
  const size = places.length;
  const duration = new Float64Array(size * size).fill(Number.POSITIVE_INFINITY);
  const distance = new Float64Array(size * size).fill(Number.POSITIVE_INFINITY);
  for (let top = 0; router && top < size; top += BLOCK) {
    for (let left = 0; left < size; left += BLOCK) {
      const origins = places.slice(top, top + BLOCK);
      const rows = await router.matrix(origins, top === left ? origins : places.slice(left, left + BLOCK), options);
      for (const [i, row] of rows.entries()) {
        for (const [j, cell] of row.entries()) {
          if (!cell) continue;
          const at = (top + i) * size + left + j;
          duration[at] = Math.round(cell.duration);
          distance[at] = Math.round(cell.distance);
        }
      }
    }
  }
  for (let place = 0; place < size; place++) duration[place * (size + 1)] = distance[place * (size + 1)] = 0;
  return { size, duration, distance };
}

/** The geometry of a route along the roads. */
async function drawn(
  router: Router,
  { places }: FleetQuestion,
  steps: readonly { location?: number }[],
  options: RouteOptions,
): Promise<string | undefined> {
  const points = steps.flatMap(({ location }) => (location === undefined ? [] : [places[location]]));
  const apart = points.filter((point, i) => i === 0 || point !== points[i - 1]);
  if (apart.length < 2) return undefined;
  const route = await router.route(apart, options);
  const line = route?.legs.flatMap((leg) => pathGeometry(leg)) ?? [];
  const drawnLine = route && formatLine(line, "polyline5");
  return drawnLine && "polyline" in drawnLine ? drawnLine.polyline : undefined;
}
