import { type CircleKind, type JunctionManeuver, NO_MANEUVER, sharedNote } from "../junction-maneuver.ts";
import type { Junction, LegPath, RoadNetwork, TravelMode } from "../types.ts";
import { modifierOf } from "./angles.ts";
import type { BranchManeuvers } from "./basic-maneuvers.ts";
import { partStraight } from "./both-straight.ts";
import { circleKind, circleManeuvers, meetsCircle } from "./circle.ts";
import { crossingManeuvers } from "./crossing.ts";
import { drivewayManeuvers } from "./driveway.ts";
import { motorwayManeuvers } from "./motorway.ts";
import { isCircle, isMotorway } from "./road.ts";
import { markSlipRoads } from "./slip-road.ts";
import { asStated } from "./stated.ts";
import { LazyView, steerForWhole, type View, viewOf } from "./view.ts";

export interface SeenJunction {
  view: View;
  maneuver: JunctionManeuver;
}

/**
 * Returns the maneuver at every junction of the path, each judged independently; undefined if the road simply
 * continues.
 */
export function classify(path: LegPath, network?: RoadNetwork): (SeenJunction | undefined)[] {
  const { pieces, junctions, drivingSide } = path;
  let kind: CircleKind | undefined;
  const stated: number[] = [];
  const all = junctions.map((junction, index) => {
    const via = pieces[index].road;
    const ahead = pieces[index + 1].distance;
    // The last piece may end anywhere on its road, so results for the junction before it apply to this path only.
    const lasting = index + 1 < junctions.length;
    const known = lasting ? junction.recall?.() : undefined;
    if (known && known.before === kind && known.drivingSide === drivingSide) {
      kind = known.after;
      if (known.isStated) stated.push(index);
      if (known.maneuver?.type === "none") return undefined;
      return known.maneuver && { view: new LazyView(junction, via, ahead), maneuver: known.maneuver };
    }
    const before = kind;
    const misses = network?.misses;
    // Where two pieces of one road meet, and no other road, there is no maneuver.
    let seen: SeenJunction | undefined;
    if (pieces[index + 1].road !== via || !continues(junction)) {
      const view = viewOf(junction, via);
      view.ahead = ahead;
      steerForWhole(view, junctions[index + 1]);
      if (!meetsCircle(view)) kind = undefined;
      else if (!isCircle(view.via) || kind === undefined) kind = circleKind(junction, network);
      seen = { view, maneuver: maneuverAt(view, kind, drivingSide, network) };
    }
    const isStated = (junction.stated?.().length ?? 0) > 0;
    if (isStated) stated.push(index);
    if (lasting && junction.note && network?.misses === misses) {
      junction.note(sharedNote({ maneuver: seen?.maneuver, drivingSide, before, after: kind, isStated }));
    }
    return seen;
  });
  for (const index of stated) all[index] = asStated(path, index, all[index]);
  return all;
}

function continues(junction: Junction): boolean {
  if (junction.joinsTwo?.()) return true;
  const { roads, departure, arrival } = junction;
  return roads.length === 2 && departure !== arrival;
}

function maneuverAt(
  view: View,
  kind: CircleKind | undefined,
  drivingSide: "left" | "right",
  network: RoadNetwork | undefined,
): JunctionManeuver {
  if (isAboard(view)) return NO_MANEUVER;
  const maneuvers: BranchManeuvers = kind
    ? circleManeuvers(view, kind, drivingSide)
    : (drivewayManeuvers(view) ?? motorwayManeuvers(view) ?? crossingManeuvers(view));
  if (!kind) partStraight(view, maneuvers);
  markSlipRoads(view, maneuvers, network);
  const branch = view.branches[view.out];
  // A path may enter a road that the junction says is closed (a restriction lifted at the end of a route).
  const maneuver = maneuvers[view.out] ?? { type: "turn", modifier: modifierOf(branch.angle) };
  const leavesMotorway = maneuver.type === "on ramp" && isMotorway(view.via);
  return leavesMotorway ? { ...maneuver, type: "off ramp" } : maneuver;
}

const CARRIERS = new Set<TravelMode>(["ferry", "train"]);

/**
 * On board a ferry or a train there are no maneuvers, even where lines part, and none where the line calls at a pier
 * and continues.
 */
function isAboard({ via, branches, out }: View): boolean {
  if (!CARRIERS.has(via.mode)) return false;
  const { road } = branches[out];
  const sameLine = out > 0 && road.mode === via.mode && road.name === via.name && road.ref === via.ref;
  return sameLine || branches.every((branch) => branch.road.mode === via.mode);
}
