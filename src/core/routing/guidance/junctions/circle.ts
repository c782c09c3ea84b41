import type { CircleKind, JunctionManeuver } from "../junction-maneuver.ts";
import type { Junction, JunctionRoad, Road, RoadNetwork } from "../types.ts";
import { bend, deviation, FUZZY, modifierOf, NARROW } from "./angles.ts";
import { type BranchManeuvers, obviousManeuver } from "./basic-maneuvers.ts";
import { isThroughStreet } from "./obvious.ts";
import { isCircle, isLowPriority } from "./road.ts";
import type { Branch, View } from "./view.ts";

/**
 * Roundabout types, as OSRM distinguishes them (Project OSRM contributors, BSD-2-Clause,
 * guidance/roundabout_handler.cpp):
 *
 *   rotary         a traffic circle with its own name: junction=circular, or a radius above 15 m
 *   intersection   a radius below 15 m, at most four plain arms well apart: drivers turn there as at a crossing
 *   roundabout     all others
 */
const NAMED_RADIUS = 15;
const INTERSECTION_RADIUS = 15;
/** Circles of more junctions than this are not followed all the way round. */
const MAX_ARMS = 64;

/** Kind of circle at the junction; undefined if its tags do not make it a roundabout. */
export function circleKind(junction: Junction, network: RoadNetwork | undefined): CircleKind | undefined {
  const start = leavingCircle(junction);
  if (start === undefined) return undefined;
  const circular = start.road.roundabout === "circular";
  if (!network) return circular ? (start.road.name ? "rotary" : undefined) : "roundabout";

  const arms: Junction[] = [];
  const names = new Set<string>();
  let length = 0;
  let at = junction;
  let road: JunctionRoad | undefined = start;
  for (let count = 0; road && count < MAX_ARMS; count++) {
    if (at.roads.filter((other) => isCircle(other.road)).length !== 2) return undefined;
    if (at.roads.length > 2) arms.push(at);
    if (road.road.name) names.add(road.road.name);
    const next = network.follow(road.edge);
    if (!next) return circular ? (start.road.name ? "rotary" : undefined) : "roundabout";
    length += next.distance;
    at = next.junction;
    if (samePlace(at, junction)) break;
    road = leavingCircle(at);
  }
  if (!road || arms.length === 0) return undefined;
  if (arms.length === 1 && !circular) return "intersection";

  const radius = length / (2 * Math.PI);
  if (names.size === 1 && (circular || (radius > NAMED_RADIUS && !connects(arms, [...names][0])))) return "rotary";
  if (circular) return undefined;
  return radius < INTERSECTION_RADIUS && looksLikeCrossing(arms) ? "intersection" : "roundabout";
}

/**
 * The road on which the circle continues. Some roundabouts are mapped for both directions: there it is the one that the
 * path takes, or that does not lead back. People who walk use a circle like any street.
 */
function leavingCircle({ roads, arrival, departure }: Junction): JunctionRoad | undefined {
  let found: JunctionRoad | undefined;
  let count = 0;
  for (const road of roads) {
    if (!road.leaves || !isCircle(road.road)) continue;
    found = road;
    count++;
  }
  if (count < 2) return found;
  if (count > 2 || (found && isOnFoot(found.road))) return undefined;
  const taken = roads[departure];
  if (taken?.leaves && isCircle(taken.road)) return taken;
  if (!isCircle(roads[arrival].road)) return undefined;
  return roads.find((road, index) => index !== arrival && road.leaves && isCircle(road.road));
}

function isOnFoot({ mode }: Road): boolean {
  return mode === "walking" || mode === "pushing";
}

export function samePlace(a: Junction, b: Junction): boolean {
  return a.location.latitude === b.location.latitude && a.location.longitude === b.location.longitude;
}

function connects(arms: Junction[], name: string): boolean {
  return arms.some((arm) => arm.roads.some(({ road }) => !isCircle(road) && road.name === name));
}

function looksLikeCrossing(arms: Junction[]): boolean {
  if (arms.length > 4 || arms.some((arm) => arm.roads.length > 3)) return false;
  const bearings = arms.flatMap((arm) => arm.roads.filter(({ road }) => !isCircle(road)).map(({ bearing }) => bearing));
  return bearings.every((a, i) => bearings.every((b, j) => i === j || deviation(a, b) > NARROW));
}

/** Returns whether a circle is entered, left or driven along at the junction. */
export function meetsCircle(view: View): boolean {
  return isCircle(view.via) || view.branches.some(({ road, entry, leaves }) => entry && leaves && isCircle(road));
}

/** Indices of the branches in the order in which traffic on the circle passes them. */
function inDrivingOrder(view: View, leftHand: boolean): number[] {
  const order = view.branches.map((_, index) => index);
  return leftHand ? order.reverse() : order;
}

export function circleManeuvers(view: View, kind: CircleKind, drivingSide: "left" | "right"): BranchManeuvers {
  return isCircle(view.via) ? maneuversOnCircle(view, kind) : maneuversOntoCircle(view, kind, drivingSide === "left");
}

function exitManeuver(branch: Branch, circle: CircleKind): JunctionManeuver {
  return { type: circle === "rotary" ? "exit rotary" : "exit roundabout", modifier: modifierOf(branch.angle), circle };
}

/** Exits to service roads are not counted, nor to paths, unless the traveler rides a bike there. */
const isCounted = (road: Road) => !isLowPriority(road) || (road.mode === "cycling" && road.class !== "service");

function maneuversOnCircle(view: View, kind: CircleKind): BranchManeuvers {
  const { branches } = view;
  const leaving = branches.filter(({ leaves }) => leaves);
  const countedExit = leaving.some(({ road }) => !isCircle(road) && isCounted(road));
  return branches.map((branch): JunctionManeuver => {
    if (!isCircle(branch.road)) return exitManeuver(branch, kind);
    const modifier = modifierOf(branch.angle);
    if (leaving.length === 1) return { type: branches.length === 2 ? "none" : "suppressed", modifier };
    // Exits that are not counted are on a circle of such roads.
    const counts = isLowPriority(branch.road) || countedExit;
    return { type: counts ? "stay" : "suppressed", modifier, circle: kind };
  });
}

function maneuversOntoCircle(view: View, kind: CircleKind, leftHand: boolean): BranchManeuvers {
  const { branches } = view;
  const order = inDrivingOrder(view, leftHand);
  // A road out of the circle between the arrival road and the entry is its first exit.
  const firstCircle = order.findIndex((index) => {
    const { entry, leaves, road } = branches[index];
    return entry && leaves && isCircle(road);
  });
  const atExit = order
    .slice(0, firstCircle < 0 ? undefined : firstCircle)
    .some((index) => index > 0 && branches[index].entry && branches[index].leaves && !isCircle(branches[index].road));

  const maneuvers: BranchManeuvers = new Array(branches.length).fill(undefined);
  let beyond = false;
  for (const index of order) {
    const branch = branches[index];
    if (isCircle(branch.road)) beyond = !beyond;
    if (!branch.entry) continue;
    const modifier = modifierOf(branch.angle);
    const type = kind === "intersection" ? "roundabout turn" : kind;
    if (isCircle(branch.road)) {
      maneuvers[index] = { type, modifier, circle: kind, atExit };
    } else if (beyond && bend(branch.angle) < FUZZY) {
      // This road runs straight through the circle.
      maneuvers[index] = obviousManeuver(view, branch, isThroughStreet(view, index));
    } else {
      maneuvers[index] = { type, modifier, circle: kind, touches: true };
    }
  }
  return maneuvers;
}
