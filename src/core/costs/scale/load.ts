import { HIBERNATES_S } from "./platform-limits.ts";
import type { ScaleProject } from "./project.ts";
import rates from "./rates.json" with { type: "json" };

export const [HOUR_S, DAY_S] = [3_600, 24 * 3_600];
export const MONTH_S = 30 * DAY_S;

/** What follows from a project: per second at its busiest, and in a month. */
export interface Load {
  /** Updates. */
  updates: number;
  updatesAMonth: number;
  updatesADay: number;
  events: number;
  eventsADay: number;
  eventsAMonth: number;
  searches: number;
  userSearches: number;
  geofenceSearches: number;
  searchesAMonth: number;
  /** Share of updates that ask the index for geofences. */
  asked: number;
  /** A tracker is no longer in memory when the next update comes. */
  isAsleep: boolean;
  /** The busiest second, as times the average one. */
  peak: number;
}

export function loadOf(project: ScaleProject): Load {
  const { activePerDay, movingAtOnce, secondsBetweenUpdates, hoursMovingPerDay } = project;
  const updates = movingAtOnce / secondsBetweenUpdates;
  const updatesADay = (activePerDay * hoursMovingPerDay * HOUR_S) / secondsBetweenUpdates;
  const peak = updatesADay === 0 ? 1 : updates / (updatesADay / DAY_S);
  const eventsADay = activePerDay * project.eventsPerActiveUser;
  return {
    updates,
    updatesADay,
    updatesAMonth: updatesADay * 30,
    events: (eventsADay / DAY_S) * peak,
    eventsADay,
    eventsAMonth: eventsADay * 30,
    searches: project.searchesPerSecond,
    userSearches: project.searchesPerSecond * project.userSearchShare,
    geofenceSearches: project.searchesPerSecond * project.geofenceSearchShare,
    // As unevenly over the day as updates.
    searchesAMonth: (project.searchesPerSecond / peak) * MONTH_S,
    asked: askedShare(project),
    isAsleep: secondsBetweenUpdates > HIBERNATES_S,
    peak,
  };
}

/** A tracker asks when it has left the geofences that it knows, when it has forgotten them, and when some geofence has changed since. */
function askedShare({ secondsBetweenUpdates, geofences, geofenceChangesPerDay }: ScaleProject): number {
  if (geofences === 0) return 0;
  const { asleep, awake, awakeSeconds } = rates.moving.geofencesAsked;
  const left = secondsBetweenUpdates > HIBERNATES_S ? asleep : (awake * secondsBetweenUpdates) / awakeSeconds;
  const changed = 1 - Math.exp((-geofenceChangesPerDay / DAY_S) * secondsBetweenUpdates);
  return 1 - (1 - left) * (1 - changed);
}
