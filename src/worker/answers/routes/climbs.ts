import type { Climb, Structure } from "../../../core/elevation/profile.ts";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { ELEVATION_LAYER } from "../../geodata/elevation.ts";
import { openGeodata } from "../../geodata/live.ts";
import type { Asker } from "../../platform/call.ts";
import { climbOfLine } from "./ground.ts";

/** The climb of a line along roads, some of which are bridges or tunnels; undefined where the ground is unknown. */
export type ClimbOfRoads = (
  line: readonly Coordinate[],
  structures: readonly Structure[],
) => Promise<Climb | undefined>;

/** Undefined if no elevations are imported, and for cars and trucks. */
export async function climbsFor(call: Asker, mode: string): Promise<ClimbOfRoads | undefined> {
  if (mode !== "foot" && mode !== "bike") return undefined;
  const geodata = await openGeodata(call.env.GEODATA, call);
  if (geodata.with(ELEVATION_LAYER).length === 0) return undefined;
  return (line, structures) => climbOfLine(geodata, line, structures, call.pace);
}
