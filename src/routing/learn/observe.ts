import type { LocalTime } from "../graph/traffic.ts";
import { match } from "../match/match.ts";
import type { Router } from "../route/router.ts";
import { cleanTrace, isMotorized, type TimedPoint, type TracePiece } from "./clean.ts";
import { driveTimes } from "./drive-times.ts";
import { edgeKey } from "./edge-key.ts";
import { freeFlow } from "./free-flow.ts";
import type { Observations } from "./observations.ts";

/** Local time at a position; `time` [s since 1970]. */
export type LocalTimeOf = (time: number) => LocalTime;

export interface Observed {
  pieces: number;
  /** Pieces of a motor vehicle, the only ones that count. */
  motorized: number;
  traversals: number;
  /** Time of matching [ms], if `now` was passed. */
  matching: number;
}

/** A longer silence splits a match [s]; pieces are cut before. */
const MATCH_GAP_SECONDS = 300;
/** Speeds outside are errors [m/s]. */
const MIN_SPEED = 0.4;
const MAX_SPEED = 55;

/** Adds what the trace of one device says about roads to `into`. */
export async function observe(
  router: Router,
  trace: readonly TimedPoint[],
  localTime: LocalTimeOf,
  into: Observations,
  now: () => number = () => 0,
): Promise<Observed> {
  const pieces = cleanTrace(trace);
  const motorized = pieces.filter(isMotorized);
  const observed = { pieces: pieces.length, motorized: motorized.length, traversals: 0, matching: 0 };
  for (const piece of motorized) {
    const began = now();
    const { courses } = await match(router, piece.points, { mode: "car", gap: MATCH_GAP_SECONDS });
    observed.matching += now() - began;
    observed.traversals += await addCourses(router, piece, courses, localTime, into);
  }
  return observed;
}

async function addCourses(
  { store }: Router,
  { points, isSparse }: TracePiece,
  courses: Awaited<ReturnType<typeof match>>["courses"],
  localTime: LocalTimeOf,
  into: Observations,
): Promise<number> {
  let count = 0;
  for (const course of courses) {
    const { stretches } = course;
    const flow = await freeFlow(store, stretches);
    for (const { stretch, time, seconds, meters, waited } of driveTimes(
      course,
      flow,
      (index) => points[index].time,
      isSparse,
    )) {
      const pace = seconds / meters;
      if (!(pace * MAX_SPEED >= 1 && pace * MIN_SPEED <= 1)) continue;
      const { tile, edge } = stretches[stretch];
      const { day, minute } = localTime(time);
      into.add(edgeKey(tile, edge), day * 24 + Math.floor(minute / 60), pace, waited / meters);
      count++;
    }
  }
  return count;
}
