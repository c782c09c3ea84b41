import { utf8Length } from "../geo/bytes/utf8-length.ts";
import { currentLeg, isOver, legIn, MAX_LEGS, openLegs, settled, withLeg } from "./legs.ts";
import { MAX_METADATA_BYTES, type Metadata } from "./types/metadata.ts";
import type { Trip, TripLeg, TripStatus } from "./types/trip.ts";

/** Changes that API callers may make to the legs of a trip. */

/** Why a change is rejected: the parameter, and the rule. */
export interface Rejection {
  param: string;
  rule: string;
}

export function isRejection(value: Trip | Rejection): value is Rejection {
  return "rule" in value;
}

export const LEGS_METADATA_RULE = `The metadata of all legs must have at most ${MAX_METADATA_BYTES} bytes as JSON.`;

export function haveSmallMetadata(legs: readonly { metadata?: Metadata | undefined }[]): boolean {
  const texts = legs.map(({ metadata }) => (metadata ? JSON.stringify(metadata) : ""));
  return utf8Length(texts.join("")) <= MAX_METADATA_BYTES;
}

/** Allowed next statuses of a leg. */
export const LEG_STEPS: Readonly<Record<TripStatus, readonly TripStatus[]>> = {
  pending: ["started", "approaching", "arrived", "completed", "canceled"],
  started: ["approaching", "arrived", "completed", "canceled"],
  approaching: ["arrived", "completed", "canceled"],
  arrived: ["completed", "canceled"],
  completed: [],
  canceled: [],
  expired: [],
};

/**
 * Changes the status of one leg. A pending leg that the device starts, or is at, moves before the open ones. If none is
 * left, the trip is completed, or canceled if no leg was completed.
 */
export function changeLeg(trip: Trip, id: string, status: TripStatus, at: number): Trip | Rejection {
  const leg = trip.legs?.find(({ _id }) => _id === id);
  if (!leg) return { param: "legId", rule: "The trip has no leg with this _id." };
  if (leg.status === status) return trip;
  const steps = LEG_STEPS[leg.status];
  if (!steps.includes(status)) return { param: "status", rule: ruleOf(leg.status, steps) };
  const current = currentLeg(trip) as TripLeg;
  const moved = withLeg(trip, legIn(leg, status, at));
  if (!isOver(status) && leg !== current) {
    if (current.status === "arrived")
      return { param: "status", rule: "The device is at the stop of another leg: complete or cancel that one first." };
    return settled({ ...moved, legs: before(moved.legs ?? [], id, current._id) }, at);
  }
  if (openLegs(moved).length > 0) return settled(moved, at);
  const reached = moved.legs?.some((one) => one.status === "completed");
  return { ...moved, status: reached ? "completed" : "canceled" };
}

function ruleOf(status: TripStatus, steps: readonly TripStatus[]): string {
  if (steps.length === 0) return `The leg is ${status}.`;
  return `A leg that is ${status} can become ${steps.join(", ")}.`;
}

/** The leg `id` directly before another. */
function before(legs: readonly TripLeg[], id: string, other: string): TripLeg[] {
  const leg = legs.find(({ _id }) => _id === id) as TripLeg;
  return legs.flatMap((one) => (one === leg ? [] : one._id === other ? [leg, one] : [one]));
}

/**
 * The trip with other legs, or with its own in another order. Its existing legs keep their status and destination.
 * Ended legs stay even if they are not listed; others that are not listed are removed.
 */
export function replaceLegs(trip: Trip, wanted: readonly TripLeg[], at: number): Trip | Rejection {
  const had = trip.legs ?? [];
  const named = new Set(wanted.map(({ _id }) => _id));
  const legs = [
    ...had.filter(({ _id, status }) => isOver(status) && !named.has(_id)),
    ...wanted.map((leg) => {
      const own = had.find(({ _id }) => _id === leg._id);
      return own ? { ...own, stopDuration: leg.stopDuration, metadata: leg.metadata, way: leg.way } : leg;
    }),
  ];
  if (legs.length > MAX_LEGS)
    return { param: "legs", rule: `A trip can have at most ${MAX_LEGS} legs, including ended ones.` };
  if (!haveSmallMetadata(legs)) return { param: "legs", rule: LEGS_METADATA_RULE };
  const current = currentLeg({ legs });
  if (!current) return { param: "legs", rule: "At least one leg must be open." };
  const stop = had.find(({ status }) => status === "arrived");
  if (stop && stop._id !== current._id)
    return {
      param: "legs",
      rule: "The device is at the stop of a leg: that one comes first until it is completed or canceled.",
    };
  return settled({ ...trip, legs }, at);
}
