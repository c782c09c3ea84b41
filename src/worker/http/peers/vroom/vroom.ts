import { z } from "zod";
import { solve } from "../../../../core/fleet/evolve/solve.ts";
import { fleetQuestion } from "../../../answers/routes/fleet-problem.ts";
import { openFleet } from "../../../answers/routes/plan-fleet.ts";
import { invalid } from "../../../platform/errors.ts";
import { fleetAnswerShape } from "../../../wire/routes/fleet-answer-shape.ts";
import { fleetBody } from "../../../wire/routes/fleet-body.ts";
import { EFFORTS } from "../../routes/optimize-fleet.ts";
import { endpoint } from "../../serve/endpoint.ts";
import type { Peer } from "../../serve/peers.ts";
import { json } from "../osrm/osrm.ts";

/** VROOM's API (docs/API.md of vroom), as vroom-express serves it. */
export const vroom: Peer = {
  name: "vroom",
  errorOf: ({ status, message }) => ({ body: { code: status < 500 ? 2 : 1, error: message } }),
};

/** Parts of a problem that VROOM has, and this solver does not. */
const UNSUPPORTED = {
  vehicles: ["steps", "type", "max_first_distance"],
  jobs: ["setup_per_type", "service_per_type"],
  stops: ["setup_per_type", "service_per_type"],
  costs: ["per_task_hour"],
  options: ["c", "l"],
} as const;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** @throws ApiError 400 for a part that would be ignored, with its path */
function refuseUnsupported(value: unknown, path: string, names: readonly string[]): void {
  if (!isObject(value)) return;
  const name = names.find((one) => Object.hasOwn(value, one) && value[one] !== null && value[one] !== false);
  if (name !== undefined) throw invalid(`${path}[${name}]`, "This solver does not support it.");
}

/** @throws ApiError 400 */
function checkSupported(body: Record<string, unknown>): void {
  listOf(body.vehicles).forEach((vehicle, i) => {
    refuseUnsupported(vehicle, `vehicles[${i}]`, UNSUPPORTED.vehicles);
    refuseUnsupported(vehicle.costs, `vehicles[${i}][costs]`, UNSUPPORTED.costs);
  });
  listOf(body.jobs).forEach((job, i) => {
    refuseUnsupported(job, `jobs[${i}]`, UNSUPPORTED.jobs);
  });
  listOf(body.shipments).forEach(({ pickup, delivery }, i) => {
    refuseUnsupported(pickup, `shipments[${i}][pickup]`, UNSUPPORTED.stops);
    refuseUnsupported(delivery, `shipments[${i}][delivery]`, UNSUPPORTED.stops);
  });
  refuseUnsupported(body.options, "options", UNSUPPORTED.options);
}

/** The same body, in which what VROOM has and this solver lacks is an error; `matrix` is its former name of the durations of cars. */
const vroomBody = z.preprocess((body) => {
  if (!isObject(body)) return body;
  checkSupported(body);
  const { matrix, ...rest } = body;
  return matrix === undefined || rest.matrices !== undefined
    ? rest
    : { ...rest, matrices: { car: { durations: matrix } } };
}, fleetBody);

export const solveVroom = endpoint({
  name: "vroom",
  countedAs: "optimizeFleet",
  method: "POST",
  path: "/vroom",
  aliases: ["/vroom/"],
  level: "publishable",
  role: "read",
  geodataOnly: true,
  chapter: "VROOM",
  peer: vroom,
  media: ["application/json"],
  errors: [404],
  summary: "Plans the routes of up to 20 vehicles with up to 200 jobs and shipments, as vroom-express does.",
  description: "The same problem, and the same plan, as `POST /v1/route/optimize`.",
  body: vroomBody,
  bodyLimit: 4 * 1024 * 1024,
  response: fleetAnswerShape.extend({
    summary: fleetAnswerShape.shape.summary.extend({
      computing_times: z.object({ loading: z.number(), solving: z.number(), routing: z.number() }),
    }),
  }),
  async handle(call) {
    const { body } = call;
    const began = Date.now();
    const { model, answer } = await openFleet(call, body, fleetQuestion(body));
    const loaded = Date.now();
    const found = await solve(model, { seed: body.options.seed, effort: EFFORTS[body.options.x], pace: call.pace });
    const solved = Date.now();
    const { unavailable, summary, ...plan } = await answer(found);
    if (unavailable !== undefined) return json({ code: 3, error: unavailable }, 400);
    const computing_times = { loading: loaded - began, solving: solved - loaded, routing: Date.now() - solved };
    return json({ ...plan, summary: { ...summary, computing_times } });
  },
});
