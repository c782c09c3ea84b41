import { isCoordinate } from "../../../core/geo/coordinate.ts";
import type { Pace } from "../../../core/geo/pace.ts";
import { type FilePoint, timed } from "./file-point.ts";
import { tagsOf, textUntilTag } from "./xml-tags.ts";

/** The elements with points, those of tracks first. */
const POINT_TAGS = ["trkpt", "rtept", "wpt"] as const;
type PointTag = (typeof POINT_TAGS)[number];

/** A decimal number (xsd:decimal), and the exponent that some programs write. */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

interface PointList {
  points: FilePoint[];
  /** A point of the list has no position. */
  isBroken: boolean;
}

/** Tags read between two checks of the work budget, and their cost [units of the budget]. */
const TAGS_AT_ONCE = 1000;

/**
 * Reads the points of a GPX file (1.0 and 1.1): those of its tracks, else of its routes, else its waypoints. One pass
 * over the text, so that the time is proportional to its length; other work gets its turn in between.
 * @param most stops after more points than this
 * @returns undefined if a point has no position
 */
export async function readGpx(text: string, most: number, pace: Pace): Promise<FilePoint[] | undefined> {
  const lists: Record<PointTag, PointList> = {
    trkpt: { points: [], isBroken: false },
    rtept: { points: [], isBroken: false },
    wpt: { points: [], isBroken: false },
  };
  let open: FilePoint | undefined;
  let tags = 0;
  for (const { name, attributes, isEnd, isEmpty, end } of tagsOf(text)) {
    const turn = ++tags % TAGS_AT_ONCE === 0 ? pace.spend(TAGS_AT_ONCE) : undefined;
    if (turn) await turn;
    if (isPointTag(name)) {
      open = undefined;
      if (isEnd) continue;
      const point = positionOf(attributes());
      if (!point) {
        lists[name].isBroken = true;
        continue;
      }
      if (lists[name].points.push(point) > most) break;
      if (!isEmpty) open = point;
    } else if (name === "time" && open && open.at === undefined && !isEnd && !isEmpty) {
      Object.assign(open, timed(textUntilTag(text, end).trim()));
    }
  }
  const list = POINT_TAGS.map((tag) => lists[tag]).find(({ points, isBroken }) => points.length > 0 || isBroken);
  return list?.isBroken ? undefined : (list?.points ?? []);
}

function isPointTag(name: string): name is PointTag {
  return name === "trkpt" || name === "rtept" || name === "wpt";
}

function positionOf(attributes: ReadonlyMap<string, string>): FilePoint | undefined {
  const latitude = decimalIn(attributes.get("lat"));
  const longitude = decimalIn(attributes.get("lon"));
  return isCoordinate(latitude, longitude) ? { latitude, longitude } : undefined;
}

function decimalIn(value = ""): number {
  const text = value.trim();
  return DECIMAL.test(text) ? Number(text) : Number.NaN;
}
