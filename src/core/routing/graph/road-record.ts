import type { StatedTurn } from "../guidance/maneuver.ts";
import type { ExitSign, RoadClass } from "../guidance/types.ts";

/** Tags and appearance of a road. One record is shared by all pieces with equal tags. */
export interface RoadRecord {
  name?: string;
  ref?: string;
  class: RoadClass;
  link?: true;
  junction?: "roundabout" | "circular";
  /** Driveways, parking aisles, alleys, drive-throughs. */
  minor?: true;
  tunnel?: true;
  bridge?: true;
  surface?: string;
  forward?: RoadSigns;
  backward?: RoadSigns;
}

/** The class by which speeds are compared and stated: links of a class are slower than its roads. */
export const speedClass = ({ class: roadClass, link }: Pick<RoadRecord, "class" | "link">): string =>
  link ? `${roadClass}_link` : roadClass;

/** Properties of one direction only. */
export interface RoadSigns {
  destination?: string;
  destinationRef?: string;
  /** By lane, leftmost first: "Porto|Porto;Braga|Braga". */
  destinationLanes?: string;
  destinationRefLanes?: string;
  exitRef?: string;
  lanes?: number;
  turnLanes?: string;
  /** [km/h]. */
  speedLimit?: number;
}

/** Properties of a junction that guidance uses. */
export interface NodeRecord {
  trafficSignal?: true;
  miniRoundabout?: true;
  /** Name of a junction with traffic signals. */
  name?: string;
  exitRef?: string;
  exitName?: string;
  /** Destination of an exit, as tagged at the junction: "US 1 North;Baltimore". */
  exitTo?: string;
  /** Of two exits at one place. */
  exitLeft?: ExitSign;
  exitRight?: ExitSign;
  /** Turns whose maneuvers mappers have stated. */
  stated?: readonly StatedTurn[];
}
