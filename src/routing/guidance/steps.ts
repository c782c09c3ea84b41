import type { Coordinate } from "../../geo/coordinate.ts";
import { reverse } from "./angles.ts";
import { countExits } from "./circle-steps.ts";
import { collapse } from "./collapse.ts";
import type { JunctionManeuverType } from "./junction-maneuver.ts";
import { lanesFor } from "./lanes.ts";
import { joinLines, LOOK_AHEAD, roadBearing, sideOf, sideOfStart } from "./line.ts";
import { foldSilentSteps, type RawStep, rawSteps, withoutDropped } from "./raw-step.ts";
import { isMotorway } from "./road.ts";
import { joinInside } from "./segregated.ts";
import { dropShortNames } from "./short-names.ts";
import { trimEnds } from "./trim.ts";
import type { LegPath, Maneuver, ManeuverType, Road, RoadNetwork, Step } from "./types.ts";
import { bearingAfter, bearingBefore } from "./view.ts";

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
  steps = dropShortNames(steps, (step) => lanesOf(step, path).lanes !== undefined);
  return steps.map((step) => finish(step, path));
}

function finish(step: RawStep, path: LegPath): Step {
  const { road, rotaryName } = step;
  const geometry = geometryOf(step, path);
  return {
    maneuver: maneuverOf(step, path, geometry),
    distance: step.distance,
    duration: durationOf(step, path),
    geometry,
    name: road.name,
    ref: road.ref,
    class: road.class,
    mode: road.mode,
    drivingSide: path.drivingSide,
    ...destinationSign(step, path),
    ...exitSign(step),
    ...(rotaryName && { rotaryName }),
    ...lanesOf(step, path),
  };
}

/**
 * The sign over the road that is announced. Mappers often split a ramp and note the sign on a later piece of it; a ramp leads where its
 * next piece leads, so the first sign along it counts. A sign that stands on the road behind the ramp is for those who travel there.
 */
function destinationSign(
  { road, waypoint, first, last }: RawStep,
  path: LegPath,
): Pick<Step, "destination" | "destinationRef"> {
  let signed = road;
  for (let i = first; !waypoint && road.link && !hasSign(signed) && i <= last && path.pieces[i].road.link; i++)
    signed = path.pieces[i].road;
  const { destination, destinationRef } = signed;
  return { ...(destination && { destination }), ...(destinationRef && { destinationRef }) };
}

const hasSign = ({ destination, destinationRef }: Road) => !!destination || !!destinationRef;

/** The number and name on the sign of an exit: of the ramp itself, or of the junction where it leaves the motorway. */
function exitSign(step: RawStep): Pick<Step, "exitRef" | "exitName"> {
  const view = step.views[0];
  if (!view || step.waypoint) return {};
  const leaves = step.maneuver.type === "off ramp" && isMotorway(view.via);
  const exitRef = step.road.exitRef ?? (leaves ? view.junction.exitRef : undefined);
  const exitName = leaves ? view.junction.exitName : undefined;
  return { ...(exitRef && { exitRef }), ...(exitName && { exitName }) };
}

function lanesOf(step: RawStep, path: LegPath): Pick<Step, "lanes"> {
  if (step.waypoint) return {};
  const lanes = lanesFor(path.pieces[step.first - 1].road.turnLanes, step.maneuver.modifier);
  return lanes ? { lanes } : {};
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
      ...(side && { modifier: side }),
      location,
      bearingBefore: 0,
      bearingAfter: roadBearing(geometry),
    };
  }
  if (step.waypoint === "arrive") {
    const line = lastLine(path);
    const side = path.destination && sideOf(line, path.destination);
    const heading = reverse(roadBearing(line.toReversed()));
    return { type: "arrive", ...(side && { modifier: side }), location, bearingBefore: heading, bearingAfter: 0 };
  }
  const view = step.views[0];
  return {
    type: announcedType(step.maneuver.type),
    modifier: step.maneuver.modifier,
    location,
    bearingBefore: bearingBefore(view),
    bearingAfter: bearingAfter(view),
    ...(step.exit !== undefined && { exit: step.exit }),
  };
}

/** The end of the path, long enough to tell its direction. */
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
