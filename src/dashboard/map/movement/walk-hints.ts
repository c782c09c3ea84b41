import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { countSteps, lengthOf, type WalkOptions } from "./walk.ts";

export interface PlannedWalk extends WalkOptions {
  line: readonly Coordinate[];
  deviceId: string;
  /** "" = none. */
  trip: string;
  /** How much faster than life: the device's clock runs ahead of its first update, and ends now. */
  pace: number;
}

/** A device may be tracked once a second; a little more keeps clear of the limit [ms]. */
export const SHORTEST_MS = 1050;
/** Updates on the way out of the track: a route is left when the distance has grown twice in a row. */
const MIN_AWAY = 4;
/** The device moves away from the track in a sixth of it. */
const AWAY_SHARE = 1 / 6;

/** When the device's clock begins [ms], so that it ends with the walk. */
export function beginOf(walk: PlannedWalk, now: number): number {
  const total = countSteps(walk.line, walk);
  const wallMs = total * Math.max(SHORTEST_MS, (walk.interval * 1000) / walk.pace);
  return now - Math.max(0, (total - 1) * walk.interval * 1000 - wallMs);
}

/**
 * Why a walk will not generate the events that one expects of it.
 * @param last the latest update of the device that walked last [ms]
 */
export function hintsOf(walk: PlannedWalk, last: { deviceId: string; at: number } | undefined, now: number): string[] {
  const { line, trip, detour = 0, speed, interval } = walk;
  const hints: string[] = [];
  if (detour > 0 && trip === "") hints.push("Only a trip has a route to leave: enter an external id.");
  const away = (lengthOf(line) * AWAY_SHARE) / (speed * interval);
  if (detour > 0 && trip !== "" && away < MIN_AWAY)
    hints.push("Too few updates for a left route: set a longer track, or update more often.");
  if (last?.deviceId === walk.deviceId && last.at > beginOf(walk, now))
    hints.push("This device's clock would go back, so its updates count when they arrive. Use another deviceId.");
  return hints;
}
