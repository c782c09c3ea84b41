import type { Modifier } from "../types.ts";
import { modifierOf } from "./angles.ts";
import type { BranchManeuvers } from "./basic-maneuvers.ts";
import { sameName } from "./names.ts";
import { isLowPriority } from "./road.ts";
import type { View } from "./view.ts";

/**
 * A street that meets only driveways and similar roads continues, whatever its shape (rule: OSRM, BSD-2-Clause,
 * guidance/driveway_handler.cpp). `undefined` if more than one street continues.
 *
 *           ┊ driveway
 *     ──────┼──────
 *           ┊ driveway
 */
export function drivewayManeuvers(view: View): BranchManeuvers | undefined {
  const { branches, via } = view;
  if (branches.length <= 2 || isLowPriority(branches[0].road)) return undefined;
  let streets = 1;
  let onward = 0;
  for (let i = 1; i < branches.length; i++) {
    if (isLowPriority(branches[i].road)) continue;
    streets++;
    onward = i;
  }
  if (streets !== 2) return undefined;

  const maneuvers: BranchManeuvers = branches.map(({ entry, angle }) =>
    entry ? { type: "turn", modifier: angle === 0 ? "uturn" : modifierOf(angle) } : undefined,
  );
  const street = maneuvers[onward];
  if (street) street.type = sameName(via, branches[onward].road) ? "none" : "new name";
  if (maneuvers[0]) maneuvers[0].type = "continue";
  if (street?.modifier === "straight") {
    maneuvers.forEach((maneuver, index) => {
      const aside: Modifier = index < onward ? "slight right" : "slight left";
      if (maneuver && maneuver !== street && maneuver.modifier === "straight") maneuver.modifier = aside;
    });
  }
  return maneuvers;
}
