import type { Coordinate } from "../../../geo/coordinate.ts";
import type { Units } from "../../../geo/units.ts";
import { banner } from "../text/banner.ts";
import { instruction, wayName } from "../text/instruction.ts";
import type { Language } from "../text/translation.ts";
import { voice } from "../text/voice.ts";
import type { Intersection, LegPath, ManeuverType, RoadNetwork, Step } from "../types.ts";
import { intersectionsOf } from "./intersections.ts";
import { type ManeuverWord, maneuverWord } from "./maneuver-word.ts";
import { guide } from "./steps.ts";
import { trimEnds } from "./trim.ts";

export interface GuidanceOptions {
  lang: Language;
  units: Units;
  /** Index of this leg, from 0, and number of legs, for "your 1st destination". Default: the only leg. */
  leg?: { index: number; count: number };
  /** For clients with texts of their own: all texts are empty. */
  isSilent?: boolean;
}

/** A step with everything a client shows; the wire's names are given in http/. Meters, seconds, degrees. */
export interface GuidedStep {
  step: Step;
  distance: number;
  duration: number;
  startLocation: Coordinate;
  endLocation: Coordinate;
  bearingBefore: number;
  bearingAfter: number;
  instructions: string;
  bannerInstructions: string;
  voiceInstructions: string;
  geometry: Coordinate[];
  mode: Step["mode"];
  maneuver: ManeuverWord;
  /** "" for a road without name and number. */
  streetName: string;
  /** Number and name on the sign of an exit; on exits only. */
  exitName?: string;
  /** The junctions that it passes, that of its maneuver first. */
  intersections: () => Intersection[];
  /** The voice instruction for the maneuver when it is so far ahead [m]. */
  announce: (distance: number) => string;
}

/** Guidance for one leg. Distances and durations of the steps sum to the leg's; the last step has neither. */
export function buildSteps(path: LegPath, options: GuidanceOptions, network?: RoadNetwork): GuidedStep[] {
  const trimmed = trimEnds(path);
  const steps = guide(trimmed, network);
  return steps.map((step, index) => guidedStep(step, steps[index - 1], options, () => intersectionsOf(step, trimmed)));
}

/** A step with its texts. `before`: the previous one of its leg. */
export function guidedStep(
  step: Step,
  before: Step | undefined,
  { lang, units, leg, isSilent = false }: GuidanceOptions,
  intersections: () => Intersection[],
): GuidedStep {
  const waypoint = leg && leg.index + 1 < leg.count ? leg.index + 1 : undefined;
  const exitName = exitNameOf(step);
  const dismount = step.mode === "pushing" && before?.mode !== "pushing" && step.maneuver.type !== "arrive";
  const described = describedStep(step, before);
  const telling = { waypoint, dismount, stays: KEEPS.includes(described.maneuver.type) && isSameRoad(step, before) };
  const instructions = isSilent ? "" : instruction(described, lang, telling);
  return {
    step,
    distance: step.distance,
    duration: step.duration,
    startLocation: step.geometry[0],
    endLocation: step.geometry[step.geometry.length - 1],
    bearingBefore: step.maneuver.bearingBefore,
    bearingAfter: step.maneuver.bearingAfter,
    instructions,
    bannerInstructions: isSilent ? "" : banner(described, lang),
    voiceInstructions: isSilent ? "" : voice(described, before, lang, units, telling, instructions),
    geometry: step.geometry,
    mode: step.mode,
    maneuver: maneuverWord(step, before),
    streetName: wayName(step),
    exitName,
    intersections,
    announce: (distance) => voice(described, before && { ...before, distance }, lang, units, telling, instructions),
  };
}

const TURNS: readonly ManeuverType[] = ["turn", "end of road"];
const KEEPS: readonly ManeuverType[] = ["fork", "merge"];

const isSameRoad = (step: Step, before: Step | undefined): boolean =>
  before?.name === step.name && (step.name !== "" || before.ref === step.ref);

/**
 * "Turn right to stay on Main Street" requires that the traveler knows to be on it: if the name changed silently, the text says "turn onto", and
 * only then.
 */
function describedStep(step: Step, before: Step | undefined): Step {
  const { type, modifier } = step.maneuver;
  if (modifier === "uturn" || !before || before.maneuver.type === "arrive") return step;
  const stays = isSameRoad(step, before);
  if (type === "continue" && !stays) return { ...step, maneuver: { ...step.maneuver, type: "turn" } };
  if (stays && wayName(step) !== "" && modifier !== "straight" && TURNS.includes(type))
    return { ...step, maneuver: { ...step.maneuver, type: "continue" } };
  return step;
}

/** "12", "12 Centro" or "Centro", where a motorway is left. */
function exitNameOf(step: Step): string | undefined {
  if (step.maneuver.type !== "off ramp") return undefined;
  return [step.exitRef, step.exitName].filter((part) => part).join(" ") || undefined;
}
