import type { GeofenceRow } from "../../db/schema.ts";
import { toPoint } from "../../geo/coordinate.ts";
import type { Ring } from "../../geo/shapes/polygon.ts";
import { wireGeofence } from "../geofence.ts";
import { againstTheClock, type Feature } from "../traces/geojson.ts";
import { csvRow } from "./write-csv.ts";

/**
 * Geofences in files: as they are written to the API and not as it shows them, so that a file that was exported can be
 * imported and changes nothing.
 */

/** The columns of a file: what POST /v1/geofences takes, in its words. */
export const GEOFENCE_FIELDS = [
  ...["description", "type", "coordinates", "radius", "mode", "tag", "externalId", "metadata", "enabled"],
  ...["dwellThreshold", "stopDetection", "tripApproachingThreshold", "operatingHours"],
  ...["disableAfter", "deleteAfter", "userIds", "ip"],
] as const;

/** And before them what an exported file says of each: `_id` finds the geofence again, the times are not read. */
export const GEOFENCE_COLUMNS: readonly string[] = ["_id", ...GEOFENCE_FIELDS, "createdAt", "updatedAt"];

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
 * A circle is a Point with its radius, as GeoJSON has no circles and an approximation would come back as a polygon. An
 * isochrone is the area it had when it was written, and `center` is where it is travelled from.
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
