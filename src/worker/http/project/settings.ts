import { z } from "zod";
import { NO_PLACE_SETTINGS, patchSettings } from "../../../core/places/settings.ts";
import { DEFAULT_SPEED_SECONDS, DEFAULT_TOLERANCE } from "../../../core/tracking/driving.ts";
import { EVENT_TYPES } from "../../../core/tracking/types/event.ts";
import { DEFAULT_SETTINGS } from "../../../core/tracking/types/settings.ts";
import { commonDatabase } from "../../db/databases.ts";
import { findSettings, saveSettings } from "../../db/projects/projects.ts";
import { invalid } from "../../platform/errors.ts";
import { flag, json, number, text } from "../../wire/input/fields.ts";
import { forgetProject } from "../serve/callers/caller.ts";
import type { Caller } from "../serve/callers/identity.ts";
import { endpoint } from "../serve/endpoint.ts";
import { geocodingBody, geocodingShape, patchGeocoding, wireGeocoding } from "./geocoding-settings.ts";
import { learningBody, learningShape, stopLearning, wireLearning } from "./learning-settings.ts";
import { patchProjectRules, projectRulesBody, projectRulesShape, wireProjectRules } from "./project-rules.ts";
import { patchSdk, sdkBody, sdkSettingsShape, wireSdkSettings } from "./sdk-settings.ts";
import { patchTokens, tokensBody, tokensShape, wireTokens } from "./token-settings.ts";

const scalar = z.union([
  z.string().max(4096, { error: "Strings may have up to 4096 characters." }),
  z.number(),
  z.boolean(),
]);
const slug = text(128);
const SLUGS_RULE = "Must be a list of up to 1000 slugs.";
const slugs = z.array(slug, { error: SLUGS_RULE }).max(1000, { error: SLUGS_RULE });

const IDENTIFIERS_RULE = "Must be a list of up to 100 identifiers.";
const identifiers = z.array(text(64), { error: IDENTIFIERS_RULE }).max(100, { error: IDENTIFIERS_RULE });
const TYPES_RULE = 'Must be a list of event kinds, or "all".';

const regionsShape = z.object({ country: z.boolean(), state: z.boolean(), dma: z.boolean(), postalCode: z.boolean() });

const settingsShape = z.object({
  ...projectRulesShape,
  chainMappings: z.record(z.string(), z.string()),
  chainMetadata: z.record(z.string(), z.record(z.string(), scalar)),
  placeFilters: z.object({ chain: z.array(z.string()), category: z.array(z.string()) }),
  nearbyChains: z.array(z.string()),
  geocoding: geocodingShape,
  tracking: z.object({
    bufferedEntries: z.boolean(),
    stopDetection: z.boolean(),
    dwellThreshold: z.number().meta({ description: "minutes; 0 = off" }),
    accuracyLimit: z.number().meta({ description: "meters" }),
    acceptZeros: z.boolean().meta({
      description:
        "positions at exactly 0, 0, and accuracies of 0 from other apps, are stored; otherwise they are ignored, because apps send them without a position",
    }),
    exitDelay: z.number().meta({
      description:
        "seconds; a geofence is exited by the first update outside that is at least this much later than the first outside; one inside before that cancels the exit. 0 = by the first",
    }),
    regions: regionsShape,
    places: z.boolean(),
    beacons: z.boolean(),
    insights: z.boolean().meta({ description: "learn stays, home and work of users" }),
    speedLimits: z.boolean().meta({ description: "compare speeds with the limits of imported roads" }),
    speedTolerance: z.number().meta({ description: "km/h above the limit that are tolerated" }),
    speedTolerancePercent: z
      .number()
      .meta({ description: "the same in percent of the limit; the larger of both counts" }),
    speedSeconds: z.number().meta({ description: "seconds that an excess lasts at least" }),
    routeTolerance: z
      .number()
      .meta({ description: "meters from the planned route of a trip that are tolerated; 0 = routes are not watched" }),
    idling: z.number().meta({ description: "minutes at one place after which a user idles; 0 = off" }),
    idlingExemptTags: z.array(z.string()).meta({ description: "tags of geofences in which a user does not idle" }),
    fraud: z.boolean(),
    fraudAccuracy: z
      .number()
      .meta({ description: "meters: a fix with a larger accuracy value fails the check `inaccurate`" }),
  }),
  beacons: z.object({ uuids: z.array(z.string()), uids: z.array(z.string()) }).meta({
    description: "if any are set, devices range only these beacons, wherever they are",
  }),
  tokens: tokensShape,
  sdk: sdkSettingsShape,
  learning: learningShape,
  returnedEventTypes: z.array(z.string()).optional().meta({
    description:
      "event types in the track response; absent: all. Other events are still generated, stored and delivered",
  }),
});

