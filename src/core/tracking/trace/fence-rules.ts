import type { Confidence } from "../types/event.ts";
import type { Fence } from "../types/fence.ts";
import type { LocalTime } from "../types/operating-hours.ts";
import type { TrackingSettings } from "../types/settings.ts";
import { distanceToShape } from "../types/shape.ts";
import type { Anchor, FencePresence, UserState } from "../types/state.ts";
import type { LocationUpdate } from "../types/update.ts";
import { type Decision, type Figures, instant, metres, round, span } from "./decision.ts";
import { apart } from "./update-rules.ts";

/** The decisions about a geofence, in words. Each is recorded next to the line of code that decides. */

function about(fence: string, rule: string, passed: boolean, sentence: string, figures: Figures = {}): Decision {
  return { rule, about: { kind: "geofence", id: fence }, passed, sentence, figures };
}

export function accuracyRule(
  fence: string,
  { accuracy }: LocationUpdate,
  { accuracyLimit }: TrackingSettings,
): Decision {
  const passed = accuracy <= accuracyLimit;
  const sentence = passed
    ? `The fix is accurate enough: its accuracy of ${metres(accuracy)} is within the limit of ${metres(accuracyLimit)}.`
    : `The fix is not accurate enough: its accuracy of ${metres(accuracy)} is worse than the limit of ${metres(accuracyLimit)}.`;
  return about(fence, "accuracyLimit", passed, sentence, { accuracy, accuracyLimit });
}

/** @param buffer distance outside the edge that is still treated as inside [m] */
export function edgeRule({ id, shape }: Fence, update: LocationUpdate, buffer: number, inside: boolean): Decision {
  const distance = distanceToShape(shape, update.location, Number.POSITIVE_INFINITY);
  const where = `The position is ${metres(Math.abs(distance))} ${distance > 0 ? "outside" : "inside"} the edge`;
  const reach = buffer > 0 ? `its accuracy of ${metres(buffer)}` : "the bare position";
  const sentence = inside
    ? distance <= 0
      ? `${where}.`
      : `${where}, which is within ${reach}, so the user is inside.`
    : buffer > 0
      ? `${where}, which is more than ${reach}, so the user is outside.`
      : `${where}; without buffered entries only the position counts, so the user is outside.`;
  return about(id, "bufferedEntries", inside, sentence, {
    distance: round(distance),
    accuracy: update.accuracy,
    buffer,
    ...(shape.type === "circle" && { radius: shape.radius }),
  });
}

/** Is the fence enabled, not past its end, and for this user? */
export function activeRule(
  fence: Fence,
  user: Partial<UserState>,
  at: number,
  active: boolean,
  computed: readonly string[] = [],
): Decision {
  const { id, enabled, disableAfter, userIds = [], segments = [] } = fence;
  if (!enabled) return about(id, "enabled", false, "The geofence is disabled.", { enabled });
  if (disableAfter !== undefined && at >= disableAfter) {
    const end = new Date(disableAfter).toISOString();
    return about(
      id,
      "disableAfter",
      false,
      `The geofence ended ${instant(disableAfter)}, ${span(at - disableAfter)} before.`,
      { disableAfter: end },
    );
  }
  if (segments.length > 0) {
    const own = [...(user.segments ?? []).map(({ externalId }) => externalId), ...computed];
    const isIn = segments.some((one) => own.includes(one));
    if (!isIn || userIds.length === 0) {
      const sentence = `The geofence is limited to the segments ${segments.join(", ")}; the user is ${isIn ? "in one of them" : "in none of them"}.`;
      return about(id, "segments", isIn, sentence, { segments: segments.join(", "), user: own.join(", ") });
    }
  }
  if (userIds.length === 0)
    return about(id, "enabled", active, "The geofence is enabled, and for all users.", { enabled });
  const names = [user._id, user.deviceId, user.userId].filter((name) => name !== undefined);
  const sentence = active
    ? "The geofence is limited to some users, including this one."
    : `The geofence is for ${userIds.length === 1 ? "one other user" : `${userIds.length} other users`} only.`;
  return about(id, "userIds", active, sentence, { userIds: userIds.length, user: names.join(", ") });
}

export function stopRule(
  fence: Fence,
  { stopped, foreground }: LocationUpdate,
  { stopDetection }: TrackingSettings,
  settled: boolean,
): Decision {
  const whose = fence.stopDetection === undefined ? "The project" : "The geofence";
  const state = `stopped is ${stopped ?? "not reported"} and foreground is ${foreground ?? "not reported"}`;
  const sentence = `${whose} allows entries only if the device has stopped or the app is in the foreground: ${state}.`;
  return about(fence.id, "stopDetection", settled, sentence, {
    stopDetection: fence.stopDetection ?? stopDetection,
    ...(stopped !== undefined && { stopped }),
    ...(foreground !== undefined && { foreground }),
  });
}

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

export function hoursRule(
  { id, operatingHours = {} }: Fence,
  { day, minute }: LocalTime,
  timeZone: string,
  open: boolean,
): Decision {
  const weekday = DAYS[day];
  const clock = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
  const spans = (operatingHours[weekday] ?? []).map(([from, to]) => `${from}–${to}`).join(", ");
  const sentence = `It is ${weekday} ${clock} there (${timeZone}); the geofence is ${spans ? `open ${spans} that day` : "closed that day"}, so it is ${open ? "open" : "closed"}.`;
  return about(id, "operatingHours", open, sentence, { weekday, time: clock, timeZone, hours: spans });
}

