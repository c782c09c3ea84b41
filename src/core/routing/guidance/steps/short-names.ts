import { isNameless, sameNameOrRef } from "../junctions/names.ts";
import type { Road } from "../types.ts";
import { absorb, type RawStep, withoutDropped } from "./raw-step.ts";

/** A name that lasts for less than this is not announced [m] (OSRM's cutoff, a bit more than 100). */
const MIN_ANNOUNCED_LENGTH = 105;

/**
 * Drops name changes that need no announcement: to the name announced last, to no name, to another name along the same
 * number ("Main Street (B 3)", "Station Road (B 3)"), or to one that applies only briefly. Of the latter, steps for which
 * `hasLanes` returns true stay: they show the lane to use.
 */
export function dropShortNames(steps: RawStep[], hasLanes: (step: RawStep) => boolean): RawStep[] {
  let announced = steps[0];
  for (const step of steps.slice(1)) {
    if (step.maneuver.type !== "new name" || step.waypoint) {
      announced = step;
      continue;
    }
    const known =
      sameNameOrRef(announced.road, step.road) || isNameless(step.road) || keepsNumber(announced.road, step.road);
    const isBrief = step.distance < MIN_ANNOUNCED_LENGTH && !hasLanes(step);
    if (known || isBrief) absorb(announced, step);
    else announced = step;
  }
  return withoutDropped(steps);
}

/** Returns whether the first number of two roads is the same. */
function keepsNumber(from: Road, to: Road): boolean {
  const number = firstNumber(from.ref);
  return number !== "" && number === firstNumber(to.ref);
}

function firstNumber(refs: string): string {
  const end = refs.indexOf(";");
  return (end < 0 ? refs : refs.slice(0, end)).replaceAll(" ", "");
}
