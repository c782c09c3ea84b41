import { bend, turnAngle } from "../guidance/junctions/angles.ts";
import { type GuidedStep, guidedStep } from "../guidance/steps/build-steps.ts";
import type { Step } from "../guidance/types.ts";
import type { GuidedLeg, Telling } from "./guided-leg.ts";

/** Legs begin in the direction in which the previous one ended, or in the opposite one [degrees]. */
const OPPOSITE = 135;

/** Legs as one, without a stop between them: a leg that leads back begins with a U-turn. */
export function joinedLegs(legs: readonly GuidedLeg[], telling: Telling | undefined): GuidedLeg {
  const [first] = legs;
  if (legs.length === 1) return first;
  const last = legs[legs.length - 1];
  const steps: GuidedStep[] = [];
  for (const leg of legs) {
    const arrival = steps.pop();
    if (!arrival) steps.push(...leg.steps);
    else if (steps.length > 0 && telling)
      steps.push(...continued(steps.pop() as GuidedStep, arrival, leg.steps[0], telling), ...leg.steps.slice(1));
  }
  return {
    duration: legs.reduce((sum, { duration }) => sum + duration, 0),
    distance: legs.reduce((sum, { distance }) => sum + distance, 0),
    line: legs.flatMap(({ line }, i) => (i === 0 ? line : line.slice(1))),
    passages: () => legs.flatMap(({ passages }) => passages()),
    segments: () => legs.flatMap(({ segments }) => segments()),
    steps,
    start: first.start,
    end: last.end,
    names: () => [first.names()[0], last.names()[1]],
  };
}

/** The last step of a leg and the first one of the next: one, unless the traveler turns round between them. */
function continued(before: GuidedStep, arrival: GuidedStep, departure: GuidedStep, telling: Telling): GuidedStep[] {
  const onward = departure.step;
  const turn = bend(turnAngle(arrival.bearingBefore, onward.maneuver.bearingAfter));
  if (turn < OPPOSITE || onward.distance === 0) return [joinedSteps(before, departure, 1)];
  const maneuver = {
    ...onward.maneuver,
    type: "continue" as const,
    modifier: "uturn" as const,
    bearingBefore: arrival.bearingBefore,
  };
  const back = guidedStep({ ...onward, maneuver }, before.step, telling, () =>
    departure
      .intersections()
      .map((one, i) => (i === 0 ? { ...one, ...turned(arrival.bearingBefore, one.bearings[0]) } : one)),
  );
  return [before, back];
}

/**
 * Two steps as one, with the maneuver of the first.
 * @param from the first intersection of the second step that is not one of the first step
 */
export function joinedSteps(before: GuidedStep, after: GuidedStep, from: number): GuidedStep {
  const step: Step = {
    ...before.step,
    distance: before.distance + after.distance,
    duration: before.duration + after.duration,
    geometry: [...before.geometry, ...after.geometry.slice(1)],
  };
  const intersections = () => [...before.intersections(), ...after.intersections().slice(from)];
  const { distance, duration, geometry } = step;
  return { ...before, step, distance, duration, geometry, endLocation: after.endLocation, intersections };
}

/** Where a road is left in the direction from which it was entered: `in` and `out` are the same road. */
const turned = (before: number, after: number) => ({
  bearings: [after, Math.round(before) % 360].sort((a, b) => a - b),
  entry: [true, true],
  in: after <= Math.round(before) % 360 ? 0 : 1,
  out: after <= Math.round(before) % 360 ? 0 : 1,
});
