import type { JunctionManeuver } from "../junction-maneuver.ts";
import type { Modifier, Road } from "../types.ts";
import { bend, FUZZY, modifierOf, NARROW } from "./angles.ts";
import { assignFork, assignTripleFork, type BranchManeuvers, obviousManeuver } from "./basic-maneuvers.ts";
import { nameChanges, sameNameOrRef } from "./names.ts";
import { isThroughStreet } from "./obvious.ts";
import { isMotorway, isRamp, sameClass } from "./road.ts";
import { choices, type View } from "./view.ts";

/**
 * Exits, merges and forks on motorway-like roads, as OSRM classifies them (Project OSRM contributors, BSD-2-Clause,
 * guidance/motorway_handler.cpp). `undefined` when other roads than motorways and ramps meet.
 */
export function motorwayManeuvers(view: View): BranchManeuvers | undefined {
  const fromMotorway = isMotorway(view.via);
  let hasMotorway = false;
  for (const { entry, angle, road } of view.branches) {
    if (entry && bend(angle) > 60) return undefined;
    if (isMotorway(road)) hasMotorway ||= entry;
    else if (!isRamp(road) && !(fromMotorway && road.link)) return undefined;
  }
  if (!hasMotorway && !fromMotorway) return undefined;
  return fromMotorway ? leavingManeuvers(view) : joiningManeuvers(view);
}

const through = (view: View, index: number): JunctionManeuver =>
  obviousManeuver(view, view.branches[index], isThroughStreet(view, index));

/** Returns the branch on which the motorway continues: the same name first, then the straightest; 0 if it ends. */
function continuation(view: View): number {
  const { branches, via } = view;
  const named = branches.findIndex(
    ({ entry, angle, road }) => entry && angle !== 0 && isMotorway(road) && sameIdentity(via, road),
  );
  if (named > 0) return named;
  let best = 0;
  for (let i = 1; i < branches.length; i++) {
    if (isMotorway(branches[i].road) && bend(branches[i].angle) < bend(branches[best].angle)) best = i;
  }
  return best;
}

function sameIdentity(via: Road, road: Road): boolean {
  return (via.name !== "" || via.ref !== "") && (road.name !== "" || road.ref !== "") && !nameChanges(via, road);
}

function leavingManeuvers(view: View): BranchManeuvers {
  const { branches } = view;
  const maneuvers: BranchManeuvers = new Array(branches.length).fill(undefined);
  const onward = continuation(view);
  if (onward === 0) return endOfMotorway(view, maneuvers);

  const open = branches.flatMap(({ entry }, index) => (entry ? [index] : []));
  const motorways = open.filter((index) => isMotorway(branches[index].road));
  if (motorways.length === 0) {
    for (const index of open) maneuvers[index] = { type: "suppressed", modifier: modifierOf(branches[index].angle) };
  } else if (motorways.length === 1 || motorways.length !== open.length) {
    for (const index of open)
      maneuvers[index] = index === onward ? through(view, index) : exitManeuver(view, index, onward);
    if (splitsEvenly(view, open) || swingsAside(view, open, onward)) {
      const aside = open.find((index) => index !== onward) ?? 0;
      maneuvers[onward] = { type: "fork", modifier: onward > aside ? "slight left" : "slight right" };
    }
  } else if (motorways.length === 2) {
    assignFork(view, maneuvers, motorways[1], motorways[0]);
  } else if (motorways.length === 3) {
    assignTripleFork(view, maneuvers, motorways[2], motorways[1], motorways[0]);
  } else {
    return fallback(view, maneuvers);
  }
  return maneuvers;
}

/**
 * Half of the lanes lead each way (1 + 1, 2 + 2): a driver who stays on the motorway has to choose, too.
 *
 *     ════════════╤═══════    2 lanes of the motorway
 *     4 lanes     ╲╲______    2 lanes of the exit
 */
function splitsEvenly({ via, branches }: View, open: readonly number[]): boolean {
  if (open.length !== 2 || !via.lanes) return false;
  const [a, b] = open.map((index) => branches[index].road.lanes ?? 0);
  return a > 0 && a === b && via.lanes === a + b;
}

/** Fewer degrees than this are no difference between two directions. */
const SAME_DIRECTION = 5;

/**
 * An exit with as many lanes as the motorway leads straighter on, and the motorway turns off to the side:
 *
 *     3 lanes     ════════════════    2 lanes of the exit
 *                      ╲╲________     2 lanes of the motorway
 */
