import { z } from "zod";
import { toPoint } from "../geo/coordinate.ts";
import { topChains } from "../tracking/chain-visits.ts";
import type { TrackEvent } from "../tracking/types/event.ts";
import type { FenceLabel } from "../tracking/types/fence.ts";
import { FRAUD_CHECKS, type FraudCheck, type FraudFlags, type FraudState } from "../tracking/types/fraud.ts";
import type { Metadata } from "../tracking/types/metadata.ts";
import type { UserState } from "../tracking/types/state.ts";
import type { BeaconLabel, Place, Region } from "../tracking/types/surroundings.ts";
import { TRIP_STATUSES, type Trip } from "../tracking/types/trip.ts";
import { placeAddressShape } from "./address.ts";
import { pointShape } from "./point.ts";

/**
 * The shapes of users, events, places and regions as clients read them. Fields without a value are left out, never
 * null.
 */

/** Most chains that a user shows. */
const TOP_CHAINS = 5;

/**
 * Milliseconds → "2026-01-31T09:30:00.000Z", the only form the iOS SDK reads.
 * @throws Unwritable for a time outside of the years 0 to 9999
 */
export function wireDate(ms: number): string {
  if (!isWritableTime(ms)) throw new Unwritable("a time outside of the years 0 to 9999");
  return new Date(ms).toISOString();
}

/** An optional date: left out when it cannot be written. */
function optionalDate(ms: number | undefined): string | undefined {
  return ms === undefined || !isWritableTime(ms) ? undefined : wireDate(ms);
}

/** Is a time [ms] in the years 0 to 9999, which are written with four digits? */
function isWritableTime(ms: number): boolean {
  const year = new Date(ms).getUTCFullYear();
  return year >= 0 && year <= 9999;
}

/**
 * A value that cannot be written on the wire. Endpoints refuse such values; older rows that have one are left out, see
 * `writeRows`.
 */
export class Unwritable extends Error {}

