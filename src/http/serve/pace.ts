import { Pace } from "../../geo/pace.ts";

/** Most work of one request; with more, it is refused [units of about a microsecond]. */
export const REQUEST_BUDGET = 20_000_000;

/** A request's pace: it yields every 20,000 units, so that other requests wait some 20 ms at most. */
export function requestPace(budget = REQUEST_BUDGET): Pace {
  return new Pace(() => scheduler.wait(0), { budget });
}
