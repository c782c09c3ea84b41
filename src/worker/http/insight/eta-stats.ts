import { z } from "zod";
import { MODES } from "../../../core/routing/graph/modes.ts";
import { type BuildSummary, parseSummary } from "../../../core/routing/learn/build-summary.ts";
import {
  type EtaReport,
  emptyReport,
  hasGrown,
  MIN_TRIPS_FOR_TREND,
  parseReport,
  summaryOf,
} from "../../../core/routing/learn/eta-report.ts";
import { reportKey, SUMMARIES_PREFIX } from "../../../core/routing/learn/keys.ts";
import { DEFAULT_LEARNING } from "../../db/projects/learning.ts";
import type { Env } from "../../platform/env.ts";
import { projectBucket } from "../../platform/residence.ts";
import { flag } from "../../wire/input/fields.ts";
import { endpoint } from "../serve/endpoint.ts";

const MAX_BUILDS = 100;

const errorsShape = z.object({
  medianPercent: z.number().meta({ description: "median absolute error, percent of the duration" }),
  medianMinutes: z.number().meta({ description: "median absolute error, minutes" }),
  biasPercent: z.number().meta({ description: "mean error, percent; positive: predicted too long" }),
  within2Minutes: z.number().meta({ description: "percent of the trips" }),
  within10Percent: z.number().meta({ description: "percent of the trips" }),
  biasByHour: z
    .array(z.number().nullable())
    .meta({ description: "by local hour of the start, 24 values; null: no trips" }),
});

const lineShape = z.object({ type: z.literal("LineString"), coordinates: z.array(z.tuple([z.number(), z.number()])) });

const featuresShape = z.object({
  type: z.literal("FeatureCollection"),
  features: z.array(
    z.object({
      type: z.literal("Feature"),
      properties: z.object({ ratio: z.number().optional(), quiet: z.literal(true).optional() }),
      geometry: lineShape,
    }),
  ),
});

export const getEtaStats = endpoint({
  name: "getEtaStats",
  method: "GET",
  path: "/v1/stats/eta",
  level: "secret",
  chapter: "Stats",
  summary:
    "Returns how well arrival times are predicted, by month, before and after learning from the project's devices.",
  description: `Compares the drives of live devices with predictions at their start: by the map's speeds alone (\`profile\`), and by the speeds that were live then (\`learned\`). A drive is compared before it is learned from. Drives under 3 minutes or 1 km, and those that took another way, are not compared. Months with fewer than ${MIN_TRIPS_FOR_TREND} trips are marked \`tooFew\`. Requires the setting \`learning.enabled\`.`,
  query: z.object({
    roads: flag().default(false).meta({
      description:
        "include the busiest learned roads, with their speed as a share of the map's, and roads without traffic for a week",
    }),
  }),
  response: z.object({
    eta: z.object({
      enabled: z.boolean(),
      months: z.array(
        z.object({
          month: z.string().meta({ example: "2026-11" }),
          mode: z.string(),
          trips: z.number(),
          tooFew: z.boolean().meta({ description: "too few trips for conclusions" }),
          profile: errorsShape,
          learned: errorsShape,
        }),
      ),
      growing: z
        .array(z.object({ mode: z.string(), beforePercent: z.number(), nowPercent: z.number() }))
        .meta({ description: "modes whose median error is clearly larger than in the month before" }),
      builds: z.array(
        z.object({
          name: z.string(),
          learnedAt: z.string().meta({ format: "date-time" }),
          segments: z.number().meta({ description: "directed road segments with a learned speed" }),
          traversals: z.number().meta({ description: "older ones count less" }),
          weeks: z.number(),
          minimumDevices: z.number(),
          windows: z.number().meta({ description: "windows of the week with their own speeds" }),
          quietRoads: z
            .number()
            .meta({ description: "segments without traffic last week, with much before: perhaps closed" }),
          signalSeconds: z
            .number()
            .optional()
            .meta({ description: "mean time standing before traffic lights; absent: too little data" }),
          junctionSeconds: z.number().optional().meta({ description: "the same before other junctions" }),
          classes: z
            .record(z.string(), z.number())
            .meta({ description: "mean speed as a share of the map's, by class of road" }),
        }),
      ),
      roads: featuresShape.optional().meta({ description: "`ratio`: learned speed / the map's speed" }),
    }),
  }),
  async handle({ caller, env, query }) {
    const [report, builds] = await Promise.all([reportOf(env, caller.scope), summariesOf(env)]);
    const months = Object.keys(report.months)
      .sort()
      .reverse()
      .flatMap((month) =>
        Object.entries(report.months[month]).map(([mode, { trips, profile, learned }]) => ({
          ...{ month, mode, trips, tooFew: trips < MIN_TRIPS_FOR_TREND },
          profile: summaryOf(profile, trips),
          learned: summaryOf(learned, trips),
        })),
      );
    return {
      eta: {
        enabled: caller.settings.learning?.enabled ?? DEFAULT_LEARNING.enabled,
        months,
        growing: growingOf(report),
        builds: builds.map(wireBuild),
        ...(query.roads && { roads: roadsOf(builds) }),
      },
    };
  },
});

async function reportOf(env: Env, scope: number) {
  const stored = await projectBucket(env).get(reportKey(scope));
  return stored ? parseReport(await stored.text()) : emptyReport();
}

function growingOf(report: EtaReport) {
  const rounded = (percent: number) => Math.round(percent * 10) / 10;
  return MODES.flatMap((mode) => {
    const grown = hasGrown(report, mode);
    return grown ? [{ mode, beforePercent: rounded(grown.before), nowPercent: rounded(grown.now) }] : [];
  });
}

/** What was learned for the builds of the deployment, which all projects share. */
async function summariesOf({ GEODATA }: Env): Promise<BuildSummary[]> {
  const { objects } = await GEODATA.list({ prefix: SUMMARIES_PREFIX, limit: MAX_BUILDS });
  const texts = await Promise.all(objects.map(async ({ key }) => (await GEODATA.get(key))?.text()));
  return texts.flatMap((text) => (text && parseSummary(text)) || []);
}

function wireBuild({
  name,
  at,
  edges,
  traversals,
  weeks,
  minimumDevices,
  windows,
  classes,
  quiet,
  delays,
}: BuildSummary) {
  return {
    ...{ name, learnedAt: new Date(at).toISOString(), segments: edges, traversals, weeks, minimumDevices },
    ...{ windows: windows.length, quietRoads: quiet.length, classes },
    ...(delays.signals !== undefined && { signalSeconds: delays.signals }),
    ...(delays.others !== undefined && { junctionSeconds: delays.others }),
  };
}

function roadsOf(builds: readonly BuildSummary[]): z.input<typeof featuresShape> {
  const feature = (line: BuildSummary["quiet"][number], properties: { ratio?: number; quiet?: true }) => ({
    type: "Feature" as const,
    properties,
    geometry: {
      type: "LineString" as const,
      coordinates: line.map(({ latitude, longitude }): [number, number] => [longitude, latitude]),
    },
  });
  return {
    type: "FeatureCollection",
    features: builds.flatMap(({ roads, quiet }) => [
      ...roads.map(({ line, ratio }) => feature(line, { ratio })),
      ...quiet.map((line) => feature(line, { quiet: true })),
    ]),
  };
}
