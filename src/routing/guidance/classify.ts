import { modifierOf } from "./angles.ts";
import type { Turns } from "./basic-turns.ts";
import { circleKind, circleTurns, meetsCircle } from "./circle.ts";
import { crossingTurns } from "./crossing.ts";
import { drivewayTurns } from "./driveway.ts";
import { motorwayTurns } from "./motorway.ts";
import { isCircle, isMotorway } from "./road.ts";
import { markSlipRoads } from "./slip-road.ts";
import { type CircleKind, NO_TURN, type Turn } from "./turn.ts";
import type { LegPath, RoadNetwork, TravelMode } from "./types.ts";
import { type View, viewOf } from "./view.ts";

export interface SeenJunction {
  view: View;
  turn: Turn;
}

/** What every junction of the path asks for, each looked at on its own; undefined where the same road goes on alone. */
export function classify(path: LegPath, network?: RoadNetwork): (SeenJunction | undefined)[] {
  let kind: CircleKind | undefined;
  return path.junctions.map((junction, index) => {
    // Where a road was only cut in two there is nothing to see.
    const { roads, departure, arrival } = junction;
    const road = path.pieces[index].road;
    if (roads.length === 2 && departure !== arrival && path.pieces[index + 1].road === road) return undefined;
    const view = viewOf(junction, road);
    view.ahead = path.pieces[index + 1].distance;
    if (!meetsCircle(view)) kind = undefined;
    else if (!isCircle(view.via) || kind === undefined) kind = circleKind(junction, network);
    return { view, turn: turnAt(view, kind, path.drivingSide, network) };
  });
}

function turnAt(
  view: View,
  kind: CircleKind | undefined,
  drivingSide: "left" | "right",
  network: RoadNetwork | undefined,
): Turn {
  if (isAboard(view)) return NO_TURN;
  const turns: Turns = kind
    ? circleTurns(view, kind, drivingSide)
    : (drivewayTurns(view) ?? motorwayTurns(view) ?? crossingTurns(view));
  markSlipRoads(view, turns, network);
  const branch = view.branches[view.out];
  // The engine may know of an entry the junction denies (a restriction lifted at the end of a route).
  const turn = turns[view.out] ?? { type: "turn", modifier: modifierOf(branch.angle) };
  const leavesMotorway = turn.type === "on ramp" && isMotorway(view.via);
  return leavesMotorway ? { ...turn, type: "off ramp" } : turn;
}

const CARRIERS = new Set<TravelMode>(["ferry", "train"]);

/** On board of a ferry nobody steers, wherever lines part. */
function isAboard(view: View): boolean {
  return CARRIERS.has(view.via.mode) && view.branches.every(({ road }) => road.mode === view.via.mode);
}
