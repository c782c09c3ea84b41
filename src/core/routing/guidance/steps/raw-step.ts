import { type JunctionManeuver, NO_MANEUVER } from "../junction-maneuver.ts";
import { classify } from "../junctions/classify.ts";
import { sameNameOrRef } from "../junctions/names.ts";
import { choices, type View } from "../junctions/view.ts";
import type { LegPath, Modifier, Road, RoadNetwork } from "../types.ts";

/**
 * A step while the passes still join and drop steps. It covers the pieces `first` … `last` of the path; `views` are the
 * junctions it passes, beginning with the one of its maneuver. A departure has no junction, an arrival has no pieces.
 */
export interface RawStep {
  maneuver: JunctionManeuver;
  waypoint?: "depart" | "arrive";
  views: View[];
  first: number;
  last: number;
  distance: number;
  /** The road that is announced. */
  road: Road;
  /** Number of the exit to take from the roundabout. */
  exit?: number;
  rotaryName?: string;
  /** Where the road after a roundabout leads, seen from the road before it: its lanes show that. */
  across?: Modifier;
  /** Lies between the two carriageways of a divided road. */
  inside?: boolean;
}

/** The departure, a step per junction whose maneuver is not "none", and the arrival. */
export function rawSteps(path: LegPath, network?: RoadNetwork): RawStep[] {
  const steps: RawStep[] = [begin(path, 0, NO_MANEUVER, [])];
  steps[0].waypoint = "depart";
  classify(path, network).forEach((seen, index) => {
    if (!seen || seen.maneuver.type === "none") {
      const step = steps[steps.length - 1];
      step.last = index + 1;
      step.distance += path.pieces[index + 1].distance;
    } else {
      steps.push(begin(path, index + 1, seen.maneuver, [seen.view]));
    }
  });
  const end = path.pieces.length;
  const arrival = begin(path, end - 1, NO_MANEUVER, []);
  arrival.waypoint = "arrive";
  arrival.first = end;
  arrival.distance = 0;
  steps.push(arrival);
  return steps;
}

/** Each field is written, there or not: fields of one shape are found without a look-up. */
function begin(path: LegPath, piece: number, maneuver: JunctionManeuver, views: View[]): RawStep {
  const { road, distance } = path.pieces[piece];
  return {
    maneuver,
    waypoint: undefined,
    views,
    first: piece,
    last: piece,
    distance,
    road,
    exit: undefined,
    rotaryName: undefined,
    across: undefined,
    inside: undefined,
  };
}

export function isDropped(step: RawStep): boolean {
  return step.maneuver.type === "none" && !step.waypoint;
}

/** Joins two adjacent steps in either order; the second is dropped. */
export function absorb(step: RawStep, other: RawStep): void {
  step.distance += other.distance;
  if (other.first > step.first) step.views.push(...other.views);
  else step.views.unshift(...other.views);
  step.first = Math.min(step.first, other.first);
  step.last = Math.max(step.last, other.last);
  other.maneuver = NO_MANEUVER;
  other.distance = 0;
}

export function withoutDropped(steps: RawStep[]): RawStep[] {
  return steps.filter((step) => !isDropped(step));
}

/** Index of the step before (or after) `index` that has not been dropped. */
export function previousStep(steps: RawStep[], index: number): number {
  let i = index - 1;
  while (isDropped(steps[i])) i--;
  return i;
}

export function nextStep(steps: RawStep[], index: number): number {
  let i = index + 1;
  while (isDropped(steps[i])) i++;
  return i;
}

/**
 * Joins silent steps with those before them. "End of road" requires other junctions on that road: otherwise it is a
 * turn.
 */
export function foldSilentSteps(steps: RawStep[]): RawStep[] {
  let announced = steps[0];
  for (const step of steps) {
    if (step === announced) continue;
    if (step.maneuver.type === "suppressed" || step.maneuver.type === "stay") {
      absorb(announced, step);
    } else if (!isDropped(step)) {
      const passed = announced.waypoint ? announced.views.length + 1 : announced.views.length;
      if (step.maneuver.type === "end of road" && passed < 2) {
        step.maneuver = { ...step.maneuver, type: sameNameOrRef(announced.road, step.road) ? "continue" : "turn" };
      }
      announced = step;
    }
  }
  return withoutDropped(steps);
}

/** How many roads may be entered where the step begins. */
export function allowedTurns(step: RawStep): number {
  return step.views.length > 0 ? choices(step.views[0]) : 1;
}
