import { z } from "zod";
import { toPoint } from "../../core/geo/coordinate.ts";
import { sourceNameOf } from "../../core/places/place.ts";
import type { FenceLabel } from "../../core/tracking/types/fence.ts";
import { BEACON_TYPES, type BeaconLabel, type Place, type Region } from "../../core/tracking/types/surroundings.ts";
import { placeAddressShape } from "./address.ts";
import { metadataShape, wireMetadata } from "./metadata.ts";
import { pointShape } from "./point.ts";

/** The surroundings of a device, as shown in users, events and the context. */

export const fenceLabelShape = z.object({
  _id: z.string(),
  tag: z.string().optional(),
  externalId: z.string().optional(),
  description: z.string().optional(),
  metadata: metadataShape().optional(),
  type: z.enum(["circle", "polygon", "isochrone"]).optional(),
  geometryCenter: pointShape.optional(),
  geometryRadius: z
    .number()
    .optional()
    .meta({ description: "Radius in meters; for an isochrone, travel time in minutes" }),
  operatingHours: z.record(z.string(), z.array(z.array(z.string()))).optional(),
  dwellThreshold: z.number().optional().meta({ description: "Minutes, if the geofence has its own threshold" }),
  stopDetection: z.boolean().optional(),
});

export const regionShape = z.object({
  _id: z.string(),
  type: z.string(),
  code: z.string(),
  name: z.string(),
  flag: z.string().optional(),
});

export const placeShape = z.object({
  _id: z.string(),
  name: z.string(),
  chain: z
    .object({
      slug: z.string(),
      name: z.string(),
      domain: z.string().optional(),
      externalId: z.string().optional(),
      metadata: metadataShape().optional(),
    })
    .optional(),
  categories: z.array(z.string()),
  location: pointShape,
  address: placeAddressShape.optional(),
});

/** A place that a search found. */
export const foundPlaceShape = placeShape.extend({
  source: z.string().optional().meta({ description: "Who has the place: OpenStreetMap, Overture or operator" }),
});

export const beaconLabelShape = z.object({
  _id: z.string(),
  type: z.enum(BEACON_TYPES),
  uuid: z.string().optional(),
  major: z.string().optional(),
  minor: z.string().optional(),
  uid: z.string().optional(),
  instance: z.string().optional(),
  description: z.string(),
  tag: z.string().optional(),
  externalId: z.string().optional(),
  enabled: z.boolean(),
  metadata: metadataShape().optional(),
});

export function wireFenceLabel(fence: FenceLabel): z.input<typeof fenceLabelShape> {
  const { metadata, center, radius, operatingHours, speedLimit: _, ...label } = fence;
  return {
    ...label,
    metadata: wireMetadata(metadata),
    geometryCenter: center && toPoint(center),
    geometryRadius: radius,
    operatingHours: operatingHours as z.input<typeof fenceLabelShape>["operatingHours"],
  };
}

export function wirePlace(place: Place): z.input<typeof placeShape> {
  const { _id, name, chain, categories, location, address } = place;
  return {
    _id,
    name,
    chain: chain && { ...chain, metadata: wireMetadata(chain.metadata) },
    categories: [...categories],
    location: toPoint(location),
    address: address && { ...location, geometry: toPoint(location), ...address },
  };
}

export function wireFoundPlace(place: Place): z.input<typeof foundPlaceShape> {
  const source = sourceNameOf(place._id);
  return { ...wirePlace(place), ...(source !== undefined && { source }) };
}

export function wireRegion(region: Region | undefined): z.input<typeof regionShape> | undefined {
  return region;
}

export function wireBeaconLabel(beacon: BeaconLabel): z.input<typeof beaconLabelShape> {
  return { ...beacon, metadata: wireMetadata(beacon.metadata) };
}
