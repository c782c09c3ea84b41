import type { Coordinate } from "../../geo/coordinate.ts";
import { distance } from "../../geo/distance.ts";
import { lineOf, type Path } from "./path.ts";

/** The part of a path between two points of its line. */
export interface Segment {
  /** [m] */
  distance: number;
  /** Share of the time of its road, turn included [s]. */
  duration: number;
  /** [km/h]; undefined if none is known. */
  speedLimit: number | undefined;
}

/** The segments of a path: one less than the points of `pathGeometry`. Those of an edge share its time by their length. */
export function segmentsOf({ edges }: Path): Segment[] {
  const segments: Segment[] = [];
  let last: Coordinate | undefined;
  // The time of edges without length, which have no segment, belongs to the next segment.
  let waiting = 0;
  for (const edge of edges) {
    const lengths: number[] = [];
    for (const point of lineOf(edge)) {
      if (last && last.latitude === point.latitude && last.longitude === point.longitude) continue;
      if (last) lengths.push(distance(last, point));
      last = point;
    }
    const total = lengths.reduce((sum, one) => sum + one, 0);
    const time = edge.duration + waiting;
    waiting = lengths.length === 0 ? time : 0;
    const speedLimit = speedLimitOf(edge);
    for (const one of lengths) {
      const share = total > 0 ? one / total : 1 / lengths.length;
      segments.push({ distance: edge.distance * share, duration: time * share, speedLimit });
    }
  }
  const end = segments[segments.length - 1];
  if (!end) return [{ distance: 0, duration: waiting, speedLimit: undefined }];
  end.duration += waiting;
  return segments;
}

function speedLimitOf({ view: { tile }, edge }: Path["edges"][number]): number | undefined {
  const record = tile.recordOf(tile.pieceOf(edge));
  return (tile.isAlong(edge) ? record.forward : record.backward)?.speedLimit;
}
