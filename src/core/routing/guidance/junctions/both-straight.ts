import { markedAhead } from "../lanes.ts";
import { modifierOf } from "./angles.ts";
import type { BranchManeuvers } from "./basic-maneuvers.ts";
import type { View } from "./view.ts";

/** Maneuvers with a choice; a new name or a silent junction means that there is no choice. */
const CHOSEN = new Set(["turn", "continue", "fork", "on ramp", "off ramp"]);

/**
 * Two roads that lead straight on cannot both be called "straight": their relative position distinguishes them.
 *
 *      \ |  175° and 190°            "slight right" and "slight left", though either alone would be "straight"
 *       \|
 *        │
 *
 * The road that is passed without an announcement, or that continues under a new name, keeps its modifier, and the
 * other is described by its side of that road. If the lanes have an arrow for each of them, the modifiers follow these
 * arrows: "through|slight_right".
 */
export function partStraight({ branches, via }: View, maneuvers: BranchManeuvers): void {
  // From right to left, as branches are.
  const straight = branches.flatMap(({ entry, angle }, index) =>
    index > 0 && entry && (maneuvers[index]?.modifier ?? modifierOf(angle)) === "straight" ? [index] : [],
  );
  if (straight.length < 2) return;
  const marked = markedAhead(via.turnLanes);
  straight.forEach((index, place) => {
    const side = place === 0 ? "slight right" : place === straight.length - 1 ? "slight left" : "straight";
    const modifier = marked.length === straight.length ? marked[place] : side;
    const maneuver = maneuvers[index];
    if (maneuver && CHOSEN.has(maneuver.type)) maneuvers[index] = { ...maneuver, modifier };
  });
}
