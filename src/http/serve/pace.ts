import { Pace } from "../../geo/pace.ts";

/** Work of one request after which it is refused [units of about a microsecond]. */
export const REQUEST_BUDGET = 20_000_000;

/** A request's pace: it gives way every 20,000 units, so that the requests beside it wait some 20 ms at most. */
export function requestPace(budget = REQUEST_BUDGET): Pace {
  return new Pace(() => scheduler.wait(0), { budget });
}
