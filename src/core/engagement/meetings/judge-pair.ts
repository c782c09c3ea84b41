import { confidenceInside, confidenceOutside } from "../../tracking/confidence.ts";
import type { Confidence } from "../../tracking/types/event.ts";
import type { Meeting } from "../meeting.ts";

/** A position of a device. */
export interface Fix {
  latitude: number;
  longitude: number;
  /** [m] */
  accuracy: number;
  /** [ms] */
  at: number;
}

/** How near two users are, by the nearest of their devices [m]. */
export interface Nearness {
  /** Between the device of the update and those with a fresh position; infinite if there is none. */
  fresh: number;
  /** The same without both accuracies: they are certainly farther apart only beyond this. */
  freshGap: number;
  /** Likewise between all devices. */
  gap: number;
}

/** What two users are to each other [ms]. */
export interface Together {
  /** Since when they are near. */
  since: number;
  /** The last update that showed it, with a fresh position of the other. */
  nearAt: number;
  /** When they met; absent = they wait for the minimum time. */
  metAt?: number;
}

type Judgement = "apart" | "waiting" | "met" | "together" | "parted";

/**
 * Compares two users after an update at a time. They begin to be together within the radius; they are no longer together only beyond the
 * radius and both accuracies, so that the errors of two positions end no meeting. The time together begins again after a gap in which no
 * position was fresh; a meeting ends only by a position that is far away.
 */
export function judgePair(
  before: Together | undefined,
  { radius, minimumSeconds, freshMinutes }: Pick<Meeting, "radius" | "minimumSeconds" | "freshMinutes">,
  { fresh, freshGap, gap }: Nearness,
  at: number,
): { judgement: Judgement; next?: Together } {
  if (before?.metAt !== undefined)
    return gap > radius ? { judgement: "parted" } : { judgement: "together", next: before };
  if (before ? gap > radius : fresh > radius) return { judgement: "apart" };
  if (before && freshGap > radius) return { judgement: "waiting", next: before };
  const goesOn = before && at - before.nearAt <= freshMinutes * 60_000;
  const since = goesOn ? before.since : at;
  const next = { since, nearAt: Math.max(at, goesOn ? before.nearAt : at) };
  const isMet = fresh <= radius && at - since >= minimumSeconds * 1000;
  return isMet ? { judgement: "met", next: { ...next, metAt: at } } : { judgement: "waiting", next };
}

/** What two cells know of the same users: one may lack the latest update, or have begun later. */
export function joined(a: Together, b: Together): Together {
  const metAt = Math.min(a.metAt ?? Infinity, b.metAt ?? Infinity);
  const isOne = a.since <= b.nearAt && b.since <= a.nearAt;
  const since = isOne ? Math.min(a.since, b.since) : Math.max(a.since, b.since);
  return { since, nearAt: Math.max(a.nearAt, b.nearAt), ...(metAt < Infinity && { metAt }) };
}

/** How sure an event is: the circle of both accuracies around one user, compared with the radius around the other. */
export function confidenceOfPair(isMet: boolean, a: Fix, b: Fix, apart: number, radius: number): Confidence {
  const circle = { type: "circle" as const, center: b, radius };
  return (isMet ? confidenceInside : confidenceOutside)(circle, a, a.accuracy + b.accuracy, apart - radius);
}
