import type { Coordinate } from "../../geo/coordinate.ts";
import type { ManeuverNote } from "./junction-maneuver.ts";
import type { ManeuverType, Modifier, StatedTurn } from "./maneuver.ts";

export type { ManeuverType, Modifier };

/**
 * Input of guidance (a path with its junctions) and output (steps).
 *
 *     pieces     ──p0──▶  j0  ──p1──▶  j1  ──p2──▶          junctions[i] is between pieces[i] and pieces[i + 1]
 *     junction            │             \
 *
 * Distances in meters, durations in seconds, bearings in degrees clockwise from north.
 */

/** How the traveler moves on a piece of road. "pushing": a bike is walked where riding is forbidden. */
export type TravelMode = "driving" | "cycling" | "walking" | "pushing" | "ferry" | "train";

/** OpenStreetMap's highway value without `_link`; a value that is not listed is mapped to the most similar one. */
export type RoadClass =
  | "motorway"
  | "trunk"
  | "primary"
  | "secondary"
  | "tertiary"
  | "unclassified"
  | "residential"
  | "living_street"
  | "service"
  | "track"
  | "cycleway"
  | "path"
  | "footway"
  | "steps"
  | "ferry";

/**
 * A road as it is seen in one direction of travel (`destination` and `turnLanes` differ by direction).
 * Comparisons try object identity first, so guidance is cheap where roads of equal tags share one object.
 */
export interface Road {
  name: string;
  /** "A 7;E 45" or "". */
  ref: string;
  class: RoadClass;
  /** A `_link`: ramp, slip lane. */
  link: boolean;
  mode: TravelMode;
  oneway: boolean;
  /** "roundabout" for junction=roundabout, "circular" for junction=circular (a named traffic circle). */
  roundabout?: "roundabout" | "circular";
  /** The sign: "Porto, Braga" (destination), "A 1" (destination:ref); separated by ";" or ",". */
  destination?: string;
  destinationRef?: string;
  /** The signs over the lanes before a junction, leftmost first: "Porto|Porto;Braga|Braga". */
  destinationLanes?: string;
  destinationRefLanes?: string;
  /** junction:ref of the way: an exit number that applies to the entire ramp. */
  exitRef?: string;
  /** Lanes in this direction; 0 or absent when unknown. */
  lanes?: number;
  /** turn:lanes in this direction, leftmost first: "left|through|through;right". */
  turnLanes?: string;
  /** Driveways, parking aisles, alleys, drive-throughs: drivers do not count them as side streets. */
  minor?: boolean;
  tunnel?: boolean;
  bridge?: boolean;
}

/** One of the roads that meet at a junction. */
export interface JunctionRoad {
  road: Road;
  /**
   * Direction in which the road leads away from the junction, even if it is one-way towards it (see `seenDirection`).
   */
  bearing: number;
  /** Whether it may be entered from the arrival road of the path (one-ways, restrictions, access). */
  entry: boolean;
  /** Whether traffic may leave the junction on it (false: a one-way towards the junction). */
  leaves: boolean;
  /** The engine's id of the edge that leaves here, for `RoadNetwork.follow`; -1 if there is none. */
  edge: number;
}

/** Sign of an exit: "23A", "US 1 North;Baltimore". */
export interface ExitSign {
  ref?: string;
  to?: string;
}

/** A junction on the path. */
export interface Junction {
  location: Coordinate;
  /** All roads here that the mode may use in some direction, in any order. */
  roads: JunctionRoad[];
  /** Index in `roads` of the road the path arrives on (its bearing points back along the path). */
  arrival: number;
  /** Index in `roads` of the road the path leaves on; equals `arrival` for a U-turn. */
  departure: number;
  trafficSignal?: boolean;
  /** highway=motorway_junction: exit number and exit name. */
  exitRef?: string;
  exitName?: string;
  /** Name of the junction itself, as on a sign over it (common in Japan and Korea). */
  name?: string;
  /** Where the exit leads; and number and destination of either of two exits. */
  exitTo?: string;
  exitLeft?: ExitSign;
  exitRight?: ExitSign;
  /** A mini-roundabout of one node: turned at like any junction. */
  miniRoundabout?: boolean;
  /** The bearings of `roads[arrival]` and `roads[departure]`, for engines that need not work out `roads` for them. */
  arrivalBearing?: number;
  departureBearing?: number;
  /** Whether two pieces of one road, and nothing else, are known to meet here: then `roads` is not needed. */
  joinsTwo?(): boolean;
  /** Returns the note stored when an earlier path made the same turn here and continued along all of the next piece. */
  recall?(): ManeuverNote | undefined;
  note?(note: ManeuverNote): void;
  /** What mappers state of this turn. */
  stated?(): readonly StatedTurn[];
  /** Likewise stored: whether the piece after this junction is between the carriageways of a divided road. */
  recallInside?(): boolean | undefined;
  noteInside?(inside: boolean): void;
}

