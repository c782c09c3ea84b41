import { entersCircle, isCircleManeuver } from "../junction-maneuver.ts";
import { bend, FUZZY, NARROW, pointsLeft, pointsRight, turnAngle, turnsAround } from "../junctions/angles.ts";
import { sameNameOrRef } from "../junctions/names.ts";
import { bearingAfter, bearingBefore, choices } from "../junctions/view.ts";
import { allowedTurns, type RawStep } from "./raw-step.ts";

/**
 * Cases in which a driver perceives adjacent maneuvers as one. Each function tests one case of OSRM's list (Project
 * OSRM contributors, BSD-2-Clause, engine/guidance/collapse_scenario_detection.cpp). Dropped steps are never passed in.
 */

/** Maneuvers closer than this may be one [m]. */
export const SHORT = 30;

export function modeOf(step: RawStep): string {
  return step.road.mode;
}

export function arrivesHeading(step: RawStep): number {
  return bearingBefore(step.views[0]);
}

export function leavesHeading(step: RawStep): number {
  return bearingAfter(step.views[0]);
}

/** Angle of the turn a step begins with. */
export function angleOf(step: RawStep): number {
  return turnAngle(arrivesHeading(step), leavesHeading(step));
}

/** Turn angle from the road before the first maneuver to the road after the second. */
export function angleAcross(entering: RawStep, leaving: RawStep): number {
  return turnAngle(arrivesHeading(entering), leavesHeading(leaving));
}

export function isStraightTurn(step: RawStep): boolean {
  return (step.maneuver.type === "turn" || step.maneuver.type === "continue") && step.maneuver.modifier === "straight";
}

/** No other road meets the step between its maneuver and the next one. */
function isUndisturbed(step: RawStep): boolean {
  const passed = step.waypoint === "depart" ? step.views : step.views.slice(1);
  return passed.every((view) => view.junction.roads.length === 2);
}

function isShort(step: RawStep): boolean {
  return step.distance <= SHORT && isUndisturbed(step);
}

/** A short nameless piece between two streets with names. */
function isConnector(before: RawStep, step: RawStep, after: RawStep): boolean {
  const between = before.road.name !== "" && after.road.name !== "" && step.road.name === "";
  return between && step.distance <= 2 * SHORT && isUndisturbed(step);
}

function isManeuver(step: RawStep): boolean {
  return step.maneuver.type !== "suppressed" && !step.waypoint;
}

function isNameChange(step: RawStep): boolean {
  return step.maneuver.type === "new name" || isStraightTurn(step);
}

function hasUTurn(step: RawStep): boolean {
  return !step.waypoint && step.maneuver.modifier === "uturn";
}

/** A U-turn is joined only with a name change, as in the gap of a divided road. */
function uTurnForbids(first: RawStep, second: RawStep): boolean {
  if (!hasUTurn(first) && !hasUTurn(second)) return false;
  const aroundAfterName = first.maneuver.type === "new name" && hasUTurn(second);
  const nameAfterAround = second.maneuver.type === "new name" && hasUTurn(first);
  return !aroundAfterName && !nameAfterAround;
}

function mayJoin(first: RawStep, second: RawStep): boolean {
  if (isCircleManeuver(first.maneuver) || isCircleManeuver(second.maneuver) || first.waypoint || second.waypoint)
    return false;
  return modeOf(first) === modeOf(second) && !uTurnForbids(first, second);
}

function mayJoinThree(first: RawStep, second: RawStep, third: RawStep): boolean {
  if (isCircleManeuver(first.maneuver) || isCircleManeuver(second.maneuver) || isCircleManeuver(third.maneuver))
    return false;
  if (modeOf(first) !== modeOf(second) || modeOf(second) !== modeOf(third)) return false;
  return !(uTurnForbids(first, second) && uTurnForbids(second, third));
}

/**
 *     ──────┐
 *           └──────    right, left: drivers do not perceive it as turning
 */