const date = () => z.string().meta({ format: "date-time", example: "2026-01-31T09:30:00.000Z" });
const metadataShape = () => z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export const fenceLabelShape = z.object({
  _id: z.string(),
  tag: z.string().optional(),
  externalId: z.string().optional(),
  description: z.string().optional(),
  metadata: metadataShape().optional(),
  type: z.enum(["circle", "polygon", "isochrone"]).optional(),
  geometryCenter: pointShape.optional(),
  geometryRadius: z.number().optional().meta({ description: "metres; minutes of travel for an isochrone" }),
  operatingHours: z.record(z.string(), z.array(z.array(z.string()))).optional(),
  dwellThreshold: z.number().optional().meta({ description: "minutes, where the geofence has its own" }),
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

export const beaconLabelShape = z.object({
  _id: z.string(),
  type: z.enum(["ibeacon", "eddystone"]),
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

export const tripShape = z.object({
  _id: z.string(),
  live: z.boolean(),
  externalId: z.string(),
  metadata: metadataShape().optional(),
  mode: z.string(),
  status: z.enum(TRIP_STATUSES),
  destinationGeofenceTag: z.string().optional(),
  destinationGeofenceExternalId: z.string().optional(),
  destinationLocation: pointShape.optional(),
  approachingThreshold: z.number().optional().meta({ description: "minutes" }),
  scheduledArrivalAt: date().optional(),
  eta: z
    .object({ duration: z.number(), distance: z.number() })
    .optional()
    .meta({ description: "minutes and metres to the destination" }),
  delay: z
    .object({ delayed: z.boolean(), scheduledArrivalTimeDelay: z.number() })
    .optional()
    .meta({ description: "minutes behind scheduledArrivalAt, negative when early" }),
  createdAt: date(),
  updatedAt: date(),
  startedAt: date().optional(),
  approachingAt: date().optional(),
  arrivedAt: date().optional(),
  endedAt: date().optional(),
  userId: z.string().optional(),
  user: z.object({ _id: z.string(), userId: z.string().optional(), deviceId: z.string() }).optional(),
});

const nullableDate = () => z.string().nullable().meta({ description: "the last failure, or null" });

export const fraudShape = z.object({
  verified: z.boolean(),
  passed: z.boolean(),
  bypassed: z.boolean(),
  blocked: z.boolean(),
  mocked: z.boolean(),
  jumped: z.boolean(),
  compromised: z.boolean(),
  inaccurate: z.boolean(),
  proxy: z.boolean(),
  sharing: z.boolean(),
  lastMockedAt: nullableDate(),
  lastJumpedAt: nullableDate(),
  lastCompromisedAt: nullableDate(),
  lastInaccurateAt: nullableDate(),
  lastProxyAt: nullableDate(),
  lastSharingAt: nullableDate(),
});

export const userShape = z.object({
  _id: z.string(),
  live: z.boolean(),
  userId: z.string().optional(),
  deviceId: z.string(),
  description: z.string().optional(),
  metadata: metadataShape().optional(),
  nearbyPlaceChains: z
    .array(
      z.object({
        name: z.string(),
        slug: z.string(),
        externalId: z.string().optional(),
        metadata: metadataShape().optional(),
      }),
    )
    .optional()
    .meta({ description: "watched chains that are near now" }),
  segments: z
    .array(z.object({ description: z.string(), externalId: z.string() }))
    .optional()
    .meta({ description: "set by PUT /v1/users/:id/segments" }),
  topChains: z
    .array(z.object({ name: z.string(), slug: z.string(), externalId: z.string().optional() }))
    .optional()
    .meta({ description: `up to ${TOP_CHAINS} chains, the most visited first` }),
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
  installId: z.string().optional(),
  sdkVersion: z.string().optional(),
  source: z.string().optional().meta({ description: "what woke the SDK for the last update" }),
  locationAuthorization: z.string().optional(),
  locationAccuracyAuthorization: z.string().optional(),
  createdAt: date(),
  updatedAt: date(),
  actualUpdatedAt: date().optional().meta({ description: "when the last update arrived, on the server's clock" }),
  geofences: z.array(fenceLabelShape),
  trip: tripShape.optional(),
  place: placeShape.optional(),
  country: regionShape.optional(),
  state: regionShape.optional(),
  dma: regionShape.optional(),
  postalCode: regionShape.optional(),
  beacons: z.array(beaconLabelShape).optional(),
  fraud: fraudShape.optional(),
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
    deviceId: z.string().optional().meta({ description: "Absent where the caller has not proven to know the user" }),
    metadata: metadataShape().optional(),
  }),
  geofence: fenceLabelShape.optional(),
  place: placeShape.optional(),
  alternatePlaces: z
    .array(placeShape)
    .optional()
    .meta({ description: "Entries of places: others that the device may be at" }),
  region: regionShape.optional(),
  beacon: beaconLabelShape.optional(),
  trip: tripShape.optional(),
  fraud: fraudShape.optional(),
  metadata: metadataShape().optional().meta({ description: "Conversions: what was logged with them" }),
  location: pointShape.optional().meta({ description: "Absent where the user has never been located" }),
  locationAccuracy: z.number().optional(),
  confidence: z.number().meta({ description: "3 = surely inside, 2 = probably, 1 = possibly" }),
  duration: z.number().optional().meta({ description: "Exits: minutes since the entry" }),
  verification: z.number().optional().meta({ description: "1 accepted, -1 rejected, 0 neither" }),
  verifiedPlaceId: z.string().optional(),
  replayed: z.boolean().optional(),
  custom: z.boolean().optional().meta({ description: "true: a conversion" }),
  deviceType: z.string().optional().meta({ description: "This and what follows as the update had it" }),
  deviceMake: z.string().optional(),
  deviceModel: z.string().optional(),
  deviceOS: z.string().optional(),
  sdkVersion: z.string().optional(),
  foreground: z.boolean().optional(),
  stopped: z.boolean().optional(),
  locationAuthorization: z.string().optional(),
  locationAccuracyAuthorization: z.string().optional(),
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
    nearbyPlaceChains: nearbyChains(state.nearbyChains),
    segments: state.segments && [...state.segments],
    topChains: state.chainVisits && topChains(state.chainVisits, TOP_CHAINS),
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
    installId: state.installId,
    sdkVersion: state.sdkVersion,
    source: state.source,
    locationAuthorization: state.locationAuthorization,
    locationAccuracyAuthorization: state.locationAccuracyAuthorization,
    createdAt: wireDate(state.createdAt),
    updatedAt: wireDate(state.updatedAt),
    actualUpdatedAt: optionalDate(state.actualUpdatedAt),
    geofences: Object.values(geofences).map(({ fence }) => wireFenceLabel(fence)),
    trip: state.trip && SHOWN.includes(state.trip.status) ? wireTrip(state.trip) : undefined,
    place: state.place && wirePlace(state.place.place),
    country: wireRegion(regions.country?.region),
    state: wireRegion(regions.state?.region),
    dma: wireRegion(regions.dma?.region),
    postalCode: wireRegion(regions.postalCode?.region),
    beacons: state.beacons && Object.values(state.beacons).map(({ beacon }) => wireBeaconLabel(beacon)),
    fraud: state.fraud && wireFraud(state.fraud, state.fraudFlags),
    ip: state.ip,
  };
}

/** Absent when none is near. */
function nearbyChains(held: UserState["nearbyChains"] | undefined) {
  const chains = Object.values(held ?? {}).flatMap(({ chain }) => chain ?? []);
  return chains.length > 0 ? chains.map((chain) => ({ ...chain, metadata: copy(chain.metadata) })) : undefined;
}

/** The statuses in which a user shows a trip. */
const SHOWN: readonly string[] = ["started", "approaching", "arrived"];

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
    alternatePlaces: event.alternatePlaces?.map(wirePlace),
    region: event.region,
    beacon: event.beacon && wireBeaconLabel(event.beacon),
    trip: event.trip && wireTrip(event.trip),
    fraud: event.fraud && wireFraud(event.fraud),
    metadata: copy(event.metadata),
    location: event.location && toPoint(event.location),
    locationAccuracy: event.locationAccuracy,
    confidence: event.confidence,
    duration: event.duration,
    verification: event.verification,
    verifiedPlaceId: event.verifiedPlaceId,
    replayed: event.replayed,
    custom: event.type.startsWith("user.") ? undefined : true,
    ...event.device,
  };
}

