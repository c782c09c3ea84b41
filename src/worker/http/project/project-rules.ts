import { z } from "zod";
import { isReferrerPattern } from "../../../core/auth/referrer.ts";
import { isTimeZone } from "../../../core/tracking/types/operating-hours.ts";
import type { ProjectSettings } from "../../db/projects/projects.ts";
import { DEFAULT_RETENTION } from "../../db/projects/retention.ts";
import { json, list, number, text } from "../../wire/input/fields.ts";

/** Settings of the whole project: how long data is kept, and from which countries apps may not call. */

const MAX_DAYS = 3650;
const CODES_RULE = "Must be a list of up to 250 country codes of two uppercase letters (ISO 3166-1).";

const MAX_ORIGINS = 100;
const ORIGINS_RULE = `Must be a list of up to ${MAX_ORIGINS} origins, such as "https://example.com".`;

const REFERRERS_RULE = `Must be a list of up to ${MAX_ORIGINS} origins, such as "https://example.com" or "https://*.example.com".`;

const days = (what: string) =>
  number({ min: 1, max: MAX_DAYS, integer: true })
    .optional()
    .meta({ description: `days, ${what}` });

export const projectRulesBody = {
  rateLimits: z
    .never({ error: "Limits are read-only here; the operator sets them (npm run project -- limits)." })
    .optional()
    .meta({ description: "read-only: set by the operator, returned by GET" }),
  retention: json(
    z.object({
      users: days(`since the last update; default ${DEFAULT_RETENTION.users}`),
      events: days(`default ${DEFAULT_RETENTION.events}`),
      trips: days(`default ${DEFAULT_RETENTION.trips}`),
      locations: days(`locations of trips; default ${DEFAULT_RETENTION.locations}`),
      updates: days(`location updates, the newest 32,000 of each user; default ${DEFAULT_RETENTION.updates}`),
    }),
  ).optional(),
  timeZone: text(64)
    .refine(isTimeZone, { error: "Must be an IANA name such as Europe/Berlin." })
    .optional()
    .meta({ description: "IANA name: time zone for the days of GET /v1/stats; default UTC" }),
  blockedCountries: json(
    z
      .array(z.string({ error: CODES_RULE }).regex(/^[A-Z]{2}$/, { error: CODES_RULE }), { error: CODES_RULE })
      .max(250, { error: CODES_RULE }),
  )
    .optional()
    .meta({ description: "calls with a publishable key from these countries return 451" }),
  verified: json(
    z.object({
      borderBuffer: number({ min: 0, max: 100_000 }).optional().meta({
        description: "meters: an update closer to the border of its country or state fails; default 0: never",
      }),
      exclusionTags: list()
        .or(z.array(z.string()).length(0))
        .optional()
        .meta({ description: "tags of geofences in which an update fails" }),
    }),
  )
    .optional()
    .meta({ description: "rules of verified tracking" }),
  allowedOrigins: json(
    z
      .array(z.string({ error: ORIGINS_RULE }).refine(isOrigin, { error: ORIGINS_RULE }), { error: ORIGINS_RULE })
      .max(MAX_ORIGINS, { error: ORIGINS_RULE }),
  )
    .optional()
    .meta({ description: "origins that may call with a publishable key; empty: all" }),
  allowedReferrers: json(
    z
      .array(z.string({ error: REFERRERS_RULE }).refine(isReferrerPattern, { error: REFERRERS_RULE }), {
        error: REFERRERS_RULE,
      })
      .max(MAX_ORIGINS, { error: REFERRERS_RULE }),
  )
    .optional()
    .meta({ description: "origins that may load /maps with a publishable key; empty: all" }),
};

/** As in the Origin header: scheme, host and port, without a path. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
}

export const projectRulesShape = {
  allowedOrigins: z.array(z.string()).meta({ description: "none: every origin may call" }),
  allowedReferrers: z.array(z.string()).meta({ description: "none: every origin may load maps" }),
  retention: z.object({
    users: z.number().meta({ description: "days" }),
    events: z.number().meta({ description: "days" }),
    trips: z.number().meta({ description: "days" }),
    locations: z.number().meta({ description: "days" }),
    updates: z.number().meta({ description: "days" }),
  }),
  timeZone: z.string(),
  blockedCountries: z.array(z.string()),
  verified: z.object({ borderBuffer: z.number(), exclusionTags: z.array(z.string()) }),
  rateLimits: z.record(z.string(), z.number()).meta({
    description:
      "calls per second of endpoints that differ from the limits in this document, and `computing`, milliseconds per second of publishable keys and sessions; the operator sets them",
  }),
};

interface RulesPatch {
  retention?: Partial<ProjectSettings["retention"]>;
  timeZone?: string;
  blockedCountries?: string[];
  verified?: ProjectSettings["verified"];
  allowedOrigins?: string[];
  allowedReferrers?: string[];
}

/** The settings with the changes of the patch. */
export function patchProjectRules(
  settings: ProjectSettings,
  { retention, timeZone, blockedCountries, verified, allowedOrigins, allowedReferrers }: RulesPatch,
) {
  return {
    retention: retention ? { ...settings.retention, ...retention } : settings.retention,
    timeZone: timeZone ?? settings.timeZone,
    blockedCountries: blockedCountries ? [...new Set(blockedCountries)].sort() : settings.blockedCountries,
    verified: verified ? { ...settings.verified, ...verified } : settings.verified,
    allowedOrigins: allowedOrigins ? [...new Set(allowedOrigins)] : settings.allowedOrigins,
    allowedReferrers: allowedReferrers ? [...new Set(allowedReferrers)] : settings.allowedReferrers,
  };
}

export function wireProjectRules({
  retention,
  timeZone,
  blockedCountries,
  verified,
  allowedOrigins,
  allowedReferrers,
  rateLimits,
}: ProjectSettings) {
  return {
    allowedOrigins: allowedOrigins ?? [],
    allowedReferrers: allowedReferrers ?? [],
    retention: { ...DEFAULT_RETENTION, ...retention },
    timeZone: timeZone ?? "UTC",
    blockedCountries: blockedCountries ?? [],
    verified: { borderBuffer: 0, exclusionTags: [], ...verified },
    rateLimits: rateLimits ?? {},
  };
}
