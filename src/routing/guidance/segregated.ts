import { bend, deviation, modifierOf, reverse, turnsAround } from "./angles.ts";
import { angleAcross, arrivesHeading, leavesHeading } from "./collapse-cases.ts";
import { nameChanges, sameNameOrRef } from "./names.ts";
import { absorb, isDropped, nextStep, previousStep, type RawStep } from "./raw-step.ts";
import { isCircleTurn, type TurnType } from "./turn.ts";
import type { LegPath } from "./types.ts";
import { type Branch, bearingAfter, type View } from "./view.ts";

/** Longest piece that can be the middle of a crossing of divided roads [m]. */
const WIDEST_MEDIAN = 32;

/**
 * A piece that crosses the gap between two carriageways is part of one big crossing: turning there is one turn.
 *
 *              ↓       ↑
 *     ─────────┼───────┼─────────
 *              ↓ inside↑
 */
export function joinInside(steps: RawStep[], path: LegPath): void {
  markInside(steps, path);
  for (let index = 1; index + 1 < steps.length; index++) {
    const step = steps[index];
    if (isDropped(step) || !step.inside || isCircleTurn(step.turn)) continue;
    const next = steps[nextStep(steps, index)];
    if (next.waypoint || isCircleTurn(next.turn) || next.road.mode !== step.road.mode) continue;
    if (next.inside) {
      absorb(step, next);
      step.inside = true;
    } else {
      joinAcross(steps[previousStep(steps, index)], step, next);
      step.inside = false;
    }
    index--;
  }
}

function markInside(steps: RawStep[], path: LegPath): void {
  for (let index = 1; index + 1 < steps.length; index++) {
    const step = steps[index];
    const next = steps[index + 1];
    if (step.waypoint || next.waypoint || step.first !== step.last || step.turn.type === "slip road") continue;
    const piece = path.pieces[step.first];
    if (piece.distance > WIDEST_MEDIAN || piece.road.link || piece.road.roundabout) continue;
    step.inside = crossesMedian(step.views[0], next.views[0]);
  }
}

/** One carriageway at either end, both across the piece, running in opposite directions under one name. */
function crossesMedian(from: View, to: View): boolean {
  const heading = bearingAfter(from);
  const before = carriageways(from, heading);
  const after = carriageways(to, heading);
  return before.some((a) =>
    after.some(
      (b) =>
        a.road.class === b.road.class &&
        opposed(a, b) &&
        (a.road.name === b.road.name || sameNameOrRef(a.road, b.road)),
    ),
  );
}

/** One-way branches across a heading. */
function carriageways(view: View, heading: number): Branch[] {
  return view.branches.filter(({ road, bearing }) => {
    const across = deviation(bearing, heading);
    return road.oneway && !road.link && !road.roundabout && across > 45 && across < 135;
  });
}

/** The direction in which traffic runs on a one-way branch. */
function flow(branch: Branch): number {
  return branch.leaves ? branch.bearing : reverse(branch.bearing);
}

function opposed(a: Branch, b: Branch): boolean {
  return deviation(flow(a), flow(b)) > 130;
}

function joinAcross(before: RawStep, step: RawStep, next: RawStep): void {
  const total = angleAcross(step, next);
  const around = turnsAround(arrivesHeading(step), leavesHeading(next));
  if (around) {
    step.turn = { ...step.turn, type: "continue", modifier: "uturn" };
  } else {
    const modifier = modifierOf(total);
    step.turn = { ...step.turn, type: typeAcross(before, step, next, bend(total) <= 20), modifier };
  }
  step.road = next.road;
  absorb(step, next);
}

function typeAcross(before: RawStep, step: RawStep, next: RawStep, straight: boolean): TurnType {
  const same = sameNameOrRef(before.road, next.road);
  if (next.turn.type === "on ramp" || next.turn.type === "off ramp") return next.turn.type;
  if (next.turn.type === "end of road" || step.turn.type === "end of road") return "end of road";
  if (straight) return same || !nameChanges(before.road, next.road) ? "suppressed" : "new name";
  return same ? "continue" : "turn";
}
