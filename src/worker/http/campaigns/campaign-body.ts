import { z } from "zod";
import {
  CAMPAIGN_TYPES,
  type Campaign,
  type CampaignContent,
  DEVICE_TYPES,
  type Trigger,
  WEEKDAYS,
} from "../../../core/engagement/campaign.ts";
import { MAX_PER_USER } from "../../../core/engagement/ledger.ts";
import { EVENT_TYPES } from "../../../core/tracking/types/event.ts";
import { isTimeZone } from "../../../core/tracking/types/operating-hours.ts";
import { invalid, required } from "../../platform/errors.ts";
import { dictionary, flag, number, oneOf, text } from "../../wire/input/fields.ts";
import { dotted, validate } from "../../wire/input/validate.ts";
import { referenceTo } from "../reference/schemas.ts";

const MAX_VARIANTS = 10;
const YEAR_MINUTES = 366 * 24 * 60;

const COLOR_RULE = "Must be a color such as #1A2B3C.";
const color = (usual: string) =>
  z
    .string({ error: COLOR_RULE })
    .regex(/^#[0-9a-f]{6}$/i, { error: COLOR_RULE })
    .default(usual);
const colored = (longest: number, usual: string) => z.object({ text: text(longest), color: color(usual) });

const LINK_RULE = "Must be a URL of up to 2048 characters, such as https://example.com or myapp://offers.";
const link = () =>
  z
    .string({ error: LINK_RULE })
    .max(2048, { error: LINK_RULE })
    .refine((value) => /^[a-z][a-z0-9+.-]*:/i.test(value) && !/^(javascript|data|vbscript):/i.test(value), {
      error: LINK_RULE,
    });

const IMAGE_RULE = "Must be an https URL, or the id of an uploaded icon.";
const image = z.object({
  name: text(256),
  url: z
    .string({ error: IMAGE_RULE })
    .max(2048, { error: IMAGE_RULE })
    .refine((value) => /^https:\/\//i.test(value) || /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(value), {
      error: IMAGE_RULE,
    }),
});

const messageContent = z.object({
  title: colored(256, "#000000"),
  body: colored(4096, "#000000"),
  button: colored(256, "#FFFFFF")
    .extend({ backgroundColor: color("#000000"), deepLink: link().optional() })
    .optional(),
  image: image.optional(),
  metadata: dictionary(16).optional(),
});

const notificationContent = z.object({
  text: text(4096),
  title: text(256).optional(),
  subtitle: text(256).optional(),
  url: link().optional(),
  metadata: dictionary(16).optional(),
  repeats: flag().optional(),
});

const VALUES_RULE = "Must be a list of 1 to 100 strings.";
const values = () =>
  z.array(text(256), { error: VALUES_RULE }).min(1, { error: VALUES_RULE }).max(100, { error: VALUES_RULE }).optional();

const trigger = z.object({
  event: oneOf(EVENT_TYPES)
    .optional()
    .meta({ description: "default: the entry of the geofence, beacon or place, or the start of the trip" }),
  geofenceTags: values(),
  geofenceIds: values(),
  beaconTags: values(),
  placeChains: values().meta({ description: "slugs" }),
  categories: values(),
  tripModes: values(),
  minimumConfidence: number({ min: 1, max: 3, integer: true }).optional(),
});

const DEVICES_RULE = `Must be a list of: ${DEVICE_TYPES.join(", ")}.`;
const group = z.object({
  metadata: dictionary(16).optional(),
  segments: values(),
  userIds: z
    .array(text(256), { error: "Must be a list of up to 1000 ids." })
    .min(1)
    .max(1000, { error: "Must be a list of up to 1000 ids." })
    .optional(),
  deviceTypes: z
    .array(z.enum(DEVICE_TYPES, { error: DEVICES_RULE }), { error: DEVICES_RULE })
    .min(1)
    .optional(),
});

const TIME_RULE =
  "Must be a time such as 2026-12-24T08:00:00 (local time of the schedule) or 2026-12-24T08:00:00Z (absolute).";
const scheduleTime = () =>
  z.string({ error: TIME_RULE }).transform((value, context): string => {
    const found = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?)?(Z|[+-]\d{2}:\d{2})?$/.exec(
      value,
    );
    const [, day, clock = "00:00", second = "00", millis = "", zone = ""] = found ?? [];
    const plain = `${day}T${clock}:${second}.${millis.padEnd(3, "0")}`;
    const at = Date.parse(`${plain}${zone || "Z"}`);
    // Date.parse would read February 30 as March 2.
    const exists = found && Number.isFinite(at) && new Date(Date.parse(`${plain}Z`)).toISOString() === `${plain}Z`;
    if (exists) return zone === "" ? plain : new Date(at).toISOString();
    context.addIssue({ code: "custom", message: TIME_RULE });
    return z.NEVER;
  });