export function wireBeaconLabel(beacon: BeaconLabel): z.input<typeof beaconLabelShape> {
  return { ...beacon, metadata: copy(beacon.metadata) };
}

export function wireTrip(trip: Trip): z.input<typeof tripShape> {
  const { destination, delay, user, deviceId } = trip;
  return {
    _id: trip._id,
    live: trip.live,
    externalId: trip.externalId,
    metadata: copy(trip.metadata),
    mode: trip.mode,
    status: trip.status,
    destinationGeofenceTag: destination?.tag,
    destinationGeofenceExternalId: destination?.externalId,
    destinationLocation: destination && toPoint(destination.location),
    approachingThreshold: trip.approachingThreshold,
    scheduledArrivalAt: optionalDate(trip.scheduledArrivalAt),
    eta: trip.eta,
    delay: delay === undefined ? undefined : { delayed: delay > 0, scheduledArrivalTimeDelay: delay },
    createdAt: wireDate(trip.createdAt),
    updatedAt: wireDate(trip.updatedAt),
    startedAt: optionalDate(trip.startedAt),
    approachingAt: optionalDate(trip.approachingAt),
    arrivedAt: optionalDate(trip.arrivedAt),
    endedAt: optionalDate(trip.endedAt),
    userId: trip.userId,
    user: user === undefined || deviceId === undefined ? undefined : { _id: user, userId: trip.userId, deviceId },
  };
}

/** The fraud checks as the API shows them: a bypassed user always passes, a blocked one never does. */
export function wireFraud(
  { verified, failed, lastFailed }: FraudState,
  { bypassed = false, blocked = false }: FraudFlags = {},
): z.input<typeof fraudShape> {
  const fails = (check: FraudCheck) => failed.includes(check);
  const last = (check: FraudCheck) => {
    return optionalDate(lastFailed[check]) ?? null;
  };
  return {
    verified,
    passed: !blocked && (bypassed || !FRAUD_CHECKS.some(fails)),
    bypassed,
    blocked,
    mocked: fails("mocked"),
    jumped: fails("jumped"),
    compromised: fails("compromised"),
    inaccurate: fails("inaccurate"),
    proxy: fails("proxy"),
    sharing: fails("sharing"),
    lastMockedAt: last("mocked"),
    lastJumpedAt: last("jumped"),
    lastCompromisedAt: last("compromised"),
    lastInaccurateAt: last("inaccurate"),
    lastProxyAt: last("proxy"),
    lastSharingAt: last("sharing"),
  };
}

export function wireFenceLabel(fence: FenceLabel): z.input<typeof fenceLabelShape> {
  const { metadata, center, radius, operatingHours, ...label } = fence;
  return {
    ...label,
    metadata: copy(metadata),
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
    chain: chain && { ...chain, metadata: copy(chain.metadata) },
    categories: [...categories],
    location: toPoint(location),
    address: address && { ...location, geometry: toPoint(location), ...address },
  };
}

export function wireRegion(region: Region | undefined): z.input<typeof regionShape> | undefined {
  return region;
}

function copy(metadata: Metadata | undefined): Record<string, string | number | boolean> | undefined {
  return metadata as Record<string, string | number | boolean> | undefined;
}
