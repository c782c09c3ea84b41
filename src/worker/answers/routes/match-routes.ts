import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { distance } from "../../../core/geo/distance.ts";
import type { Course } from "../../../core/routing/match/course.ts";
import { type CoursePoint, coursePaths, pointsOn } from "../../../core/routing/match/course-paths.ts";
import { type MatchOptions, match } from "../../../core/routing/match/match.ts";
import type { TracePoint } from "../../../core/routing/match/trace.ts";
import { type GuidedLeg, guidedLeg, type Telling } from "../../../core/routing/route/guided-leg.ts";
import { joinedLegs } from "../../../core/routing/route/joined-legs.ts";
import type { Router, Stop } from "../../../core/routing/route/router.ts";

/** A part of a trace as a route along its roads. */
export interface MatchedRoute {
  /** Between two stops each. */
  legs: GuidedLeg[];
  /** The matched points; `stop`: the number of the stop, for points where a leg begins or ends. */
  points: (Stop & { index: number; stop: number | undefined })[];
  /** How well the points fit: 1 if all are on their road, with the accuracy as the standard deviation of their errors. */
  confidence: number;
}

/** The standard deviation of points without an accuracy [m]. */
const NOISE = 5;

/**
 * Matches a trace, and returns its parts as routes, with a leg from each stop to the next.
 * @param isStop whether a leg ends at this point of the trace; the ends of a part are always stops
 */
export async function matchRoutes(
  router: Router,
  trace: readonly TracePoint[],
  options: MatchOptions,
  telling: Telling | undefined,
  isStop: (index: number) => boolean,
): Promise<MatchedRoute[]> {
  const { points, courses } = await match(router, trace, options);
  const places = new Map(points.map(({ index, location }) => [index, location]));
  const routes: MatchedRoute[] = [];
  for (const course of courses) {
    const on = pointsOn(course).filter(({ index }) => places.has(index));
    if (on.length < 2) continue;
    routes.push(routeOf(router, course, on, { trace, places, options, telling, isStop }));
    const turn = router.store.spend(on.length);
    if (turn) await turn;
  }
  return routes;
}

interface Context {
  trace: readonly TracePoint[];
  places: ReadonlyMap<number, Coordinate>;
  options: MatchOptions;
  telling: Telling | undefined;
  isStop: (index: number) => boolean;
}

function routeOf(router: Router, course: Course, on: readonly CoursePoint[], context: Context): MatchedRoute {
  const { trace, places, isStop } = context;
  let stops = 0;
  const points = on.map(({ index, stretch }, i) => {
    const location = places.get(index) as Coordinate;
    const { tile, edge } = course.stretches[stretch];
    const isOne = i === 0 || i === on.length - 1 || isStop(index);
    const name = tile.recordOf(tile.pieceOf(edge)).name ?? "";
    return { index, location, name, distance: distance(trace[index], location), stop: isOne ? stops++ : undefined };
  });
  const ends = on.filter((_, i) => points[i].stop !== undefined);
  const legs = ends.slice(1).map((end, i) => legOf(router, course, ends[i], end, i, ends.length - 1, context));
  const fits = points.map(({ index, distance: off }) => {
    const sigma = Math.max(NOISE, trace[index].accuracy ?? NOISE);
    return Math.exp(-0.5 * (off / sigma) ** 2);
  });
  return { legs, points, confidence: fits.reduce((sum, one) => sum + one, 0) / fits.length };
}

function legOf(
  router: Router,
  course: Course,
  from: CoursePoint,
  to: CoursePoint,
  index: number,
  count: number,
  { trace, places, options, telling }: Context,
): GuidedLeg {
  const snapped = (at: number) => {
    const location = places.get(at) as Coordinate;
    return { location, distance: distance(trace[at], location) };
  };
  const [start, end] = [snapped(from.index), snapped(to.index)];
  // Only the number of legs and the locations of this one matter to its texts.
  const locations = new Array<Coordinate>(count + 1).fill(trace[from.index]);
  locations[index + 1] = trace[to.index];
  const paths = coursePaths(router.store, router.metric({ mode: options.mode }), course, from, to);
  const parts = paths.map((path) => guidedLeg(router.store, { ...path, start, end }, locations, index, telling));
  return joinedLegs(parts, telling);
}
