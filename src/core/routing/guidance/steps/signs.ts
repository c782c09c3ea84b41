import { isMotorway } from "../junctions/road.ts";
import type { View } from "../junctions/view.ts";
import { lanesFor } from "../lanes.ts";
import type { LegPath, Modifier, Road, Step } from "../types.ts";
import type { RawStep } from "./raw-step.ts";

export type Sign = Pick<Step, "destination" | "destinationRef">;

/** After a fork, a sign within this distance belongs to the fork [m]. */
const BEHIND_FORK = 300;

/** Maneuvers to which a sign over the lanes may apply. */
const CHOICES = new Set(["off ramp", "on ramp", "fork", "turn"]);

/**
 * Destination sign of a maneuver: the sign over the route's road, else the sign over the lanes that lead to it, else
 * the sign at the junction.
 */
export function destinationSign(step: RawStep, path: LegPath): Sign {
  const own = signAhead(step, path);
  const view = step.views[0];
  if (own || step.waypoint || !view) return own ?? {};
  const before = path.pieces[step.first - 1].road;
  const lanes = CHOICES.has(step.maneuver.type) ? lanesSign(before, step.maneuver.modifier) : undefined;
  if (lanes) return lanes;
  const to = leavesMotorway(step, view) ? (exitAt(view)?.to ?? view.junction.exitTo) : undefined;
  return to ? { destination: to } : {};
}

/**
 * Mappers often split a ramp and note the sign on a later piece of it; a ramp leads where its next piece leads, so the
 * first sign along it is used. The same applies shortly after a fork. A sign on the road after the ramp is for the
 * traffic on that road.
 */
function signAhead({ road, waypoint, first, last, maneuver }: RawStep, path: LegPath): Sign | undefined {
  let signed = road;
  let distance = 0;
  for (let i = first; !waypoint && !hasSign(signed) && i <= last; i++) {
    const piece = path.pieces[i];
    if (road.link ? !piece.road.link : maneuver.type !== "fork" || distance > BEHIND_FORK) break;
    signed = piece.road;
    distance += piece.distance;
  }
  const { destination, destinationRef } = signed;
  return hasSign(signed) ? signOf(destination, destinationRef) : undefined;
}

const hasSign = ({ destination, destinationRef }: Road) => !!destination || !!destinationRef;

/**
 * Combined signs over all lanes that lead to a maneuver.
 *
 *     Graz | Graz;Linz | Linz;Praha | Praha      "slight right" is served by the last two: Praha
 *       ↑       ↑          ↑ ↗          ↗
 */
export function lanesSign(before: Road, modifier: Modifier): Sign | undefined {
  const valid = lanesFor(before.turnLanes, modifier)?.map((lane) => lane.valid);
  if (!valid) return undefined;
  const destination = commonTo(before.destinationLanes, valid);
  const destinationRef = commonTo(before.destinationRefLanes, valid);
  if (!destination && !destinationRef) return undefined;
  return signOf(destination, destinationRef);
}

const signOf = (destination: string | undefined, destinationRef: string | undefined): Sign => ({
  destination: destination || undefined,
  destinationRef: destinationRef || undefined,
});

function commonTo(signs: string | undefined, valid: readonly boolean[]): string {
  const lanes = (signs ?? "").split("|").map((lane) => lane.split(";").map((part) => part.trim()));
  if (lanes.length !== valid.length) return "";
  const [first = [], ...others] = lanes.filter((_, lane) => valid[lane]);
  return first.filter((part) => part !== "" && others.every((lane) => lane.includes(part))).join(";");
}

/** The number and name on the sign of an exit: of the ramp itself, or of the junction where it leaves the motorway. */
export function exitSign(step: RawStep): Pick<Step, "exitRef" | "exitName"> {
  const view = step.views[0];
  if (!view || step.waypoint) return {};
  const leaves = leavesMotorway(step, view);
  const exitRef = step.road.exitRef ?? (leaves ? (exitAt(view)?.ref ?? view.junction.exitRef) : undefined);
  const exitName = leaves ? view.junction.exitName : undefined;
  return { exitRef: exitRef || undefined, exitName: exitName || undefined };
}

const leavesMotorway = ({ maneuver }: RawStep, { via }: View) => maneuver.type === "off ramp" && isMotorway(via);

/**
 * Of two exits at one place, returns the one on the route's side; a single exit is returned with the side on which it
 * leaves.
 */
function exitAt({ branches, out, junction }: View) {
  const ramps = branches.flatMap(({ entry, road }, index) => (index > 0 && entry && road.link ? [index] : []));
  const isLeft = ramps.length > 1 ? out === ramps[ramps.length - 1] : branches[out]?.angle > 180;
  return isLeft ? junction.exitLeft : junction.exitRight;
}
