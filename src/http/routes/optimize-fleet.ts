import { solve } from "../../routing/fleet/solve.ts";
import { endpoint } from "../serve/endpoint.ts";
import { requestPace } from "../serve/pace.ts";
import { fleetAnswerShape } from "./fleet-answer.ts";
import { fleetBody } from "./fleet-body.ts";
import { fleetQuestion } from "./fleet-problem.ts";
import { openFleet } from "./plan-fleet.ts";

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
    "Takes the input of VROOM as it is, and answers its output beside `meta`: vehicles with start, end, capacity, skills, hours, breaks and limits; jobs and shipments with amounts, time windows, service, skills and priority. What is most important is done first, then as much as possible, at the least cost. No limit is ever broken: what does not fit is in `unassigned`, with the reason. Work at a stop begins within one of its windows. A vehicle sets out as late as it can without coming home later. The same input has the same answer; another `options.seed` may find another. Durations are those of an empty road (`speed_factor` changes them); `vehicles[].steps`, `service_per_type` and the other options of VROOM are ignored. Larger fleets are planned as a job: `POST /v1/route/optimize/jobs`. Computing takes what `options.x` says and a second or so for the ways between 200 places: Workers on Cloudflare's free plan may compute for 10 ms only, paid ones for 30 s.",
  body: fleetBody,
  bodyLimit: 4 * 1024 * 1024,
  response: fleetAnswerShape,
  async handle(call) {
    const { body } = call;
    const { model, answer } = await openFleet(call, body, fleetQuestion(body));
    const effort = EFFORTS[body.options.x];
    return answer(await solve(model, { seed: body.options.seed, effort, pace: requestPace() }));
  },
});
