import type { Road } from "../types.ts";

/** Directions that only parts of a street have in their name ("Main Street North"), as in OSRM's car profile. */
const DIRECTION = "n|ne|e|se|s|sw|w|nw|north|south|west|east|northeast|northwest|southeast|southwest";
const DIRECTION_IN_FRONT = new RegExp(`^(${DIRECTION})\\s+`);
const DIRECTION_BEHIND = new RegExp(`\\s+(${DIRECTION})$`);
const cores = new WeakMap<Road, string>();

/** A name without the directions around it, in lower case. */
function coreOf(road: Road): string {
  let core = cores.get(road);
  if (core === undefined) {
    core = road.name.toLowerCase().trim().replace(DIRECTION_IN_FRONT, "").replace(DIRECTION_BEHIND, "");
    cores.set(road, core);
  }
  return core;
}

/** Returns whether two names differ only by a leading or trailing direction ("Main Street", "Main Street North"). */
function differByDirection(a: Road, b: Road): boolean {
  return a.name !== "" && b.name !== "" && coreOf(a) === coreOf(b);
}

/** Neither a name nor a number: nothing to announce. */
export function isNameless(road: Road): boolean {
  return road.name === "" && road.ref === "" && !road.exitRef && !road.destination && !road.destinationRef;
}

/**
 * Returns whether one road number is part of the other's list, ignoring spaces ("IP1", "IP 1;A 28"). An empty one
 * always is.
 */
function contained(a: string, b: string): boolean {
  if (a === "" || b === "" || a.includes(b) || b.includes(a)) return true;
  const [x, y] = [a.replaceAll(" ", ""), b.replaceAll(" ", "")];
  return x.includes(y) || y.includes(x);
}

/**
 * Returns whether the change from one road's name to the other's must be announced. The rules are OSRM's (Project OSRM
 * contributors, BSD-2-Clause, name_announcements.hpp): a name that begins with the other, a direction added or dropped
 * and a number added or dropped are the same road; a number in place of a name is not.
 */
export function nameChanges(from: Road, to: Road): boolean {
  if (from === to) return false;
  if (from.name === to.name && from.ref === to.ref && from.exitRef === to.exitRef) return false;
  if (from.name === "" && from.ref === "" && (to.name !== "" || to.ref !== "")) return true;

  const bothUnnamed = from.name === "" && to.name === "";
  const byDirection = differByDirection(from, to);
  const equal = from.name === to.name || from.name.startsWith(to.name) || to.name.startsWith(from.name) || byDirection;
  const refContained = contained(from.ref, to.ref);
  const refGone = from.ref !== "" && to.ref === "";
  const nameGone = from.name !== "" && to.name === "";
  const unremarkable = (equal && (refContained || refGone)) || (refContained && nameGone) || byDirection;

  const numberForName = from.name === "" && from.ref !== "" && to.name !== "" && to.ref === "";
  const nameForNumber = from.name !== "" && from.ref === "" && to.name === "" && to.ref !== "";
  const otherNumber = bothUnnamed && !refContained;
  const exitChanges = (from.exitRef ?? "") !== (to.exitRef ?? "");
  // An exit number is often tagged on the first part of a ramp only: its end is not announced.
  const exitLost = equal && !!from.exitRef && !to.exitRef;
  return !unremarkable || numberForName || nameForNumber || otherNumber || (exitChanges && !exitLost);
}

/** Both roads have a name and it is the same. */
export function sameName(a: Road, b: Road): boolean {
  return a.name !== "" && b.name !== "" && !nameChanges(a, b);
}

/** As `sameName`, for roads that have a name or a number. */
export function sameNameOrRef(a: Road, b: Road): boolean {
  return (a.name !== "" || a.ref !== "") && (b.name !== "" || b.ref !== "") && !nameChanges(a, b);
}
