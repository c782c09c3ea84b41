import type { Coordinate } from "../../../geo/coordinate.ts";
import type { JunctionManeuverType } from "../junction-maneuver.ts";
import { modifierOf, pointsLeft, pointsRight, reverse } from "../junctions/angles.ts";
import { bearingAfter, bearingBefore, viewOf } from "../junctions/view.ts";
import { anticipateLanes, lanesFor, lanesWithoutChoice } from "../lanes.ts";
import { joinLines, LOOK_AHEAD, roadBearing, sideOf, sideOfStart } from "../line.ts";
import type { Junction, JunctionRoad, LegPath, Maneuver, ManeuverType, Road, RoadNetwork, Step } from "../types.ts";
import { countExits } from "./circle-steps.ts";
import { collapse } from "./collapse.ts";
import { angleOf } from "./collapse-cases.ts";
import { allowedTurns, foldSilentSteps, type RawStep, rawSteps, withoutDropped } from "./raw-step.ts";
import { joinInside } from "./segregated.ts";
import { dropShortNames } from "./short-names.ts";
import { destinationSign, exitSign } from "./signs.ts";
import { trimEnds } from "./trim.ts";

/**
 * The steps of a leg: a departure, the maneuvers on the way, an arrival without length. Their distances and durations
 * sum to the leg's. With `network`, guidance follows roads beyond the path to measure roundabouts and find slip roads.
 */
export function guide(untrimmed: LegPath, network?: RoadNetwork): Step[] {
  const path = trimEnds(untrimmed);
  let steps = rawSteps(path, network);
  countExits(steps);
  steps = withoutDropped(steps);
  joinInside(steps, path);
  collapse(steps);
  steps = foldSilentSteps(withoutDropped(steps));
  steps = dropShortNames(steps, (step) => lanesOf(step, path) !== undefined);
  const finished = steps.map((step) => finish(step, path));
  anticipateLanes(finished);
  return finished;
}

function finish(step: RawStep, path: LegPath): Step {
  const { road, rotaryName } = step;
  const geometry = geometryOf(step, path);
  const { destination, destinationRef } = destinationSign(step, path);
  const { exitRef, exitName } = exitSign(step);
  return {
    maneuver: maneuverOf(step, path, geometry),
    distance: step.distance,
    duration: durationOf(step, path),
    geometry,
    name: road.name,
    ref: road.ref,
    class: road.class,
    // A step onto a roundabout has the name of the road after it, which may be a ferry.
    mode: step.waypoint === "arrive" ? road.mode : path.pieces[step.first].road.mode,
    destination,
    destinationRef,
    exitRef,
    exitName,
    rotaryName: rotaryName || undefined,
    junctionName: step.views[0]?.junction.name || undefined,
    lanes: lanesOf(step, path),
    drivingSide: path.drivingSide,
    span: [step.first, step.last],
  };
}

/**
 * Returns whether the road leads nearly straight on while another turns off to the side in its modifier. Then the other
 * road has its own lanes.
 */
function isBesideTurn({ maneuver, views: [view] }: RawStep): boolean {
  const turn =
    maneuver.modifier === "slight left" ? "left" : maneuver.modifier === "slight right" ? "right" : undefined;
  if (!turn || modifierOf(view.branches[view.out]?.angle ?? 0) !== "straight") return false;
  return view.branches.some(({ entry, angle }, index) => index > 0 && entry && modifierOf(angle) === turn);
}

/** Markings this far before a junction apply to it, if only a crossing or a change of tags is between them [m]. */
const MARKED_BEFORE = 30;

function lanesOf(step: RawStep, path: LegPath): Step["lanes"] {
  if (step.waypoint) return undefined;
  const turnLanes = markingsBefore(step, path);
  if (!turnLanes) return undefined;
  const { drivingSide } = path;
  const options = { nextToTurn: isBesideTurn(step), drivingSide };
  const lanes = lanesFor(turnLanes, step.across ?? step.maneuver.modifier, options);
  return lanes ?? (allowedTurns(step) === 1 && !step.across ? lanesWithoutChoice(turnLanes) : undefined);
}

