import type { Modifier } from "../types.ts";
import { bend, deviation, FUZZY, GROUP, mirror, modifierOf, NARROW, NO_TURN_DEVIATION } from "./angles.ts";
import {
  assignByAngle,
  assignFork,
  assignTripleFork,
  type BranchManeuvers,
  basicManeuver,
  basicType,
  obviousManeuver,
} from "./basic-maneuvers.ts";
import { findFork } from "./fork.ts";
import { isThroughStreet, obviousBranch } from "./obvious.ts";
import { forkable, rank } from "./road.ts";
import { type Branch, straightmost, type View } from "./view.ts";

/**
 * Turns at ordinary junctions, as OSRM classifies them (Project OSRM contributors, BSD-2-Clause,
 * guidance/turn_handler.cpp): two roads, a T, a fork, or a crossing of many.
 */
export function crossingManeuvers(view: View): BranchManeuvers {
  const { branches } = view;
  const maneuvers: BranchManeuvers = new Array(branches.length).fill(undefined);
  if (branches[0].entry) {
    maneuvers[0] = {
      type: branches.length === 1 ? "continue" : basicType(view.via, branches[0].road),
      modifier: "uturn",
    };
  }
  if (branches.length === 2) maneuvers[1] = obviousManeuver(view, branches[1], false);
  else if (branches.length === 3) threeWay(view, maneuvers);
  else if (branches.length > 3) manyWays(view, maneuvers);
  return maneuvers;
}

function threeWay(view: View, maneuvers: BranchManeuvers): void {
  const { branches } = view;
  const obvious = obviousBranch(view);
  const fork = findFork(view);
  const allLinks = branches.every(({ road }) => road.link);
  if (fork && (allLinks || obvious === 0)) {
    assignFork(view, maneuvers, fork.left, fork.right);
  } else if (obvious === 0 && isEndOfRoad(branches[1], branches[2])) {
    for (const [index, modifier] of [
      [1, "right"],
      [2, "left"],
    ] as const) {
      const ramp = basicType(view.via, branches[index].road) === "on ramp";
      if (branches[index].entry) maneuvers[index] = { type: ramp ? "on ramp" : "end of road", modifier };
    }
  } else if (obvious !== 0) {
    const other = 3 - obvious;
    maneuvers[obvious] = obviousManeuver(view, branches[obvious], isThroughStreet(view, obvious));
    const direction = modifierOf(branches[other].angle);
    const bothStraight = direction === "straight" && modifierOf(branches[obvious].angle) === "straight";
    const aside: Modifier = other === 1 ? "slight right" : "slight left";
    maneuvers[other] = basicManeuver(view, branches[other], bothStraight ? aside : direction);
  } else {
    assignByAngle(view, maneuvers, 1, 3);
  }
}

/**
 *     ───── T ─────
 *           │
 */
function isEndOfRoad(right: Branch, left: Branch): boolean {
  return (
    deviation(right.angle, 90) < NARROW &&
    deviation(left.angle, 270) < NARROW &&
    deviation(right.angle, left.angle) > 2 * NARROW
  );
}

function manyWays(view: View, maneuvers: BranchManeuvers): void {
  const { branches } = view;
  const obvious = obviousBranch(view);
  if (obvious !== 0) {
    maneuvers[obvious] = obviousManeuver(view, branches[obvious], isThroughStreet(view, obvious));
    aside(view, maneuvers, obvious, obvious);
    return;
  }
  const fork = findFork(view);
  if (fork) {
    forkManeuvers(view, maneuvers, fork.left, fork.right);
    aside(view, maneuvers, fork.left, fork.right);
    return;
  }
  const ahead = straightmost(view);
  const { angle, entry } = branches[ahead];
  if (bend(angle) < FUZZY && !entry) {
    aside(view, maneuvers, ahead, ahead);
  } else if (angle > 180) {
    aside(view, maneuvers, ahead - 1, ahead);
  } else if (angle < 180) {
    aside(view, maneuvers, ahead, ahead + 1);
  } else {
    assignByAngle(view, maneuvers, 1, branches.length);
  }
}

function forkManeuvers(view: View, maneuvers: BranchManeuvers, left: number, right: number): void {
  const l = view.branches[left];
  const r = view.branches[right];
  if (left - right === 2) {
    assignTripleFork(view, maneuvers, left, left - 1, right);
  } else if (forkable(l.road, r.road)) {
    assignFork(view, maneuvers, left, right);
  } else if (rank(l.road) > rank(r.road)) {
    maneuvers[right] = obviousManeuver(view, r, false);
    maneuvers[left] = basicManeuver(view, l, "slight left");
  } else {
    maneuvers[left] = obviousManeuver(view, l, false);
    maneuvers[right] = basicManeuver(view, r, "slight right");
  }
}

/** Classifies the branches left of `left` or right of `right`, but only on the side on which the path leaves. */
function aside(view: View, maneuvers: BranchManeuvers, left: number, right: number): void {
  if (view.out > left) leftTurns(view, maneuvers, left);
  if (view.out < right) rightTurns(view, maneuvers, right);
}

