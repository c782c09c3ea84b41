import type { Lane, Modifier } from "./types.ts";

/** turn:lanes values in OSRM's words. */
const INDICATIONS: Record<string, string> = {
  left: "left",
  slight_left: "slight left",
  sharp_left: "sharp left",
  through: "straight",
  right: "right",
  slight_right: "slight right",
  sharp_right: "sharp right",
  reverse: "uturn",
  merge_to_left: "straight",
  merge_to_right: "straight",
  none: "none",
  "": "none",
};

/** Which marking serves a turn, best first. */
const SERVES: Record<Modifier, string[]> = {
  uturn: ["uturn", "sharp left", "left"],
  "sharp left": ["sharp left", "left"],
  left: ["left", "slight left", "sharp left"],
  "slight left": ["slight left", "left", "straight"],
  straight: ["straight", "none", "slight left", "slight right"],
  "slight right": ["slight right", "right", "straight"],
  right: ["right", "slight right", "sharp right"],
  "sharp right": ["sharp right", "right"],
};

/**
 * The same for a road that leads straight on next to one that turns off to the same side: the lane that turns off is
 * for the latter.
 */
const SERVES_AHEAD: Partial<Record<Modifier, string[]>> = {
  "slight left": ["slight left", "straight", "left"],
  "slight right": ["slight right", "straight", "right"],
};

/**
 * The lanes of a road before a turn, and which of them lead there: those with the marking that fits best. Undefined if
 * there are no markings or none fits. `nextToTurn`: see `SERVES_AHEAD`.
 */
export function lanesFor(turnLanes: string | undefined, modifier: Modifier, nextToTurn = false): Lane[] | undefined {
  const lanes = markingsOf(turnLanes);
  if (!lanes) return undefined;
  const serves = (nextToTurn && SERVES_AHEAD[modifier]) || SERVES[modifier];
  const marking = serves.find((wanted) => lanes.some((lane) => lane.includes(wanted)));
  if (!marking) return undefined;
  return lanes.map((indications) => ({ indications, valid: indications.includes(marking) }));
}

function markingsOf(turnLanes: string | undefined): string[][] | undefined {
  if (!turnLanes) return undefined;
  const lanes = turnLanes
    .split("|")
    .map((lane) => [...new Set(lane.split(";").map((marking) => INDICATIONS[marking.trim()] ?? "none"))]);
  return lanes.every((lane) => lane.every((marking) => marking === "none")) ? undefined : lanes;
}

const AHEAD: readonly Modifier[] = ["slight right", "straight", "slight left"];

/**
 * Returns the lane markings for the branches that lead ahead, from right to left: "through|through;slight_right" →
 * slight right, straight.
 */
export function markedAhead(turnLanes: string | undefined): Modifier[] {
  const lanes = markingsOf(turnLanes) ?? [];
  return AHEAD.filter((marking) => lanes.some((lane) => lane.includes(marking)));
}
