import { z } from "zod";
import { areasOf } from "../../answers/routes/areas-of.ts";
import { fleetQuestion } from "../../answers/routes/fleet-problem.ts";
import { FLEET_PARTS } from "../../answers/routes/job-work.ts";
import { routerFor } from "../../answers/routes/road-router.ts";
import { creditLayers } from "../../geodata/credit-layers.ts";
import { ROADS_LAYER } from "../../geodata/roads.ts";
import { isWhole, type WholeJob } from "../../objects/jobs/job-store.ts";
import { routeJobsOf } from "../../objects/jobs/jobs-stub.ts";
import { newId } from "../../objects/tracker/id.ts";
import { ApiError } from "../../platform/errors.ts";
import { fleetAnswerShape } from "../../wire/routes/fleet-answer-shape.ts";
import { fleetBodyOf, JOB_BOUNDS } from "../../wire/routes/fleet-body.ts";
import { matchBody, matchQuestion } from "../../wire/routes/match-body.ts";
import { matchShape } from "../../wire/routes/match-shape.ts";
import { commonJobFields, commonJobValues, jobEndpoints } from "../jobs/job-endpoints.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { GPX_TYPE } from "./match.ts";

const chapter = "Route jobs";
/** Maximum points of a trace, and the gap that splits it [s]. */
const MAX_POINTS = 5000;
const GAP = 60;
/** Length of a chunk of a job's input [characters]. */
const PIECE = 500_000;
const JSON_TYPE = "application/json";

const jobShape = z.object({
  ...commonJobFields,
  kind: z.enum(["match", "fleet"]),
  status: z.enum(["receiving", "running", "finished", "cancelled", "failed"]),
  progress: z.number().meta({ description: "0 to 1" }),
});

const { list, get, cancel, remove, start, jobOf, resultOf } = jobEndpoints({
  name: "Route",
  path: "/v1/route/jobs",
  chapter,
  summaries: {
    list: "Lists the jobs of the last day, newest first.",
    cancel: "Stops a job, within a few seconds.",
    remove: "Removes a job and its result.",
  },
  shape: jobShape,
  jobsOf: routeJobsOf,
  isOwn: isWhole,
  wire: wireJob,
});

export { cancel as cancelRouteJob, get as getRouteJob, list as listRouteJobs, remove as deleteRouteJob };

export const createMatchJob = endpoint({
  name: "createMatchJob",
  method: "POST",
  path: "/v1/route/match/jobs",
  level: "secret",
  chapter,
  summary: "Matches a trace of up to 5,000 points in the background.",
  description:
    "Like `POST /v1/route/match`, but a gap of more than 60 seconds splits the trace, unless `gap` is set. A project can have five active jobs; a result is stored for a day.",
  body: matchBody(MAX_POINTS, GAP),
  bodyLimit: 5 * 1024 * 1024,
  response: z.object({ job: jobShape }),
  errors: [409],
  async handle(call) {
    const query = await matchQuestion(call.body, MAX_POINTS, call.pace);
    const media = query.format === "gpx" ? GPX_TYPE : JSON_TYPE;
    return { job: await begin(call, "match", query.trace.length, query, media) };
  },
});

export const createFleetJob = endpoint({
  name: "createFleetJob",
  method: "POST",
  path: "/v1/route/optimize/jobs",
  level: "secret",
  chapter,
  summary: "Plans up to 50 vehicles with up to 500 jobs and shipments in the background.",
  description:
    "Like `POST /v1/route/optimize`, with more time: `options.x` means about 0, 2, 5, 15, 40 or 120 seconds of CPU time, one second at a time. A project can have five active jobs; a result is stored for a day. The same input gives the same result.",
  body: fleetBodyOf(JOB_BOUNDS),
  bodyLimit: 8 * 1024 * 1024,
  response: z.object({ job: jobShape }),
  errors: [409],
  async handle(call) {
    const { body } = call;
    const { places, asked } = fleetQuestion(body, JOB_BOUNDS);
    if (asked.length > 0 && (body.avoidPolygons || body.avoidGeofences)) {
      // Errors are returned immediately.
      const router = await routerFor(call, places);
      if (router) await areasOf(call, router, body);
    }
    return { job: await begin(call, "fleet", FLEET_PARTS, body, JSON_TYPE) };
  },
});

function begin(
  call: Pick<Call, "env" | "caller" | "now" | "audit">,
  kind: "match" | "fleet",
  total: number,
  query: unknown,
  media: string,
): Promise<z.input<typeof jobShape>> {
  const text = JSON.stringify(query);
  const pieces = Array.from({ length: Math.ceil(text.length / PIECE) }, (_, i) =>
    text.slice(i * PIECE, (i + 1) * PIECE),
  );
  const plan = { id: newId(call.now), kind, media, createdAt: call.now };
  return start(call, plan, { calls: [pieces], total, summary: kind });
}

function wireJob(job: WholeJob): z.input<typeof jobShape> {
  const { kind, status, total, done } = job;
  return {
    ...commonJobValues(job),
    kind,
    status,
    progress: total > 0 ? done / total : 0,
  };
}

export const getRouteJobResult = endpoint({
  name: "getRouteJobResult",
  method: "GET",
  path: "/v1/route/jobs/:id/result",
  level: "secret",
  chapter,
  summary: "Returns the result of a job.",
  description:
    "`match` or `fleet`, in the format of the synchronous endpoint; a GPX file if `format=gpx` was requested. 409 while the job is active, and if it was canceled or failed.",
  response: z.object({ match: matchShape.optional(), fleet: fleetAnswerShape.optional() }),
  orMedia: [GPX_TYPE],
  errors: [404, 409],
  async handle(call) {
    const job = await jobOf(call);
    if (job.status !== "finished") throw new ApiError(409, `The job is ${job.status}: it has no result.`);
    let whole = "";
    for await (const piece of resultOf(call, job)) whole += piece;
    await creditLayers(call.env.GEODATA, call, [ROADS_LAYER]);
    if (job.media === JSON_TYPE) return JSON.parse(whole) as Record<string, unknown>;
    return new Response(whole, {
      headers: {
        "content-type": `${job.media}; charset=utf-8`,
        "content-disposition": 'attachment; filename="matched.gpx"',
      },
    });
  },
});
