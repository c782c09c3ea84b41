import { type Climb, climbOf, climbPoints, pointsAlong } from "../../elevation/profile.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import { distance } from "../../geo/distance.ts";
import type { Pace } from "../../geo/pace.ts";
import { ELEVATION_LAYER, groundAt } from "../../geodata/elevation.ts";
import { type Geodata, openGeodata } from "../../geodata/live.ts";
import type { Asker } from "../../platform/call.ts";
import { requestPace } from "../../platform/pace.ts";

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
  const length = lengthOf(line);
  const shown = pointsAlong(line, samples);
  const ground = await groundAt(geodata, [...shown, ...climbPoints(line, length)], pace);
  return {
    length,
    climb: climbOf(ground.slice(shown.length), length),
    samples: shown.map((point, i) => ({ ...point, elevation: ground[i] })),
  };
}

/** The climb of each leg of a route; undefined where the ground is unknown. */
export type ClimbOfLine = (line: readonly Coordinate[]) => Promise<Climb | undefined>;

/** Undefined if no elevations are imported. */
export async function climbsFor(call: Asker): Promise<ClimbOfLine | undefined> {
  const geodata = await openGeodata(call.env.GEODATA, call);
  if (geodata.with(ELEVATION_LAYER).length === 0) return undefined;
  const pace = requestPace();
  return async (line) => {
    const length = lengthOf(line);
    return climbOf(await groundAt(geodata, climbPoints(line, length), pace), length);
  };
}

/** [m] */
export function lengthOf(line: readonly Coordinate[]): number {
  let length = 0;
  for (let i = 1; i < line.length; i++) length += distance(line[i - 1], line[i]);
  return length;
}
