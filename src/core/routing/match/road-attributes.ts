import type { Coordinate } from "../../geo/coordinate.ts";
import type { RoadClass } from "../guidance/types.ts";
import { edgeGeometry } from "../search/path.ts";
import type { Course, Stretch } from "./course.ts";

/** The classes of the API, largest to smallest. */
export type ApiRoadClass =
  | "motorway"
  | "trunk"
  | "primary"
  | "secondary"
  | "tertiary"
  | "residential"
  | "unclassified"
  | "service_other";

/** A part of the course on one edge, with at most one point of the trace on it. */
export interface RoadPart {
  roadClass: ApiRoadClass;
  /** [km/h]; absent if no limit is known. */
  speedLimit?: number;
  names: string[];
  start: Coordinate;
  end: Coordinate;
  line: Coordinate[];
  /** Speed of travel [m/s]; absent if the trace does not show it. */
  speed?: number;
  /** Index in the trace of the point on this part. */
  index?: number;
}

const CLASSES: Record<RoadClass, ApiRoadClass> = {
  motorway: "motorway",
  trunk: "trunk",
  primary: "primary",
  secondary: "secondary",
  tertiary: "tertiary",
  unclassified: "unclassified",
  residential: "residential",
  living_street: "residential",
  service: "service_other",
  track: "service_other",
  cycleway: "service_other",
  path: "service_other",
  footway: "service_other",
  steps: "service_other",
  ferry: "service_other",
};

/**
 * Returns the roads of a course, from its start to its end without a gap: a part per edge, and if several points are on
 * one edge a part for each, split halfway between them. Points at the same position share a part, which has the index
 * of the first. `timeOf`: time of a point of the trace [s].
 */
export function roadParts(
  { stretches }: Course,
  timeOf: (index: number) => number | undefined = () => undefined,
): RoadPart[] {
  const clock = new Clock(stretches, timeOf);
  let walked = 0;
  return stretches.flatMap((stretch) => {
    const parts = partsOf(stretch, walked, clock);
    walked += lengthOf(stretch);
    return parts;
  });
}

/** [m] */
function lengthOf({ tile, edge, from, to }: Stretch): number {
  return (tile.lengthOf(edge) * (to - from)) / 10;
}

/**
 * Over distances shorter than this [m] a speed reflects the errors of the points more than the travel: both are a few
 * meters.
 */
const MIN_FOR_SPEED = 60;

/** Times of a traveler along a course, from the points of the trace on it. */
class Clock {
  readonly #metres: number[] = [];
  readonly #times: number[] = [];

  constructor(stretches: readonly Stretch[], timeOf: (index: number) => number | undefined) {
    let walked = 0;
    for (const stretch of stretches) {
      for (const { index, share } of stretch.points) {
        const time = timeOf(index);
        const last = this.#times.length - 1;
        // A time earlier than the previous one is ignored.
        if (time === undefined || (last >= 0 && time < this.#times[last])) continue;
        this.#metres.push(walked + (stretch.tile.lengthOf(stretch.edge) * (share - stretch.from)) / 10);
        this.#times.push(time);
      }
      walked += lengthOf(stretch);
    }
  }

  /**
   * The mean speed between two positions [m/s], and around them if they are close, if the clock covers a part of it.
   */
  speed(from: number, to: number): number | undefined {
    const [metres, last] = [this.#metres, this.#metres.length - 1];
    if (last < 1 || Math.max(from, metres[0]) >= Math.min(to, metres[last])) return undefined;
    const more = Math.max(0, MIN_FOR_SPEED - (to - from)) / 2;
    const [start, end] = [Math.max(from - more, metres[0]), Math.min(to + more, metres[last])];
    const seconds = this.#at(end) - this.#at(start);
    return end > start && seconds > 0 ? (end - start) / seconds : undefined;
  }

  #at(place: number): number {
    const [metres, times] = [this.#metres, this.#times];
    let [low, high] = [0, metres.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (metres[middle] <= place) low = middle;
      else high = middle;
    }
    const length = metres[high] - metres[low];
    return length > 0 ? times[low] + ((times[high] - times[low]) * (place - metres[low])) / length : times[low];
  }
}

function partsOf(stretch: Stretch, walked: number, clock: Clock): RoadPart[] {
  const { tile, edge, from, to } = stretch;
  const record = tile.recordOf(tile.pieceOf(edge));
  const speedLimit = (tile.isAlong(edge) ? record.forward : record.backward)?.speedLimit;
  const names = [record.name, ...(record.ref?.split(";") ?? [])].flatMap((name) => (name?.trim() ? [name.trim()] : []));
  const road = {
    roadClass: CLASSES[record.class],
    names: [...new Set(names)],
    ...(speedLimit === undefined ? {} : { speedLimit }),
  };
  const points = stretch.points.filter(({ share }, i) => i === 0 || share > stretch.points[i - 1].share);
  const cuts = [from, ...points.slice(1).map(({ share }, i) => (share + points[i].share) / 2), to];
  return cuts.slice(1).map((end, i) => {
    const line = edgeGeometry(tile, edge, cuts[i], end);
    const index = points[i]?.index;
    const at = (share: number) => walked + (tile.lengthOf(edge) * (share - from)) / 10;
    const speed = clock.speed(at(cuts[i]), at(end));
    const details = { ...(index === undefined ? {} : { index }), ...(speed === undefined ? {} : { speed }) };
    return { ...road, start: line[0], end: line[line.length - 1], line, ...details };
  });
}