function swingsAside({ branches }: View, open: readonly number[], onward: number): boolean {
  const aside = open.find((index) => index !== onward);
  if (open.length !== 2 || aside === undefined) return false;
  const [stay, exit] = [branches[onward], branches[aside]];
  const isEven = !!stay.road.lanes && stay.road.lanes === exit.road.lanes;
  return isEven && bend(stay.angle) > bend(exit.angle) + SAME_DIRECTION;
}

function exitManeuver(view: View, index: number, onward: number): JunctionManeuver {
  const { angle, road } = view.branches[index];
  const right: Modifier = angle < 145 ? "right" : "slight right";
  const left: Modifier = angle > 215 ? "left" : "slight left";
  const ramp = isRamp(road) || road.link;
  return { type: ramp ? "off ramp" : "turn", modifier: angle < view.branches[onward].angle ? right : left };
}

/** Nothing but ramps ahead. */
function endOfMotorway(view: View, maneuvers: BranchManeuvers): BranchManeuvers {
  const { branches } = view;
  const silent = (index: number): JunctionManeuver => ({ type: "none", modifier: modifierOf(branches[index].angle) });
  if (branches.length === 2) {
    maneuvers[1] = silent(1);
  } else if (branches.length === 3) {
    if (branches[1].entry && branches[2].entry) assignFork(view, maneuvers, 2, 1);
    else if (branches[1].entry) maneuvers[1] = silent(1);
    else maneuvers[2] = silent(2);
  } else if (
    branches.length === 4 &&
    sameClass(branches[1].road, branches[2].road) &&
    sameClass(branches[2].road, branches[3].road)
  ) {
    assignTripleFork(view, maneuvers, 3, 2, 1);
  } else {
    return fallback(view, maneuvers);
  }
  return maneuvers;
}

function joiningManeuvers(view: View): BranchManeuvers {
  const { branches } = view;
  const maneuvers: BranchManeuvers = new Array(branches.length).fill(undefined);
  const open = choices(view);
  if (branches.length === 2 && open === 1) {
    maneuvers[1] = through(view, 1);
  } else if (branches.length === 3 && open === 1) {
    const index = branches[1].entry ? 1 : 2;
    const merging = isMotorway(branches[index].road) && sameNameOrRef(branches[1].road, branches[2].road);
    maneuvers[index] = merging ? mergeManeuver(view, index) : through(view, index);
  } else if (branches.length === 3 && open === 2) {
    if (isMotorway(branches[1].road) && !isMotorway(branches[2].road)) {
      maneuvers[1] = { type: "merge", modifier: "slight right" };
      maneuvers[2] = { type: "fork", modifier: "slight left" };
    } else {
      assignFork(view, maneuvers, 2, 1);
    }
  } else if (branches.length === 4) {
    passingManeuvers(view, maneuvers);
  } else {
    return fallback(view, maneuvers);
  }
  return maneuvers;
}

/** If the motorway continues as the right one of two branches, it came in on the left: the ramp merges to the left. */
function mergeManeuver(view: View, index: number): JunctionManeuver {
  const { angle } = view.branches[index];
  const aside: Modifier = index === 1 ? "slight left" : "slight right";
  return { type: "merge", modifier: bend(angle) < 2 * NARROW ? aside : modifierOf(angle) };
}

/** A ramp meets a motorway where another ramp leaves it. */
function passingManeuvers(view: View, maneuvers: BranchManeuvers): void {
  let passedMotorway = false;
  view.branches.forEach(({ road, entry, angle }, index) => {
    if (isMotorway(road)) {
      if (!entry) passedMotorway = true;
      else maneuvers[index] = { type: "merge", modifier: passedMotorway ? "slight right" : "slight left" };
    } else if (entry) {
      maneuvers[index] = { type: "off ramp", modifier: modifierOf(angle) };
    }
  });
}

function fallback(view: View, maneuvers: BranchManeuvers): BranchManeuvers {
  view.branches.forEach(({ road, entry, angle }, index) => {
    if (!entry) return;
    if (isMotorway(road)) maneuvers[index] = { type: "merge", modifier: angle < 180 ? "slight left" : "slight right" };
    else if (bend(angle) < FUZZY) maneuvers[index] = { type: "turn", modifier: "straight" };
    else maneuvers[index] = { type: "turn", modifier: angle > 180 ? "slight left" : "slight right" };
  });
  return maneuvers;
}
