import type { TimeWindow } from "../graph/traffic.ts";
import type { EdgeKey } from "./edge-key.ts";
import type { LearnedSpeeds } from "./estimate.ts";

const DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];

/** The segments of an edge: pairs of OSM nodes that follow one another, in the direction of travel. */
export type SegmentsOf = (key: EdgeKey) => Iterable<readonly [from: number, to: number]>;

const SPEED_COLUMNS = "from_node,to_node,road_class,days,hours,speed,factor";

/** Learned speeds as the lines of the file that `--speeds` reads. */
export function* speedLines(
  { windows, edges, classes, signals }: LearnedSpeeds,
  segmentsOf: SegmentsOf,
): Generator<string> {
  yield SPEED_COLUMNS;
  const times = windows.map((window) => `${daysText(window)},${hoursText(window)}`);
  for (const [roadClass, factors] of [...classes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const [w, time] of times.entries()) yield `,,${roadClass},${time},,${factors[w].toFixed(3)}`;
  }
  const known = Array.from(edges, ([key, { speedsKmh }]) => [key, speedsKmh] as const);
  for (const [key, speedsKmh] of [...known, ...signals]) {
    for (const [from, to] of segmentsOf(key)) {
      for (const [w, time] of times.entries()) yield `${from},${to},,${time},${speedsKmh[w].toFixed(1)},`;
    }
  }
}

/** "Mo Tu We": separated by spaces, because commas separate columns. */
const daysText = ({ days }: TimeWindow) => (days === 127 ? "" : DAYS.filter((_, day) => (days >> day) & 1).join(" "));

const hoursText = ({ from, until }: TimeWindow) => `${clock(from)}-${clock(until)}`;

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
