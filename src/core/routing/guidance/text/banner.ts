import type { Step } from "../types.ts";
import { instruction, signedDestination, wayName } from "./instruction.ts";
import type { Language } from "./translation.ts";
import { WORDS } from "./words.ts";

/**
 * Text of a banner next to its arrow: the exit and its destination, else the road, else the junction, else the exit of
 * the roundabout, else the plain maneuver. "Exit 12: A 3 Porto", "Main Street (B 3)", "2nd exit", "Turn left", "Destination on the
 * left".
 */
export function banner(step: Step, language: Language): string {
  const words = WORDS[language];
  const { type, modifier, exit } = step.maneuver;
  if (type === "arrive") {
    const side = modifier === "left" || modifier === "right" || modifier === "straight" ? modifier : "none";
    return words.destination[side];
  }
  const destination = signedDestination(step, language).replace(": ", " ");
  if (step.exitRef) {
    const sign = words.exit(step.exitRef.split(";")[0]);
    return destination === "" ? sign : `${sign}: ${destination}`;
  }
  if (type !== "depart" && destination !== "") return destination;
  const name = wayName(step);
  if (name !== "") return name;
  if (step.junctionName && type !== "depart") return step.junctionName;
  if ((type === "roundabout" || type === "rotary") && exit) return words.roundaboutExit(exit);
  return instruction(step, language, { plain: true });
}
