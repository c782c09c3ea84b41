import { z } from "zod";
import { toPoint } from "../../core/geo/coordinate.ts";
import { topChains } from "../../core/tracking/chain-visits.ts";
import type { UserState } from "../../core/tracking/types/state.ts";
import { dateShape, optionalDate, wireDate } from "./date.ts";
import { fraudShape, wireFraud } from "./fraud.ts";
import { insightsShape, wireInsights } from "./insights.ts";
import { metadataShape, wireMetadata } from "./metadata.ts";
import { pointShape } from "./point.ts";
import {
  beaconLabelShape,
  fenceLabelShape,
  placeShape,
  regionShape,
  wireBeaconLabel,
  wireFenceLabel,
  wirePlace,
  wireRegion,
} from "./surroundings.ts";
import { tripShape, wireTrip } from "./trip.ts";

/** Maximum number of chains in a user. */
const TOP_CHAINS = 5;

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
    .meta({ description: "Watched chains that are currently near" }),
  segments: z
    .array(
      z.object({
        description: z.string(),
        externalId: z.string(),
        computed: z.boolean().optional().meta({ description: "true: the user meets the rule of POST /v1/segments" }),
      }),
    )
    .optional()
    .meta({ description: "Set by PUT /v1/users/:id/segments, and computed ones" }),
  topChains: z
    .array(z.object({ name: z.string(), slug: z.string(), externalId: z.string().optional() }))
    .optional()
    .meta({ description: `Up to ${TOP_CHAINS} chains, the most visited first` }),
  location: pointShape,
  locationAccuracy: z.number().meta({ description: "Meters" }),
  altitude: z.number().optional(),
  speed: z.number().optional(),
  course: z.number().optional(),
  barometricAltitude: z.number().optional().meta({ description: "Meters" }),
  activityType: z.string().optional().meta({ description: "Activity detected by the device's motion sensors" }),
  userTags: z.array(z.string()).optional(),
  foreground: z.boolean().optional(),
  stopped: z.boolean().optional(),
  deviceType: z.string().optional(),
  deviceOS: z.string().optional(),
  deviceMake: z.string().optional(),
  deviceModel: z.string().optional(),
  installId: z.string().optional(),
  sdkVersion: z.string().optional(),
  source: z.string().optional().meta({ description: "Wakeup source of the SDK for the last update" }),
  locationAuthorization: z.string().optional(),
  locationAccuracyAuthorization: z.string().optional(),
  createdAt: dateShape(),
  updatedAt: dateShape(),
  actualUpdatedAt: dateShape().optional().meta({ description: "When the last update arrived, by the server's clock" }),
  geofences: z.array(fenceLabelShape),
  trip: tripShape.optional(),
  place: placeShape.optional(),
  country: regionShape.optional(),
  state: regionShape.optional(),
  dma: regionShape.optional(),
  postalCode: regionShape.optional(),
  beacons: z.array(beaconLabelShape).optional(),
  fraud: fraudShape.optional(),
  insights: insightsShape.optional().meta({ description: "If the project has enabled insights" }),
  ip: z.string().optional(),
});

export function wireUser(state: UserState): z.input<typeof userShape> {
  const { geofences, regions } = state;
  return {
    _id: state._id,
    live: state.live,
    userId: state.userId,
    deviceId: state.deviceId,
    description: state.description,
    metadata: wireMetadata(state.metadata),
    nearbyPlaceChains: nearbyChains(state.nearbyChains),
    segments: state.computed ? allSegments(state) : state.segments && [...state.segments],
    topChains: state.chainVisits && topChains(state.chainVisits, TOP_CHAINS),
    location: toPoint(state.location),
    locationAccuracy: state.locationAccuracy,
    altitude: state.altitude,
    speed: state.speed,
    course: state.course,
    barometricAltitude: state.barometricAltitude,
    activityType: state.activityType,
    userTags: state.userTags && [...state.userTags],
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
    insights: state.insights && wireInsights(state.insights),
    ip: state.ip,
  };
}

/** Segments that the customer has set, then computed ones. */
function allSegments({ segments = [], computed }: Pick<UserState, "segments" | "computed">) {
  const set = new Set(segments.map(({ externalId }) => externalId));
  const others = (computed?.segments ?? []).filter(({ externalId }) => !set.has(externalId));
  if (segments.length + others.length === 0) return undefined;
  return [...segments, ...others.map(({ description, externalId }) => ({ description, externalId, computed: true }))];
}

/** Absent if none is near. */
function nearbyChains(held: UserState["nearbyChains"] | undefined) {
  const chains = Object.values(held ?? {}).flatMap(({ chain }) => chain ?? []);
  return chains.length > 0 ? chains.map((chain) => ({ ...chain, metadata: wireMetadata(chain.metadata) })) : undefined;
}

/** The statuses in which a user has a trip. */
const SHOWN: readonly string[] = ["started", "approaching", "arrived"];
