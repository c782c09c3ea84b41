import { bend, FUZZY, modifierOf, NARROW } from "./angles.ts";
import { assignFork, assignTripleFork, obviousTurn, type Turns } from "./basic-turns.ts";
import { nameChanges, sameName } from "./names.ts";
import { isThroughStreet } from "./obvious.ts";
import { isMotorway, isRamp, sameClass } from "./road.ts";
import type { Turn } from "./turn.ts";
import type { Modifier, Road } from "./types.ts";
import { choices, type View } from "./view.ts";

/**
 * Exits, merges and forks on motorway-like roads, as OSRM classifies them (Project OSRM contributors, BSD-2-Clause,
 * guidance/motorway_handler.cpp). `undefined` when the junction is not one of motorways and ramps alone.
 */
export function motorwayTurns(view: View): Turns | undefined {
  const fromMotorway = isMotorway(view.via);
  let hasMotorway = false;
  for (const { entry, angle, road } of view.branches) {
    if (entry && bend(angle) > 60) return undefined;
    if (isMotorway(road)) hasMotorway ||= entry;
    else if (!isRamp(road) && !(fromMotorway && road.link)) return undefined;
  }
  if (!hasMotorway && !fromMotorway) return undefined;
  return fromMotorway ? leavingTurns(view) : joiningTurns(view);
}

const through = (view: View, index: number): Turn =>
  obviousTurn(view, view.branches[index], isThroughStreet(view, index));

/** Where the motorway goes on: the same name first, then the straightest; 0 when it ends. */
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

function leavingTurns(view: View): Turns {
  const { branches } = view;
  const turns: Turns = new Array(branches.length).fill(undefined);
  const onward = continuation(view);
  if (onward === 0) return endOfMotorway(view, turns);

  const open = branches.flatMap(({ entry }, index) => (entry ? [index] : []));
  const motorways = open.filter((index) => isMotorway(branches[index].road));
  if (motorways.length === 0) {
    for (const index of open) turns[index] = { type: "suppressed", modifier: modifierOf(branches[index].angle) };
  } else if (motorways.length === 1 || motorways.length !== open.length) {
    for (const index of open) turns[index] = index === onward ? through(view, index) : exitTurn(view, index, onward);
  } else if (motorways.length === 2) {
    assignFork(view, turns, motorways[1], motorways[0]);
  } else if (motorways.length === 3) {
    assignTripleFork(view, turns, motorways[2], motorways[1], motorways[0]);
  } else {
    return fallback(view, turns);
  }
  return turns;
}

function exitTurn(view: View, index: number, onward: number): Turn {
  const { angle, road } = view.branches[index];
  const right: Modifier = angle < 145 ? "right" : "slight right";
  const left: Modifier = angle > 215 ? "left" : "slight left";
  const ramp = isRamp(road) || road.link;
  return { type: ramp ? "off ramp" : "turn", modifier: angle < view.branches[onward].angle ? right : left };
}

/** Nothing but ramps ahead. */
function endOfMotorway(view: View, turns: Turns): Turns {
  const { branches } = view;
  const silent = (index: number): Turn => ({ type: "none", modifier: modifierOf(branches[index].angle) });
  if (branches.length === 2) {
    turns[1] = silent(1);
  } else if (branches.length === 3) {
    if (branches[1].entry && branches[2].entry) assignFork(view, turns, 2, 1);
    else if (branches[1].entry) turns[1] = silent(1);
    else turns[2] = silent(2);
  } else if (
    branches.length === 4 &&
    sameClass(branches[1].road, branches[2].road) &&
    sameClass(branches[2].road, branches[3].road)
  ) {
    assignTripleFork(view, turns, 3, 2, 1);
  } else {
    return fallback(view, turns);
  }
  return turns;
}

function joiningTurns(view: View): Turns {
  const { branches } = view;
  const turns: Turns = new Array(branches.length).fill(undefined);
  const open = choices(view);
  if (branches.length === 2 && open === 1) {
    turns[1] = through(view, 1);
  } else if (branches.length === 3 && open === 1) {
    const index = branches[1].entry ? 1 : 2;
    const merging = isMotorway(branches[index].road) && sameName(branches[1].road, branches[2].road);
    turns[index] = merging ? mergeTurn(view, index) : through(view, index);
  } else if (branches.length === 3 && open === 2) {
    if (isMotorway(branches[1].road) && !isMotorway(branches[2].road)) {
      turns[1] = { type: "turn", modifier: "slight right" };
      turns[2] = { type: "continue", modifier: "slight left" };
    } else {
      assignFork(view, turns, 2, 1);
    }
  } else if (branches.length === 4) {
    passingTurns(view, turns);
  } else {
    return fallback(view, turns);
  }
  return turns;
}

/** The ramp comes in from the right of what it joins when that bends to the left of it, and the other way round. */
function mergeTurn(view: View, index: number): Turn {
  const { angle } = view.branches[index];
  const aside: Modifier = index === 1 ? "slight left" : "slight right";
  return { type: "merge", modifier: bend(angle) < 2 * NARROW ? aside : modifierOf(angle) };
}

/** A ramp meets a motorway where another ramp leaves it. */
function passingTurns(view: View, turns: Turns): void {
  let passedMotorway = false;
  view.branches.forEach(({ road, entry, angle }, index) => {
    if (isMotorway(road)) {
      if (!entry) passedMotorway = true;
      else turns[index] = { type: "merge", modifier: passedMotorway ? "slight right" : "slight left" };
    } else if (entry) {
      turns[index] = { type: "off ramp", modifier: modifierOf(angle) };
    }
  });
}

function fallback(view: View, turns: Turns): Turns {
  view.branches.forEach(({ road, entry, angle }, index) => {
    if (!entry) return;
    if (isMotorway(road)) turns[index] = { type: "merge", modifier: angle < 180 ? "slight left" : "slight right" };
    else if (bend(angle) < FUZZY) turns[index] = { type: "turn", modifier: "straight" };
    else turns[index] = { type: "turn", modifier: angle > 180 ? "slight left" : "slight right" };
  });
  return turns;
}
