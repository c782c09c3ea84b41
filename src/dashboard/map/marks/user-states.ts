/** Current state of a user on the map: by color, icon and label, never by color alone. */
export const USER_STATES = ["moving", "stopped", "trip", "flagged", "quiet"] as const;
export type UserMapState = (typeof USER_STATES)[number];

interface StateLook {
  word: string;
  means: string;
  /** Dot on the light and on the dark map: each is at least 3:1 against its ground (WCAG 2.2, 1.4.11). */
  light: string;
  dark: string;
}

/** A user who has not been heard of for this long is shown as quiet [ms]. */
export const QUIET_AFTER_MS = 30 * 60 * 1000;

export const STATE_LOOKS: Record<UserMapState, StateLook> = {
  moving: { word: "Moving", means: "moving", light: "#1f6feb", dark: "#6cb6ff" },
  stopped: { word: "Stopped", means: "not moving", light: "#57606a", dark: "#adbac7" },
  trip: { word: "On a trip", means: "on the way to a destination", light: "#1a7f37", dark: "#57d27a" },
  flagged: { word: "Fraud check failed", means: "a fraud check has failed", light: "#c62828", dark: "#ff7b72" },
  quiet: { word: "Quiet", means: "no update for half an hour", light: "#8c6d1f", dark: "#d8b45a" },
};

/** Fields of an API user that determine the state. */
export interface SeenUser {
  updatedAt: string;
  createdAt?: string;
  stopped?: boolean;
  /** [m/s] */
  speed?: number;
  trip?: unknown;
  fraud?: { passed: boolean };
}

/** The first that holds: a failed check is the most urgent, silence outweighs what was known before it. */
export function stateOf(user: SeenUser, now: number): UserMapState {
  if (user.fraud && !user.fraud.passed) return "flagged";
  if (now - Date.parse(user.updatedAt) > QUIET_AFTER_MS) return "quiet";
  if (user.trip) return "trip";
  // One point is no movement, unless the device says so.
  const isNew = user.createdAt === user.updatedAt && !((user.speed ?? 0) > 0);
  return user.stopped || isNew ? "stopped" : "moving";
}

/** How many users are in each state. */
export function countStates(users: readonly SeenUser[], now: number): Record<UserMapState, number> {
  const counts = { moving: 0, stopped: 0, trip: 0, flagged: 0, quiet: 0 };
  for (const user of users) counts[stateOf(user, now)]++;
  return counts;
}
