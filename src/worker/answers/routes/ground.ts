import { type Climb, climbOf, climbPoints, pointsAlong, type Structure } from "../../../core/elevation/profile.ts";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { lengthOfLine } from "../../../core/geo/distance.ts";
import type { Pace } from "../../../core/geo/pace.ts";
import { groundAt } from "../../geodata/elevation.ts";
import type { Geodata } from "../../geodata/live.ts";

/** Points of a path at equal distances, its climb, and the elevations of the ground there [m]; undefined where unknown. */
export interface Profile {
  /** Length of the path [m]. */
  length: number;
  climb: Climb | undefined;
  /** `distance` from the start of the path [m]. */
  samples: (Coordinate & { distance: number; elevation: number | undefined })[];
}

/** @param samples number of points, at least 2 */
export async function profileOf(
  geodata: Geodata,
  line: readonly Coordinate[],
  samples: number,
  pace: Pace,
): Promise<Profile> {
  const length = lengthOfLine(line);
  const shown = pointsAlong(line, samples);
  const ground = await groundAt(geodata, [...shown, ...climbPoints(line, length)], pace);
  return {
    length,
    climb: climbOf(ground.slice(shown.length), length),
    samples: shown.map((point, i) => ({ ...point, elevation: ground[i] })),
  };
}

/** The climb of a line; undefined where the ground is unknown. */
export async function climbOfLine(
  geodata: Geodata,
  line: readonly Coordinate[],
  structures: readonly Structure[],
  pace: Pace,
): Promise<Climb | undefined> {
  const length = lengthOfLine(line);
  return climbOf(await groundAt(geodata, climbPoints(line, length), pace), length, structures);
}
