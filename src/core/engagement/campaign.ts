import type { Metadata } from "../tracking/types/metadata.ts";

/** A campaign as it is stored: messages that the server adds to the responses of matching updates. */

export const CAMPAIGN_TYPES = ["inAppMessage", "eventNotification", "geofenceNotification"] as const;
export type CampaignType = (typeof CAMPAIGN_TYPES)[number];

export const DEVICE_TYPES = ["iOS", "Android", "Web"] as const;

interface ColoredText {
  text: string;
  /** #RRGGBB */
  color: string;
}

/** In the shape that the SDKs read. */
export interface MessageContent {
  title: ColoredText;
  body: ColoredText;
  button?: ColoredText & { backgroundColor: string; deepLink?: string };
  image?: { name: string; url: string };
  metadata?: Metadata;
}

export interface NotificationContent {
  text: string;
  title?: string;
  subtitle?: string;
  url?: string;
  metadata?: Metadata;
  /** Geofence notifications: shown at each entry, not only at the first one. */
  repeats?: boolean;
}

export type CampaignContent = MessageContent | NotificationContent;

/** All given conditions must hold; of a list, one value is enough. */
export interface Trigger {
  /** The type of the event; in a stored campaign absent only for geofence notifications. */
  event?: string;
  geofenceTags?: readonly string[];
  geofenceIds?: readonly string[];
  beaconTags?: readonly string[];
  placeChains?: readonly string[];
  categories?: readonly string[];
  tripModes?: readonly string[];
  minimumConfidence?: 1 | 2 | 3;
}

export interface Group {
  metadata?: Metadata;
  /** External ids of segments. */
  segments?: readonly string[];
  /** userId, deviceId or _id. */
  userIds?: readonly string[];
  deviceTypes?: readonly string[];
}

/** Users that meet all conditions, without those that meet one of `exclude`. */
export interface Audience extends Group {
  exclude?: Group;
}

export interface Schedule {
  /** "2026-12-24T08:00:00.000" in the time zone of the schedule, or with "Z" an absolute time. */
  startsAt?: string;
  endsAt?: string;
  daysOfWeek?: readonly Weekday[];
  /** Spans of local time, "HH:MM" to "HH:MM"; an end before its start is on the next day. */
  hours?: readonly (readonly [from: string, to: string])[];
  /** IANA name; absent = the user's. */
  timeZone?: string;
  /** Only while the geofence of the event is open. */
  operatingHours?: boolean;
}

export const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export interface Limits {
  /** Messages per user, within `days` if set, else ever. */
  perUser?: number;
  days?: number;
  cooldownMinutes?: number;
  /** Messages to all users together. */
  total?: number;
}

export interface Variant {
  weight: number;
  content: CampaignContent;
}

export interface Campaign {
  _id: string;
  /** [ms] */
  createdAt: number;
  updatedAt: number;
  name: string;
  type: CampaignType;
  enabled: boolean;
  trigger: Trigger;
  audience?: Audience;
  /** Absent if there are variants. */
  content?: CampaignContent;
  variants?: readonly Variant[];
  /** Share of users that get no message, for comparison. */
  holdout?: number;
  /** A conversion with this name within `days` of the message counts for the campaign. */
  goal?: { event: string; days: number };
  schedule?: Schedule;
  limits?: Limits;
  /** Images that could not be loaded when they were last checked: messages are sent without them. */
  missingImages?: readonly string[];
}

/** The content of a variant; without variants, of the campaign. */
export function contentOf({ content, variants }: Campaign, variant: number): CampaignContent | undefined {
  return variants ? variants[variant]?.content : content;
}

/** The URLs of a campaign's images. */
export function imagesOf({ content, variants }: Pick<Campaign, "content" | "variants">): string[] {
  const all = [content, ...(variants ?? []).map((variant) => variant.content)];
  return [...new Set(all.flatMap((one) => (one && "image" in one && one.image ? [one.image.url] : [])))];
}
