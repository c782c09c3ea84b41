import type { JunctionManeuver, JunctionManeuverType } from "../junction-maneuver.ts";
import type { Modifier, Road } from "../types.ts";
import { bend, modifierOf, NARROW, NO_TURN_DEVIATION } from "./angles.ts";
import { nameChanges, sameName } from "./names.ts";
import { isLowPriority, isMotorway, isRamp, sameClass } from "./road.ts";
import type { Branch, View } from "./view.ts";

/** A maneuver for each branch of a view; `undefined` where it may not be entered or has not been classified yet. */
export type BranchManeuvers = (JunctionManeuver | undefined)[];

/** Returns whether the road leads onto a ramp, along the same street, or onto another one. */
export function basicType(via: Road, road: Road): "on ramp" | "continue" | "turn" {
  if (!isRamp(via) && isRamp(road)) return "on ramp";
  return sameName(via, road) ? "continue" : "turn";
}

export function basicManeuver(
  view: View,
  branch: Branch,
  modifier: Modifier = modifierOf(branch.angle),
): JunctionManeuver {
  return { type: basicType(view.via, branch.road), modifier };
}

/**
 * The maneuver onto an obvious branch: a silent one, unless the name or the travel mode changes.
 * `through`: the branch is part of a street that runs straight through the junction; the path joins it from the side.
 */
export function obviousManeuver(
  view: View,
  branch: Branch,
  through: boolean,
  roads = view.branches.length,
): JunctionManeuver {
  const { via } = view;
  const { road, angle } = branch;
  const type = basicType(via, road);
  const modifier = modifierOf(angle);
  if (type === "on ramp") return { type, modifier };
  if (angle < 0.01) return { type: "continue", modifier: "uturn" };
  const modeChanges = via.mode !== road.mode;
  if (type === "turn" && nameChanges(via, road)) return obviousNameChange(view, branch, through);
  if (modeChanges) return { type: "notification", modifier };
  const passing = roads > 2 || !!via.tunnel !== !!road.tunnel;
  return { type: passing ? "suppressed" : "none", modifier };
}

/** Joining a street nearly straight on is called "straight" only if the next junction is farther than this [m]. */
const LONG_ENOUGH = 60;

function obviousNameChange(view: View, branch: Branch, through: boolean): JunctionManeuver {
  const { via } = view;
  const { road, angle } = branch;
  const modifier = modifierOf(angle);
  const modeChanges = via.mode !== road.mode;
  if (!through) return { type: modeChanges ? "notification" : "new name", modifier };
  if (isMotorway(road)) return { type: "merge", modifier: angle > 180 ? "slight right" : "slight left" };
  if (isRamp(via) && isRamp(road)) return { type: modeChanges ? "notification" : "suppressed", modifier };
  const straight = bend(angle) < NARROW && (view.ahead ?? LONG_ENOUGH + 1) > LONG_ENOUGH;
  return { type: "turn", modifier: straight ? "straight" : modifier };
}

/** Returns whether the road changes in a way that drivers notice: class, roundabout, travel mode, name or number. */
function changes(via: Road, road: Road): boolean {
  return (
    !sameClass(via, road) || via.roundabout !== road.roundabout || via.mode !== road.mode || identityChanges(via, road)
  );
}

function identityChanges(via: Road, road: Road): boolean {
  return via.name !== road.name || via.ref !== road.ref;
}

/** A fork of two branches, left and right of straight on. */
export function assignFork(view: View, maneuvers: BranchManeuvers, left: number, right: number): void {
  const { branches, via } = view;
  const l = branches[left];
  const r = branches[right];
  const lowLeft = isLowPriority(l.road) && !isLowPriority(r.road);
  const lowRight = isLowPriority(r.road) && !isLowPriority(l.road);
  const silent = (branch: Branch): JunctionManeuverType =>
    branch.road.mode === via.mode ? "suppressed" : "notification";

  maneuvers[left] = { type: lowRight ? silent(l) : lowLeft ? "turn" : "fork", modifier: "slight left" };
  maneuvers[right] = { type: lowLeft ? silent(r) : lowRight ? "turn" : "fork", modifier: "slight right" };
}

/** A fork of three. */
export function assignTripleFork(
  view: View,
  maneuvers: BranchManeuvers,
  left: number,
  center: number,
  right: number,
): void {
  const { branches, via } = view;
  const open = [left, center, right].filter((index) => branches[index].entry);
  if (open.length === 3) {
    const middle = branches[center];
    const goesOn = bend(middle.angle) < NO_TURN_DEVIATION && !changes(via, middle.road);
    maneuvers[left] = { type: "fork", modifier: "slight left" };
    maneuvers[center] = { type: goesOn ? "suppressed" : "fork", modifier: "straight" };
    maneuvers[right] = { type: "fork", modifier: "slight right" };
  } else if (open.length === 2) {
    assignFork(view, maneuvers, open[0], open[1]);
  } else {
    for (const index of open) maneuvers[index] = basicManeuver(view, branches[index]);
  }
}

/** Classifies every open branch from `begin` up to `end` (exclusive) by its angle and street alone. */
export function assignByAngle(view: View, maneuvers: BranchManeuvers, begin: number, end: number): void {
  for (let i = begin; i < end; i++) if (view.branches[i].entry) maneuvers[i] = basicManeuver(view, view.branches[i]);
}