/** null removes an entry, an absent section stays as it is (JSON Merge Patch, RFC 7396). */
const settingsBody = z.object({
  ...projectRulesBody,
  chainMappings: json(z.record(slug, text().nullable())).optional(),
  chainMetadata: json(z.record(slug, z.record(text(), scalar.nullable()).nullable())).optional(),
  placeFilters: json(
    z.object({ chain: slugs.nullable().optional(), category: slugs.nullable().optional() }),
  ).optional(),
  nearbyChains: json(slugs).optional(),
  geocoding: geocodingBody,
  tracking: json(
    z.object({
      bufferedEntries: flag().optional(),
      stopDetection: flag().optional(),
      dwellThreshold: number({ min: 0, max: 10_080 }).optional(),
      accuracyLimit: number({ min: 1, max: 100_000 }).optional(),
      acceptZeros: flag().optional(),
      exitDelay: number({ min: 0, max: 3600 }).optional(),
      regions: z
        .object({
          country: flag().optional(),
          state: flag().optional(),
          dma: flag().optional(),
          postalCode: flag().optional(),
        })
        .optional(),
      places: flag().optional(),
      beacons: flag().optional(),
      insights: flag().optional(),
      speedLimits: flag().optional(),
      speedTolerance: number({ min: 0, max: 100 }).optional(),
      speedTolerancePercent: number({ min: 0, max: 100 }).optional(),
      speedSeconds: number({ min: 5, max: 600 }).optional(),
      routeTolerance: number({ min: 0, max: 10_000 }).optional(),
      idling: number({ min: 0, max: 1440 }).optional(),
      idlingExemptTags: identifiers.optional(),
      fraud: flag().optional(),
      fraudAccuracy: number({ min: 1, max: 100_000 }).optional(),
    }),
  ).optional(),
  beacons: json(
    z.object({ uuids: identifiers.nullable().optional(), uids: identifiers.nullable().optional() }),
  ).optional(),
  tokens: tokensBody,
  sdk: sdkBody,
  learning: learningBody,
  returnedEventTypes: json(
    z.union([z.literal("all"), z.array(z.string(), { error: TYPES_RULE })], { error: TYPES_RULE }),
  )
    .optional()
    .meta({ description: 'a list of event kinds, or "all"' }),
});

const chapter = "Settings";

export const getSettings = endpoint({
  name: "getSettings",
  method: "GET",
  path: "/v1/settings",
  level: "secret",
  chapter,
  summary: "Returns the project's settings, which apply to test and live.",
  response: settingsShape,
  async handle({ caller, env }) {
    return wireSettings((await findSettings(commonDatabase(env), caller.project)) ?? {});
  },
});

