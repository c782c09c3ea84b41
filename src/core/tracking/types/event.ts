import type { Coordinate } from "../../geo/coordinate.ts";
import type { DeviceReport } from "./device.ts";
import type { DrivingReport } from "./driving.ts";
import type { FenceLabel } from "./fence.ts";
import type { FraudState } from "./fraud.ts";
import type { MeetingLabel, OtherUser } from "./meeting.ts";
import type { Metadata } from "./metadata.ts";
import type { BeaconLabel, Place, Region } from "./surroundings.ts";
import type { Trip, TripLeg } from "./trip.ts";

export const EVENT_TYPES = [
  "user.entered_geofence",
  "user.exited_geofence",
  "user.dwelled_in_geofence",
  "user.entered_place",
  "user.exited_place",
  "user.nearby_place_chain",
  "user.entered_region_country",
  "user.exited_region_country",
  "user.entered_region_state",
  "user.exited_region_state",
  "user.entered_region_dma",
  "user.exited_region_dma",
  "user.entered_region_postal_code",
  "user.exited_region_postal_code",
  "user.entered_beacon",
  "user.exited_beacon",
  "user.started_trip",
  "user.updated_trip",
  "user.approaching_trip_destination",
  "user.arrived_at_trip_destination",
  "user.arrived_at_wrong_trip_destination",
  "user.fired_trip_orders",
  "user.stopped_trip",
  "user.failed_fraud",
  "user.entered_home",
  "user.exited_home",
  "user.entered_work",
  "user.exited_work",
  "user.started_traveling",
  "user.stopped_traveling",
  "user.started_commuting",
  "user.stopped_commuting",
  "user.exceeded_speed_limit",
  "user.kept_to_speed_limit",
  "user.left_route",
  "user.returned_to_route",
  "user.started_idling",
  "user.stopped_idling",
  "user.met_user",
  "user.parted_from_user",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Events of campaigns: a message was sent, or not sent because the user is in the holdout. */
export const CAMPAIGN_EVENT_TYPES = ["campaign.sent", "campaign.held"] as const;

/** The fields of a campaign in an event. */
export interface CampaignLabel {
  _id: string;
  name: string;
  type: string;
  /** Position of the variant that was sent, from 0. */
  variant?: number;
  /** _id of the event that triggered the message. */
  event?: string;
}

/** 3 = the accuracy circle is completely inside, 2 = at least half of it, 1 = less. For an exit: outside. */
export type Confidence = 1 | 2 | 3;

export interface TrackEvent {
  /** The user's _id and eight hex digits of a sequence number: an event keeps its id however often it is sent. */
  _id: string;
  /** An EventType, or the name of a conversion. */
  type: string;
  live: boolean;
  /** When it happened, by the clock of the update [ms]. */
  createdAt: number;
  /** When it was generated, by the server's clock [ms]. */
  actualCreatedAt: number;
  user: { _id: string; deviceId?: string; userId?: string; metadata?: Metadata };
  /** Absent for a conversion of a user that has never been located. */
  location?: Coordinate;
  locationAccuracy?: number;
  confidence: Confidence;
  geofence?: FenceLabel;
  place?: Place;
  /** For entries of places: other places within reach of the fix. */
  alternatePlaces?: readonly Place[];
  region?: Region;
  beacon?: BeaconLabel;
  trip?: Trip;
  /** For a trip of several legs: the leg of the event. */
  leg?: TripLeg;
  /** The checks that failed. */
  fraud?: FraudState;
  /** Of campaign events and of conversions that name a campaign. */
  campaign?: CampaignLabel;
  /** Of events about speed limits and routes. */
  driving?: DrivingReport;
  /** Of meetings of users. */
  meeting?: MeetingLabel;
  otherUser?: OtherUser;
  /** What it counts for campaigns (src/core/engagement/send.ts). */
  counts?: readonly string[];
  /** Of a conversion. */
  metadata?: Metadata;
  /** Whether a person or client has confirmed it: 1 yes, -1 no, 0 unknown. */
  verification?: -1 | 0 | 1;
  verifiedPlaceId?: string;
  /** Exits: time since the entry [min]. */
  duration?: number;
  replayed?: boolean;
  /** As reported with the update. */
  device?: DeviceReport;
}
