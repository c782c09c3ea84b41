import type { Coordinate } from "../../../geo/coordinate.ts";
import { distance } from "../../../geo/distance.ts";
import { isCircleManeuver } from "../junction-maneuver.ts";
import type { Road, RoadClass, RoadNetwork } from "../types.ts";
import { bend, deviation, modifierOf, NARROW } from "./angles.ts";
import type { BranchManeuvers } from "./basic-maneuvers.ts";
import { samePlace } from "./circle.ts";
import { isNameless, nameChanges, sameName } from "./names.ts";
import { obviousBranch } from "./obvious.ts";
import { isCircle, isLowPriority, sameClass } from "./road.ts";
import { type Branch, choices, type View, viewOf } from "./view.ts";

/**
 * A slip road cuts the corner of a junction ahead. Taking it is one turn onto the crossing road, not two; and the road
 * it leaves is not said to fork there. Criteria: OSRM (Project OSRM contributors, BSD-2-Clause,
 * guidance/sliproad_handler.cpp).
 *
 *     ── view ──── main ──── crossing ──
 *            ╲                   │
 *              ╲ slip            │
 *                ╲               │
 *                  ╲───────── target
 *                                │
 */
export function markSlipRoads(view: View, maneuvers: BranchManeuvers, network: RoadNetwork | undefined): void {
  if (!network || view.branches.length < 3 || view.out < 1 || isCircle(view.via)) return;
  const taken = maneuvers[view.out];
  if (!taken || isCircleManeuver(taken)) return;
  const main = mainRoad(view, maneuvers, network);
  // Only two outcomes matter: the path takes the slip road, or it stays on a main road that seemed to fork.
  const staying = view.out === main;
  if (main < 1 || (staying ? taken.type !== "fork" : Math.abs(view.out - main) !== 1)) return;
  const mainBranch = view.branches[main];
  if (!roadContinues(view.via, mainBranch.road)) return;

  const candidates = (staying ? [main - 1, main + 1] : [view.out]).filter((index) =>
    isPossible(view, maneuvers, index, main),
  );
  if (candidates.length === 0) return;
  const crossing = nextIntersection(network, mainBranch.edge, reach(mainBranch.road));
  if (!crossing || deadEnd(crossing.view) || samePlace(crossing.view.junction, view.junction)) return;

  const found = candidates.filter((index) => cutsCorner(view, index, main, crossing, network));
  for (const index of found) {
    const maneuver = maneuvers[index];
    if (maneuver) maneuvers[index] = { ...maneuver, type: "slip road" };
  }
  if (found.length > 0 && staying) maneuvers[main] = withoutFork(view, mainBranch);
}

function withoutFork(view: View, { road, angle }: Branch): BranchManeuvers[number] {
  const modifier = modifierOf(angle);
  if (sameName(view.via, road)) return { type: bend(angle) < 5 ? "suppressed" : "continue", modifier };
  return { type: road.name ? "new name" : "suppressed", modifier };
}

/** How far apart the corners of a junction with slip roads may be [m], by class of road. */
const MAX_LENGTH = 250;
const REACH: Partial<Record<RoadClass, number>> = {
  motorway: 1,
  trunk: 0.8,
  primary: 0.8,
  secondary: 0.6,
  tertiary: 0.5,
  living_street: 0.4,
  residential: 0.3,
  unclassified: 0.3,
};

function reach(road: Road): number {
  return MAX_LENGTH * (road.link ? 0.3 : (REACH[road.class] ?? 0.1));
}

function roadContinues(via: Road, road: Road): boolean {
  if (isNameless(via) || isNameless(road)) return false;
  return sameClass(via, road) && via.mode === road.mode && !nameChanges(via, road);
}

function isPossible(view: View, maneuvers: BranchManeuvers, index: number, main: number): boolean {
  const branch = view.branches[index];
  const maneuver = maneuvers[index];
  if (!branch || index < 1 || !branch.entry || !maneuver || isCircleManeuver(maneuver)) return false;
  if (isCircle(branch.road) || isLowPriority(branch.road) || !branch.leaves) return false;
  return bend(branch.angle) <= 2 * NARROW && branch.angle !== view.branches[main].angle;
}

/** The road that would be obvious if there were no slip road. */
function mainRoad(view: View, maneuvers: BranchManeuvers, network: RoadNetwork): number {
  const obvious = obviousBranch(view);
  if (obvious !== 0) return obvious;
  if (view.branches.length !== 3 || maneuvers[1]?.type !== "fork" || maneuvers[2]?.type !== "fork") return 0;
  const right = nextIntersection(network, view.branches[1].edge, MAX_LENGTH);
  const left = nextIntersection(network, view.branches[2].edge, MAX_LENGTH);
  if (!right || !left || deadEnd(right.view) || deadEnd(left.view)) return 0;
  if (joinsFromTheSide(right.view) && !samePlace(left.view.junction, view.junction)) return 2;
  if (joinsFromTheSide(left.view) && !samePlace(right.view.junction, view.junction)) return 1;
  return 0;
}

/** Two of three roads lead in and one leads out: the arrival road joins another from the side. */
function joinsFromTheSide(view: View): boolean {
  return view.branches.length === 3 && !view.branches[0].entry && choices(view) < 2;
}

