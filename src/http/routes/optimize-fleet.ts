import { formatLine } from "../../geo/polyline.ts";
import { modelOf } from "../../routing/fleet/model.ts";
import { planOf, reasonFor } from "../../routing/fleet/plan.ts";
import type { TravelMatrix } from "../../routing/fleet/problem.ts";
import { solve } from "../../routing/fleet/solve.ts";
import { pathGeometry } from "../../routing/path.ts";
import type { RouteOptions, Router } from "../../routing/router.ts";
import { endpoint } from "../serve/endpoint.ts";
import { requestPace } from "../serve/pace.ts";
import { areasOf } from "./areas-of.ts";
import { fleetAnswer, fleetAnswerShape } from "./fleet-answer.ts";
import { fleetBody } from "./fleet-body.ts";
import { type FleetQuestion, fleetQuestion } from "./fleet-problem.ts";
import { routerFor, UNREADABLE } from "./road-router.ts";

/** By `options.x` [units of pace, about a microsecond]. */
const EFFORTS = [0, 250_000, 500_000, 1_000_000, 3_000_000, 10_000_000] as const;

export const optimizeFleet = endpoint({
  name: "optimizeFleet",
  method: "POST",
  path: "/v1/route/optimize",
  level: "publishable",
  role: "read",
  geodataOnly: true,
  chapter: "Routing",
  summary: "Plans the routes of up to 20 vehicles with up to 200 jobs and shipments.",
  description:
    "Takes the input of VROOM as it is, and answers its output beside `meta`: vehicles with start, end, capacity, skills, hours, breaks and limits; jobs and shipments with amounts, time windows, service, skills and priority. What is most important is done first, then as much as possible, at the least cost. No limit is ever broken: what does not fit is in `unassigned`, with the reason. Work at a stop begins within one of its windows. A vehicle sets out as late as it can without coming home later. The same input has the same answer; another `options.seed` may find another. Durations are those of an empty road (`speed_factor` changes them); `vehicles[].steps`, `service_per_type` and the other options of VROOM are ignored. Computing takes what `options.x` says and a second or so for the ways between 200 places: Workers on Cloudflare's free plan may compute for 10 ms only, paid ones for 30 s.",
  body: fleetBody,
  bodyLimit: 4 * 1024 * 1024,
  response: fleetAnswerShape,
  async handle(call) {
    const { body } = call;
    const question = fleetQuestion(body);
    let isDamaged = false;
    const router =
      question.asked.length > 0 && question.places.length > 0
        ? await routerFor(call, question.places, () => {
            isDamaged = true;
          })
        : undefined;
    const matrices: TravelMatrix[] = [];
    const areas = router && (await areasOf(call, router, body));
    for (const { mode } of question.asked) matrices.push(await roadMatrix(router, question, { mode, areas }));
    const model = modelOf(question.problem(matrices));
    const effort = EFFORTS[body.options.x];
    const found = await solve(model, { seed: body.options.seed, effort, pace: requestPace() });
    const undone = found.undone.sort((a, b) => a - b).map((task) => ({ task, reason: reasonFor(model, task) }));
    const planned = planOf(model, found);
    const answer = fleetAnswer(body, question, model, planned, undone);
    if (body.options.g && router) {
      for (const [i, { vehicle, steps }] of planned.entries()) {
        const mode = question.asked[model.problem.vehicles[vehicle].matrix].mode;
        answer.routes[i].geometry = await drawn(router, question, steps, { mode, areas });
      }
    }
    if (router || question.asked.length === 0) return answer;
    return { ...answer, unavailable: isDamaged ? UNREADABLE : "There is no road data around these locations." };
  },
});

/** Whole seconds and metres, so that what is added up is what is shown. */
async function roadMatrix(
  router: Router | undefined,
  { places }: FleetQuestion,
  options: RouteOptions,
): Promise<TravelMatrix> {
  const size = places.length;
  const duration = new Float64Array(size * size).fill(Number.POSITIVE_INFINITY);
  const distance = new Float64Array(size * size).fill(Number.POSITIVE_INFINITY);
  const rows = await router?.matrix(places, places, options);
  for (let from = 0; from < size; from++) {
    for (let to = 0; to < size; to++) {
      const cell = from === to ? { duration: 0, distance: 0 } : rows?.[from][to];
      if (!cell) continue;
      duration[from * size + to] = Math.round(cell.duration);
      distance[from * size + to] = Math.round(cell.distance);
    }
  }
  return { size, duration, distance };
}

/** The way of a route along the roads. */
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
