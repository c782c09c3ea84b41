import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { type LocalTime, later } from "../../../core/routing/graph/traffic.ts";
import type { TimedPoint } from "../../../core/routing/learn/clean.ts";
import type { Contribution } from "../../../core/routing/learn/contribution.ts";
import type { Passage } from "../../../core/routing/learn/live-speeds.ts";
import { type Observed, observe } from "../../../core/routing/learn/observe.ts";
import type { Geodata } from "../../geodata/live.ts";
import { localTimeAt, roadsAround } from "../../geodata/roads.ts";
import { backgroundPace } from "../../platform/pace.ts";

/** Adds what a device saw on one day to its contribution, on the live roads around each piece of its trace. */
export function observeDay(
  geodata: Geodata,
  trace: readonly TimedPoint[],
  { observations, drives }: Contribution,
  isDriver: boolean,
  onPassage?: (passage: Passage) => void,
): Promise<Observed> {
  const routerFor = (points: readonly TimedPoint[]) => {
    const some = [points[0], points[points.length >> 1], points[points.length - 1]];
    return roadsAround(geodata, some, { pace: backgroundPace(), missed: () => undefined });
  };
  const onDrive = (drive: Contribution["drives"][number]) => drives.push(drive);
  return observe(trace, { routerFor, localTime: localTimes(), onDrive, isDriver, onPassage }, observations);
}

/** Local times of pieces of traces: the time zone is looked up once for each. */
function localTimes(): (time: number, at: Coordinate) => LocalTime {
  const known = new WeakMap<Coordinate, { local: LocalTime; time: number }>();
  return (time, at) => {
    let first = known.get(at);
    if (!first) {
      first = { local: localTimeAt(at, time * 1000), time: Math.floor(time / 60) * 60 };
      known.set(at, first);
    }
    return later(first.local, time - first.time);
  };
}
