import type { Road } from "../types.ts";
import { bend, DISTINCTION, deviation, FUZZY, GROUP, modifierOf, NARROW, reverse } from "./angles.ts";
import { isNameless, nameChanges } from "./names.ts";
import { isLesser, isLinkTo, isLowerGroup, isLowPriority, isMotorway, rank, sameClass } from "./road.ts";
import { type Branch, choices, straightmost, type View } from "./view.ts";

/**
 * Finds the road that a driver takes without an instruction. Turning onto the obvious road need not be announced. The
 * criteria are OSRM's (Project OSRM contributors, BSD-2-Clause, guidance/intersection_handler.hpp): a road is obvious
 * when no other one resembles it in direction, name, class and lanes.
 *
 * Returns the index of the obvious branch, 0 if there is none.
 */
export function obviousBranch(view: View): number {
  const { branches, via } = view;
  if (branches.length < 3) return branches.length - 1;

  const continuing = straightmost(view, (branch) => branch.entry && continues(via, branch.road));
  if (continuing > 0 && isDistinct(view, continuing)) return unlessCircle(view, continuing);

  const worthy = straightmost(view, ({ entry, road }) => entry && !isLesser(road, via) && !isLinkTo(road, via));
  if (worthy > 0 && isDistinct(view, worthy)) return unlessCircle(view, worthy);

  const open = straightmost(view, (branch) => branch.entry);
  if (open < 0) return 0;
  const ahead = branches[open];
  const forward = branches.filter((branch) => bend(branch.angle) <= 90).length;
  const onlyForward = bend(ahead.angle) <= 90 && forward === 1;
  const narrow = bend(ahead.angle) <= GROUP;
  if (open !== worthy && (narrow || onlyForward) && !isLowPriority(ahead.road) && isDistinct(view, open)) {
    return unlessCircle(view, open);
  }
  const choiceless = choices(view) === 1;
  if (isMotorway(ahead.road) && narrow && choiceless) return unlessCircle(view, open);

  // A road splits into its two directions: only one of them can be entered.
  if (branches.length === 3 && choiceless && branches.every(({ road }) => identical(road, via))) {
    const endOfRoad = deviation(branches[1].angle, 90) <= NARROW && deviation(branches[2].angle, 270) <= NARROW;
    if (!endOfRoad) return unlessCircle(view, open);
  }
  return 0;
}

/** Turning onto a roundabout, or off it, is never obvious. */
function unlessCircle(view: View, index: number): number {
  const onCircle = view.via.roundabout === "roundabout";
  return onCircle === (view.branches[index].road.roundabout === "roundabout") ? index : 0;
}

function identical(a: Road, b: Road): boolean {
  return !isNameless(a) && a.name === b.name && a.ref === b.ref;
}

/** The same street, and not a lesser one. */
function continues(via: Road, road: Road): boolean {
  const viaNameless = isNameless(via);
  const roadNameless = isNameless(road);
  if (viaNameless !== roadNameless) return false;
  if (viaNameless && !(isLowPriority(via) && isLowPriority(road))) return false;
  return !isLesser(road, via) && !isLinkTo(road, via) && !nameChanges(via, road);
}

function isDistinct(view: View, candidate: number): boolean {
  const resembles = bend(view.branches[candidate].angle) < GROUP ? resemblesNarrow : resemblesWide;
  for (let i = 1; i < view.branches.length; i++) if (i !== candidate && resembles(view, candidate, i)) return false;
  return true;
}

function lanes(road: Road): number {
  return road.lanes ?? 0;
}

/**
 * Returns whether `other` is so much less important than the arrival road and the candidate that drivers would not
 * mistake it for the continuation.
 */
function isClearlyLesser(via: Road, candidate: Road, other: Road): boolean {
  const fewerLanes = lanes(other) > 0 && lanes(other) + 1 < lanes(via);
  if (isLesser(other, via) && isLesser(other, candidate) && fewerLanes) return true;
  return isLinkTo(other, via) && isLinkTo(other, candidate);
}

