import { z } from "zod";
import { findSettings, saveSettings } from "../db/projects.ts";
import { NO_PLACE_SETTINGS, patchSettings } from "../places/settings.ts";
import { DEFAULT_SETTINGS } from "../tracking/types.ts";
import { type Caller, forgetProject } from "./caller.ts";
import { endpoint } from "./endpoint.ts";
import { flag, json, number, text } from "./fields.ts";
import { patchProjectRules, projectRulesBody, projectRulesShape, wireProjectRules } from "./project-rules.ts";

const scalar = z.union([
  z.string().max(4096, { error: "Texts may have up to 4096 characters." }),
  z.number(),
  z.boolean(),
]);
const slug = text(128);
const SLUGS_RULE = "Must be a list of up to 1000 slugs.";
const slugs = z.array(slug, { error: SLUGS_RULE }).max(1000, { error: SLUGS_RULE });

const regionsShape = z.object({ country: z.boolean(), state: z.boolean(), dma: z.boolean(), postalCode: z.boolean() });

const settingsShape = z.object({
  ...projectRulesShape,
  chainMappings: z.record(z.string(), z.string()),
  chainMetadata: z.record(z.string(), z.record(z.string(), scalar)),
  placeFilters: z.object({ chain: z.array(z.string()), category: z.array(z.string()) }),
  nearbyChains: z.array(z.string()),
  tracking: z.object({
    bufferedEntries: z.boolean(),
    stopDetection: z.boolean(),
    dwellThreshold: z.number().meta({ description: "minutes; 0 = off" }),
    accuracyLimit: z.number().meta({ description: "metres" }),
    regions: regionsShape,
    places: z.boolean(),
  }),
});

/** null takes an entry away, an absent section stays (JSON Merge Patch, RFC 7396). */
const settingsBody = z.object({
  ...projectRulesBody,
  chainMappings: json(z.record(slug, text().nullable())).optional(),
  chainMetadata: json(z.record(slug, z.record(text(), scalar.nullable()).nullable())).optional(),
  placeFilters: json(
    z.object({ chain: slugs.nullable().optional(), category: slugs.nullable().optional() }),
  ).optional(),
  nearbyChains: json(slugs).optional(),
  tracking: json(
    z.object({
      bufferedEntries: flag().optional(),
      stopDetection: flag().optional(),
      dwellThreshold: number({ min: 0, max: 10_080 }).optional(),
      accuracyLimit: number({ min: 1, max: 100_000 }).optional(),
      regions: z
        .object({
          country: flag().optional(),
          state: flag().optional(),
          dma: flag().optional(),
          postalCode: flag().optional(),
        })
        .optional(),
      places: flag().optional(),
    }),
  ).optional(),
});

const chapter = "Settings";

export const getSettings = endpoint({
  name: "getSettings",
  method: "GET",
  path: "/v1/settings",
  level: "secret",
  chapter,
  summary: "The project's settings, for test and live alike.",
  response: settingsShape,
  async handle({ caller, env }) {
    return wireSettings((await findSettings(env.DB, caller.project)) ?? {});
  },
});

export const patchProjectSettings = endpoint({
  name: "patchSettings",
  method: "PATCH",
  path: "/v1/settings",
  level: "secret",
  chapter,
  summary: "Changes some of the project's settings; counts everywhere within ten seconds.",
  body: settingsBody,
  response: settingsShape,
  async handle({ body, caller, env }) {
    const settings = (await findSettings(env.DB, caller.project)) ?? {};
    const { tracking, nearbyChains, retention, blockedCountries, ...places } = body;
    const next = {
      ...settings,
      ...patchProjectRules(settings, { retention, blockedCountries }),
      places: patchSettings(settings.places ?? NO_PLACE_SETTINGS, places),
      nearbyChains: nearbyChains ?? settings.nearbyChains,
      tracking: tracking
        ? {
            ...settings.tracking,
            ...tracking,
            regions: { ...DEFAULT_SETTINGS.regions, ...settings.tracking?.regions, ...tracking.regions },
          }
        : settings.tracking,
    };
    await saveSettings(env.DB, caller.project, next);
    forgetProject(caller.project);
    return wireSettings(next);
  },
});

function wireSettings(settings: Caller["settings"]): z.input<typeof settingsShape> {
  const { bufferedEntries, stopDetection, dwellThreshold, accuracyLimit, regions, places } = {
    ...DEFAULT_SETTINGS,
    ...settings.tracking,
  };
  return {
    ...wireProjectRules(settings),
    ...(settings.places ?? NO_PLACE_SETTINGS),
    nearbyChains: settings.nearbyChains ?? [],
    tracking: {
      bufferedEntries,
      stopDetection,
      dwellThreshold,
      accuracyLimit,
      regions: { ...DEFAULT_SETTINGS.regions, ...regions },
      places,
    },
  };
}
