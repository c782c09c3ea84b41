import type { LastUpdate, UserState } from "./types/state.ts";
import type { LocationUpdate } from "./types/update.ts";

/** Number of earlier updates, besides the last one, with which a late resend is compared. */
const MAX_EARLIER = 4;

/**
 * The time of an update [ms], or why it is not applied:
 *
 * - sent again ("repeated"): its time, location, accuracy and foreground equal those of one of the last updates, or its history has it;
 * - it has no time: server time;
 * - its time is later than all before: that time;
 * - its time is not later, and it is a replay ("older"): it changes nothing;
 * - its time is not later, and it is live: server time, so that a device whose clock was set back does not freeze.
 */
export function judgeTime(
  state: UserState | undefined,
  update: LocationUpdate,
  isKnown = false,
): number | "repeated" | "older" {
  const { updatedAt, receivedAt } = update;
  if (updatedAt === undefined) return receivedAt;
  if (!state) return updatedAt;
  if (state.last && isRepeat(state.last, update)) return "repeated";
  // Before comparing its time: server time can be earlier than the time of an accepted update.
  if (state.last?.earlier?.includes(fingerprint(updatedAt, update))) return "repeated";
  if (updatedAt > state.chronology) return updatedAt;
  if (isKnown) return "repeated";
  return update.replayed ? "older" : receivedAt;
}

/** May it be an update of before, sent again after others, because its response was lost? Then the history is searched. */
export function mayBeResent({ chronology }: UserState, { updatedAt, replayed }: LocationUpdate): boolean {
  return updatedAt !== undefined && !replayed && updatedAt <= chronology;
}

/** Is it the last update, sent again? */
export function isRepeat(last: LastUpdate, update: LocationUpdate): boolean {
  return (
    last.updatedAt === update.updatedAt &&
    last.location.latitude === update.location.latitude &&
    last.location.longitude === update.location.longitude &&
    last.accuracy === update.accuracy &&
    last.foreground === update.foreground
  );
}

/** The fingerprints of the updates before the next one: those of `last`, and its own. Newest first. */
export function earlierThan(last: LastUpdate | undefined): readonly number[] | undefined {
  if (last?.updatedAt === undefined) return last?.earlier;
  return [fingerprint(last.updatedAt, last), ...(last.earlier ?? []).slice(0, MAX_EARLIER - 1)];
}

/** 32 bits that identify an update. */
function fingerprint(
  updatedAt: number,
  { location, accuracy, foreground }: Pick<LastUpdate, "location" | "accuracy" | "foreground">,
): number {
  return hashOf(`${updatedAt} ${location.latitude} ${location.longitude} ${accuracy} ${foreground}`);
}

/** FNV-1a with 32 bits (Fowler, Noll & Vo 1991). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
