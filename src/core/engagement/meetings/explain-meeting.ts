import { distance } from "../../geo/distance.ts";
import { type Decision, metres, span } from "../../tracking/trace/decision.ts";
import type { TrackEvent } from "../../tracking/types/event.ts";
import type { UserState } from "../../tracking/types/state.ts";
import { type Meeting, mayMeet, rulesOf, type SidedRule } from "../meeting.ts";

type StepOf = (rule: string, passed: boolean, sentence: string, figures: Decision["figures"]) => Decision;
const step: StepOf = (rule, passed, sentence, figures) => ({ rule, passed, sentence, figures });

/** Why an event about a meeting was generated; undefined for other events. */
export function meetingSentence({ meeting, otherUser, confidence, duration }: TrackEvent): string | undefined {
  if (!meeting || !otherUser) return undefined;
  const { distance: apart, age } = otherUser;
  const position = `The users were ${metres(apart)} apart, by a position of the other that was ${span(age * 1000)} old`;
  return duration === undefined
    ? `${position}: within the ${metres(meeting.radius)} of “${meeting.name}”. The confidence is ${confidence} of 3, from both accuracies.`
    : `${position}: beyond the ${metres(meeting.radius)} of “${meeting.name}” and both accuracies.`;
}

/** Whether two users are near each other by a rule, as of their last positions, and if not, why. */
export function explainMeeting(
  meeting: Meeting,
  user: UserState,
  other: UserState,
  now: number,
): { verdict: string; sentence: string; steps: Decision[] } {
  const steps = [step("enabled", meeting.enabled, `The rule is ${meeting.enabled ? "enabled" : "disabled"}.`, {})];
  const [own, others] = [user, other].map((one) => rulesOf([meeting], one));
  const sides = (rules: readonly SidedRule[]) => ({ [meeting._id]: rules[0]?.sides ?? 0 });
  const isSame = user.userId !== undefined && user.userId === other.userId;
  const isOpposite =
    !isSame &&
    mayMeet(
      meeting._id,
      { deviceId: user.deviceId, sides: sides(own) },
      { deviceId: other.deviceId, sides: sides(others) },
    );
  const groups = isSame
    ? "Both are devices of one user, which does not meet itself."
    : isOpposite
      ? "One user is in “users” and the other in “others”."
      : "The users are not in opposite groups of the rule, or share a device.";
  steps.push(step("groups", isOpposite, groups, {}));
  const age = Math.max(now - user.chronology, now - other.chronology);
  const isFresh = Math.abs(user.chronology - other.chronology) <= meeting.freshMinutes * 60_000;
  steps.push(
    step(
      "freshMinutes",
      isFresh,
      `Their positions are ${span(user.chronology - other.chronology)} apart in time, and ${span(age)} old; ${span(meeting.freshMinutes * 60_000)} are allowed between both.`,
      { age: age / 1000, freshMinutes: meeting.freshMinutes },
    ),
  );
  const apart = distance(user.location, other.location);
  const accuracies = user.locationAccuracy + other.locationAccuracy;
  steps.push(
    step(
      "radius",
      apart <= meeting.radius,
      `They are ${metres(apart)} apart; meetings begin within ${metres(meeting.radius)} and end beyond ${metres(meeting.radius + accuracies)}, with both accuracies.`,
      { distance: apart, radius: meeting.radius, accuracies },
    ),
  );
  const failed = steps.find(({ passed }) => !passed);
  const wait =
    meeting.minimumSeconds > 0 ? ` The event follows after ${span(meeting.minimumSeconds * 1000)} together.` : "";
  return failed
    ? { verdict: "apart", sentence: `No meeting: ${failed.sentence}`, steps }
    : { verdict: "near", sentence: `The users are near each other.${wait}`, steps };
}
