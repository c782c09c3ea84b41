import type { Lane, Modifier, Step } from "./types.ts";

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

type Side = "left" | "right";

/** Which marking serves a turn, best first. */
const SERVES: Record<Exclude<Modifier, "uturn">, string[]> = {
  "sharp left": ["sharp left", "left"],
  left: ["left", "slight left", "sharp left"],
  "slight left": ["slight left", "left", "straight"],
  straight: ["straight", "none", "slight left", "slight right"],
  "slight right": ["slight right", "right", "straight"],
  right: ["right", "slight right", "sharp right"],
  "sharp right": ["sharp right", "right"],
};

/** The same for turning around, which crosses the oncoming traffic as turns to that side do; by where traffic drives. */
const SERVES_UTURN: Record<Side, string[]> = {
  right: ["uturn", ...SERVES["sharp left"]],
  left: ["uturn", ...SERVES["sharp right"]],
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
 * The lanes of a road before a turn, and which of them lead there: those with the marking that fits best, and straight on
 * also those without one. If no marking fits, the outermost lane leads there if it has none. Undefined if there are no
 * markings or none fits. `nextToTurn`: see `SERVES_AHEAD`.
 */
export function lanesFor(
  turnLanes: string | undefined,
  modifier: Modifier,
  { nextToTurn = false, drivingSide = "right" }: { nextToTurn?: boolean; drivingSide?: Side } = {},
): Lane[] | undefined {
  const lanes = markingsOf(turnLanes);
  if (!lanes) return undefined;
  const serves =
    modifier === "uturn" ? SERVES_UTURN[drivingSide] : (nextToTurn && SERVES_AHEAD[modifier]) || SERVES[modifier];
  const marking = serves.find((wanted) => lanes.some((lane) => lane.includes(wanted)));
  const onLeft = modifier === "uturn" ? drivingSide === "right" : modifier.includes("left");
  const outermost = onLeft ? 0 : lanes.length - 1;
  if (!marking && (modifier === "straight" || !isUnmarked(lanes[outermost]))) return undefined;
  // Traffic turns around from the lane nearest to the oncoming traffic, unless others are marked for it.
  const isOneLane = !marking || (modifier === "uturn" && marking !== "uturn");
  const lane = marking ? nearestWith(lanes, marking, onLeft) : outermost;
  return lanes.map((indications, at) => {
    const fits = indications.includes(marking ?? "") || (modifier === "straight" && isUnmarked(indications));
    const valid = isOneLane ? at === lane : fits;
    return { indications, valid, active: valid };
  });
}

const isUnmarked = (lane: readonly string[]): boolean => lane.length === 1 && lane[0] === "none";

function nearestWith(lanes: readonly string[][], marking: string, fromLeft: boolean): number {
  const has = (lane: readonly string[]) => lane.includes(marking);
  return fromLeft ? lanes.findIndex(has) : lanes.findLastIndex(has);
}

/** The lanes of a road from which only one road can be entered. */
export function lanesWithoutChoice(turnLanes: string): Lane[] | undefined {
  return markingsOf(turnLanes)?.map((indications) => ({ indications, valid: true, active: true }));
}

/** A maneuver that follows within this time determines the lane to take before [s] (OSRM's bound). */
const SOON = 15;

/**
 * Two maneuvers in quick succession: of the lanes that lead along the first, only those are active from which the
 * second can be made without changing lanes. Steps are processed from the last to the first, so a chain of maneuvers
 * determines the first lane (the idea is OSRM's, BSD-2-Clause, engine/guidance/lane_processing.cpp).
 *
 *     right of two lanes, then left        │ ↱ │ ↱ │      the left one of the two
 *                                            ▲
 */
export function anticipateLanes(steps: readonly Step[]): void {
  for (let index = steps.length - 3; index > 0; index--) {
    const { lanes, duration } = steps[index];
    const next = steps[index + 1];
    if (!lanes || duration > SOON) continue;
    const valid = lanes.flatMap((lane, at) => (lane.valid ? [at] : []));
    const excess = valid.length - usableLanes(next);
    if (excess <= 0) continue;
    const fromLeft = Math.round(excess * shareOnLeft(next));
    const onward = activeAfter(steps[index].maneuver.modifier, valid.length, next.lanes);
    valid.forEach((at, place) => {
      const isBetween = place >= fromLeft && place < valid.length - (excess - fromLeft);
      lanes[at].active = onward?.[place] ?? isBetween;
    });
  }
}

/**
 * Lanes that turn side by side stay side by side: from a right turn they come to the rightmost lanes. Returns which of
 * them are active at the next maneuver, nothing where none is or where this does not tell where they lead.
 */
function activeAfter(modifier: Modifier | undefined, count: number, next: readonly Lane[] = []): boolean[] | undefined {
  const isRight = modifier?.includes("right");
  if (next.length < count || (next.length > count && !isSided(modifier))) return undefined;
  const reached = isRight ? next.slice(next.length - count) : next.slice(0, count);
  return reached.some(({ active }) => active) ? reached.map(({ active }) => active) : undefined;
}

/** How many lanes lead along a maneuver; all where no lane matters. */
function usableLanes({ lanes, maneuver }: Step): number {
  if (lanes) return lanes.filter(({ active }) => active).length;
  return isSided(maneuver.modifier) ? 1 : Number.POSITIVE_INFINITY;
}

/** Which share of the lanes to leave is on the left: none before a left turn, all before a right turn. */
function shareOnLeft({ lanes, maneuver }: Step): number {
  if (maneuver.modifier?.includes("left")) return 0;
  if (maneuver.modifier?.includes("right")) return 1;
  const first = lanes?.findIndex(({ active }) => active) ?? 0;
  const after = lanes ? lanes.length - 1 - lanes.findLastIndex(({ active }) => active) : 0;
  return first + after === 0 ? 0 : first / (first + after);
}

function isSided(modifier: Modifier | undefined): boolean {
  return modifier !== undefined && modifier !== "straight" && modifier !== "uturn";
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
