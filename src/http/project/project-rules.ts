import { z } from "zod";
import type { ProjectSettings } from "../../db/projects.ts";
import { DEFAULT_RETENTION } from "../../db/retention.ts";
import { json, number } from "../serve/fields.ts";

/** Settings of the whole project: how long data is kept, and from which countries apps may not call. */

const LONGEST_DAYS = 3650;
const CODES_RULE = "Must be a list of up to 250 country codes of two capital letters (ISO 3166-1).";

const days = (what: string) =>
  number({ min: 1, max: LONGEST_DAYS, integer: true })
    .optional()
    .meta({ description: `days, ${what}` });

export const projectRulesBody = {
  rateLimits: z
    .never({ error: "Limits are the operator's to set (npm run project -- limits); here they are shown only." })
    .optional()
    .meta({ description: "refused: the operator's to set; shown by GET" }),
  retention: json(
    z.object({
      users: days(`since the last update; default ${DEFAULT_RETENTION.users}`),
      events: days(`default ${DEFAULT_RETENTION.events}`),
      trips: days(`default ${DEFAULT_RETENTION.trips}`),
      locations: days(`where trips went; default ${DEFAULT_RETENTION.locations}`),
      updates: days(`what devices sent, the newest 32,000 of each user; default ${DEFAULT_RETENTION.updates}`),
    }),
  ).optional(),
  blockedCountries: json(
    z
      .array(z.string({ error: CODES_RULE }).regex(/^[A-Z]{2}$/, { error: CODES_RULE }), { error: CODES_RULE })
      .max(250, { error: CODES_RULE }),
  )
    .optional()
    .meta({ description: "calls with a publishable key from these countries answer 451" }),
};

export const projectRulesShape = {
  retention: z.object({
    users: z.number().meta({ description: "days" }),
    events: z.number().meta({ description: "days" }),
    trips: z.number().meta({ description: "days" }),
    locations: z.number().meta({ description: "days" }),
    updates: z.number().meta({ description: "days" }),
  }),
  blockedCountries: z.array(z.string()),
  rateLimits: z.record(z.string(), z.number()).meta({
    description: "calls per second of endpoints that differ from the limits in this document; the operator sets them",
  }),
};

interface RulesPatch {
  retention?: Partial<ProjectSettings["retention"]>;
  blockedCountries?: string[];
}

/** The settings with the changes of the patch. */
export function patchProjectRules(settings: ProjectSettings, { retention, blockedCountries }: RulesPatch) {
  return {
    retention: retention ? { ...settings.retention, ...retention } : settings.retention,
    blockedCountries: blockedCountries ? [...new Set(blockedCountries)].sort() : settings.blockedCountries,
  };
}

export function wireProjectRules({ retention, blockedCountries, rateLimits }: ProjectSettings) {
  return {
    retention: { ...DEFAULT_RETENTION, ...retention },
    blockedCountries: blockedCountries ?? [],
    rateLimits: rateLimits ?? {},
  };
}
