import { commonDatabase, databaseNames, envIn } from "../../db/databases.ts";
import { LostLease, type ProjectMove, releaseMove, takeMove } from "../../db/moves/moves.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { jurisdictionOf } from "../../platform/jurisdiction.ts";
import { MoveSteps } from "./move-steps.ts";
import type { MoveTimes } from "./move-times.ts";
import { MovedObjects } from "./moved-objects.ts";

/** Maximum duration of a scheduled run for moves [ms]; the next run starts a minute later. */
const ROUND_MS = 40_000;

/** Maximum read time of an export, and how long a machine caches a key (db/believed.ts). */
const TIMES: MoveTimes = {
  now: Date.now,
  sleep: (ms) => scheduler.wait(ms),
  roundMs: ROUND_MS,
  sourceRetentionMs: 15 * 60_000,
  unknownMs: 10_000,
};

/**
 * Runs the moves that an operator has requested, one after the other, until none is left or the time is up. After an
 * interruption the next run resumes: each step is idempotent.
 */
export async function moveRound(env: Env, times: MoveTimes = TIMES): Promise<void> {
  if (databaseNames(env).length === 1) return;
  const common = commonDatabase(env);
  const until = times.now() + times.roundMs;
  const seen: number[] = [];
  while (times.now() < until) {
    const move = await takeMove(common, times.now(), seen);
    if (!move) return;
    seen.push(move.project);
    await workAt(env, move, times, until);
  }
}

async function workAt(env: Env, move: ProjectMove, times: MoveTimes, until: number): Promise<void> {
  const common = commonDatabase(env);
  let trouble: string | null = null;
  try {
    const [source, target] = [envIn(env, move.source), envIn(env, move.target)];
    const isLeaving = jurisdictionOf(move.source) !== jurisdictionOf(move.target);
    const objects = isLeaving ? new MovedObjects(source, target, move.project) : undefined;
    const steps = new MoveSteps({ common, source: source.DB, target: target.DB }, move, times, objects);
    for (let wait: number | undefined = 0; wait !== undefined && times.now() + wait < until; wait = await steps.next())
      if (wait > 0) await times.sleep(wait);
  } catch (error) {
    if (error instanceof LostLease) return;
    trouble = describeBriefly(error);
    console.error(JSON.stringify({ what: "move", project: move.project, step: move.step, error: trouble }));
  }
  await releaseMove(common, move, trouble);
}
