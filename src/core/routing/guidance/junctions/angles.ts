import type { Modifier } from "../types.ts";

/**
 * Turn angles as OSRM counts them [degrees]: the direction of a road as seen by an arriving traveler.
 *
 *              180 straight
 *         270       │       90
 *         left ─────┼───── right
 *                   │
 *                   0 U-turn
 */
const STRAIGHT = 180;

/**
 * The angles at which the modifier of a turn changes, from OSRM (Project OSRM contributors, BSD-2-Clause,
 * include/extractor/intersection/constants.hpp).
 */
export const NO_TURN_DEVIATION = 3;
export const FUZZY = 25;
export const NARROW = 40;
export const GROUP = 60;
/** A road is distinct when it bends at least this many times as much as the other. */
export const DISTINCTION = 2;

/** Smallest difference between two angles or bearings [0 … 180]. */
export function deviation(a: number, b: number): number {
  const d = Math.abs(a - b) % 360;
  return d > 180 ? 360 - d : d;
}

/** How far an angle is from straight on [0 … 180]. */
export function bend(angle: number): number {
  return deviation(angle, STRAIGHT);
}

export function reverse(bearing: number): number {
  return bearing >= 180 ? bearing - 180 : bearing + 180;
}

/** The turn angle between arriving on bearing `before` and leaving on bearing `after`; 0 ≤ angle < 360. */
export function turnAngle(before: number, after: number): number {
  return (((before - after + 540) % 360) + 360) % 360;
}

/** Returns the modifier for a turn of this angle. */
export function modifierOf(angle: number): Modifier {
  if (angle > 0 && angle < 60) return "sharp right";
  if (angle >= 60 && angle < 140) return "right";
  if (angle >= 140 && angle < 160) return "slight right";
  if (angle >= 160 && angle <= 200) return "straight";
  if (angle > 200 && angle <= 220) return "slight left";
  if (angle > 220 && angle <= 300) return "left";
  if (angle > 300 && angle < 360) return "sharp left";
  return "uturn";
}

export function pointsLeft(modifier: Modifier): boolean {
  return modifier === "left" || modifier === "slight left" || modifier === "sharp left";
}

export function pointsRight(modifier: Modifier): boolean {
  return modifier === "right" || modifier === "slight right" || modifier === "sharp right";
}

const MIRRORED: Record<Modifier, Modifier> = {
  uturn: "uturn",
  "sharp right": "sharp left",
  right: "left",
  "slight right": "slight left",
  straight: "straight",
  "slight left": "slight right",
  left: "right",
  "sharp left": "sharp right",
};

export function mirror(modifier: Modifier): Modifier {
  return MIRRORED[modifier];
}

/** Returns whether two bearings point in nearly opposite directions, like those before and after a U-turn. */
export function turnsAround(before: number, after: number): boolean {
  return deviation(before, reverse(after)) <= 35;
}

/** Returns whether two turns to one side lead farther round than back: their sum looks like a turn to the other side. */
export function turnsPastBack(first: number, second: number): boolean {
  return first > STRAIGHT === second > STRAIGHT && bend(first) + bend(second) >= STRAIGHT;
}
