import { listOf } from "../../forms/draft.ts";
import { circleFeature, toCoordinate } from "../layers/features.ts";
import { type Bounds, boundsOf } from "../position.ts";
import { ringFault } from "./ring-check.ts";

export interface MetadataRow {
  key: string;
  value: string;
  kind: "text" | "number" | "yes/no";
}

export const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
export type Day = (typeof DAYS)[number];
type Hours = Partial<Record<Day, [from: string, until: string][]>>;

/** A geofence while it is being written: every field as it was typed, so that nothing is lost and nothing is guessed. */
const FIELDS = {
  ...{ description: "", type: "circle" as "circle" | "polygon" | "isochrone", mode: "car", enabled: true },
  /** Metres of a circle, minutes of an isochrone. */
  radius: "100",
  ...{ tag: "", externalId: "", dwellThreshold: "", tripApproachingThreshold: "", speedLimit: "" },
  metadata: [] as MetadataRow[],
  /** "" = as the project has it. */
  stopDetection: "" as "" | "true" | "false",
  hours: {} as Hours,
  /** As an input of type datetime-local has it: local time without a zone. */
  ...{ disableAfter: "", deleteAfter: "" },
  /** One per line. */
  ...{ userIds: "", segments: "", ip: "" },
};
export type FenceDraft = typeof FIELDS & {
  /** Of a circle and an isochrone, [longitude, latitude]. */
  center?: [number, number];
  /** Of a polygon, closed. */
  ring?: number[][];
};

export const NEW_FENCE: FenceDraft = FIELDS;

/** A geofence as the API writes it. */
export interface WrittenFence {
  _id: string;
  description: string;
  type: "circle" | "polygon" | "isochrone";
  geometryCenter: { coordinates: number[] };
  geometryRadius?: number;
  geometry?: { coordinates: number[][][] };
  mode?: string;
  tag?: string;
  externalId?: string;
  metadata?: Record<string, string | number | boolean>;
  enabled: boolean;
  dwellThreshold?: number;
  stopDetection?: boolean;
  tripApproachingThreshold?: number;
  speedLimit?: number;
  operatingHours?: Record<string, string[][]>;
  disableAfter?: string;
  deleteAfter?: string;
  userIds?: string[];
  segments?: string[];
  ip?: string[];
}

export function draftOf(fence: WrittenFence): FenceDraft {
  const text = (value: number | string | undefined) => (value === undefined ? "" : String(value));
  const isPolygon = fence.type === "polygon";
  return {
    description: fence.description,
    type: fence.type,
    center: isPolygon ? undefined : (fence.geometryCenter.coordinates as [number, number]),
    ring: isPolygon ? fence.geometry?.coordinates[0] : undefined,
    radius: isPolygon ? NEW_FENCE.radius : text(fence.geometryRadius),
    mode: fence.mode ?? "car",
    tag: text(fence.tag),
    externalId: text(fence.externalId),
    metadata: metadataRows(fence.metadata ?? {}),
    enabled: fence.enabled,
    dwellThreshold: text(fence.dwellThreshold),
    stopDetection: fence.stopDetection === undefined ? "" : fence.stopDetection ? "true" : "false",
    tripApproachingThreshold: text(fence.tripApproachingThreshold),
    speedLimit: text(fence.speedLimit),
    hours: (fence.operatingHours ?? {}) as Hours,
    disableAfter: localTime(fence.disableAfter),
    deleteAfter: localTime(fence.deleteAfter),
    userIds: (fence.userIds ?? []).join("\n"),
    segments: (fence.segments ?? []).join("\n"),
    ip: (fence.ip ?? []).join("\n"),
  };
}

const KEPT = [
  ...(["description", "type", "tag", "externalId", "metadata", "dwellThreshold", "stopDetection"] as const),
  ...([
    "tripApproachingThreshold",
    "operatingHours",
    "disableAfter",
    "deleteAfter",
    "userIds",
    "segments",
    "speedLimit",
  ] as const),
  "ip",
] as const;

/** The body of a PUT that enables or disables a geofence and changes nothing else. */
export function withEnabled(fence: WrittenFence, enabled: boolean): Record<string, unknown> {
  const { type, geometryCenter, geometryRadius, geometry, mode } = fence;
  return {
    ...Object.fromEntries(KEPT.map((name) => [name, fence[name]])),
    enabled,
    ...(type === "polygon"
      ? { coordinates: geometry?.coordinates[0] }
      : { coordinates: geometryCenter.coordinates, radius: geometryRadius }),
    ...(type === "isochrone" && { mode }),
  };
}

/** Metadata as rows of a form. */
export function metadataRows(metadata: Record<string, string | number | boolean>): MetadataRow[] {
  return Object.entries(metadata).map(([key, value]) => ({
    key,
    value: typeof value === "boolean" ? (value ? "yes" : "no") : String(value),
    kind: typeof value === "number" ? "number" : typeof value === "boolean" ? "yes/no" : "text",
  }));
}

