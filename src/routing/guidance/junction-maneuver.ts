import type { ManeuverType, Modifier } from "./maneuver.ts";

/**
 * What a junction asks of one who passes it, before neighbouring turns are joined. Beside the maneuvers that are told
 * there are silent ones:
 *
 *   none         nothing happens here; the junction is not even mentioned
 *   suppressed   a junction is passed without a word
 *   slip road    a short cut around a junction ahead; becomes a plain turn with what follows
 *   stay         an exit of a roundabout is passed
 */
export type JunctionManeuverType = ManeuverType | "none" | "suppressed" | "slip road" | "stay";

export interface JunctionManeuver {
  type: JunctionManeuverType;
  modifier: Modifier;
  /** What sort of circle a roundabout turn belongs to. */
  circle?: CircleKind;
  /** The entry of a roundabout that lies behind an exit which counts. */
  atExit?: boolean;
  /** A roundabout that is entered and left at the same place. */
  touches?: boolean;
}

/** "intersection" is so small and plain that one perceives it as a crossing. */
export type CircleKind = "roundabout" | "rotary" | "intersection";

/** What a turn was found to be, and what that hung on beside the junction; engines may keep it for the next path. */
export interface ManeuverNote {
  /** Undefined where there is nothing to see. */
  maneuver: JunctionManeuver | undefined;
  drivingSide: "left" | "right";
  /** The circle one is on before, and after. */
  before: CircleKind | undefined;
  after: CircleKind | undefined;
}

const notes = new Map<string, ManeuverNote>();

/** The note with these values, one object for all that are equal: there are a few hundred. */
export function sharedNote(note: ManeuverNote): ManeuverNote {
  const { maneuver, drivingSide, before, after } = note;
  const { type, modifier, circle, atExit, touches } = maneuver ?? {};
  const key = [type, modifier, circle, atExit, touches, drivingSide, before, after].join();
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
