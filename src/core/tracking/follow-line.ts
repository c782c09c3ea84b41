import type { Coordinate } from "../geo/coordinate.ts";
import { wrapLongitude } from "../geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../geo/distance.ts";

/** A line may be followed again from this far behind: a fix may have been ahead of the user [m]. */
const BACK = 300;
/** … or so far ahead, before a later part of it is considered that is nearer [m]. */
const AHEAD = 500;

/**
 * The nearest point of the rest of a line, from some meters before `along` on. A route may cross itself, or return on the same street:
 * the next part within `reach` [m] is preferred to later ones.
 * @returns its distance from the point, and how far along the line it is [m]; `isPast`: it is the end that was near at `along`,
 * or had been reached
 */
export function nearestOnRest(
  line: readonly Coordinate[],
  point: Coordinate,
  along: number,
  reach: number,
): { far: number; along: number; isPast: boolean } {
  const east = METRES_PER_DEGREE * Math.max(1e-6, Math.cos(point.latitude * RADIANS));
  const plane = ({ latitude, longitude }: Coordinate) => [
    wrapLongitude(longitude - point.longitude) * east,
    (latitude - point.latitude) * METRES_PER_DEGREE,
  ];
  let best = { far: Number.POSITIVE_INFINITY, along, isPast: false };
  let walked = 0;
  let [ax, ay] = plane(line[0]);
  for (let i = 1; i < line.length; i++) {
    if (walked > along + AHEAD && best.far <= reach) break;
    const [bx, by] = plane(line[i]);
    const [dx, dy] = [bx - ax, by - ay];
    const length = Math.hypot(dx, dy);
    if (walked + length >= along - BACK) {
      // Only the part of this segment from there on.
      const from = length > 0 ? Math.min(1, Math.max(0, (along - BACK - walked) / length)) : 0;
      const share = length > 0 ? Math.min(1, Math.max(from, -(ax * dx + ay * dy) / (length * length))) : 0;
      const far = Math.hypot(ax + share * dx, ay + share * dy);
      const rest = i === line.length - 1 ? walked + length - along : Number.POSITIVE_INFINITY;
      if (far < best.far) best = { far, along: walked + share * length, isPast: share === 1 && rest <= AHEAD };
      if (rest < 1) best.isPast = true;
    }
    walked += length;
    [ax, ay] = [bx, by];
  }
  return best;
}
