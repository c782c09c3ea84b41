import { toPoint } from "../../../core/geo/coordinate.ts";
import type { Ring } from "../../../core/geo/shapes/polygon.ts";
import type { GeofenceRow } from "../../db/schema.ts";
import { wireGeofence } from "../geofence.ts";
import { againstTheClock, type Feature } from "../traces/geojson.ts";
import { csvRow } from "./write-csv.ts";

/**
 * Geofences in files: in the form of API requests, not responses, so that importing an exported file changes nothing.
 */

/** The columns of a file: the fields of POST /v1/geofences. */
export const GEOFENCE_FIELDS = [
  ...["description", "type", "coordinates", "radius", "mode", "tag", "externalId", "metadata", "enabled"],
  ...["dwellThreshold", "stopDetection", "tripApproachingThreshold", "operatingHours"],
  ...["disableAfter", "deleteAfter", "userIds", "ip"],
  "segments",
  "speedLimit",
] as const;

/** Fields that came after the first release: their columns are the last, so that programs that count columns still work. */
const NEWER_FIELDS: readonly string[] = ["segments", "speedLimit"];

/**
 * The same with the columns that an exported file adds: `_id` identifies the geofence, the times are ignored on import.
 */
export const GEOFENCE_COLUMNS: readonly string[] = [
  "_id",
  ...GEOFENCE_FIELDS.filter((field) => !NEWER_FIELDS.includes(field)),
  ...["createdAt", "updatedAt"],
  ...NEWER_FIELDS,
];

type Row = Omit<GeofenceRow, "cover">;

/** A geofence in the fields of POST /v1/geofences, with its _id and times. */
function fieldsOf(row: Row): Record<string, unknown> {
  const { geometry: _, geometryCenter: __, geometryRadius: ___, live: ____, ...rest } = wireGeofence(row, false);
  const coordinates = row.type === "polygon" ? JSON.parse(row.ring ?? "[]") : [row.longitude, row.latitude];
  return { ...rest, coordinates, radius: row.type === "polygon" ? undefined : (row.radius ?? undefined) };
}

export function geofenceTableRow(row: Row): string {
  const fields = fieldsOf(row);
  return csvRow(GEOFENCE_COLUMNS.map((column) => fields[column]));
}

/**
 * A circle is a Point with its radius, because GeoJSON has no circles and an approximation would be imported as a
 * polygon. An isochrone is its area when it was exported, and `center` is its origin.
 */
export function geofenceFeature(row: Row): Feature {
  const { coordinates: _, ...properties } = fieldsOf(row);
  const center = toPoint(row);
  if (row.ring === null) return { type: "Feature", id: row.id, geometry: center, properties };
  const ring = againstTheClock(JSON.parse(row.ring) as Ring);
  const geometry = { type: "Polygon", coordinates: [ring] };
  if (row.type !== "isochrone") return { type: "Feature", id: row.id, geometry, properties };
  return { type: "Feature", id: row.id, geometry, properties: { ...properties, center: center.coordinates } };
}
