import type { ToolField } from "./tool.ts";

/** Fields that routing tools share, and common parts of their responses. */

export const MODES = ["car", "truck", "foot", "bike", "motorbike"] as const;
export const mode: ToolField = { name: "mode", label: "By", kind: "choice", options: MODES, usual: "car" };
export const units: ToolField = {
  name: "units",
  label: "Units",
  kind: "choice",
  options: ["metric", "imperial"],
  usual: "metric",
};
export const departureTime: ToolField = { name: "departureTime", label: "Departure", kind: "time", hint: "empty: now" };
export const avoid: ToolField = {
  name: "avoid",
  label: "Avoid",
  kind: "text",
  hint: "Comma-separated: tolls, highways, ferries, borderCrossings",
};

/** An area drawn by hand, and the project's geofences, that no way may enter. */
export const avoidAreas: readonly ToolField[] = [
  { name: "avoidPolygons", label: "Avoid area", kind: "area", hint: "Its corners, in order" },
  { name: "avoidGeofences", label: "Avoid geofences", kind: "text", hint: "Comma-separated: tag or tag:externalId" },
];

export interface Quantity {
  value: number;
  text: string;
}
export interface Connection {
  distance: Quantity;
  duration: Quantity;
}
export interface Line {
  type: "LineString";
  coordinates: number[][];
}
