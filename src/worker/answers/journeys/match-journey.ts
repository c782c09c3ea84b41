import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { distance } from "../../../core/geo/distance.ts";
import type { Mode } from "../../../core/routing/graph/modes.ts";
import { match } from "../../../core/routing/match/match.ts";
import type { TracePoint } from "../../../core/routing/match/trace.ts";
import type { Router } from "../../../core/routing/route/router.ts";
import type { VisitedJourney } from "../../../core/tracking/journeys/timeline.ts";
import type { MatchedJourney } from "../../wire/journey.ts";

/** Points of a journey that are matched have at least this distance [m]: nearer ones add time, but no roads. */
const SPACING = 80;
/** Error of a smoothed point [m]. */
const ACCURACY = 12;
/** A longer silence is a gap: its way is not guessed [s]. */
const GAP_SECONDS = 300;
/** Faster than this, a user drives, or rides a bicycle [m/s]. */
const [DRIVES, RIDES] = [9, 4];
/** A matched way that differs from the smoothed line by more than these factors went over other roads, or none. */
const [MIN_RATIO, MAX_RATIO] = [0.8, 1.35];

/** The roads of a journey, and the line between where no road fits; undefined if none does. */
export async function matchJourney(router: Router, journey: VisitedJourney): Promise<MatchedJourney | undefined> {
  const { line, times } = journey;
  const kept = spaced(line);
  if (kept.length < 2) return undefined;
  const trace = kept.map((i): TracePoint => ({ ...line[i], time: times[i] / 1000, accuracy: ACCURACY }));
  const { courses } = await match(router, trace, { mode: modeOf(journey), gap: GAP_SECONDS });
  // Along the line up to each of its points [m].
  const along = [0];
  for (let i = 1; i < line.length; i++) along.push(along[i - 1] + distance(line[i - 1], line[i]));
  // The line is a chord of its curves: its parts get their share of the difference.
  const stretch = along[line.length - 1] > 0 ? journey.distance / along[line.length - 1] : 1;
  const matched: MatchedJourney = { distance: 0, share: 0, line: [] };
  let [onRoads, next] = [0, 0];
  const addLine = (until: number) => {
    matched.distance += (along[until] - along[next]) * stretch;
    matched.line.push(...line.slice(next, until + 1));
  };
  for (const course of courses) {
    const indexes = course.stretches.flatMap(({ points }) => points.map(({ index }) => kept[index]));
    const [first, last] = [Math.min(...indexes), Math.max(...indexes)];
    const own = (along[last] - along[first]) * stretch;
    if (first < next || !(own > 0) || course.distance < own * MIN_RATIO || course.distance > own * MAX_RATIO) continue;
    addLine(first);
    matched.distance += course.distance;
    matched.line.push(...course.line);
    onRoads += course.distance;
    next = last;
  }
  if (onRoads === 0) return undefined;
  addLine(line.length - 1);
  return { ...matched, share: onRoads / matched.distance };
}

function spaced(line: readonly Coordinate[]): number[] {
  const kept = [0];
  for (let i = 1; i < line.length; i++) {
    if (i === line.length - 1 || distance(line[kept[kept.length - 1]], line[i]) >= SPACING) kept.push(i);
  }
  return kept;
}

function modeOf({ topSpeed }: VisitedJourney): Mode {
  return topSpeed > DRIVES ? "car" : topSpeed > RIDES ? "bike" : "foot";
}
