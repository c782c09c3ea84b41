import { modifierOf, turnAngle } from "./angles.ts";
import { arrivesHeading, leavesHeading } from "./collapse-cases.ts";
import { absorb, isDropped, type RawStep } from "./raw-step.ts";
import { entersCircle, leavesCircle } from "./turn.ts";

/**
 * Counts the exits of every roundabout on the way and leaves two steps of each: the one that enters it, which knows the
 * exit and the road behind it, and the one that leaves it. A leg that starts on a roundabout counts from there; one that
 * ends on it has no exit.
 */
export function countExits(steps: RawStep[]): void {
  let entry: RawStep | undefined;
  let exits = 0;
  for (let index = 1; index < steps.length; index++) {
    const step = steps[index];
    if (isDropped(step)) continue;
    if (step.turn.touches) {
      step.exit = 1;
      if (step.turn.circle === "rotary") step.rotaryName = circleName(step);
    } else if (entersCircle(step.turn)) {
      entry = step;
      exits = step.turn.atExit ? 1 : 0;
    } else if (step.turn.type === "stay") {
      exits++;
      absorb(steps[lastKept(steps, index)], step);
    } else if (leavesCircle(step.turn)) {
      exits++;
      leave(entry, step, exits, steps);
      entry = undefined;
      exits = 0;
    } else if (step.waypoint && entry) {
      endOnCircle(entry);
    }
  }
}

function lastKept(steps: RawStep[], index: number): number {
  let i = index - 1;
  while (isDropped(steps[i])) i--;
  return i;
}

/** The circle among the roads of a junction it is touched at. */
function circleName(step: RawStep): string | undefined {
  return step.views[0].branches.find(({ road }) => road.roundabout)?.road.name || undefined;
}

function leave(entry: RawStep | undefined, exit: RawStep, exits: number, steps: RawStep[]): void {
  exit.exit = exits;
  if (!entry) {
    if (exit.turn.circle === "rotary") exit.rotaryName = steps[0].road.name || undefined;
    return;
  }
  entry.exit = exits;
  if (entry.turn.circle === "rotary") {
    entry.rotaryName = entry.road.name || undefined;
    exit.rotaryName = entry.rotaryName;
  } else if (entry.turn.circle === "intersection") {
    // Turned at like a crossing: what counts is how the arm one leaves on lies to the arm one came on.
    const modifier = modifierOf(turnAngle(arrivesHeading(entry), leavesHeading(exit)));
    entry.turn = { ...entry.turn, modifier };
  }
  entry.road = exit.road;
}

function endOnCircle(entry: RawStep): void {
  if (entry.turn.circle === "rotary") entry.rotaryName = entry.road.name || undefined;
  else entry.turn = { ...entry.turn, type: "roundabout" };
}
