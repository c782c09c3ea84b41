import type { ToolField } from "./tool.ts";

/** What tools of routes ask alike, and what their answers have in common. */

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
  hint: "tolls, highways, ferries, borderCrossings; with commas",
};

/** An area drawn by hand, and the project's geofences, that no way may enter. */
export const avoidAreas: readonly ToolField[] = [
  { name: "avoidPolygons", label: "Avoid area", kind: "area", hint: "its corners, one after the other" },
  { name: "avoidGeofences", label: "Avoid geofences", kind: "text", hint: "tag or tag:externalId; with commas" },
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