/** Left turns are classified as the right turns of the mirrored junction. */
function leftTurns(view: View, maneuvers: BranchManeuvers, from: number): void {
  const [arrival, ...others] = view.branches;
  const flip = (branch: Branch): Branch => ({ ...branch, angle: branch.angle === 0 ? 0 : 360 - branch.angle });
  const mirrored: View = { ...view, branches: [arrival, ...others.map(flip).reverse()] };
  const mirroredManeuvers: BranchManeuvers = new Array(maneuvers.length).fill(undefined);
  rightTurns(mirrored, mirroredManeuvers, maneuvers.length - from);
  for (let i = 1; i < maneuvers.length; i++) {
    const maneuver = mirroredManeuvers[i];
    if (maneuver) maneuvers[maneuvers.length - i] = { ...maneuver, modifier: mirror(maneuver.modifier) };
  }
}

/** Classifies the branches right of `end`, so that no two of them get the same modifier if possible. */
function rightTurns(view: View, maneuvers: BranchManeuvers, end: number): void {
  const { branches } = view;
  if (end === 3 && modifierOf(branches[1].angle) === modifierOf(branches[2].angle)) {
    if (branches[1].entry || branches[2].entry) distinguish(view, maneuvers, 2, 1);
  } else if (end === 4) {
    threeRightTurns(view, maneuvers);
  } else {
    assignByAngle(view, maneuvers, 1, end);
  }
}

function threeRightTurns(view: View, maneuvers: BranchManeuvers): void {
  const { branches } = view;
  const [first, second, third] = [1, 2, 3].map((i) => modifierOf(branches[i].angle));
  const open = [1, 2, 3].filter((i) => branches[i].entry);
  const gap12 = deviation(branches[1].angle, branches[2].angle);
  const gap23 = deviation(branches[2].angle, branches[3].angle);
  if (first !== second && second !== third) {
    assignByAngle(view, maneuvers, 1, 4);
  } else if (open.length < 3) {
    if (open.length === 0) return;
    if (!branches[3].entry) distinguish(view, maneuvers, 2, 1);
    else if (!branches[1].entry) distinguish(view, maneuvers, 3, 2);
    else distinguish(view, maneuvers, 3, 1);
  } else if (gap12 >= NARROW && gap23 >= NARROW) {
    maneuvers[1] = basicManeuver(view, branches[1], "sharp right");
    maneuvers[2] = basicManeuver(view, branches[2], "right");
    maneuvers[3] = basicManeuver(view, branches[3], "slight right");
  } else if (first === second && second !== third && gap23 >= GROUP) {
    distinguish(view, maneuvers, 2, 1);
    maneuvers[3] = basicManeuver(view, branches[3], third);
  } else if (second === third && first !== second && gap12 >= GROUP) {
    maneuvers[1] = basicManeuver(view, branches[1], first);
    distinguish(view, maneuvers, 3, 2);
  } else {
    assignByAngle(view, maneuvers, 1, 4);
  }
}

/** Two turns that would get the same modifier: one of them gets the next sharper or slighter one. */
function distinguish(view: View, maneuvers: BranchManeuvers, left: number, right: number): void {
  const l = view.branches[left];
  const r = view.branches[right];
  const set = (index: number, modifier?: Modifier) => {
    maneuvers[index] = basicManeuver(view, view.branches[index], modifier);
  };
  if (!l.entry || !r.entry || l.angle === r.angle) {
    if (l.entry) set(left);
    if (r.entry) set(right);
    return;
  }
  const direction = modifierOf(l.angle);
  if (direction === "straight" || direction === "slight left" || modifierOf(r.angle) === "slight right") {
    // The more important of the two roads continues, and is treated as at a junction of four roads.
    if (rank(l.road) > rank(r.road)) {
      maneuvers[right] = obviousManeuver(view, r, false, 4);
      set(left, "slight left");
    } else {
      maneuvers[left] = obviousManeuver(view, l, false, 4);
      set(right, "slight right");
    }
    return;
  }
  const [leftModifier, rightModifier] = distinctModifiers(l.angle, r.angle);
  set(left, leftModifier);
  set(right, rightModifier);
}

function distinctModifiers(left: number, right: number): [Modifier, Modifier] {
  const at = (angle: number, exact: number) => deviation(angle, exact) < NO_TURN_DEVIATION;
  if (at(left, 90)) return ["right", "sharp right"];
  if (at(right, 90)) return ["slight right", "right"];
  if (at(left, 270)) return ["left", "slight left"];
  if (at(right, 270)) return ["sharp left", "left"];
  if (modifierOf(left) === "sharp left") return ["sharp left", "left"];
  if (modifierOf(right) === "sharp right") return ["right", "sharp right"];
  if (left <= 180) {
    return deviation(left, 85) >= deviation(right, 85) ? ["slight right", "right"] : ["right", "sharp right"];
  }
  return deviation(left, 265) >= deviation(right, 265) ? ["sharp left", "left"] : ["left", "slight left"];
}
