import { solve } from "../../../core/fleet/evolve/solve.ts";
import { fleetQuestion } from "../../answers/routes/fleet-problem.ts";
import { openFleet } from "../../answers/routes/plan-fleet.ts";
import { fleetAnswerShape } from "../../wire/routes/fleet-answer-shape.ts";
import { fleetBody } from "../../wire/routes/fleet-body.ts";
import { endpoint } from "../serve/endpoint.ts";

/** By `options.x` [units of pace, about a microsecond]. */
export const EFFORTS = [0, 250_000, 500_000, 1_000_000, 3_000_000, 10_000_000] as const;

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
    "Accepts VROOM input, and returns VROOM output with `meta`: vehicles with start, end, capacity, skills, hours, breaks and limits; jobs and shipments with amounts, time windows, service, skills and priority. The plan maximizes priority first, then the number of tasks, then minimizes cost. It never violates a limit: tasks that do not fit are in `unassigned`, with the reason. Service at a stop begins within one of its windows. A vehicle departs as late as possible without returning later. The same input gives the same result; another `options.seed` may give a different one. Without `departureTime`, durations assume no traffic (`speed_factor` changes them); with it, the cost of a route is that of its drives at their hours. `vehicles[].steps`, `service_per_type` and other VROOM options are ignored. For larger fleets, use a job: `POST /v1/route/optimize/jobs`. CPU time is that of `options.x` plus about one second for the routes between 200 locations: Cloudflare limits Workers to 10 ms on the free plan and 30 s on the paid plan.",
  body: fleetBody,
  bodyLimit: 4 * 1024 * 1024,
  response: fleetAnswerShape,
  async handle(call) {
    const { body } = call;
    const { model, answer } = await openFleet(call, body, fleetQuestion(body));
    const effort = EFFORTS[body.options.x];
    return answer(await solve(model, { seed: body.options.seed, effort, pace: call.pace }));
  },
});