/** "2026-11-22T09:30:00.000Z" → "2026-11-22T10:30" where the viewer is an hour ahead. */
export function localTime(iso: string | undefined): string {
  if (!iso) return "";
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The box around the shape; of a travel-time area around its start. */
export function boxOf({ type, center, ring, radius }: FenceDraft): Bounds | undefined {
  if (type === "polygon") return boundsOf(ring ?? []);
  if (!center) return undefined;
  const [least, most] = RADIUS.circle.bounds;
  const metres = Number(radius);
  if (type === "isochrone" || !(metres >= least && metres <= most)) return boundsOf([center]);
  const { geometry } = circleFeature(toCoordinate(center), metres);
  return boundsOf((geometry.coordinates as number[][][])[0]);
}

/** Why a travel-time area has no preview. */
export function lackOf(problem: string | undefined, features: readonly unknown[] | undefined): string | undefined {
  if (problem) return `No preview: ${problem}`;
  return features?.length === 0
    ? "No preview: no imported road is near the starting point, so nothing is within reach of it."
    : undefined;
}

/** Bounds of the radius, with their unit. */
export const RADIUS = {
  circle: { bounds: [10, 10_000], unit: "meters" },
  isochrone: { bounds: [1, 60], unit: "minutes" },
} as const;

type Faults = Record<string, string>;

/** The body for POST and PUT, or what is wrong by the name of its field: the same names as the API's. */
export function bodyOf(draft: FenceDraft, now: number): { body: Record<string, unknown> } | { faults: Faults } {
  const faults: Faults = {};
  const number = (field: keyof FenceDraft & string, [least, most]: readonly [number, number], unit: string) => {
    const typed = String(draft[field]).trim();
    if (typed === "") return undefined;
    const value = Number(typed);
    if (value >= least && value <= most) return value;
    faults[field] = `Expected ${least} to ${most.toLocaleString("en")} ${unit}.`;
    return undefined;
  };
  const time = (field: "disableAfter" | "deleteAfter") => {
    if (draft[field] === "") return undefined;
    const at = new Date(draft[field]);
    if (!Number.isNaN(at.getTime())) return at.toISOString();
    faults[field] = "Expected a date and a time.";
    return undefined;
  };
  if (draft.description.trim() === "")
    faults.description = "A geofence needs a description, which lists and events show.";
  if (draft.externalId.trim() !== "" && draft.tag.trim() === "") faults.tag = "An externalId needs a tag.";
  if (draft.type !== "polygon" && draft.radius.trim() === "") faults.radius = "Required.";
  const shape = shapeOf(draft, faults);
  const deleteAfter = time("deleteAfter");
  if (deleteAfter && Date.parse(deleteAfter) <= now) faults.deleteAfter = "Must be in the future.";
  const body = {
    description: draft.description.trim(),
    type: draft.type,
    ...shape,
    radius: draft.type === "polygon" ? undefined : number("radius", RADIUS[draft.type].bounds, RADIUS[draft.type].unit),
    mode: draft.type === "isochrone" ? draft.mode : undefined,
    tag: textOrNone(draft.tag),
    externalId: textOrNone(draft.externalId),
    metadata: metadataOf(draft.metadata, faults),
    enabled: draft.enabled,
    dwellThreshold: number("dwellThreshold", [0, 10_080], "minutes"),
    stopDetection: draft.stopDetection === "" ? undefined : draft.stopDetection === "true",
    tripApproachingThreshold: number("tripApproachingThreshold", [0, 1440], "minutes"),
    speedLimit: number("speedLimit", [1, 300], "km/h"),
    operatingHours: hoursOf(draft.hours, faults),
    disableAfter: time("disableAfter"),
    deleteAfter,
    userIds: linesOf(draft.userIds),
    segments: linesOf(draft.segments),
    ip: linesOf(draft.ip),
  };
  if (Object.keys(faults).length > 0) return { faults };
  return { body: Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) };
}

function shapeOf({ type, center, ring }: FenceDraft, faults: Faults): { coordinates?: unknown } {
  if (type === "polygon") {
    const fault = ring ? ringFault(ring) : "Draw the area on the map.";
    if (fault) faults.coordinates = fault;
    return { coordinates: ring };
  }
  if (!center) faults.coordinates = type === "circle" ? "Draw the circle on the map." : "Set its center on the map.";
  return { coordinates: center };
}

/** Rows of a form as metadata; undefined if there are none. */
export function metadataOf(rows: readonly MetadataRow[], faults: Faults): Record<string, unknown> | undefined {
  const metadata: Record<string, unknown> = {};
  for (const { key, value, kind } of rows) {
    const name = key.trim();
    if (name === "" && value.trim() === "") continue;
    if (name === "") faults.metadata = `The value "${value}" has no name.`;
    else if (Object.hasOwn(metadata, name)) faults.metadata = `"${name}" is duplicated.`;
    else if (kind === "number") {
      metadata[name] = Number(value);
      if (value.trim() === "" || !Number.isFinite(Number(value)))
        faults.metadata = `"${name}": "${value}" is not a number.`;
    } else if (kind === "yes/no") metadata[name] = /^(yes|true|1)$/i.test(value.trim());
    else metadata[name] = value;
  }
  if (Object.keys(metadata).length > 16) faults.metadata = "Up to 16 entries.";
  return Object.keys(metadata).length > 0 ? metadata : undefined;
}

function hoursOf(hours: Hours, faults: Faults): Hours | undefined {
  const days = DAYS.filter((day) => (hours[day]?.length ?? 0) > 0);
  for (const day of days) {
    for (const [from, until] of hours[day] ?? []) {
      if (from === "" || until === "") faults.operatingHours = `${day}: a time is missing.`;
    }
  }
  return days.length > 0 ? Object.fromEntries(days.map((day) => [day, hours[day]])) : undefined;
}

/** Texts one per line, or with commas; undefined of none. */
function linesOf(text: string): string[] | undefined {
  const lines = listOf(text);
  return lines.length > 0 ? lines : undefined;
}

const textOrNone = (text: string) => (text.trim() === "" ? undefined : text.trim());