export const patchProjectSettings = endpoint({
  name: "patchSettings",
  method: "PATCH",
  path: "/v1/settings",
  level: "secret",
  role: "admin",
  chapter,
  summary: "Updates the project's settings. Takes effect within ten seconds.",
  body: settingsBody,
  response: settingsShape,
  async handle({ body, caller, env, now }) {
    const settings = (await findSettings(commonDatabase(env), caller.project)) ?? {};
    const {
      tracking,
      nearbyChains,
      geocoding,
      beacons,
      returnedEventTypes,
      retention,
      timeZone,
      blockedCountries,
      verified,
      allowedOrigins,
      allowedReferrers,
      tokens,
      sdk,
      learning,
      rateLimits: _,
      ...places
    } = body;
    const unknown = Array.isArray(returnedEventTypes) && returnedEventTypes.find((type) => !isEventType(type));
    if (typeof unknown === "string")
      throw invalid("returnedEventTypes", `Unknown event type "${unknown.slice(0, 64)}".`);
    const next = {
      ...settings,
      ...patchProjectRules(settings, {
        retention,
        timeZone,
        blockedCountries,
        verified,
        allowedOrigins,
        allowedReferrers,
      }),
      tokens: await patchTokens(settings.tokens, tokens, now),
      sdk: patchSdk(settings.sdk, sdk),
      learning: learning ? { ...settings.learning, ...learning } : settings.learning,
      beacons: beacons ? patchBeacons(settings.beacons, beacons) : settings.beacons,
      returnedEventTypes:
        returnedEventTypes === "all" ? undefined : (returnedEventTypes ?? settings.returnedEventTypes),
      places: patchSettings(settings.places ?? NO_PLACE_SETTINGS, places),
      nearbyChains: nearbyChains ?? settings.nearbyChains,
      geocoding: patchGeocoding(settings.geocoding, geocoding),
      tracking: tracking
        ? {
            ...settings.tracking,
            ...tracking,
            regions: { ...DEFAULT_SETTINGS.regions, ...settings.tracking?.regions, ...tracking.regions },
          }
        : settings.tracking,
    };
    await saveSettings(commonDatabase(env), caller.project, next);
    if (settings.learning?.enabled && !next.learning?.enabled) await stopLearning(env, caller.project);
    forgetProject(caller.project);
    return wireSettings(next);
  },
});

function isEventType(type: string): boolean {
  return (EVENT_TYPES as readonly string[]).includes(type);
}

/** null removes a list; identifiers are compared in lowercase. */
function patchBeacons(
  before: Caller["settings"]["beacons"],
  { uuids, uids }: { uuids?: string[] | null; uids?: string[] | null },
) {
  const lower = (list: string[] | null) => list?.map((one) => one.toLowerCase());
  return {
    uuids: uuids === undefined ? before?.uuids : lower(uuids),
    uids: uids === undefined ? before?.uids : lower(uids),
  };
}

function wireSettings(settings: Caller["settings"]): z.input<typeof settingsShape> {
  const {
    bufferedEntries,
    stopDetection,
    dwellThreshold,
    accuracyLimit,
    acceptZeros = false,
    exitDelay = 0,
    regions,
    places,
    beacons,
    insights = false,
    speedLimits = false,
    speedTolerance = DEFAULT_TOLERANCE,
    speedTolerancePercent = DEFAULT_TOLERANCE,
    speedSeconds = DEFAULT_SPEED_SECONDS,
    routeTolerance = 0,
    idling = 0,
    idlingExemptTags = [],
    fraud,
    fraudAccuracy,
  } = { ...DEFAULT_SETTINGS, ...settings.tracking };
  return {
    ...wireProjectRules(settings),
    ...(settings.places ?? NO_PLACE_SETTINGS),
    nearbyChains: settings.nearbyChains ?? [],
    geocoding: wireGeocoding(settings.geocoding),
    tracking: {
      bufferedEntries,
      stopDetection,
      dwellThreshold,
      accuracyLimit,
      acceptZeros,
      exitDelay,
      regions: { ...DEFAULT_SETTINGS.regions, ...regions },
      places,
      beacons,
      insights,
      ...{ speedLimits, speedTolerance, speedTolerancePercent, speedSeconds },
      ...{ routeTolerance, idling, idlingExemptTags: [...idlingExemptTags] },
      fraud,
      fraudAccuracy,
    },
    beacons: { uuids: settings.beacons?.uuids ?? [], uids: settings.beacons?.uids ?? [] },
    tokens: wireTokens(settings.tokens),
    sdk: wireSdkSettings(settings.sdk),
    learning: wireLearning(settings.learning),
    returnedEventTypes: settings.returnedEventTypes,
  };
}
