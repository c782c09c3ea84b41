import { z } from "zod";
import {
  OPTION_CHOICES,
  OPTION_FLAGS,
  OPTION_NUMBERS,
  PRESETS,
  REMOTE_TYPES,
  remoteOptions,
} from "../../../core/engagement/tracking-options.ts";
import type { ProjectSettings } from "../../db/projects/projects.ts";
import { wireDate } from "../../wire/date.ts";
import { datetime, flag, json, number, oneOf, text } from "../../wire/input/fields.ts";

/** The settings that every SDK requests at startup. */

const LOG_LEVELS = ["none", "error", "warning", "info", "debug"] as const;

/** The on-off keys of `sdkConfiguration`. Those that are not set are not sent: the SDK has its own defaults. */
const FLAGS = [
  ...["startTrackingOnInitialize", "trackOnceOnAppOpen", "usePersistence", "extendFlushReplays", "useLogPersistence"],
  ...["useRadarModifiedBeacon", "useOpenedAppConversion", "useForegroundLocationUpdatedAtMsDiff", "syncAfterSetUser"],
  ...["useSyncRegion", "bufferGeofenceEntries", "bufferGeofenceExits", "stopDetection", "skipForegroundCheck"],
  ...["useOfflineRTOUpdates", "offlineEventGenerationEnabled", "useSwiftLocationManager", "startUpdatesWhileInUse"],
  ...["useNotificationDiff", "useLocationMetadata"],
] as const;

/** A week. */
const MAX_DWELL_MINUTES = 10_080;
const MAX_INTERVAL_SECONDS = 86_400;

const fieldsOf = <T extends z.ZodType>(names: readonly string[], field: () => T) =>
  Object.fromEntries(names.map((name) => [name, field()])) as Record<string, T>;

/** Names that are not listed are errors: a misspelled option would be 0 or off on all phones. */
const known = (rule: string) => ({
  error: (issue: { code?: string; keys?: unknown }) =>
    issue.code === "unrecognized_keys" ? `Unknown keys: ${(issue.keys as string[]).join(", ")}.` : rule,
});

const OPTIONS_RULE = `Must be a preset (${PRESETS.join(", ")}), or options, optionally with a preset.`;
const trackingOptions = z.preprocess(
  // One form for both, so that errors name the option.
  (value) => (typeof value === "string" ? { preset: value } : value),
  z.strictObject(
    {
      preset: oneOf(PRESETS).optional(),
      ...fieldsOf(OPTION_NUMBERS, () => number({ min: 0, max: MAX_INTERVAL_SECONDS, integer: true }).optional()),
      ...fieldsOf(OPTION_FLAGS, () => flag().optional()),
      ...Object.fromEntries(Object.entries(OPTION_CHOICES).map(([name, all]) => [name, oneOf(all).optional()])),
      startTrackingAfter: datetime().transform(wireDate).optional(),
      stopTrackingAfter: datetime().transform(wireDate).optional(),
      // In options copied from a response; the server sets its own.
      type: oneOf(["default", "in-geofence", "on-trip"]).optional(),
    },
    known(OPTIONS_RULE),
  ),
);

const TAGS_RULE = "Must be a list of 1 to 100 tags.";
const remote = z
  .object({
    type: oneOf(REMOTE_TYPES),
    trackingOptions,
    geofenceTags: z
      .array(text(), { error: TAGS_RULE })
      .min(1, { error: TAGS_RULE })
      .max(100, { error: TAGS_RULE })
      .optional(),
  })
  .refine(({ type, geofenceTags }) => (type === "inGeofence") === (geofenceTags !== undefined), {
    path: ["geofenceTags"],
    error: "Required for type inGeofence, and only there.",
  });
