import type { UserState } from "./types/state.ts";
import type { LocationUpdate } from "./types/update.ts";

/** A device's clock may be this far ahead of ours [ms] before we take its last time to be wrong. */
const CLOCK_SLACK = 5 * 60_000;

/**
 * When an update happened [ms], or why it does not count:
 *
 * - sent again ("repeated"): its time, location, accuracy and foreground equal those of the last update that counted;
 * - its time is later than all before: that time;
 * - it has no time: server time;
 * - its time is not later ("older"): a late or replayed point that would move the device back in time, so it is
 *   ignored. Exception: if the newest time so far lies in our future, the device's clock was wrong then: server time
 *   (but never for an update that is marked as replayed).
 */
export function judgeTime(state: UserState | undefined, update: LocationUpdate): number | "repeated" | "older" {
  const { updatedAt, receivedAt } = update;
  if (updatedAt === undefined) return receivedAt;
  if (!state) return updatedAt;
  if (state.last && isRepeat(state.last, update)) return "repeated";
  if (updatedAt > state.chronology) return updatedAt;
  return !update.replayed && state.chronology > receivedAt + CLOCK_SLACK ? receivedAt : "older";
}

function isRepeat(last: NonNullable<UserState["last"]>, update: LocationUpdate): boolean {
  return (
    last.updatedAt === update.updatedAt &&
    last.location.latitude === update.location.latitude &&
    last.location.longitude === update.location.longitude &&
    last.accuracy === update.accuracy &&
    last.foreground === update.foreground
  );
}
