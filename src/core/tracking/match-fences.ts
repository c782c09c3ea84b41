import { staying, waitingToLeave } from "./exit-delay.ts";
import { corrects, isSettled, matches, moved } from "./moved.ts";
import type { Trace } from "./trace/decision.ts";
import {
  accuracyRule,
  activeRule,
  edgeRule,
  exitDelayRule,
  goneRule,
  hoursRule,
  presenceRule,
  returnRule,
  stayRule,
  stopRule,
} from "./trace/fence-rules.ts";
import type { Fence } from "./types/fence.ts";
import { isOpen, type LocalTime, localTime } from "./types/operating-hours.ts";
import type { TrackingSettings } from "./types/settings.ts";
import { distanceToShape } from "./types/shape.ts";
import type { Anchor, FencePresence, UserState } from "./types/state.ts";
import type { Surroundings } from "./types/surroundings.ts";
import type { LocationUpdate } from "./types/update.ts";

interface FenceExit {
  presence: FencePresence;
  /** Absent = the fence is deleted, disabled, or far away. */
  fence?: Fence;
  /** Signed distance to the edge [m]; Infinity with an absent fence. */
  distance: number;
}

interface FenceEntry {
  fence: Fence;
  distance: number;
  /** The device left this fence and has not moved since. */
  returned: boolean;
}

interface FenceStay {
  presence: FencePresence;
  fence: Fence;
  distance: number;
}

export interface FenceMatches {
  exits: FenceExit[];
  entries: FenceEntry[];
  stays: FenceStay[];
  /** Presences whose exit waits since now, or no longer. */
  changed: FencePresence[];
}

/** Radius around a fix within which fences matter [m]: a lookup of candidates must reach at least this far. */
export function searchRadius(accuracy: number, settings: TrackingSettings): number {
  return settings.bufferedEntries && accuracy <= settings.accuracyLimit ? accuracy : 0;
}

/**
 * Decides for every fence nearby whether the device enters, stays or leaves. Changes nothing itself.
 *
 *     distance to the edge   … −accuracy …… 0 …… +accuracy …
 *     buffered               enters, stays             │ leaves
 *     bare position          enters, stays │ leaves
 *
 * - A fix less accurate than `accuracyLimit` causes no entries or exits.
 * - A fence that is deleted, disabled or not for this user is left immediately. Outside its operating hours a fence can't
 *   be entered and has no dwell time, but a device inside leaves it only by moving out.
 * - A fence that is not nearby at all is also left, however far the device has jumped. A fence between two fixes that
 *   contains neither is not visited.
 * - With `exitDelay`, a position outside ends a visit only if none inside follows (exit-delay.ts).
 * - A stationary device does not flap. Its first exit follows the rule above; from then on, until it has certainly moved,
 *   the bare position must be inside to enter again, and that visit ends only with a move or a much better fix. (With
 *   buffered entries disabled, the bare position always decides.)
 */
export function matchFences(
  state: UserState,
  update: LocationUpdate,
  surroundings: Surroundings,
  settings: TrackingSettings,
  at: number,
  trace?: Trace,
): FenceMatches {
  const look: Look = {
    ...{ state, update, surroundings, settings, at, trace },
    accurate: update.accuracy <= settings.accuracyLimit,
    buffer: searchRadius(update.accuracy, settings),
    result: { exits: [], entries: [], stays: [], changed: [] },
  };
  const { result } = look;
  const { fences, removed } = surroundings;
  let met = 0;
  for (const fence of fences) {
    const presence = state.geofences[fence.id];
    trace?.(presenceRule(fence.id, presence, at));
    if (presence === undefined) matchOutside(fence, look);
    else {
      met++;
      matchInside(fence, presence, look);
    }
  }
  if (Object.keys(state.geofences).length !== met) {
    const fromUnmet = (exit: FenceExit) => leave(result, exit, at, settings, trace);
    leaveUnmet(state, fences, look.accurate, removed, result, fromUnmet, trace);
  }
  return result;
}

/** An update that is compared with fences, and the results so far. */
interface Look {
  state: UserState;
  update: LocationUpdate;
  surroundings: Surroundings;
  settings: TrackingSettings;
  at: number;
  trace: Trace | undefined;
  accurate: boolean;
  buffer: number;
  result: FenceMatches;
  /** Computed for the first fence with operating hours. */
  now?: LocalTime;
}

