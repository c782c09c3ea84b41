import { entersCircle, isCircleManeuver, leavesCircle } from "../junction-maneuver.ts";
import { modifierOf, turnAngle } from "../junctions/angles.ts";
import { isCircle } from "../junctions/road.ts";
import { arrivesHeading, leavesHeading } from "./collapse-cases.ts";
import { absorb, isDropped, type RawStep } from "./raw-step.ts";

/**
 * Counts the exits of every roundabout on the path and reduces each to two steps: one that enters it, with the number
 * of the exit and the road after it, and one that leaves it. A roundabout that is perceived as a crossing becomes one
 * step. On a leg that starts on a roundabout, counting starts there; one that ends on it has no exit. Rules: OSRM
 * (Project OSRM contributors, BSD-2-Clause, engine/guidance/post_processing.cpp).
 */
export function countExits(steps: RawStep[]): void {
  let begin = steps.findIndex((step) => isCircleManeuver(step.maneuver));
  if (begin < 0) return;
  // A leg that starts on a roundabout has no entry.
  let on = isCircle(steps[0].road) && !entersCircle(steps[begin].maneuver);
  if (on) begin = 0;
  let exits = 0;
  for (let index = Math.max(1, begin); index < steps.length; index++) {
    const { maneuver, waypoint } = steps[index];
    if (!on && entersCircle(maneuver)) {
      begin = index;
      exits = maneuver.atExit ? 1 : 0;
      on = !maneuver.touches;
      if (maneuver.touches) touch(steps[index]);
    } else if (on && maneuver.type === "stay") {
      exits++;
    } else if (on && leavesCircle(maneuver)) {
      leave(steps, begin, index, exits + 1);
      on = false;
      exits = 0;
    } else if (on && waypoint === "arrive") {
      if (begin > 0) endOnCircle(steps[begin]);
      merge(steps, begin, index);
    }
  }
}

function touch(step: RawStep): void {
  step.exit = 1;
  if (step.maneuver.circle === "rotary") step.rotaryName = circleName(step);
}

/** The name of a circle that is entered and left at the step's first junction. */
function circleName(step: RawStep): string | undefined {
  return step.views[0].branches.find(({ road }) => road.roundabout)?.road.name || undefined;
}

/** Joins the steps from `begin` up to `end` (exclusive) into the first of them. */
function merge(steps: RawStep[], begin: number, end: number): void {
  for (let index = begin + 1; index < end; index++) if (!isDropped(steps[index])) absorb(steps[begin], steps[index]);
}

function leave(steps: RawStep[], begin: number, index: number, exits: number): void {
  const entry = steps[begin];
  const exit = steps[index];
  exit.exit = exits;
  if (exit.maneuver.circle === "rotary") exit.rotaryName = entry.road.name || undefined;
  if (begin === 0) {
    merge(steps, begin, index);
    return;
  }
  entry.exit = exits;
  if (entry.maneuver.circle === "rotary") entry.rotaryName = entry.road.name || undefined;
  const turnedAt = entry.maneuver.circle === "intersection";
  // The angle between the arms on which the path enters and leaves.
  entry.across = modifierOf(turnAngle(arrivesHeading(entry), leavesHeading(exit)));
  if (turnedAt) entry.maneuver = { ...entry.maneuver, modifier: entry.across };
  const oneStep = turnedAt && entry.road.mode === exit.road.mode;
  entry.road = exit.road;
  merge(steps, begin, oneStep ? index + 1 : index);
}

function endOnCircle(entry: RawStep): void {
  if (entry.maneuver.circle === "rotary") entry.rotaryName = entry.road.name || undefined;
  else entry.maneuver = { ...entry.maneuver, type: "roundabout" };
}