const REMOTE_RULE = "Must be a list of up to 20 remote tracking options, at most one each of default and onTrip.";
const remotes = z
  .array(remote, { error: REMOTE_RULE })
  .max(20, { error: REMOTE_RULE })
  .refine(
    (all) => (["default", "onTrip"] as const).every((type) => all.filter((one) => one.type === type).length <= 1),
    { error: REMOTE_RULE },
  );

export const sdkBody = json(
  z.strictObject(
    {
      logLevel: oneOf(LOG_LEVELS).optional(),
      ...fieldsOf(FLAGS, () => flag().nullable().optional()),
      defaultGeofenceDwellThreshold: number({ min: 0, max: MAX_DWELL_MINUTES }).nullable().optional(),
      remoteTrackingOptions: remotes.nullable().optional(),
    },
    known("Must be an object."),
  ),
)
  .optional()
  .meta({
    description:
      "returned by GET /v1/config. `remoteTrackingOptions`: [{type: default | inGeofence | onTrip, trackingOptions, geofenceTags?}], where trackingOptions is a preset (responsive, efficient, continuous) or an object of options, optionally with `preset`. null removes a value",
  });

const optionsShape = z
  .object({
    ...fieldsOf(OPTION_NUMBERS, () => z.number().optional()),
    ...fieldsOf(OPTION_FLAGS, () => z.boolean().optional()),
    ...fieldsOf(Object.keys(OPTION_CHOICES), () => z.string().optional()),
    startTrackingAfter: z.string().optional(),
    stopTrackingAfter: z.string().optional(),
    type: z.string().optional().meta({ description: "default, in-geofence or on-trip" }),
  })
  .meta({ description: "RadarTrackingOptions" });
export const trackingOptionsShape = optionsShape;

const base = {
  logLevel: z.string(),
  startTrackingOnInitialize: z.boolean(),
  trackOnceOnAppOpen: z.boolean(),
  ...fieldsOf(FLAGS.slice(2), () => z.boolean().optional()),
  defaultGeofenceDwellThreshold: z.number().optional().meta({ description: "minutes" }),
};
const remoteOf = (options: z.ZodType) =>
  z
    .array(
      z.object({ type: z.enum(REMOTE_TYPES), trackingOptions: options, geofenceTags: z.array(z.string()).optional() }),
    )
    .optional();

/** As the SDKs read it. */
export const sdkShape = z.object({ ...base, remoteTrackingOptions: remoteOf(optionsShape) });
/** As it is set. */
export const sdkSettingsShape = z.object({
  ...base,
  remoteTrackingOptions: remoteOf(optionsShape.extend({ preset: z.enum(PRESETS).optional() })),
});

type Sdk = NonNullable<ProjectSettings["sdk"]>;

/** The stored settings with a change; null removes a value. */
export function patchSdk(before: Sdk | undefined, change: Record<string, unknown> | undefined): Sdk | undefined {
  if (!change) return before;
  const merged = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null);
  return Object.fromEntries(merged) as Sdk;
}

export function wireSdkSettings(sdk: Sdk | undefined) {
  const usual = { logLevel: "info", startTrackingOnInitialize: false, trackOnceOnAppOpen: false };
  return { ...usual, ...sdk } as z.input<typeof sdkSettingsShape>;
}

/**
 * The settings as an SDK reads them, with complete tracking options.
 * @param device "iOS" or "Android"
 * @param campaigns the scope has campaigns: iOS then reports the notifications that it has shown
 */
export function sdkConfiguration(
  sdk: Sdk | undefined,
  device: string | undefined,
  campaigns: boolean,
): z.input<typeof sdkShape> {
  const { remoteTrackingOptions, ...rest } = wireSdkSettings(sdk) as Sdk;
  return {
    ...(campaigns && { useNotificationDiff: true }),
    ...rest,
    ...(remoteTrackingOptions && {
      remoteTrackingOptions: remoteTrackingOptions.map((one) => ({
        ...one,
        trackingOptions: remoteOptions(one, device),
      })),
    }),
  } as z.input<typeof sdkShape>;
}
