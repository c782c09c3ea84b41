import type { Coordinate } from "../../geo/coordinate.ts";
import type { RoadClass } from "../guidance/types.ts";
import { edgeGeometry } from "../path.ts";
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
  /** [km/h]; absent where no limit is known. */
  speedLimit?: number;
  names: string[];
  start: Coordinate;
  end: Coordinate;
  /** Index in the trace of the point that lies on it. */
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
 * What the roads of a course are like, from its start to its end without a gap: a part per edge, and where several
 * points lie on one edge a part for each, split halfway between them. Points at one and the same place share a part,
 * which has the index of the first.
 */
export function roadParts({ stretches }: Course): RoadPart[] {
  return stretches.flatMap(partsOf);
}

function partsOf(stretch: Stretch): RoadPart[] {
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
    return { ...road, start: line[0], end: line[line.length - 1], ...(index === undefined ? {} : { index }) };
  });
}