export function isStaggered(before: RawStep, entering: RawStep, leaving: RawStep): boolean {
  const VERY_SHORT = 3;
  if (entering.distance >= VERY_SHORT || entersCircle(entering.maneuver) || entersCircle(leaving.maneuver))
    return false;
  if (!isUndisturbed(entering)) return false;
  if (modeOf(before) !== modeOf(entering)) return false;
  if (!sameNameOrRef(before.road, leaving.road)) return false;
  return turnsBack(entering, leaving);
}

/** Left and then right, or right and then left. */
function turnsBack(entering: RawStep, leaving: RawStep): boolean {
  const right = (angle: number) => angle > 45 && angle < 135;
  const left = (angle: number) => angle > 225 && angle < 315;
  const [first, second] = [angleOf(entering), angleOf(leaving)];
  return (left(first) && right(second)) || (right(first) && left(second));
}

/** Where a path crosses a street, its other half often begins this far along the street [m]. */
const CROSSING_OFFSET = 5;

/**
 * A cyclist or a walker who crosses a street with a small offset goes straight on, whatever the names; naming only the first
 * of the two turns would send them along the street.
 */
export function isOffsetCrossing(before: RawStep, entering: RawStep, leaving: RawStep): boolean {
  const mode = modeOf(entering);
  if ((mode !== "cycling" && mode !== "walking") || entering.distance > CROSSING_OFFSET) return false;
  if (!mayJoinThree(before, entering, leaving) || entering.waypoint || leaving.waypoint) return false;
  if (!isUndisturbed(entering) || !turnsBack(entering, leaving)) return false;
  return bend(angleAcross(entering, leaving)) < FUZZY;
}

/** Two turns around the end of a median. */
export function isUTurn(before: RawStep, entering: RawStep, leaving: RawStep): boolean {
  // Cheap tests first: they need no look at the junctions.
  const { type } = entering.maneuver;
  if (type !== "turn" && type !== "continue" && type !== "end of road") return false;
  if (!mayJoinThree(before, entering, leaving) || !sameNameOrRef(before.road, leaving.road)) return false;
  if (!turnsAround(arrivesHeading(entering), leavesHeading(leaving))) return false;
  return (
    isShort(entering) ||
    isConnector(before, entering, leaving) ||
    (allowedTurns(leaving) === 1 && isUndisturbed(entering))
  );
}

/** The name changes and changes back (a bridge with its own name). */
export function nameComesBack(before: RawStep, entering: RawStep, leaving: RawStep): boolean {
  const straightChange = (step: RawStep) =>
    step.maneuver.type === "new name" || (step.maneuver.type === "turn" && step.maneuver.modifier === "straight");
  const lost = leaving.maneuver.type === "suppressed" && leaving.road.name === "" && leaving.road.ref === "";
  if (!straightChange(entering) || !(straightChange(leaving) || lost)) return false;
  if (!mayJoinThree(before, entering, leaving)) return false;
  const identical = before.road.name === leaving.road.name && before.road.ref === leaving.road.ref;
  return identical || sameNameOrRef(before.road, leaving.road);
}

/** A short piece under a new name, then a maneuver. */
export function followsNameChange(before: RawStep, entering: RawStep, leaving: RawStep): boolean {
  if (!isNameChange(entering) || !isManeuver(leaving)) return false;
  return mayJoinThree(before, entering, leaving) && isShort(entering);
}

function sameSide(a: RawStep, b: RawStep): boolean {
  const left = ({ maneuver }: RawStep) => maneuver.modifier === "straight" || pointsLeft(maneuver.modifier);
  const right = ({ maneuver }: RawStep) => maneuver.modifier === "straight" || pointsRight(maneuver.modifier);
  return (left(a) && left(b)) || (right(a) && right(b));
}

function isSilentBend(step: RawStep): boolean {
  return step.maneuver.type === "suppressed" && step.maneuver.modifier !== "straight";
}

