import type { MeetingLabel } from "../tracking/types/meeting.ts";
import type { UserState } from "../tracking/types/state.ts";
import { audienceProblem } from "./audience.ts";
import type { Group } from "./campaign.ts";

/** Users that meet all given conditions; without any, all users. */
export interface MeetingGroup extends Pick<Group, "metadata" | "segments" | "userIds"> {
  /** Of tags, one is enough. */
  userTags?: readonly string[];
}

/** A rule as it is stored: users of one group that come near users of another, or of the same. */
export interface Meeting extends MeetingLabel {
  /** [ms] */
  createdAt: number;
  updatedAt: number;
  enabled: boolean;
  users: MeetingGroup;
  others: MeetingGroup;
  /** They are together for at least so long [s]. */
  minimumSeconds: number;
  /** Both positions are at most so old [min]. */
  freshMinutes: number;
  /** Only these users take part (userId, deviceId or _id); absent = all. */
  testUserIds?: readonly string[];
}

export const MAX_MEETING_RULES = 20;
export const [MIN_RADIUS, MAX_RADIUS] = [10, 10_000];

/** In which groups of a rule a user is: 1 = `users`, 2 = `others`, 3 = both. */
type Sides = 1 | 2 | 3;

/** A rule for a user, as its tracker sends it to the cells. */
export interface SidedRule extends Pick<Meeting, "_id" | "name" | "radius" | "minimumSeconds" | "freshMinutes"> {
  sides: Sides;
}

/** The rules that a user takes part in. */
export function rulesOf(meetings: readonly Meeting[], user: UserState): SidedRule[] {
  const rules: SidedRule[] = [];
  for (const { _id, name, radius, minimumSeconds, freshMinutes, users, others, testUserIds } of meetings) {
    if (testUserIds && audienceProblem({ userIds: testUserIds }, user)) continue;
    const sides = (isIn(users, user) ? 1 : 0) + (isIn(others, user) ? 2 : 0);
    if (sides > 0) rules.push({ _id, name, radius, minimumSeconds, freshMinutes, sides: sides as Sides });
  }
  return rules;
}

function isIn({ userTags, ...group }: MeetingGroup, user: UserState): boolean {
  if (userTags && !user.userTags?.some((tag) => userTags.includes(tag))) return false;
  return audienceProblem(group, user) === undefined;
}

/** A device, by what decides whom it may meet. */
interface Participant {
  deviceId: string;
  /** By rule. */
  sides: Readonly<Record<string, number>>;
}

/** Are two devices in opposite groups of a rule? Two users of one phone are not near each other: one of them has signed out. */
export function mayMeet(rule: string, one: Participant, two: Participant): boolean {
  const [a, b] = [one.sides[rule] ?? 0, two.sides[rule] ?? 0];
  const isOpposite = ((a & 1) !== 0 && (b & 2) !== 0) || ((a & 2) !== 0 && (b & 1) !== 0);
  return isOpposite && one.deviceId !== two.deviceId;
}
