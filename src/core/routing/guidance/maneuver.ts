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