/** The device has left the fence and may not have moved since. */
export function returnRule(
  { id }: Fence,
  exit: Anchor,
  update: LocationUpdate,
  distance: number,
  returned: boolean,
  enters: boolean,
): Decision {
  const moved = apart(exit, update);
  const sentence = !returned
    ? `Since its last exit the device has moved ${metres(moved)}: it may enter again.`
    : enters
      ? `Since its last exit the device has not certainly moved (${metres(moved)}), but this fix is much better, or its position is inside: it may enter again.`
      : `Since its last exit the device has not certainly moved (${metres(moved)}): while it is stationary, only a position inside, or a fix twice as accurate, enters again.`;
  return about(id, "flapping", enters, sentence, {
    moved: round(moved),
    certainFrom: round(2 * (exit.accuracy + update.accuracy)),
    distance: round(distance),
    accuracy: update.accuracy,
    exitAccuracy: exit.accuracy,
  });
}

/** The visit began without a move: it only ends with a move, or with a much better fix. */
export function stayRule(fence: string, returned: Anchor, update: LocationUpdate, leaves: boolean): Decision {
  const moved = apart(returned, update);
  const sentence = leaves
    ? `Since it came back the device has certainly moved (${metres(moved)}), or this fix is much better: it may leave.`
    : `Since it came back the device has not certainly moved (${metres(moved)}): a stationary device does not leave again.`;
  const figures = { moved: round(moved), certainFrom: round(2 * (returned.accuracy + update.accuracy)) };
  return about(fence, "flapping", leaves, sentence, figures);
}

/** Has the user been outside long enough? */
export function exitDelayRule(
  { fence, leaving = Number.POSITIVE_INFINITY }: FencePresence,
  at: number,
  { exitDelay = 0 }: TrackingSettings,
  exits: boolean,
): Decision {
  const outside = Math.max(0, at - Math.min(leaving, at));
  const sentence = exits
    ? `The user has been outside for ${span(outside)}, at least the exit delay of ${span(exitDelay * 1000)}.`
    : `The user has been outside for ${span(outside)}, less than the exit delay of ${span(exitDelay * 1000)}: an update inside before that cancels the exit.`;
  return about(fence._id, "exitDelay", exits, sentence, { secondsOutside: round(outside / 1000), exitDelay });
}

/** Was it inside before? */
export function presenceRule(fence: string, presence: FencePresence | undefined, at: number): Decision {
  if (!presence) return about(fence, "before", true, "Before this update the user was outside.", { inside: false });
  const { enteredAt, dwelled } = presence;
  const sentence = `Before this update the user was inside, since ${instant(enteredAt)} (${span(at - enteredAt)}).`;
  return about(fence, "before", true, sentence, {
    ...{
      inside: true,
      enteredAt: new Date(enteredAt).toISOString(),
      minutes: round((at - enteredAt) / 60_000),
      dwelled,
    },
  });
}

/** The fence is not among those around the position: it is far away, deleted or disabled. */
export function goneRule(fence: string, exits: boolean): Decision {
  const sentence = exits
    ? "The geofence is no longer near the position, or was deleted or disabled: the visit ends immediately."
    : "The geofence is no longer near the position, but the fix is not accurate enough to end a visit.";
  return about(fence, "nearby", exits, sentence);
}

export function dwellRule(
  fence: Fence,
  { enteredAt, dwelled }: FencePresence,
  minutes: number,
  at: number,
  due: boolean,
): Decision {
  const inside = (at - enteredAt) / 60_000;
  const threshold = `${fence.dwellThreshold === undefined ? "the project's" : "the geofence's"} threshold of ${round(minutes)} minutes`;
  const sentence = dwelled
    ? "The dwell event of this visit was already generated: there is one per visit."
    : !(minutes > 0)
      ? "Neither the geofence nor the project has a dwell threshold."
      : due
        ? `The user has been inside for ${round(inside)} minutes, longer than ${threshold}.`
        : `The user has been inside for ${round(inside)} minutes, not longer than ${threshold}.`;
  return about(fence.id, "dwellThreshold", due, sentence, {
    minutesInside: round(inside),
    dwellThreshold: minutes,
    dwelled,
  });
}

/** @param where whether the event says that the device is inside or outside */
export function confidenceRule(
  fence: string,
  where: "inside" | "outside",
  { accuracy }: LocationUpdate,
  distance: number,
  confidence: Confidence,
): Decision {
  const share = { 3: "all", 2: "at least half", 1: "less than half" }[confidence];
  const sentence = Number.isFinite(distance)
    ? `Confidence ${confidence}: ${share} of the accuracy circle (radius ${metres(accuracy)}) is ${where}.`
    : `Confidence ${confidence}: there is no edge near the position.`;
  return about(fence, "confidence", true, sentence, {
    confidence,
    accuracy,
    ...(Number.isFinite(distance) && { distance: round(distance) }),
  });
}
