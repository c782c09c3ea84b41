import { z } from "zod";
import { type Job, type JobPlan, keptMs } from "../../objects/jobs/job-store.ts";
import type { geocodeJobsOf } from "../../objects/jobs/jobs-stub.ts";
import { ApiError, notFound } from "../../platform/errors.ts";
import { wireDate } from "../../wire/date.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";

type Jobs = ReturnType<typeof geocodeJobsOf>;

/** Part of a result that is read per call [characters]. */
const PIECE = 1_000_000;

interface JobInput {
  /** The chunks that each call sends. */
  calls: Iterable<string[]>;
  /** Units of work. */
  total: number;
  /** For the audit log. */
  summary: string;
}

/** The fields of every job. */
export const commonJobFields = {
  _id: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  expiresAt: z.string().optional().meta({ description: "when a finished job and its result are removed" }),
};

/** The values of `commonJobFields`. */
export function commonJobValues(job: Job) {
  const { id, createdAt, updatedAt, status } = job;
  const isDone = status !== "receiving" && status !== "running";
  return {
    _id: id,
    createdAt: wireDate(createdAt),
    updatedAt: wireDate(updatedAt),
    ...(isDone && { expiresAt: wireDate(updatedAt + keptMs(job)) }),
  };
}

/** A kind of job. Each scope has its own object per kind, so only its own jobs are found there. */
interface JobFamily<J extends Job, Shape extends z.ZodType> {
  /** Part of the endpoints' names: "Geocode" for `getGeocodeJob`. */
  name: string;
  /** Path of the list. */
  path: string;
  chapter: string;
  summaries: { list: string; cancel: string; remove: string };
  shape: Shape;
  jobsOf(env: Call["env"], scope: number): Jobs;
  isOwn(job: Job): job is J;
  wire(job: J): z.input<Shape>;
}

/** Endpoints that every kind of job has, and how its other endpoints find and create jobs. */
export function jobEndpoints<J extends Job, Shape extends z.ZodType>(family: JobFamily<J, Shape>) {
  const { jobsOf } = family;
  const own = (job: Job | undefined): J => {
    if (!job || !family.isOwn(job)) throw notFound("Job");
    return job;
  };
  const wire = (job: Job | undefined) => family.wire(own(job));
  const jobOf = async ({ env, caller, params }: Pick<Call, "env" | "caller" | "params">): Promise<J> =>
    own(await jobsOf(env, caller.scope).job(params.id));
  return {
    jobOf,
    wire,
    /**
     * Creates a job, sends its input in calls of several chunks, and starts it.
     * @throws ApiError 409 if the project has too many active jobs
     */
    async start(
      { env, caller, audit }: Pick<Call, "env" | "caller" | "audit">,
      plan: JobPlan,
      { calls, total, summary }: JobInput,
    ): Promise<z.input<Shape>> {
      const jobs = jobsOf(env, caller.scope);
      if ((await jobs.create(caller.scope, plan)) === "full")
        throw new ApiError(409, "Job limit reached (5 active). Wait for a job to finish, or cancel one.");
      let first = 0;
      for (const chunks of calls) {
        await jobs.add(plan.id, first, chunks);
        first += chunks.length;
      }
      const job = wire(await jobs.start(plan.id, total));
      audit({ target: plan.id, summary });
      return job;
    },
    /** Reads the result of a job in pieces of `PIECE` characters. */
    async *resultOf({ env, caller }: Pick<Call, "env" | "caller">, { id }: J): AsyncGenerator<string> {
      const jobs = jobsOf(env, caller.scope);
      for (let from: number | undefined = 0; from !== undefined; ) {
        const piece: { text: string; next: number | undefined } = await jobs.result(id, from, PIECE);
        yield piece.text;
        from = piece.next;
      }
    },
    ...commonEndpoints(family, jobOf, wire),
  };
}

/** The endpoints whose requests have no input of their own: list, read, cancel, remove. */
function commonEndpoints<J extends Job, Shape extends z.ZodType>(
  family: JobFamily<J, Shape>,
  jobOf: (call: Pick<Call, "env" | "caller" | "params">) => Promise<J>,
  wire: (job: Job | undefined) => z.input<Shape>,
) {
  const { name, path, chapter, summaries, shape, jobsOf } = family;
  const common = { level: "secret", chapter } as const;
  const one = { ...common, response: z.object({ job: shape }), errors: [404] };
  return {
    list: endpoint({
      name: `list${name}Jobs`,
      method: "GET",
      path,
      ...common,
      summary: summaries.list,
      response: z.object({ jobs: z.array(shape) }),
      async handle({ env, caller }) {
        return { jobs: (await jobsOf(env, caller.scope).jobs()).map(wire) };
      },
    }),
    get: endpoint({
      name: `get${name}Job`,
      method: "GET",
      path: `${path}/:id`,
      ...one,
      summary: "Returns a job and its progress.",
      async handle(call) {
        return { job: family.wire(await jobOf(call)) };
      },
    }),
    cancel: endpoint({
      name: `cancel${name}Job`,
      method: "POST",
      path: `${path}/:id/cancel`,
      ...one,
      summary: summaries.cancel,
      body: z.object({}),
      async handle(call) {
        const { id } = await jobOf(call);
        return { job: wire(await jobsOf(call.env, call.caller.scope).cancel(id)) };
      },
    }),
    remove: endpoint({
      name: `delete${name}Job`,
      method: "DELETE",
      path: `${path}/:id`,
      ...one,
      summary: summaries.remove,
      response: z.object({}),
      async handle(call) {
        const { id } = await jobOf(call);
        await jobsOf(call.env, call.caller.scope).remove(id);
        return {};
      },
    }),
  };
}
