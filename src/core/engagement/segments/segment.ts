import type { Metadata } from "../../tracking/types/metadata.ts";

/** A computed segment as it is stored: the users that meet a rule. */

export const MAX_SEGMENTS = 100;
export const MAX_CONDITIONS = 10;
/** Longest period over which visits are counted [days]. */
export const MAX_VISIT_DAYS = 90;
export const MAX_VISIT_WEEKS = 12;
/** Longest period since the last update, or since the creation of a user [days]. */
export const MAX_AGE_DAYS = 3_650;

/** What the visits of a condition are counted for. */
export const VISITED = ["geofenceTag", "geofence", "chain", "category"] as const;
export type Visited = (typeof VISITED)[number];

interface VisitCondition {
  type: Visited;
  /** A tag, an _id of a geofence, a chain's slug, or a category. */
  value: string;
  /** At least this many entries … */
  visits?: number;
  /** … in the last days, today included. */
  days?: number;
  /** Instead of both: at least one entry in each of the last weeks (Monday to Sunday) before this one. */
  weeks?: number;
}

/** One condition; `not` inverts it. */
export type Condition = { not?: boolean } & (
  | VisitCondition
  | { type: "metadata"; metadata: Metadata }
  /** The last update, or the first one, was within the last days. */
  | { type: "lastSeen" | "created"; days: number }
  | { type: "deviceType" | "userTag" | "segment" | "country" | "state"; values: readonly string[] }
);

export interface SegmentRule {
  /** Whether all conditions must hold, or one. */
  match: "all" | "any";
  conditions: readonly Condition[];
}

export interface ComputedSegment {
  _id: string;
  /** [ms] */
  createdAt: number;
  updatedAt: number;
  externalId: string;
  description: string;
  rule: SegmentRule;
}

export function isVisit(condition: Condition): condition is VisitCondition & { not?: boolean } {
  return (VISITED as readonly string[]).includes(condition.type);
}

/** The name under which the visits of a condition are counted. */
export const countedName = (type: Visited, value: string) => `${type} ${value}`;
