import type { UserState } from "./types/state.ts";
import type { LocationUpdate } from "./types/update.ts";

/** A device's clock may be this far ahead of ours [ms] before we hold its last time for wrong. */
const CLOCK_SLACK = 5 * 60_000;

/**
 * When an update happened [ms], or why it does not count:
 *
 * - sent again ("repeated"): its own time, place, accuracy and foreground are those of the last update that counted;
 * - its own time is later than all before: that time;
 * - no time of its own: server time;
 * - its own time is not later ("older"): a straggler or a replay that would move the device back in time, so nothing moves.
 *   Unless the newest time so far lies in our future: then that clock was wrong, and server time puts it right
 *   (but never for what is marked as replayed).
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
