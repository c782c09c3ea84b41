import { entersCircle, type JunctionManeuverType } from "../junction-maneuver.ts";
import { bend, modifierOf, NARROW, turnsPastBack } from "../junctions/angles.ts";
import { isNameless, sameNameOrRef } from "../junctions/names.ts";
import type { Modifier } from "../types.ts";
import * as cases from "./collapse-cases.ts";
import { absorb, isDropped, nextStep, previousStep, type RawStep } from "./raw-step.ts";

/**
 * Joins maneuvers that a driver perceives as one, in place. Order and cases follow OSRM (Project OSRM contributors,
 * BSD-2-Clause, engine/guidance/collapse_turns.cpp).
 */
export function collapse(steps: RawStep[]): void {
  for (let index = 1; index + 1 < steps.length; index++) {
    const current = steps[index];
    if (isDropped(current) || entersCircle(current.maneuver) || current.maneuver.type === "stay") continue;
    if (current.maneuver.type === "slip road") {
      joinSlipRoad(steps, index);
      continue;
    }
    const next = steps[nextStep(steps, index)];
    if (next.waypoint) break;
    if (cases.modeOf(current) !== cases.modeOf(next)) continue;
    joinNeighbours(steps, index, next);
    joinAgain(steps, index);
  }
}

function joinNeighbours(steps: RawStep[], index: number, next: RawStep): void {
  const current = steps[index];
  const previousIndex = previousStep(steps, index);
  const previous = steps[previousIndex];
  if (cases.isStaggered(previous, current, next) || cases.isOffsetCrossing(previous, current, next)) {
    const same = previous.road === next.road || sameNameOrRef(previous.road, next.road) || isNameless(next.road);
    join(current, next, same ? "suppressed" : "new name", "straight");
  } else if (cases.isUTurn(previous, current, next)) {
    join(current, next, "continue", "uturn");
  } else if (cases.nameComesBack(previous, current, next)) {
    absorb(current, next);
    absorb(previous, current);
  } else if (cases.followsNameChange(previous, current, next) || cases.followsSilentBend(current, next)) {
    combineManeuvers(previous, next, current);
    absorb(previous, current);
  } else if (
    cases.precedesNameChange(current, next) ||
    cases.silentBeforeNameChange(current, next) ||
    cases.precedesSilentBend(current, next) ||
    cases.turnThenNoChoice(current, next) ||
    cases.straightThenNoChoice(current, next)
  ) {
    joinManeuvers(previous, current, next);
  } else if (cases.noChoiceThenTurn(current, next)) {
    absorb(previous, current);
  } else if (!previous.waypoint && cases.turnsAcrossMiddle(previous, current, next)) {
    const before = steps[previousStep(steps, previousIndex)];
    absorb(previous, current);
    joinManeuvers(before, previous, next);
  }
}

/** Two joined maneuvers may join with a third, such as a name change after a U-turn. */
function joinAgain(steps: RawStep[], index: number): void {
  const current = steps[index];
  if (isDropped(current)) return;
  const next = steps[nextStep(steps, index)];
  const previousIndex = previousStep(steps, index);
  const previous = steps[previousIndex];
  if (!next.waypoint && cases.twiceNoChoice(current, next)) joinManeuvers(previous, current, next);
  if (previous.waypoint) return;
  const before = steps[previousStep(steps, previousIndex)];
  if (cases.isUTurn(before, previous, current)) join(previous, current, "continue", "uturn");
}

/** Joins two steps into one maneuver, at the place of the first and onto the road of the second. */
function join(step: RawStep, onto: RawStep, type: JunctionManeuverType, modifier: Modifier): void {
  step.maneuver = { ...step.maneuver, type, modifier };
  step.road = onto.road;
  step.rotaryName = onto.rotaryName;
  absorb(step, onto);
}

function joinManeuvers(before: RawStep, step: RawStep, onto: RawStep): void {
  combineManeuvers(before, step, onto);
  join(step, onto, step.maneuver.type, step.maneuver.modifier);
}

function joinSlipRoad(steps: RawStep[], index: number): void {
  const slip = steps[index];
  let next = steps[nextStep(steps, index)];
  // A crossing for pedestrians or a signal in the middle of the slip road is no junction.
  while (next.maneuver.type === "suppressed" && next.views[0].branches.length === 2) {
    absorb(slip, next);
    next = steps[nextStep(steps, index)];
  }
  if (next.waypoint) {
    slip.maneuver = { ...slip.maneuver, type: "turn" };
    return;
  }
  const previous = steps[previousStep(steps, index)];
  const type = sameNameOrRef(previous.road, next.road) ? "continue" : "turn";
  join(slip, next, type, modifierOf(combinedAngle(slip, next)));
}

/**
 *     ──────╲                         ──────┐
 *            ╲    same as               │        but right and then left is not one turn;
 *            │                              │        there the first angle is kept
 */
function combinedAngle(a: RawStep, b: RawStep): number {
  const [first, second] = a.first <= b.first ? [a, b] : [b, a];
  const total = cases.angleAcross(first, second);
  const entry = cases.angleOf(first);
  const exit = cases.angleOf(second);
  if (bend(total) < 0.5 * NARROW) return entry;
  const sameWay = (entry <= 185 && exit <= 185) || (entry >= 175 && exit >= 175);
  if (turnsPastBack(entry, exit)) return 0;
  return first.distance < cases.SHORT || sameWay ? total : entry;
}

function isNoTurn(step: RawStep): boolean {
  return step.maneuver.type === "new name" || cases.isStraightTurn(step);
}

/** Gives `step` the combined maneuver of `step` and its neighbor `other`. */
function combineManeuvers(before: RawStep, step: RawStep, other: RawStep): void {
  const { type } = step.maneuver;
  const keepsSide = type === "fork" || type === "merge";
  const modifier = keepsSide ? step.maneuver.modifier : modifierOf(combinedAngle(step, other));
  const onto = other.first > step.first ? other : step;
  const same = sameNameOrRef(before.road, onto.road);
  step.maneuver = { ...step.maneuver, type: combinedType(step, other, modifier, same), modifier };
}

function combinedType(step: RawStep, other: RawStep, modifier: Modifier, sameStreet: boolean): JunctionManeuverType {
  const { type } = step.maneuver;
  if (isNoTurn(other) || isNoTurn(step) || type === "suppressed") {
    if (type === "suppressed") {
      if (modifier === "straight") return "new name";
      return sameStreet ? "continue" : "turn";
    }
    if (type === "new name") return other.maneuver.type === "suppressed" && modifier !== "straight" ? "turn" : type;
    if (type === "continue" && !sameStreet) return "turn";
    if (type === "turn" && sameStreet) return "continue";
    return type;
  }
  if (other.maneuver.type === "on ramp") return "on ramp";
  if (type === "turn" && other.maneuver.type === "turn" && sameStreet) return "continue";
  if (type === "continue" && other.maneuver.type === "turn" && !sameStreet) return "turn";
  return type;
}
