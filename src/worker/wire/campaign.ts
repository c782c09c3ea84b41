import { z } from "zod";
import { CAMPAIGN_TYPES, type Campaign, WEEKDAYS } from "../../core/engagement/campaign.ts";
import { dateShape, wireDate } from "./date.ts";
import { metadataShape } from "./metadata.ts";

const coloredText = z.object({ text: z.string(), color: z.string().meta({ description: "#RRGGBB" }) });

export const messageContentShape = z.object({
  title: coloredText,
  body: coloredText,
  button: coloredText.extend({ backgroundColor: z.string(), deepLink: z.string().optional() }).optional(),
  image: z
    .object({ name: z.string(), url: z.string().meta({ description: "https URL, or id of an uploaded icon (iOS)" }) })
    .optional(),
  metadata: metadataShape().optional(),
});

export const notificationContentShape = z.object({
  text: z.string(),
  title: z.string().optional(),
  subtitle: z.string().optional(),
  url: z.string().optional(),
  metadata: metadataShape().optional(),
  repeats: z.boolean().optional().meta({ description: "geofence notifications: shown at each entry" }),
});

/** A message in the response of an update. */
export const inAppMessageShape = messageContentShape.extend({
  metadata: metadataShape().meta({
    description: "radar:campaignId, radar:campaignName, radar:geofenceId, radar:campaignMetadata (JSON)",
  }),
});

const contentShape = z.union([messageContentShape, notificationContentShape]);

const group = {
  metadata: metadataShape().optional().meta({ description: "the user's metadata has all of these values" }),
  segments: z.array(z.string()).optional().meta({ description: "externalIds; the user is in one of them" }),
  userIds: z.array(z.string()).optional().meta({ description: "userId, deviceId or _id" }),
  deviceTypes: z.array(z.string()).optional(),
};

const campaignFields = {
  trigger: z.object({
    event: z.string().optional(),
    geofenceTags: z.array(z.string()).optional(),
    geofenceIds: z.array(z.string()).optional(),
    beaconTags: z.array(z.string()).optional(),
    placeChains: z.array(z.string()).optional(),
    categories: z.array(z.string()).optional(),
    tripModes: z.array(z.string()).optional(),
    minimumConfidence: z.number().optional(),
  }),
  audience: z.object({ ...group, exclude: z.object(group).optional() }).optional(),
  content: contentShape.optional(),
  variants: z.array(z.object({ weight: z.number(), content: contentShape })).optional(),
  holdout: z.number().optional().meta({ description: "share of users that get no message, for comparison" }),
  goal: z
    .object({ event: z.string(), days: z.number() })
    .optional()
    .meta({ description: "a logged event with this name within `days` counts as a conversion" }),
  schedule: z
    .object({
      startsAt: z.string().optional(),
      endsAt: z.string().optional(),
      daysOfWeek: z.array(z.enum(WEEKDAYS)).optional(),
      hours: z.array(z.array(z.string())).optional(),
      timeZone: z.string().optional(),
      operatingHours: z.boolean().optional(),
    })
    .optional(),
  limits: z
    .object({
      perUser: z.number().optional(),
      days: z.number().optional(),
      cooldownMinutes: z.number().optional(),
      total: z.number().optional(),
    })
    .optional(),
};

const counts = {
  sent: z.number(),
  displayed: z.number(),
  clicked: z.number(),
  dismissed: z.number(),
  opened: z.number(),
  conversions: z.number(),
  users: z.number().meta({ description: "users that got their first message" }),
};
const intervalShape = z.array(z.number()).meta({ description: "[low, high], 95 %" });

export const campaignShape = z.object({
  _id: z.string(),
  live: z.boolean(),
  createdAt: dateShape(),
  updatedAt: dateShape(),
  name: z.string(),
  type: z.enum(CAMPAIGN_TYPES),
  enabled: z.boolean(),
  ...campaignFields,
  missingImages: z
    .array(z.string())
    .optional()
    .meta({ description: "images that could not be loaded: messages are sent without them" }),
  stats: z
    .object({
      ...counts,
      days: z
        .array(z.object({ day: z.string().meta({ description: "UTC" }), ...counts }))
        .optional()
        .meta({ description: "the last 30 days, those with counts" }),
      variants: z
        .array(
          z.object({
            variant: z.number().meta({ description: "position, from 0; -1 = the holdout" }),
            ...counts,
            converted: z.number().meta({ description: "users that converted" }),
            rate: z.number().meta({ description: "converted / users" }),
            interval: intervalShape.meta({ description: "of the rate (Wilson 1927)" }),
            difference: z
              .number()
              .optional()
              .meta({ description: "rate minus that of the holdout, else of variant 0" }),
            differenceInterval: intervalShape.optional().meta({ description: "Newcombe 1998, method 10" }),
          }),
        )
        .optional(),
    })
    .optional()
    .meta({ description: "of the last 13 months" }),
});

type WireCampaign = z.input<typeof campaignShape>;

export function wireCampaign(campaign: Campaign, live: boolean, stats?: WireCampaign["stats"]): WireCampaign {
  return {
    ...(campaign as unknown as WireCampaign),
    live,
    createdAt: wireDate(campaign.createdAt),
    updatedAt: wireDate(campaign.updatedAt),
    ...(stats && { stats }),
  };
}