function markingsBefore(step: RawStep, { pieces, junctions }: LegPath): string | undefined {
  const { first, last, views } = step;
  const { road, distance } = pieces[first - 1];
  if (road.mode === "walking" || road.mode === "pushing") return undefined;
  if (road.turnLanes) return road.turnLanes;
  if (first >= 2 && distance <= MARKED_BEFORE) {
    const before = pieces[first - 2].road;
    const same = before.turnLanes && before.name === road.name && before.link === road.link;
    if (same && isPassed(junctions[first - 2], before, step)) return before.turnLanes;
  }
  // A maneuver that begins by going straight on has its markings before its next junction.
  const beginsStraight = views.length > 1 && first < last && modifierOf(angleOf(step)) === "straight";
  const begin = pieces[first];
  return beginsStraight && begin.distance <= MARKED_BEFORE ? begin.road.turnLanes : undefined;
}

/** Whether no road may be entered at a junction on the way to a maneuver, or only roads on the other side. */
function isPassed(junction: Junction, via: Road, { maneuver: { modifier } }: RawStep): boolean {
  const { roads, arrival, departure } = junction;
  const open = (road: JunctionRoad, at: number) => at !== arrival && at !== departure && road.entry;
  if (!roads.some(open)) return true;
  if (!pointsLeft(modifier) && !pointsRight(modifier)) return false;
  const view = viewOf(junction, via);
  const out = view.branches[view.out];
  return view.branches.every(
    (branch, at) => at === 0 || branch === out || !branch.entry || branch.angle > out.angle !== pointsLeft(modifier),
  );
}

function geometryOf(step: RawStep, path: LegPath): Coordinate[] {
  if (step.waypoint === "arrive") {
    const line = path.pieces[path.pieces.length - 1].geometry;
    return [line[line.length - 1], line[line.length - 1]];
  }
  return joinLines(path.pieces, step.first, step.last);
}

function durationOf(step: RawStep, path: LegPath): number {
  let duration = 0;
  for (let i = step.first; i <= step.last; i++) duration += path.pieces[i].duration;
  return duration;
}

function maneuverOf(step: RawStep, path: LegPath, geometry: Coordinate[]): Maneuver {
  const location = geometry[0];
  if (step.waypoint === "depart") {
    const side = path.origin && sideOfStart(geometry, path.origin);
    return {
      type: "depart",
      modifier: side,
      location,
      bearingBefore: 0,
      bearingAfter: roadBearing(geometry),
      exit: undefined,
    };
  }
  if (step.waypoint === "arrive") {
    const line = lastLine(path);
    const side = path.destination && sideOf(line, path.destination);
    const heading = reverse(roadBearing(line.toReversed()));
    return { type: "arrive", modifier: side, location, bearingBefore: heading, bearingAfter: 0, exit: undefined };
  }
  const view = step.views[0];
  return {
    type: announcedType(step.maneuver.type),
    modifier: step.maneuver.modifier,
    location,
    bearingBefore: bearingBefore(view),
    bearingAfter: bearingAfter(view),
    exit: step.exit,
  };
}

/** The end of the path, long enough to determine its direction. */
function lastLine({ pieces }: LegPath): Coordinate[] {
  let first = pieces.length - 1;
  let length = pieces[first].distance;
  while (first > 0 && length < LOOK_AHEAD) length += pieces[--first].distance;
  return joinLines(pieces, first, pieces.length - 1);
}

function announcedType(type: JunctionManeuverType): ManeuverType {
  if (type === "none" || type === "suppressed" || type === "stay")
    throw new Error(`a silent maneuver is announced: ${type}`);
  return type === "slip road" ? "turn" : type;
}
