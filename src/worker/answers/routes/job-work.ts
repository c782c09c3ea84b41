import { type Halfway, solveStep, usefulEffort } from "../../../core/fleet/evolve/solve.ts";
import type { Env } from "../../platform/env.ts";
import { backgroundPace } from "../../platform/pace.ts";
import type { FleetBody } from "../../wire/routes/fleet-body.ts";
import { JOB_BOUNDS } from "../../wire/routes/fleet-body.ts";
import type { MatchQuestion } from "../../wire/routes/match-body.ts";
import { climbsFor } from "./climbs.ts";
import { fleetQuestion } from "./fleet-problem.ts";
import { matchAnswer } from "./match-answer.ts";
import { openFleet } from "./plan-fleet.ts";
import { routerFor } from "./road-router.ts";

/** Parts of a job that report progress. */
export const FLEET_PARTS = 100;
/** Work for a fleet, by `options.x`, and per step [units of pace, about a microsecond]. */
const EFFORTS = [0, 2_000_000, 5_000_000, 15_000_000, 40_000_000, 120_000_000] as const;
const STEP = 1_000_000;

/** The completed part of the job's total and the state for a later step, or the result. */
type Step = { done: number; state: string } | { answer: string };

/** A query that runs in steps of a few seconds. */
export interface LongWork {
  step(): Promise<Step>;
}

/**
 * Starts a routing job (objects/jobs/jobs-object.ts), which then runs step by step.
 * @param query `state`: saved by the last step; undefined at the beginning
 */
export async function openRouteWork(
  env: Env,
  scope: number,
  job: { kind: "match" | "fleet" },
  { text, state }: { text: string; state: string | undefined },
  waitUntil: (work: Promise<unknown>) => void,
): Promise<LongWork> {
  const call = { env, now: Date.now(), waitUntil, caller: { scope }, pace: backgroundPace() };
  if (job.kind === "match") return { step: () => matchStep(call, JSON.parse(text)) };
  const body = JSON.parse(text) as FleetBody;
  const { model, answer } = await openFleet(call, body, fleetQuestion(body, JOB_BOUNDS));
  const effort = usefulEffort(model, EFFORTS[body.options.x]);
  let halfway = state === undefined ? undefined : (JSON.parse(state) as Halfway);
  return {
    async step() {
      const share = effort > STEP ? Math.min(1, (halfway?.share ?? 0) + STEP / effort) : 1;
      halfway = await solveStep(model, { seed: body.options.seed, effort, pace: call.pace }, halfway, share);
      if (share < 1) return { done: Math.floor(share * FLEET_PARTS), state: JSON.stringify(halfway) };
      const routes = halfway.routes.map((nodes) => Int32Array.from(nodes));
      return { answer: JSON.stringify({ fleet: await answer({ routes, undone: halfway.undone }) }) };
    },
  };
}

async function matchStep(call: Parameters<typeof routerFor>[0], query: MatchQuestion): Promise<Step> {
  const climbs = await climbsFor(call, query.options.mode);
  const answer = await matchAnswer(await routerFor(call, query.trace), query, climbs);
  return { answer: typeof answer === "string" ? answer : JSON.stringify({ match: answer }) };
}
