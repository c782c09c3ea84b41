import { z } from "zod";
import { toPoint } from "../../core/geo/coordinate.ts";
import { TRIP_STATUSES, type TripLeg } from "../../core/tracking/types/trip.ts";
import { addressShape } from "./address.ts";
import { dateShape, optionalDate, wireDate } from "./date.ts";
import { metadataShape, wireMetadata } from "./metadata.ts";
import { pointShape } from "./point.ts";

/**
 * A leg of a trip, as parsed by the SDKs for iOS and Android. `destination.source` contains the given destination, by
 * kind; the names of a geofence are also next to it.
 */
export const legShape = z.object({
  _id: z.string(),
  status: z.enum(TRIP_STATUSES),
  destination: z.object({
    type: z.enum(["geofence", "address", "coordinates"]),
    source: z.object({
      geofence: z.string().optional(),
      data: z.union([
        z.object({ tag: z.string().optional(), externalId: z.string().optional() }),
        z.string(),
        z.tuple([z.number(), z.number()]),
      ]),
    }),
    location: pointShape,
    address: z.string().optional(),
    arrivalRadius: z
      .number()
      .optional()
      .meta({ description: "Arrival radius in meters, for addresses and coordinates" }),
    confidence: addressShape.shape.confidence.meta({
      description: "Of an address: `interpolated` is at or between known houses near it, `fallback` is its street",
    }),
    precision: addressShape.shape.precision.meta({ description: "Of an address: what the point is, as in geocoding" }),
  }),
  destinationGeofenceTag: z.string().optional(),
  destinationGeofenceExternalId: z.string().optional(),
  stopDuration: z.number().optional().meta({ description: "Minutes" }),
  metadata: metadataShape().optional(),
  eta: z
    .object({ duration: z.number(), distance: z.number() })
    .optional()
    .meta({ description: "Minutes and meters from the device's location, including previous legs and stops" }),
  createdAt: dateShape(),
  updatedAt: dateShape(),
  startedAt: dateShape().optional(),
  approachingAt: dateShape().optional(),
  arrivedAt: dateShape().optional(),
  endedAt: dateShape().optional(),
});

export function wireLeg(leg: TripLeg): z.input<typeof legShape> {
  const { type, fence, tag, externalId, address, location, arrivalRadius, confidence, precision } = leg.destination;
  const point = toPoint(location);
  const data = type === "geofence" ? { tag, externalId } : type === "address" ? (address ?? "") : point.coordinates;
  return {
    _id: leg._id,
    status: leg.status,
    destination: {
      type,
      source: { geofence: fence, data },
      location: point,
      address,
      arrivalRadius,
      confidence,
      precision,
    },
    destinationGeofenceTag: tag,
    destinationGeofenceExternalId: externalId,
    stopDuration: leg.stopDuration,
    metadata: wireMetadata(leg.metadata),
    eta: leg.eta,
    createdAt: wireDate(leg.createdAt),
    updatedAt: wireDate(leg.updatedAt),
    startedAt: optionalDate(leg.startedAt),
    approachingAt: optionalDate(leg.approachingAt),
    arrivedAt: optionalDate(leg.arrivedAt),
    endedAt: optionalDate(leg.endedAt),
  };
}
