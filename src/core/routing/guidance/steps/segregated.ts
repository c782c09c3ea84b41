import { isCircleManeuver, type JunctionManeuver, type JunctionManeuverType } from "../junction-maneuver.ts";
import {
  bend,
  deviation,
  modifierOf,
  pointsLeft,
  pointsRight,
  reverse,
  turnAngle,
  turnsAround,
  turnsPastBack,
} from "../junctions/angles.ts";
import { sameNameOrRef } from "../junctions/names.ts";
import { rank } from "../junctions/road.ts";
import { bearingAfter, bearingBefore, type View } from "../junctions/view.ts";
import type { JunctionRoad, LegPath, Modifier } from "../types.ts";
import { angleAcross, angleOf, arrivesHeading, leavesHeading } from "./collapse-cases.ts";
import { absorb, isDropped, nextStep, previousStep, type RawStep } from "./raw-step.ts";

/**
 * A piece that crosses the gap between two carriageways is part of one big crossing: turning there is one turn.
 * Criteria: OSRM (Project OSRM contributors, BSD-2-Clause, guidance/segregated_intersection_classification.cpp and
 * engine/guidance/collapse_turns.cpp).
 *
 *              ↓       ↑
 *     ─────────┼───────┼─────────
 *              ↓ inside↑
 */
export function joinInside(steps: RawStep[], path: LegPath): void {
  markInside(steps, path);
  for (let index = 1; index + 1 < steps.length; index++) {
    const step = steps[index];
    if (isDropped(step) || !step.inside || isCircleManeuver(step.maneuver)) continue;
    const next = steps[nextStep(steps, index)];
    if (next.waypoint || isCircleManeuver(next.maneuver) || next.road.mode !== step.road.mode) continue;
    if (next.inside) {
      if (next.maneuver.type === "end of road") step.maneuver = { ...step.maneuver, type: "end of road" };
    } else {
      step.maneuver = maneuverAcross(steps[previousStep(steps, index)], step, next);
      step.inside = false;
    }
    step.road = next.road;
    absorb(step, next);
    index--;
  }
}

/** Longest piece that can be the middle of a crossing of divided roads [m]. */
const WIDEST_MEDIAN = 32;

function markInside(steps: RawStep[], path: LegPath): void {
  for (let index = 1; index + 1 < steps.length; index++) {
    const step = steps[index];
    const next = steps[index + 1];
    if (next.waypoint || step.first !== step.last || step.maneuver.type === "slip road") continue;
    const piece = path.pieces[step.first];
    if (piece.distance > WIDEST_MEDIAN || piece.road.roundabout) continue;
    const { junction } = step.views[0];
    step.inside = junction.recallInside?.();
    if (step.inside !== undefined) continue;
    step.inside = crossesMedian(step.views[0], next.views[0]);
    junction.noteInside?.(step.inside);
  }
}

/** Streets whose carriageways are examined: no links, and no class below a residential street. */
const MIN_RANK = 11;
const NEARLY_STRAIGHT = 30;

function isCarriageway({ road }: JunctionRoad, angle: number): boolean {
  return road.oneway && !road.link && rank(road) <= MIN_RANK && bend(angle) >= NEARLY_STRAIGHT;
}

/**
 * Returns whether a one-way street enters from the side where the piece begins, and another leaves to the side where it
 * ends, without turns to opposite sides among the roads there.
 */
function crossesMedian(from: View, to: View): boolean {
  const into: Modifier[] = [];
  const outOf: Modifier[] = [];
  let comesIn = false;
  let goesOff = false;
  from.junction.roads.forEach((road, index) => {
    const arrives = !road.road.oneway || !road.leaves;
    if (index === from.junction.departure || !arrives) return;
    const angle = turnAngle(reverse(road.bearing), bearingAfter(from));
    into.push(modifierOf(angle));
    comesIn ||= isCarriageway(road, angle);
  });
  to.junction.roads.forEach((road, index) => {
    if (index === to.junction.arrival || !road.leaves) return;
    const angle = turnAngle(bearingBefore(to), road.bearing);
    outOf.push(modifierOf(angle));
    goesOff ||= isCarriageway(road, angle);
  });
  if (!comesIn || !goesOff) return false;
  const leftOut = outOf.some(isLeftTurn);
  const rightOut = outOf.some(isRightTurn);
  return !(into.some(isLeftTurn) && rightOut) && !(into.some(isRightTurn) && leftOut) && !(leftOut && rightOut);
}

const isLeftTurn = (modifier: Modifier) => modifier !== "slight left" && pointsLeft(modifier);
const isRightTurn = (modifier: Modifier) => modifier !== "slight right" && pointsRight(modifier);

const MOVES = new Set<JunctionManeuverType>(["turn", "continue", "new name", "suppressed"]);

/** The one maneuver that replaces turning onto the inside piece and off it. */
function maneuverAcross(before: RawStep, step: RawStep, next: RawStep): JunctionManeuver {
  const isBack = turnsAround(arrivesHeading(step), leavesHeading(next));
  if (isBack || turnsPastBack(angleOf(step), angleOf(next))) {
    return { ...step.maneuver, type: "continue", modifier: "uturn" };
  }
  const total = angleAcross(step, next);
  const modifier = modifierOf(total);
  const silent: JunctionManeuverType = sameNameOrRef(before.road, next.road) ? "suppressed" : "new name";
  if (step.maneuver.type === "end of road" || next.maneuver.type === "end of road") {
    return { ...step.maneuver, type: "end of road", modifier };
  }
  if (step.maneuver.type === "fork") return step.maneuver;
  if (modifier === "straight" && MOVES.has(next.maneuver.type) && goesAhead(next.maneuver.modifier)) {
    return { ...step.maneuver, type: silent, modifier };
  }
  const WIDE = 55;
  if (bend(total) <= WIDE && step.views.length === 1 && isStraightest(step) && isStraightest(next)) {
    return { ...step.maneuver, type: silent, modifier: "straight" };
  }
  const type = modifier !== "straight" && MOVES.has(next.maneuver.type) ? "turn" : next.maneuver.type;
  return { ...step.maneuver, type, modifier };
}

function goesAhead(modifier: Modifier): boolean {
  return modifier === "straight" || modifier === "slight left" || modifier === "slight right";
}

/** Returns whether no other open road is clearly straighter than the route's. */
function isStraightest(step: RawStep): boolean {
  const WIDE = 55;
  const own = angleOf(step);
  if (bend(own) > WIDE) return false;
  const view = step.views[0];
  const { roads, arrival, departure } = view.junction;
  let straightest = 360;
  roads.forEach(({ entry, bearing }, index) => {
    if (index === arrival || index === departure || !entry) return;
    const angle = turnAngle(bearingBefore(view), bearing);
    if (straightest === 360 || bend(angle) < bend(straightest)) straightest = angle;
  });
  return deviation(own, straightest) <= 10 || bend(own) <= bend(straightest);
}
