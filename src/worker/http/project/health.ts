import { z } from "zod";
import { VERSION } from "../../../core/metrics/version.ts";
import { commonDatabase, FIRST } from "../../db/databases.ts";
import { lastMigration } from "../../db/projects/figures.ts";
import { databasesInUse } from "../../db/projects/projects.ts";
import { SCHEMA } from "../../db/schema-version.ts";
import { openGeodata } from "../../geodata/live.ts";
import { alertWatchOf } from "../../objects/alerts/alert-watch-stub.ts";
import { machineFigures } from "../../objects/machine.ts";
import { lateWrites } from "../../objects/writer/database-writers-stub.ts";
import type { Env } from "../../platform/env.ts";
import { bucketBinding, jurisdictionOf } from "../../platform/jurisdiction.ts";
import { residentEnv } from "../../platform/residence.ts";
import { within } from "../../platform/within.ts";
import { wireDate } from "../../wire/date.ts";
import { endpoint } from "../serve/endpoint.ts";

/** Timeout of a component, after which it is unavailable [ms]. */
const PATIENCE_MS = 2_000;

/** Required and optional bindings of a deployment. */
const NEEDED = [
  ...[
    "ALERT_WATCH",
    "ASSETS",
    "CAMPAIGN_INDEX",
    "DB",
    "DATABASE_WRITER",
    "DEVICE_TRACKER",
    "GEOCODE_JOBS",
    "GEODATA",
    "GEOFENCE_INDEX",
  ],
  ...["LIVE_FEED", "MEETING_CELL", "RATE_LIMITER", "WEBHOOK_SENDER"],
] as const;
const OPTIONAL = ["ANALYTICS", "MACHINE", "METRICS_TOKEN"] as const;

export const health = endpoint({
  name: "health",
  method: "GET",
  path: "/v1/health",
  level: "secret",
  chapter: "Operation",
  summary:
    "Returns the versions of the deployment and the health of its components, for `npm run doctor` and monitors.",
  description:
    "Always 200 for a valid key; a component that does not respond within two seconds is reported as unavailable.",
  response: z.object({
    version: z.string(),
    time: z.string().meta({ description: "by the clock of the deployment" }),
    bindings: z.record(z.string(), z.boolean()),
    schema: z.object({ expected: z.string(), found: z.string().optional() }),
    objects: z.boolean().meta({ description: "whether Durable Objects respond" }),
    geodata: z
      .object({
        builds: z.array(
          z.object({
            name: z.string(),
            id: z.string(),
            layers: z.record(z.string(), z.number()).meta({ description: "layer → version of its format" }),
            center: z.tuple([z.number(), z.number()]).optional().meta({ description: "[longitude, latitude]" }),
          }),
        ),
      })
      .optional()
      .meta({ description: "absent: the bucket does not respond, or its list is damaged" }),
    disk: z.object({ freeBytes: z.number(), sizeBytes: z.number() }).optional(),
    archive: z
      .object({
        lastRoundAt: z.string(),
        failing: z.number().meta({ description: "consecutive scheduled runs with a failure" }),
        events: z.number().optional(),
        bytes: z.number().optional(),
        waitingSince: z
          .string()
          .optional()
          .meta({ description: "time of the oldest event that should have been archived" }),
      })
      .optional()
      .meta({ description: "of events, as of the last scheduled run; absent: no run yet" }),
  }),
  async handle({ env, now }) {
    const [found, late, builds, machine, archive] = await Promise.all([
      within(PATIENCE_MS, lastMigration(env)),
      within(PATIENCE_MS, lateWrites(env)),
      within(PATIENCE_MS, openGeodata(env.GEODATA, { now, waitUntil: undefined })),
      env.MACHINE && within(PATIENCE_MS, machineFigures(env.MACHINE)),
      within(PATIENCE_MS, alertWatchOf(env).archive()),
    ]);
    const used = (await within(PATIENCE_MS, databasesInUse(commonDatabase(env)))) ?? [];
    return {
      version: VERSION,
      time: wireDate(Date.now()),
      bindings: Object.fromEntries(
        [...NEEDED, ...OPTIONAL, ...neededBy(used, env)].map(
          (name) => [name, Reflect.get(env, name) !== undefined] as const,
        ),
      ),
      schema: { expected: SCHEMA, found },
      objects: late !== undefined,
      geodata: builds && {
        builds: builds.builds.map(({ build: { name, id, layers, areas } }) => ({
          name,
          id,
          layers,
          center: centerOf(areas[0]),
        })),
      },
      disk: machine && { freeBytes: machine.diskFreeBytes, sizeBytes: machine.diskSizeBytes },
      archive: archive && {
        lastRoundAt: wireDate(archive.at),
        failing: archive.failing,
        events: archive.figures?.events,
        bytes: archive.figures?.bytes,
        waitingSince: archive.figures?.waiting === undefined ? undefined : wireDate(archive.figures.waiting),
      },
    };
  },
});

/** The center of an area, as a test position. */
function centerOf(
  area: readonly [number, number, number, number] | undefined,
): [longitude: number, latitude: number] | undefined {
  if (!area) return undefined;
  const [west, south, east, north] = area;
  const longitude = (west + east + (east < west ? 360 : 0)) / 2;
  return [longitude > 180 ? longitude - 360 : longitude, (south + north) / 2];
}

/** The bindings that the projects of some databases need, beyond the first database. */
function neededBy(databases: readonly string[], env: Env): string[] {
  const jurisdictions = new Set(databases.flatMap((name) => jurisdictionOf(name) ?? []));
  // On a machine of your own, there is one bucket for all.
  const buckets = [...jurisdictions].filter((one) => residentEnv(env, one).BUCKET !== undefined).map(bucketBinding);
  return [...databases.filter((name) => name !== FIRST), ...buckets];
}
