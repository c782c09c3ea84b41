import { isNameless, sameNameOrRef } from "./names.ts";
import { absorb, type RawStep, withoutDropped } from "./raw-step.ts";

/** A name that holds for less than this is not worth saying [m] (OSRM's cutoff, a bit more than 100). */
const WORTH_SAYING = 105;

/**
 * Drops changes of name that tell nothing: to a name already known, to none, or to one that is gone at once; `hasLanes`
 * says which of them show the lane to keep to, which is worth saying.
 */
export function dropShortNames(steps: RawStep[], hasLanes: (step: RawStep) => boolean): RawStep[] {
  let told = steps[0];
  for (const step of steps.slice(1)) {
    if (step.maneuver.type !== "new name" || step.waypoint) {
      told = step;
      continue;
    }
    const known = sameNameOrRef(told.road, step.road) || isNameless(step.road);
    if ((known || step.distance < WORTH_SAYING) && !hasLanes(step)) absorb(told, step);
    else told = step;
  }
  return withoutDropped(steps);
}
