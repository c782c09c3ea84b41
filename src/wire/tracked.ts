import { z } from "zod";
import { toPoint } from "../geo/coordinate.ts";
import type { FenceLabel, Metadata, Place, Region, TrackEvent, UserState } from "../tracking/types.ts";

/** The shapes of users, events, places and regions as clients read them. Fields without a value are left out, never null. */

/** Milliseconds → "2026-01-31T09:30:00.000Z", the only form the iOS SDK reads. */
export function wireDate(ms: number): string {
  return new Date(ms).toISOString();
}

const date = () => z.string().meta({ format: "date-time", example: "2026-01-31T09:30:00.000Z" });
const metadataShape = () => z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export const pointShape = z
  .object({ type: z.literal("Point"), coordinates: z.tuple([z.number(), z.number()]) })
  .meta({ description: "GeoJSON Point: [longitude, latitude]" });

export const fenceLabelShape = z.object({
  _id: z.string(),
  tag: z.string().optional(),
  externalId: z.string().optional(),
  description: z.string().optional(),
  metadata: metadataShape().optional(),
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
      externalId: z.string().optional(),
      metadata: metadataShape().optional(),
    })
    .optional(),
  categories: z.array(z.string()),
  location: pointShape,
});

export const userShape = z.object({
  _id: z.string(),
  live: z.boolean(),
  userId: z.string().optional(),
  deviceId: z.string(),
  description: z.string().optional(),
  metadata: metadataShape().optional(),
  location: pointShape,
  locationAccuracy: z.number().meta({ description: "metres" }),
  altitude: z.number().optional(),
  speed: z.number().optional(),
  course: z.number().optional(),
  foreground: z.boolean().optional(),
  stopped: z.boolean().optional(),
  deviceType: z.string().optional(),
  deviceOS: z.string().optional(),
  deviceMake: z.string().optional(),
  deviceModel: z.string().optional(),
  createdAt: date(),
  updatedAt: date(),
  geofences: z.array(fenceLabelShape),
  place: placeShape.optional(),
  country: regionShape.optional(),
  state: regionShape.optional(),
  dma: regionShape.optional(),
  postalCode: regionShape.optional(),
  ip: z.string().optional(),
});

export const eventShape = z.object({
  _id: z.string(),
  type: z.string(),
  createdAt: date(),
  actualCreatedAt: date(),
  live: z.boolean(),
  user: z.object({
    _id: z.string(),
    userId: z.string().optional(),
    deviceId: z.string(),
    metadata: metadataShape().optional(),
  }),
  geofence: fenceLabelShape.optional(),
  place: placeShape.optional(),
  region: regionShape.optional(),
  location: pointShape,
  locationAccuracy: z.number(),
  confidence: z.number().meta({ description: "3 = surely inside, 2 = probably, 1 = possibly" }),
  duration: z.number().optional().meta({ description: "Exits: minutes since the entry" }),
  replayed: z.boolean().optional(),
});

export function wireUser(state: UserState): z.input<typeof userShape> {
  const { geofences, regions } = state;
  return {
    _id: state._id,
    live: state.live,
    userId: state.userId,
    deviceId: state.deviceId,
    description: state.description,
    metadata: copy(state.metadata),
    location: toPoint(state.location),
    locationAccuracy: state.locationAccuracy,
    altitude: state.altitude,
    speed: state.speed,
    course: state.course,
    foreground: state.foreground,
    stopped: state.stopped,
    deviceType: state.deviceType,
    deviceOS: state.deviceOS,
    deviceMake: state.deviceMake,
    deviceModel: state.deviceModel,
    createdAt: wireDate(state.createdAt),
    updatedAt: wireDate(state.updatedAt),
    geofences: Object.values(geofences).map(({ fence }) => wireFenceLabel(fence)),
    place: state.place && wirePlace(state.place.place),
    country: wireRegion(regions.country?.region),
    state: wireRegion(regions.state?.region),
    dma: wireRegion(regions.dma?.region),
    postalCode: wireRegion(regions.postalCode?.region),
    ip: state.ip,
  };
}

export function wireEvent(event: TrackEvent): z.input<typeof eventShape> {
  return {
    _id: event._id,
    type: event.type,
    createdAt: wireDate(event.createdAt),
    actualCreatedAt: wireDate(event.actualCreatedAt),
    live: event.live,
    user: { ...event.user, metadata: copy(event.user.metadata) },
    geofence: event.geofence && wireFenceLabel(event.geofence),
    place: event.place && wirePlace(event.place),
    region: event.region,
    location: toPoint(event.location),
    locationAccuracy: event.locationAccuracy,
    confidence: event.confidence,
    duration: event.duration,
    replayed: event.replayed,
  };
}

export function wireFenceLabel(fence: FenceLabel): z.input<typeof fenceLabelShape> {
  return { ...fence, metadata: copy(fence.metadata) };
}

export function wirePlace(place: Place): z.input<typeof placeShape> {
  const { _id, name, chain, categories, location } = place;
  return {
    _id,
    name,
    chain: chain && { ...chain, metadata: copy(chain.metadata) },
    categories: [...categories],
    location: toPoint(location),
  };
}

export function wireRegion(region: Region | undefined): z.input<typeof regionShape> | undefined {
  return region;
}

function copy(metadata: Metadata | undefined): Record<string, string | number | boolean> | undefined {
  return metadata as Record<string, string | number | boolean> | undefined;
}