const DAYS_RULE = `Must be a list of: ${WEEKDAYS.join(", ")}.`;
const HOURS_RULE = 'Must be a list of spans such as [["09:00", "17:30"]].';
const hour = z.string({ error: HOURS_RULE }).regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, { error: HOURS_RULE });
const schedule = z.object({
  startsAt: scheduleTime().optional(),
  endsAt: scheduleTime().optional(),
  daysOfWeek: z
    .array(z.enum(WEEKDAYS, { error: DAYS_RULE }), { error: DAYS_RULE })
    .min(1, { error: DAYS_RULE })
    .optional(),
  hours: z
    .array(z.tuple([hour, hour], { error: HOURS_RULE }), { error: HOURS_RULE })
    .min(1, { error: HOURS_RULE })
    .max(10, { error: HOURS_RULE })
    .optional(),
  timeZone: text(64)
    .refine(isTimeZone, { error: "Must be an IANA name such as Europe/Berlin." })
    .optional()
    .meta({ description: "default: the user's" }),
  operatingHours: flag().optional().meta({ description: "only while the geofence is open" }),
});

const limits = z.object({
  perUser: number({ min: 1, max: MAX_PER_USER, integer: true }).optional(),
  days: number({ above: 0, max: 366 }).optional().meta({ description: "period of perUser; default: ever" }),
  cooldownMinutes: number({ above: 0, max: YEAR_MINUTES }).optional(),
  total: number({ min: 1, max: 1_000_000_000, integer: true }).optional(),
});

const GOAL_RULE = "Must be the name of an event that your app logs, not one of the server.";
const goal = z.object({
  event: text(256).refine((name) => !/^(user|alert|campaign)\./i.test(name), { error: GOAL_RULE }),
  days: number({ above: 0, max: 90 }).default(7),
});

/** Checked against the type of the campaign later: `contentOfType`. */
const anyContent = () =>
  z.unknown().meta({ anyOf: [referenceTo("MessageContent"), referenceTo("NotificationContent")] });

const VARIANTS_RULE = `Must be a list of 2 to ${MAX_VARIANTS} variants.`;
const variants = z
  .array(z.object({ weight: number({ above: 0, max: 1000 }).default(1), content: anyContent() }), {
    error: VARIANTS_RULE,
  })
  .min(2, { error: VARIANTS_RULE })
  .max(MAX_VARIANTS, { error: VARIANTS_RULE });

const holdout = () => number({ min: 0, max: 0.9 }).meta({ description: "share of users that get no message" });

const ABOUT = {
  audience: "users that meet all conditions, without those that meet one of `exclude`; default: all",
  goal: "a logged event with this name within `days` of the message counts as a conversion",
  schedule: "when messages are sent, in the user's time zone; times with an offset are absolute",
  limits: "messages per user (within `days`), minutes between two, and messages in total",
};

const fields = {
  name: text(256),
  trigger: trigger.meta({ description: "the event that sends the message; all given conditions must hold" }),
  audience: group.extend({ exclude: group.optional() }),
};

export const campaignBody = dotted(
  z.object({
    name: fields.name,
    type: oneOf(CAMPAIGN_TYPES),
    enabled: flag().default(true),
    trigger: fields.trigger,
    audience: fields.audience.optional().meta({ description: ABOUT.audience }),
    content: anyContent().optional().meta({ description: "required without variants" }),
    variants: variants.optional().meta({ description: "A/B test: users are divided by weight" }),
    holdout: holdout().optional(),
    goal: goal.optional().meta({ description: ABOUT.goal }),
    schedule: schedule.optional().meta({ description: ABOUT.schedule }),
    limits: limits.optional().meta({ description: ABOUT.limits }),
  }),
);

/** An empty object or list removes a section: the server treats null as absent. */
function removable<T extends z.ZodType>(schema: T) {
  const isEmpty = (value: unknown) => typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return z.preprocess((value) => (isEmpty(value) ? null : value), schema.nullable()).optional();
}

/** A change: absent = unchanged. */
export const campaignPatch = dotted(
  z.object({
    name: fields.name.optional(),
    enabled: flag().optional(),
    trigger: fields.trigger.optional(),
    audience: removable(fields.audience).meta({ description: `${ABOUT.audience}; {} removes it` }),
    content: anyContent().optional().meta({ description: "replaces the content, or the variants" }),
    variants: removable(variants).meta({ description: "replace the variants, or the content" }),
    holdout: holdout().optional(),
    goal: removable(goal).meta({ description: `${ABOUT.goal}; {} removes it` }),
    schedule: removable(schedule).meta({ description: `${ABOUT.schedule}; {} removes it` }),
    limits: removable(limits).meta({ description: `${ABOUT.limits}; {} removes them` }),
  }),
);

