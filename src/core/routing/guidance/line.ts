import type { Coordinate } from "../../geo/coordinate.ts";
import { bearing, destination, distance } from "../../geo/distance.ts";
import type { PathPiece } from "./types.ts";

/** Distance along a road at which its direction is measured [m]: past the rounding of a curb, before the next bend. */
export const LOOK_AHEAD = 15;

/**
 * The direction of a road as it leaves its first point: towards the point 15 m along it, or its end when it is shorter.
 * (Turn angles at junctions are those of `seenDirection`.)
 */
export function roadBearing(line: readonly Coordinate[]): number {
  const start = line[0];
  let left = LOOK_AHEAD;
  for (let i = 1; i < line.length; i++) {
    const length = distance(line[i - 1], line[i]);
    if (length >= left && length > 0) {
      const point = destination(line[i - 1], bearing(line[i - 1], line[i]), left);
      return bearing(start, point);
    }
    left -= length;
  }
  return bearing(start, line[line.length - 1]);
}

/** The line of consecutive pieces, shared points once. */
export function joinLines(pieces: readonly PathPiece[], first: number, last: number): Coordinate[] {
  let count = 1;
  for (let i = first; i <= last; i++) count += pieces[i].geometry.length - 1;
  const line = new Array<Coordinate>(count);
  let at = 0;
  for (let i = first; i <= last; i++) {
    const { geometry } = pieces[i];
    for (let k = i === first ? 0 : 1; k < geometry.length; k++) line[at++] = geometry[k];
  }
  return line;
}

export type Side = "left" | "right" | "straight";

/**
 * Returns the side of the end of a line on which a place is; undefined if it is nearer than 5 m or farther than 300 m.
 */
export function sideOf(line: readonly Coordinate[], place: Coordinate): Side | undefined {
  const end = line[line.length - 1];
  const before = line.findLast((point) => distance(point, end) > 0.1);
  return before && sideSeen(end, bearing(before, end), place);
}

/**
 * Returns the side on which a place is at the start of a line, seen in the direction of the line; bounds as `sideOf`.
 */
export function sideOfStart(line: readonly Coordinate[], place: Coordinate): Side | undefined {
  const after = line.find((point) => distance(point, line[0]) > 0.1);
  return after && sideSeen(line[0], bearing(line[0], after), place);
}

function sideSeen(at: Coordinate, heading: number, place: Coordinate): Side | undefined {
  const away = distance(at, place);
  if (away < 5 || away > 300) return undefined;
  const turned = (bearing(at, place) - heading + 360) % 360;
  const aside = turned % 180;
  if (aside < 45 || aside > 135) return "straight";
  return turned < 180 ? "right" : "left";
}
