import type { Ring } from "../../../core/geo/shapes/polygon.ts";
import { ringReach } from "../../../core/geo/shapes/reach.ts";
import type { Fence, FenceShape, OperatingHours } from "../../../core/tracking/types/fence.ts";
import type { Metadata } from "../../../core/tracking/types/metadata.ts";
import type { GeofenceRow } from "../../db/schema.ts";

/** Converts a database row to a geofence of src/core/tracking. */
export function fenceOfRow(row: Omit<GeofenceRow, "cover">): Fence {
  const fence: Fence = { id: row.id, revision: row.epoch, shape: shapeOf(row), enabled: row.enabled };
  if (row.tag !== null) fence.tag = row.tag;
  if (row.externalId !== null) fence.externalId = row.externalId;
  fence.description = row.description;
  if (row.metadata !== null) fence.metadata = JSON.parse(row.metadata) as Metadata;
  if (row.dwellThreshold !== null) fence.dwellThreshold = row.dwellThreshold;
  if (row.stopDetection !== null) fence.stopDetection = row.stopDetection;
  if (row.operatingHours !== null) fence.operatingHours = JSON.parse(row.operatingHours) as OperatingHours;
  // A fence stops working at its `deleteAfter`, even if the row is deleted later.
  const ends = [row.disableAfter, row.deleteAfter].filter((end) => end !== null);
  if (ends.length > 0) fence.disableAfter = Math.min(...ends);
  if (row.userIds !== null) fence.userIds = JSON.parse(row.userIds) as string[];
  // Absent in copies of earlier releases.
  if (row.speedLimit != null) fence.speedLimit = row.speedLimit;
  if (row.segments) fence.segments = JSON.parse(row.segments) as string[];
  return fence;
}

function shapeOf(row: Omit<GeofenceRow, "cover">): FenceShape {
  const center = { latitude: row.latitude, longitude: row.longitude };
  if (row.ring === null) return { type: "circle", center, radius: row.radius ?? 0 };
  const ring = JSON.parse(row.ring) as Ring;
  // An isochrone's radius is its minutes.
  if (row.type === "isochrone")
    return {
      type: "polygon",
      kind: "isochrone",
      ring,
      center,
      reach: ringReach(ring, center),
      minutes: row.radius ?? undefined,
    };
  return { type: "polygon", ring, center, reach: row.radius ?? 0 };
}