function deadEnd(view: View): boolean {
  return view.branches.every(({ entry }, index) => index === 0 || !entry);
}

interface Corner {
  view: View;
  geometry: Coordinate[];
}

/** The next junction of three or more roads along an edge; undefined if it is farther than `limit` meters. */
function nextIntersection(network: RoadNetwork, edge: number, limit: number): Corner | undefined {
  const geometry: Coordinate[] = [];
  let length = 0;
  let onto = edge;
  for (let hops = 0; hops < 10 && onto >= 0; hops++) {
    const next = network.follow(onto);
    if (!next) return undefined;
    length += next.distance;
    if (length > limit) return undefined;
    geometry.push(...next.geometry);
    const arrival = next.junction.roads[next.junction.arrival];
    if (next.junction.roads.length > 2) return { view: viewOf(next.junction, arrival.road), geometry };
    const onward = next.junction.roads.find((road) => road !== arrival && road.leaves);
    if (!onward) return undefined;
    onto = onward.edge;
  }
  return undefined;
}

function cutsCorner(view: View, index: number, main: number, crossing: Corner, network: RoadNetwork): boolean {
  const slip = view.branches[index];
  const onLeft = index > main;
  const { branches } = crossing.view;
  const cross = onLeft ? branches[branches.length - 1] : branches[1];
  if (!cross.leaves) return false;

  const target = nextIntersection(network, slip.edge, 2 * MAX_LENGTH);
  if (!target || deadEnd(target.view) || target.view.branches.length > 4) return false;
  const onto = onlyBranch(target.view) ?? obviousBranch(target.view);
  if (onto < 1) return false;
  const exit = target.view.branches[onto];
  if (bend(exit.angle) > 2 * NARROW || exit.road.roundabout === "roundabout") return false;
  if (slip.road.mode !== view.via.mode || exit.road.mode !== slip.road.mode) return false;

  const b = view.junction.location;
  const c = crossing.view.junction.location;
  const d = target.view.junction.location;
  if (samePlace(target.view.junction, view.junction) || samePlace(target.view.junction, crossing.view.junction))
    return false;

  const side = distance(b, c);
  const REAL_LENGTH = 3;
  const SKEW = 140;
  if (side >= REAL_LENGTH) {
    if (!bulgesTowardsCorner(target.geometry, onLeft)) return false;
    if (bend(cross.angle) > SKEW && !slip.road.link) return false;
  }
  const area = (side * distance(c, d)) / 2;
  if (area < 3 || area > reach(slip.road) ** 2) return false;
  if (slip.road.link && cross.road.link) return false;
  if (hasItsOwnName(slip.road, view.branches[main].road, cross.road)) return false;
  return (
    meetsCrossRoad(target.view, cross, network) &&
    (target.view.branches.length < 4 || fourAtTarget(target.view, crossing, onLeft, network))
  );
}

/** The branch that must be taken; undefined if there are several. */
function onlyBranch(view: View): number | undefined {
  const first = view.branches.findIndex(({ entry }, index) => index > 0 && entry);
  const last = view.branches.findLastIndex(({ entry }, index) => index > 0 && entry);
  return first === last ? first : undefined;
}

/** A road whose name differs from both roads that it connects is a street, not a short cut. */
function hasItsOwnName(slip: Road, main: Road, cross: Road): boolean {
  if (slip.link || !slip.name || !main.name || !cross.name) return false;
  return nameChanges(main, slip) && nameChanges(slip, cross);
}

/** Returns whether the slip road curves towards the corner it cuts (or runs straight). */
function bulgesTowardsCorner(line: readonly Coordinate[], onLeft: boolean): boolean {
  const a = line[0];
  const z = line[line.length - 1];
  for (let i = 1; i < line.length - 1; i++) {
    const p = line[i];
    const cross =
      (z.longitude - a.longitude) * (p.latitude - a.latitude) - (z.latitude - a.latitude) * (p.longitude - a.longitude);
    if (onLeft ? cross > 0 : cross < 0) return false;
  }
  return true;
}

/**
 * Returns whether the crossing road leads from the crossing to the end of the slip road, or meets that road just after
 * it.
 */
function meetsCrossRoad(target: View, cross: Branch, network: RoadNetwork): boolean {
  const end = nextIntersection(network, cross.edge, 2 * MAX_LENGTH);
  if (!end) return false;
  if (samePlace(end.view.junction, target.junction)) return true;
  return target.branches.some((branch) => {
    if (bend(branch.angle) <= 120 || deviation(branch.bearing, cross.bearing) >= 25 || branch.edge < 0) return false;
    const next = network.follow(branch.edge);
    return next !== undefined && samePlace(next.junction, end.view.junction);
  });
}

/** If four roads meet at the end of the slip road, the fourth must be another slip road around the same junction. */
function fourAtTarget(target: View, crossing: Corner, onLeft: boolean, network: RoadNetwork): boolean {
  const { branches } = crossing.view;
  const adjacent = onLeft ? branches[branches.length - 2] : branches[2];
  if (!adjacent || adjacent.edge < 0) return false;
  const end = network.follow(adjacent.edge);
  if (!end) return false;
  return target.branches.some((branch) => {
    if (branch.edge < 0 || bend(branch.angle) <= 120) return false;
    const next = network.follow(branch.edge);
    return next !== undefined && samePlace(next.junction, end.junction);
  });
}
