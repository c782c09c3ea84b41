/** OSRM's words for turns (https://project-osrm.org/docs, "StepManeuver"), so that its phrases fit. */
export type ManeuverType =
  | "depart"
  | "arrive"
  | "turn"
  | "new name"
  | "continue"
  | "merge"
  | "on ramp"
  | "off ramp"
  | "fork"
  | "end of road"
  | "roundabout"
  | "rotary"
  | "roundabout turn"
  | "exit roundabout"
  | "exit rotary"
  | "notification";

export type Modifier =
  | "uturn"
  | "sharp right"
  | "right"
  | "slight right"
  | "straight"
  | "slight left"
  | "left"
  | "sharp left";

/** A turn of the path that a relation type=manoeuvre describes. */
export interface StatedTurn extends StatedManeuver {
  /** Of the path. */
  id: number;
  /** Which of how many turns of the path, from 0. */
  at: number;
  of: number;
  /** The points next to the junction on the roads before and after it [1e-6 degrees]. */
  from: readonly [latitude: number, longitude: number];
  to: readonly [latitude: number, longitude: number];
}

/** What a mapper states of a maneuver; the rest is as found. Empty at the other junctions of the path. */
export interface StatedManeuver {
  type?: Exclude<ManeuverType, "depart" | "arrive" | "notification"> | "suppressed";
  modifier?: Modifier;
}