/** A silent bend, then a maneuver to the same side close behind. */
export function followsSilentBend(entering: RawStep, leaving: RawStep): boolean {
  if (!isSilentBend(entering) || !isManeuver(leaving) || !mayJoin(entering, leaving)) return false;
  return sameSide(entering, leaving) && isShort(entering) && allowedTurns(entering) > 1;
}

/** Left, straight over the middle of a divided road, left: one turn. */
export function turnsAcrossMiddle(entering: RawStep, middle: RawStep, leaving: RawStep): boolean {
  const a = entering.distance;
  const b = middle.distance;
  if (a >= 0.8 * SHORT || b >= 0.8 * SHORT || entering.waypoint || leaving.waypoint) return false;
  if (!mayJoinThree(entering, middle, leaving)) return false;
  const alike = (a < 5 && b < 5) || Math.min(a, b) / Math.max(a, b) > 0.75;
  const isTurn = ({ maneuver }: RawStep) => maneuver.type === "turn" || maneuver.type === "continue";
  const silent = middle.maneuver.type === "suppressed" && middle.maneuver.modifier === "straight";
  if (!alike || !silent || !isTurn(entering) || !(isTurn(leaving) || leaving.maneuver.type === "on ramp")) return false;
  const total = angleAcross(entering, leaving);
  return total > NARROW && total < 360 - NARROW;
}

/** A maneuver, then a name change close behind, or one where only one road is open. */
export function precedesNameChange(entering: RawStep, leaving: RawStep): boolean {
  if (!isNameChange(leaving) || !isManeuver(entering) || !mayJoin(entering, leaving)) return false;
  const newName = leaving.maneuver.type === "new name" && entering.distance <= 1.5 * SHORT;
  const strong = newName && leaving.maneuver.modifier === "straight";
  return isShort(entering) || strong || (newName && allowedTurns(leaving) === 1);
}

/** A maneuver, then a silent bend to the same side close behind. */
export function precedesSilentBend(entering: RawStep, leaving: RawStep): boolean {
  if (!isSilentBend(leaving) || !isManeuver(entering) || !mayJoin(entering, leaving)) return false;
  return sameSide(entering, leaving) && isShort(entering);
}

/** A junction passed silently, immediately followed by a name change. */
export function silentBeforeNameChange(entering: RawStep, leaving: RawStep): boolean {
  if (entering.maneuver.type !== "suppressed" || leaving.maneuver.type !== "new name") return false;
  return entering.distance < 0.25 * SHORT && mayJoin(entering, leaving);
}

/** A turn, then a maneuver close behind where only one road is open. */
export function turnThenNoChoice(entering: RawStep, leaving: RawStep): boolean {
  if (entering.maneuver.modifier === "straight" || leaving.maneuver.type === "suppressed") return false;
  return (
    entering.distance <= SHORT && mayJoin(entering, leaving) && isUndisturbed(entering) && allowedTurns(leaving) === 1
  );
}

/** A step shorter than this is not perceived as a road [m]. */
const TINY = 12;

/** A turn where only one road is open, then another turn immediately after: only the second one is a decision. */
export function noChoiceThenTurn(entering: RawStep, leaving: RawStep): boolean {
  if (entering.distance >= TINY || entering.maneuver.type === "suppressed" || !isManeuver(leaving)) return false;
  return mayJoin(entering, leaving) && isUndisturbed(entering) && allowedTurns(entering) === 1;
}

/** A maneuver already joined with a junction where only one road is open, then another such junction. */
export function twiceNoChoice(entering: RawStep, leaving: RawStep): boolean {
  if (entering.views.length !== 2 || entering.distance >= 1.5 * SHORT || !mayJoin(entering, leaving)) return false;
  return allowedTurns(leaving) === 1 && choices(entering.views[1]) === 1;
}

/** A turn straight on, then a maneuver close behind where only one road is open. */
export function straightThenNoChoice(entering: RawStep, leaving: RawStep): boolean {
  if (!isStraightTurn(entering) || entering.distance > 2 * SHORT || !mayJoin(entering, leaving)) return false;
  return isUndisturbed(entering) && allowedTurns(leaving) === 1;
}
