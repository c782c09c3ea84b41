import type { Maneuver, Modifier, Step } from "../types.ts";

/** The API's words for maneuvers: Valhalla's maneuver types in kebab case. */
export type ManeuverWord =
  | "start"
  | "start-right"
  | "start-left"
  | "destination"
  | "destination-right"
  | "destination-left"
  | "becomes"
  | "continue"
  | "slight-right"
  | "right"
  | "sharp-right"
  | "uturn-right"
  | "uturn-left"
  | "sharp-left"
  | "left"
  | "slight-left"
  | "ramp-straight"
  | "ramp-right"
  | "ramp-left"
  | "exit-right"
  | "exit-left"
  | "stay-straight"
  | "stay-right"
  | "stay-left"
  | "merge"
  | "merge-right"
  | "merge-left"
  | "roundabout-enter"
  | "roundabout-exit"
  | "ferry-enter"
  | "ferry-exit";

type Side = "right" | "left" | "straight";

/** Modifiers with a side, written out: see `inOnePiece` (text/instruction.ts). */
const SIDED = {
  start: { right: "start-right", left: "start-left", straight: "start" },
  destination: { right: "destination-right", left: "destination-left", straight: "destination" },
  ramp: { right: "ramp-right", left: "ramp-left", straight: "ramp-straight" },
  exit: { right: "exit-right", left: "exit-left" },
  stay: { right: "stay-right", left: "stay-left", straight: "stay-straight" },
  merge: { right: "merge-right", left: "merge-left", straight: "merge" },
} as const;

function sideOf(modifier: Modifier | undefined): Side {
  if (modifier?.includes("right")) return "right";
  return modifier?.includes("left") ? "left" : "straight";
}

const TURNS: Record<Modifier, ManeuverWord> = {
  uturn: "uturn-left",
  "sharp right": "sharp-right",
  right: "right",
  "slight right": "slight-right",
  straight: "continue",
  "slight left": "slight-left",
  left: "left",
  "sharp left": "sharp-left",
};

/**
 * The word for a step; the step before it decides whether a ferry is boarded or left. A change of boats is boarding,
 * whatever the angle between their lines.
 */
export function maneuverWord(step: Step, before?: Step): ManeuverWord {
  const { type, modifier } = step.maneuver;
  const side = sideOf(modifier);
  if (type === "depart") return SIDED.start[side];
  if (type === "arrive") return SIDED.destination[side];
  if (step.mode === "ferry") return "ferry-enter";
  if (before?.mode === "ferry") return "ferry-exit";
  return wordOf(step.maneuver, side, step.drivingSide);
}

function wordOf({ type, modifier }: Maneuver, side: Side, drivingSide: "left" | "right"): ManeuverWord {
  switch (type) {
    case "on ramp":
      return SIDED.ramp[side];
    case "off ramp":
      return SIDED.exit[side === "straight" ? drivingSide : side];
    case "fork":
      return SIDED.stay[side];
    case "merge":
      return SIDED.merge[side];
    case "roundabout":
    case "rotary":
    case "roundabout turn":
      return "roundabout-enter";
    case "exit roundabout":
    case "exit rotary":
      return "roundabout-exit";
    case "new name":
      return side === "straight" ? "becomes" : TURNS[modifier ?? "straight"];
    default:
      if (modifier === "uturn") return drivingSide === "left" ? "uturn-right" : "uturn-left";
      return TURNS[modifier ?? "straight"];
  }
}
