import { z } from "zod";
import { toPoint } from "../../core/geo/coordinate.ts";
import type { TrackEvent } from "../../core/tracking/types/event.ts";
import { dateShape, wireDate } from "./date.ts";
import { fraudShape, wireFraud } from "./fraud.ts";
import { legShape, wireLeg } from "./leg.ts";
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
} from "./surroundings.ts";
import { tripShape, wireTrip } from "./trip.ts";

const campaignLabelShape = z.object({
  _id: z.string(),
  name: z.string(),
  type: z.string(),
  variant: z.number().optional().meta({ description: "position of the variant, from 0" }),
  event: z.string().optional().meta({ description: "_id of the event that triggered the message" }),
});

const drivingShape = z.object({
  speedKmh: z.number().optional().meta({ description: "km/h, at the update" }),
  limitKmh: z.number().optional().meta({ description: "km/h, of the road" }),
  topSpeedKmh: z.number().optional().meta({ description: "km/h, since the excess began" }),
  distanceFromRoute: z.number().optional().meta({ description: "meters, from the rest of the planned route" }),
  road: z.string().optional().meta({ description: "Name or number of the road, or description of the geofence" }),
  geofence: z.string().optional().meta({ description: "_id of the geofence whose `speedLimit` it is" }),
});

const otherUserShape = z.object({
  _id: z.string(),
  userId: z.string().optional(),
  deviceId: z.string(),
  metadata: metadataShape().optional(),
  distance: z.number().meta({ description: "meters, between both positions" }),
  age: z.number().meta({ description: "seconds, of the other position" }),
});

const meetingLabelShape = z.object({
  _id: z.string(),
  name: z.string(),
  radius: z.number().meta({ description: "meters" }),
});

export const eventShape = z.object({
  _id: z.string(),
  type: z.string(),
  createdAt: dateShape(),
  actualCreatedAt: dateShape(),
  live: z.boolean(),
  user: z.object({
    _id: z.string(),
    userId: z.string().optional(),
    deviceId: z.string().optional().meta({ description: "Absent if the caller has not proven to know the user" }),
    metadata: metadataShape().optional(),
  }),
  geofence: fenceLabelShape.optional(),
  place: placeShape.optional(),
  alternatePlaces: z
    .array(placeShape)
    .optional()
    .meta({ description: "Place entries: other places where the device may be" }),
  region: regionShape.optional(),
  beacon: beaconLabelShape.optional(),
  trip: tripShape.optional(),
  leg: legShape.optional().meta({ description: "Trips with several legs: the leg of the event" }),
  fraud: fraudShape.optional(),
  campaign: campaignLabelShape
    .optional()
    .meta({ description: "Campaign events, and conversions that name a campaign" }),
  driving: drivingShape.optional().meta({ description: "Events about speed limits and routes" }),
  meeting: meetingLabelShape.optional().meta({ description: "Events about meetings: the rule" }),
  otherUser: otherUserShape
    .optional()
    .meta({ description: "Events about meetings: whom the user met, or parted from" }),
  metadata: metadataShape().optional().meta({
    description: "Conversions: the logged metadata. In responses of updates: the notification of a campaign",
  }),
  location: pointShape.optional().meta({ description: "Absent if the user has never been located" }),
  locationAccuracy: z.number().optional(),
  confidence: z.number().meta({ description: "3 = high, 2 = medium, 1 = low" }),
  duration: z.number().optional().meta({ description: "Exits: minutes since the entry" }),
  verification: z.number().optional().meta({ description: "1 accepted, -1 rejected, 0 neither" }),
  verifiedPlaceId: z.string().optional(),
  replayed: z.boolean().optional(),
  custom: z.boolean().optional().meta({ description: "true: a conversion" }),
  deviceType: z.string().optional().meta({ description: "This and the following fields are from the update" }),
  deviceMake: z.string().optional(),
  deviceModel: z.string().optional(),
  deviceOS: z.string().optional(),
  sdkVersion: z.string().optional(),
  foreground: z.boolean().optional(),
  stopped: z.boolean().optional(),
  locationAuthorization: z.string().optional(),
  locationAccuracyAuthorization: z.string().optional(),
});

export function wireEvent(event: TrackEvent): z.input<typeof eventShape> {
  return {
    _id: event._id,
    type: event.type,
    createdAt: wireDate(event.createdAt),
    actualCreatedAt: wireDate(event.actualCreatedAt),
    live: event.live,
    user: { ...event.user, metadata: wireMetadata(event.user.metadata) },
    geofence: event.geofence && wireFenceLabel(event.geofence),
    place: event.place && wirePlace(event.place),
    alternatePlaces: event.alternatePlaces?.map(wirePlace),
    region: event.region,
    beacon: event.beacon && wireBeaconLabel(event.beacon),
    trip: event.trip && wireTrip(event.trip, event.actualCreatedAt),
    leg: event.trip && event.leg && wireLeg(event.leg),
    fraud: event.fraud && wireFraud(event.fraud),
    campaign: event.campaign,
    driving: event.driving,
    meeting: event.meeting,
    otherUser: event.otherUser && { ...event.otherUser, metadata: wireMetadata(event.otherUser.metadata) },
    metadata: wireMetadata(event.metadata),
    location: event.location && toPoint(event.location),
    locationAccuracy: event.locationAccuracy,
    confidence: event.confidence,
    duration: event.duration,
    verification: event.verification,
    verifiedPlaceId: event.verifiedPlaceId,
    replayed: event.replayed,
    custom: /^(user|campaign)\./.test(event.type) ? undefined : true,
    ...event.device,
  };
}