/** A stretch of the path between two junctions, or from the start, or to the end. */
export interface PathPiece {
  road: Road;
  distance: number;
  /** Includes the cost of the turn onto this piece. */
  duration: number;
  /** At least two coordinates; the last one is the first of the next piece. A piece of no length repeats its point. */
  geometry: Coordinate[];
}

/** One leg: at least one piece, one junction fewer. */
export interface LegPath {
  pieces: PathPiece[];
  junctions: Junction[];
  /** Position of the caller: the departure names the side of the road. Absent: it names no side. */
  origin?: Coordinate;
  /** Destination of the caller: the arrival names its side of the road. Absent: it names no side. */
  destination?: Coordinate;
  drivingSide: "left" | "right";
}

/** The roads beyond the path. Guidance queries it only at roundabouts, forks and slip roads, so it may be slow. */
export interface RoadNetwork {
  /** How often `follow` had no result because a tile was not in memory: conclusions from this must not be cached. */
  misses?: number;
  /**
   * Follows an edge to the next junction, as seen on arriving there (its `departure` is -1). Undefined at a dead end,
   * or where the tile is not in memory.
   */
  follow(edge: number): { junction: Junction; distance: number; geometry: Coordinate[] } | undefined;
}

/** The action at the start of a step. */
export interface Maneuver {
  type: ManeuverType;
  /** Absent for a departure or an arrival on neither side of the road. */
  modifier?: Modifier;
  location: Coordinate;
  /** 0 for a departure. */
  bearingBefore: number;
  /** 0 for an arrival. */
  bearingAfter: number;
  /** Which exit of a roundabout, counted from 1. */
  exit?: number;
}

/** One lane of the road that leads to a maneuver, leftmost first. */
export interface Lane {
  /** turn:lanes values in OSRM's vocabulary, e.g. ["straight", "right"]; ["none"] for an unmarked lane. */
  indications: string[];
  /** Whether the lane leads along the path. */
  valid: boolean;
  /** A valid lane that also suits the next maneuver, if that follows soon. */
  active: boolean;
}

/** From one maneuver to the next. The last step of a leg has no length. */
export interface Step {
  maneuver: Maneuver;
  distance: number;
  duration: number;
  geometry: Coordinate[];
  /** Of the road that is followed. */
  name: string;
  ref: string;
  class: RoadClass;
  mode: TravelMode;
  destination?: string;
  destinationRef?: string;
  /** Number or name of the exit to take ("23A"), on exits only. */
  exitRef?: string;
  exitName?: string;
  /** Name of the traffic circle. */
  rotaryName?: string;
  /** Name of the junction where the step begins. */
  junctionName?: string;
  lanes?: Lane[];
  drivingSide: "left" | "right";
  /** First and last piece of the trimmed path that it covers; an arrival covers none. Absent in a step that follows from no path. */
  span?: readonly [first: number, last: number];
}

/** A junction that a step passes; the first one is that of its maneuver. */
export interface Intersection {
  location: Coordinate;
  /** Of the roads that leave it [degrees], ascending. */
  bearings: number[];
  /** By road: whether it may be entered from the arrival road. */
  entry: boolean[];
  /** Index of the arrival road; absent where a leg begins. */
  in?: number;
  /** Index of the road that is followed; absent where a leg ends. */
  out?: number;
  lanes?: Lane[];
  /** The road that is followed, or on which the leg ends. */
  road: Road;
}