/** The branch whose direction is nearest to the opposite of that of `branch`. */
function opposite(view: View, branch: Branch): Branch {
  const bearing = reverse(branch.bearing);
  let best = view.branches[0];
  for (const other of view.branches) {
    if (deviation(other.bearing, bearing) < deviation(best.bearing, bearing)) best = other;
  }
  return best;
}

/** Returns whether a driver could mistake `other` for `candidate`, which leads nearly straight on. */
function resemblesNarrow(view: View, candidateIndex: number, otherIndex: number): boolean {
  const via = view.via;
  const candidate = view.branches[candidateIndex];
  const other = view.branches[otherIndex];
  const road = other.road;
  const own = bend(candidate.angle);
  const its = bend(other.angle);
  if (own < NARROW && !other.entry) return false;

  const distinct = its > DISTINCTION * own && Math.abs(its - own) > FUZZY / 2;
  const slightlyDistinct = its > 0.7 * DISTINCTION * own;
  const laneFork =
    lanes(road) > 0 &&
    lanes(candidate.road) === lanes(road) &&
    lanes(via) === lanes(candidate.road) + lanes(road) &&
    deviation(candidate.angle, other.angle) < GROUP;
  if (road.minor && !via.minor && !candidate.road.minor && distinct) return false;
  if (via.roundabout === candidate.road.roundabout && via.roundabout !== road.roundabout && own < its) return false;

  const keepsName = !nameChanges(via, candidate.road);
  const otherName = nameChanges(via, road);
  if ((keepsName || otherName) && !laneFork && distinct) return false;

  // A crossing street is not an alternative to continuing.
  const across = opposite(view, other);
  const crossing = !nameChanges(across.road, road);
  const crossAngle = deviation(other.angle, across.angle);
  const four = view.branches.length >= 4;
  if (four && (crossing || crossAngle > 180 - NARROW) && distinct) return false;
  if (four && keepsName && otherName && slightlyDistinct && crossing && crossAngle > 180 - FUZZY) return false;
  if (!four && keepsName && otherName && distinct && !laneFork && crossAngle > 180 - GROUP) return false;

  const VIA_IS_NO_MAIN_ROAD = 6;
  if (rank(via) > VIA_IS_NO_MAIN_ROAD && distinct) return false;
  if (lanes(candidate.road) > 0 && lanes(candidate.road) === lanes(via) && own < FUZZY && distinct) return false;

  const sameRank = rank(via) === rank(candidate.road);
  if (sameRank && keepsName && slightlyDistinct) {
    if (rank(candidate.road) < rank(road) || rank(candidate.road) > rank(road) + 4) return false;
  }
  if (isClearlyLesser(via, candidate.road, road)) return false;
  if (sameRank && isLowerGroup(road, via) && nameChanges(candidate.road, road) && otherName) return false;
  return !(sameRank && road.link);
}

/**
 * The same for a candidate that bends by GROUP or more. Roads that may not be entered are included: drivers see them.
 */
function resemblesWide(view: View, candidateIndex: number, otherIndex: number): boolean {
  const candidate = view.branches[candidateIndex];
  const other = view.branches[otherIndex];
  const straight = modifierOf(other.angle) === "straight";
  if (!straight && isClearlyLesser(view.via, candidate.road, other.road)) return false;
  return bend(other.angle) <= DISTINCTION * bend(candidate.angle);
}

/**
 * Returns whether the branch is part of a street that runs straight through the junction, so that the path joins it
 * from the side.
 */
export function isThroughStreet(view: View, index: number): boolean {
  const branch = view.branches[index];
  if (isNameless(branch.road)) return false;
  for (let i = 1; i < view.branches.length; i++) {
    const other = view.branches[i];
    if (i === index || deviation(other.angle, branch.angle) <= 180 - FUZZY) continue;
    if (sameIdentity(branch.road, other.road) && sameClass(branch.road, other.road)) return true;
  }
  return false;
}

function sameIdentity(a: Road, b: Road): boolean {
  if (isNameless(a) || isNameless(b)) return false;
  return !nameChanges(a, b) && !nameChanges(b, a);
}
