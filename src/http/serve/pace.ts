import { Pace } from "../../geo/pace.ts";

/** Most work of one request; with more, it is refused [units of about a microsecond]. */
export const REQUEST_BUDGET = 20_000_000;

/** A request's pace: it yields every 20,000 units, so that other requests wait some 20 ms at most. */
export function requestPace(budget = REQUEST_BUDGET): Pace {
  return new Pace(() => scheduler.wait(0), { budget });
}

/** Of a slice of work that nobody waits for [units]: whoever does wait has a turn four times as often. */
const BACKGROUND_SLICE = 5_000;

/** The pace of a step of a job: it yields every 5,000 units, so that requests beside it wait some 5 ms at most. */
export function backgroundPace(): Pace {
  return new Pace(() => scheduler.wait(0), { slice: BACKGROUND_SLICE, budget: REQUEST_BUDGET });
}
