import { Pace } from "../geo/pace.ts";

/** Maximum work of one request; more is rejected [units of about a microsecond]. */
const REQUEST_BUDGET = 20_000_000;

/** A request's pace: it yields every 20,000 units, so that other requests wait some 20 ms at most. */
export function requestPace(budget = REQUEST_BUDGET): Pace {
  return new Pace(() => scheduler.wait(0), { budget });
}

/** Slice size of background work [units]: waiting requests get a turn four times as often. */
const BACKGROUND_SLICE = 5_000;

/** The pace of a job's step: it yields every 5,000 units, so that concurrent requests wait some 5 ms at most. */
export function backgroundPace(): Pace {
  return new Pace(() => scheduler.wait(0), { slice: BACKGROUND_SLICE, budget: REQUEST_BUDGET });
}
