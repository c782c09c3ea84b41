import type { Climb } from "../../elevation/profile.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import { ELEVATION_LAYER } from "../../geodata/elevation.ts";
import { openGeodata } from "../../geodata/live.ts";
import type { Asker } from "../../platform/call.ts";
import { requestPace } from "../../platform/pace.ts";
import { climbOfLine } from "./ground.ts";

/** The climb of a leg of a route; undefined where the ground is unknown. */
export type ClimbOfLeg = (line: readonly Coordinate[]) => Promise<Climb | undefined>;

/** Undefined if no elevations are imported. */
export async function climbsFor(call: Asker): Promise<ClimbOfLeg | undefined> {
  const geodata = await openGeodata(call.env.GEODATA, call);
  if (geodata.with(ELEVATION_LAYER).length === 0) return undefined;
  const pace = requestPace();
  return (line) => climbOfLine(geodata, line, pace);
}
