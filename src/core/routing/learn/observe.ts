import type { Coordinate } from "../../geo/coordinate.ts";
import type { LocalTime } from "../graph/traffic.ts";
import type { Course } from "../match/course.ts";
import { match } from "../match/match.ts";
import type { Router } from "../route/router.ts";
import { cleanTrace, drivenPieces, type TimedPoint, type TracePiece } from "./clean.ts";
import { driveTimes } from "./drive-times.ts";
import { compareDrive, type Drive } from "./drives.ts";
import { edgeKey } from "./edge-key.ts";
import { freeFlow } from "./free-flow.ts";
import type { Passage } from "./live-speeds.ts";
import type { Observations } from "./observations.ts";

/** What learning needs of its surroundings. */
export interface Observing {
  /** The roads around a piece; undefined where none were imported. */
  routerFor(points: readonly TimedPoint[]): Promise<Router | undefined> | Router | undefined;
  /** Local time at a position; `time` [s since 1970]. */
  localTime(time: number, at: Coordinate): LocalTime;
  /** Called with each journey that the engine could have predicted; absent: none is compared. */
  onDrive?(drive: Drive): void;
  /** Called with each passage of an edge. */
  onPassage?(passage: Passage): void;
  /** Whether the device drove on other days: see `drivenPieces`. */
  isDriver?: boolean;
  /** For measuring [ms]. */
  now?(): number;
}

export interface Observed {
  pieces: number;
  /** Pieces of a motor vehicle, the only ones that count. */
  motorized: number;
  traversals: number;
  /** Time of matching [ms], if `now` was passed. */
  matching: number;
}

/** A longer silence splits a match [s]; pieces are cut before. */
const MATCH_GAP_SECONDS = 300;
/** Speeds outside are errors [m/s]. */
const MIN_SPEED = 0.4;
const MAX_SPEED = 55;

/** Adds what the trace of one device says about roads to `into`. */
export async function observe(
  trace: readonly TimedPoint[],
  observing: Observing,
  into: Observations,
): Promise<Observed> {
  const { now = () => 0 } = observing;
  const pieces = cleanTrace(trace);
  const motorized = drivenPieces(pieces, observing.isDriver);
  const observed: Observed = { pieces: pieces.length, motorized: motorized.length, traversals: 0, matching: 0 };
  for (const piece of motorized) {
    const router = await observing.routerFor(piece.points);
    if (!router) continue;
    const began = now();
    const { courses } = await match(router, piece.points, { mode: "car", gap: MATCH_GAP_SECONDS });
    observed.matching += now() - began;
    if (observing.onDrive && courses.length === 1) {
      const [{ distance: meters }] = courses;
      const departure = observing.localTime(piece.points[0].time, piece.points[0]);
      const drive = await compareDrive(router, piece.points, { mode: "car", meters, departure });
      if (drive) observing.onDrive(drive);
    }
    for (const course of courses) observed.traversals += await addCourse(router, piece, course, observing, into);
  }
  return observed;
}

async function addCourse(
  { store }: Router,
  { points, isSparse }: TracePiece,
  course: Course,
  { localTime, onPassage }: Observing,
  into: Observations,
): Promise<number> {
  const { stretches } = course;
  const flow = await freeFlow(store, stretches);
  const timeOf = (index: number) => points[index].time;
  let count = 0;
  for (const { stretch, time, seconds, meters, waited } of driveTimes(course, flow, timeOf, isSparse)) {
    const pace = seconds / meters;
    if (!(pace * MAX_SPEED >= 1 && pace * MIN_SPEED <= 1)) continue;
    const { tile, edge } = stretches[stretch];
    const { day, minute } = localTime(time, points[0]);
    into.add(edgeKey(tile, edge), day * 24 + Math.floor(minute / 60), pace, waited / meters);
    onPassage?.({
      key: edgeKey(tile, edge),
      time,
      pace: pace + waited / meters,
      free: flow.seconds[stretch] / meters,
      meters,
    });
    count++;
  }
  return count;
}
