import type { ManeuverType, Modifier } from "./maneuver.ts";

/**
 * The maneuver at one junction, judged by that junction alone; later passes join maneuvers that a driver perceives as
 * one. In addition to the announced types there are silent ones:
 *
 *   none         nothing happens here; no step begins at the junction
 *   suppressed   a junction is passed without an announcement
 *   slip road    a short cut around a junction ahead; joined with the next maneuver into one turn
 *   stay         an exit of a roundabout is passed
 */
export type JunctionManeuverType = ManeuverType | "none" | "suppressed" | "slip road" | "stay";

export interface JunctionManeuver {
  type: JunctionManeuverType;
  modifier: Modifier;
  /** Kind of the circle, where the maneuver enters, leaves or passes along one. */
  circle?: CircleKind;
  /** An exit is passed before the roundabout is entered; it is exit number 1. */
  atExit?: boolean;
  /** The roundabout is entered and left at the same junction. */
  touches?: boolean;
}

/** "intersection": a roundabout so small and plain that drivers perceive it as a crossing. */
export type CircleKind = "roundabout" | "rotary" | "intersection";

/** The maneuver found at a junction, with its other dependencies; engines may cache it for the next path. */
export interface ManeuverNote {
  /** Undefined if the road simply continues. */
  maneuver: JunctionManeuver | undefined;
  drivingSide: "left" | "right";
  /** Kind of the circle that the path is on before the junction, and after it. */
  before: CircleKind | undefined;
  after: CircleKind | undefined;
  /** Mappers state something of this turn (`Junction.stated`). */
  isStated: boolean;
}

const notes = new Map<string, ManeuverNote>();

/** One shared object for all equal notes: there are a few hundred different ones. */
export function sharedNote(note: ManeuverNote): ManeuverNote {
  const { maneuver, drivingSide, before, after, isStated } = note;
  const { type, modifier, circle, atExit, touches } = maneuver ?? {};
  const key = [type, modifier, circle, atExit, touches, drivingSide, before, after, isStated].join();
  const known = notes.get(key);
  if (!known) notes.set(key, note);
  return known ?? note;
}

export const NO_MANEUVER: JunctionManeuver = { type: "none", modifier: "uturn" };

export function isCircleManeuver(maneuver: JunctionManeuver): boolean {
  return maneuver.type === "stay" || entersCircle(maneuver) || leavesCircle(maneuver);
}

export function entersCircle(maneuver: JunctionManeuver): boolean {
  return (
    maneuver.touches === true ||
    maneuver.type === "roundabout" ||
    maneuver.type === "rotary" ||
    maneuver.type === "roundabout turn"
  );
}

export function leavesCircle(maneuver: JunctionManeuver): boolean {
  return maneuver.type === "exit roundabout" || maneuver.type === "exit rotary";
}