type Values = Omit<Campaign, "_id" | "createdAt" | "updatedAt" | "missingImages">;

/** The checked campaign. @throws ApiError 400 with the field, such as `content.title` */
export function campaignValues(body: z.output<typeof campaignBody>): Values {
  const { type, content, variants: given, ...rest } = body;
  if (content === undefined && given === undefined) throw required("content");
  if (content !== undefined && given !== undefined)
    throw invalid("variants", "Must not be combined with content: each variant has its own.");
  const checked: Values = {
    ...(rest as Omit<Values, "type" | "content" | "variants">),
    type,
    trigger: triggerOfType(type, body.trigger as Trigger),
    ...(content !== undefined && { content: contentOfType(type, { content }) }),
    ...(given && {
      variants: given.map((variant, i) => ({
        weight: variant.weight,
        content: contentOfType(type, { content: variant.content }, `variants[${i}].`),
      })),
    }),
  };
  const values = withoutEmpty(checked);
  checkTogether(values);
  return values;
}

const CONTENTS = {
  inAppMessage: dotted(z.object({ content: messageContent })),
  eventNotification: dotted(z.object({ content: notificationContent.omit({ repeats: true }) })),
  geofenceNotification: dotted(z.object({ content: notificationContent })),
};

function contentOfType(type: Values["type"], input: Record<string, unknown>, prefix = ""): CampaignContent {
  return validate(CONTENTS[type], input, prefix).content as CampaignContent;
}

/** Conditions, the events that they can be about, and the event that they usually mean. */
const SUBJECTS = [
  ["geofenceTags", /_geofence$/, "user.entered_geofence"],
  ["geofenceIds", /_geofence$/, "user.entered_geofence"],
  ["beaconTags", /_beacon$/, "user.entered_beacon"],
  ["placeChains", /_place(_chain)?$/, "user.entered_place"],
  ["categories", /_place(_chain)?$/, "user.entered_place"],
  ["tripModes", /trip/, "user.started_trip"],
] as const;

function triggerOfType(type: Values["type"], given: Trigger): Trigger {
  // Their events are in no response to a phone, so they have no place for a notification.
  if (type === "eventNotification" && /_user$/.test(given.event ?? ""))
    throw invalid("trigger.event", "Meetings of users trigger in-app messages only.");
  if (type === "geofenceNotification") {
    for (const name of ["event", "placeChains", "categories", "tripModes", "minimumConfidence"] as const)
      if (given[name] !== undefined) throw invalid(`trigger.${name}`, "The phone shows geofence notifications itself.");
    if (given.beaconTags && (given.geofenceTags || given.geofenceIds))
      throw invalid("trigger.beaconTags", "Must not be combined with geofences.");
    if (!given.geofenceTags && !given.geofenceIds && !given.beaconTags) throw required("trigger.geofenceTags");
    return given;
  }
  const event = given.event ?? SUBJECTS.find(([name]) => given[name] !== undefined)?.[2];
  if (event === undefined) throw required("trigger.event");
  for (const [name, events] of SUBJECTS)
    if (given[name] !== undefined && !events.test(event))
      throw invalid(`trigger.${name}`, `Does not apply to ${event}.`);
  return { ...given, event };
}

/** What depends on the user; requests for beacons do not name it. */
const PERSONAL = ["audience", "limits", "variants"] as const;

function checkTogether(values: Values): void {
  const { type, schedule: when, limits: most, holdout: held = 0, trigger: at } = values;
  const { startsAt, endsAt } = when ?? {};
  if (startsAt !== undefined && endsAt !== undefined && startsAt.endsWith("Z") !== endsAt.endsWith("Z"))
    throw invalid("schedule.endsAt", "Must be a local time if startsAt is one, else an absolute time.");
  if (startsAt !== undefined && endsAt !== undefined && startsAt >= endsAt)
    throw invalid("schedule.endsAt", "Must be after startsAt.");
  if (most?.days !== undefined && most.perUser === undefined) throw required("limits.perUser");
  if (type !== "geofenceNotification") return;
  for (const name of PERSONAL)
    if (at.beaconTags && values[name] !== undefined)
      throw invalid(name, "Not available at beacons: phones request these notifications without naming the user.");
  if (most?.total !== undefined)
    throw invalid("limits.total", "The phone shows geofence notifications itself, so a total cannot be enforced.");
  if (held > 0) throw invalid("holdout", "Not available for geofence notifications.");
}

/** An empty section has no conditions: it is not there. */
function withoutEmpty<T extends object>(values: T): T {
  const isEmpty = (value: unknown) =>
    value === undefined ||
    (typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value))) as T;
}
