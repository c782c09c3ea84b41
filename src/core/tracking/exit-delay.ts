import type { TrackingSettings } from "./types/settings.ts";

/**
 * A fix can be wrong by hundreds of meters and report an accuracy of two: a single one outside must not end a visit that the next one
 * continues. With `exitDelay`, a visit ends by the first fix outside that is at least that much later than the first one outside, with
 * none inside between them.
 */

interface Visit {
  leaving?: number;
}

/** Until the exit is due: the visit, with the time of its first fix outside. undefined: it ends now. */
export function waitingToLeave<V extends Visit>(
  visit: V,
  at: number,
  { exitDelay = 0 }: Pick<TrackingSettings, "exitDelay">,
): (V & { leaving: number }) | undefined {
  // A clock that was set back must not prolong the wait.
  const leaving = Math.min(visit.leaving ?? at, at);
  return at - leaving >= exitDelay * 1000 ? undefined : { ...visit, leaving };
}

/** The visit after a fix inside. */
export function staying<V extends Visit>(visit: V): V {
  if (visit.leaving === undefined) return visit;
  const { leaving, ...stays } = visit;
  return stays as V;
}