/** Decides whether a device that is not in the fence enters it. */
function matchOutside(fence: Fence, look: Look): void {
  const { state, update, surroundings, settings, at, trace, accurate, buffer, result } = look;
  trace?.(accuracyRule(fence.id, update, settings));
  if (!accurate) return;
  const distance = distanceToShape(fence.shape, update.location, buffer);
  trace?.(edgeRule(fence, update, buffer, distance <= buffer));
  if (distance > buffer) return;
  const active = isActive(fence, state, at, surroundings.segments);
  trace?.(activeRule(fence, state, at, active, surroundings.segments));
  if (!active) return;
  if (fence.stopDetection ?? settings.stopDetection) {
    const settled = isSettled(update);
    trace?.(stopRule(fence, update, settings, settled));
    if (!settled) return;
  }
  if (fence.operatingHours) {
    const timeZone = surroundings.timeZone ?? update.timeZone ?? "UTC";
    look.now ??= localTime(at, timeZone);
    const open = isOpen(fence.operatingHours, look.now);
    trace?.(hoursRule(fence, look.now, timeZone, open));
    if (!open) return;
  }
  const exit = state.left[fence.id];
  const returned = exit !== undefined && settings.bufferedEntries && !moved(exit, update);
  const enters = !returned || mayReturn(exit, update, distance);
  if (exit) trace?.(returnRule(fence, exit, update, distance, returned, enters));
  if (enters) result.entries.push({ fence, distance, returned });
}

/** Decides whether a device that is in the fence leaves it. */
function matchInside(fence: Fence, presence: FencePresence, look: Look): void {
  const { state, update, surroundings, settings, at, trace, accurate, buffer, result } = look;
  const active = isActive(fence, state, at, surroundings.segments);
  trace?.(activeRule(fence, state, at, active, surroundings.segments));
  if (!active) {
    result.exits.push({ presence, distance: Number.POSITIVE_INFINITY });
    return;
  }
  trace?.(accuracyRule(fence.id, update, settings));
  if (!accurate) return;
  const distance = distanceToShape(fence.shape, update.location, buffer);
  trace?.(edgeRule(fence, update, buffer, distance <= buffer));
  const leaves = distance > buffer && mayLeave(presence, update);
  if (distance > buffer && presence.returned) trace?.(stayRule(fence.id, presence.returned, update, leaves));
  if (leaves) leave(result, { presence, fence, distance }, at, settings, trace);
  else {
    const stays = staying(presence);
    result.stays.push({ presence: stays, fence, distance });
    if (stays !== presence) result.changed.push(stays);
  }
}

/**
 * Does the fence apply to this user at this time [ms]: is it enabled, not past its end, and not limited to others?
 * @param computed external ids of the computed segments that the user is in
 */
export function isActive(
  fence: Fence,
  user: Partial<Pick<UserState, "_id" | "deviceId" | "userId" | "segments">>,
  at: number,
  computed: readonly string[] = [],
): boolean {
  if (!fence.enabled || (fence.disableAfter !== undefined && at >= fence.disableAfter)) return false;
  const { userIds, segments } = fence;
  if (segments !== undefined && segments.length > 0) {
    const isIn = (one: string) => computed.includes(one) || user.segments?.some(({ externalId }) => externalId === one);
    if (!segments.some(isIn)) return false;
  }
  if (userIds === undefined || userIds.length === 0) return true;
  return [user._id, user.deviceId, user.userId].some((name) => name !== undefined && userIds.includes(name));
}

/** Ends a visit, at once or after the delay of the project. */
function leave(
  { exits, changed }: FenceMatches,
  exit: FenceExit,
  at: number,
  settings: TrackingSettings,
  trace: Trace | undefined,
): void {
  const waiting = settings.exitDelay ? waitingToLeave(exit.presence, at, settings) : undefined;
  if (settings.exitDelay) trace?.(exitDelayRule(exit.presence, at, settings, waiting === undefined));
  if (waiting === undefined) exits.push(exit);
  else if (waiting.leaving !== exit.presence.leaving) changed.push(waiting);
}

function mayReturn(exit: Anchor, update: LocationUpdate, distance: number): boolean {
  return corrects(exit, update) || (distance <= 0 && matches(exit, update));
}

function mayLeave({ returned }: FencePresence, update: LocationUpdate): boolean {
  return returned === undefined || moved(returned, update) || corrects(returned, update);
}

/** Ends the presences in fences that are not among those nearby. */
function leaveUnmet(
  state: UserState,
  fences: readonly Fence[],
  accurate: boolean,
  removed: readonly string[] | undefined,
  result: FenceMatches,
  leaveByFix: (exit: FenceExit) => void,
  trace: Trace | undefined,
): void {
  const held = Object.keys(state.geofences);
  const around = new Set<string>();
  for (const { id } of fences) around.add(id);
  for (const id of held) {
    const presence = state.geofences[id];
    if (around.has(id)) continue;
    const isRemoved = removed?.includes(id) === true;
    const exit = { presence, distance: Number.POSITIVE_INFINITY };
    trace?.(goneRule(id, accurate || isRemoved));
    if (isRemoved) result.exits.push(exit);
    else if (accurate) leaveByFix(exit);
  }
}
