import { z } from "zod";
import { quantile } from "../../../core/metrics/histogram.ts";
import { type Recent, WINDOW_MS } from "../../../core/metrics/sliding-window.ts";
import { VERSION } from "../../../core/metrics/version.ts";
import { ALERT_TYPES, sentenceOf } from "../../../core/webhooks/alerts.ts";
import { DATABASE_LIMIT_BYTES } from "../../db/projects/storage.ts";
import { cacheFigures } from "../../geodata/cache-figures.ts";
import { cacheBytes } from "../../geodata/isolate-cache.ts";
import { dataTime } from "../../geodata/live.ts";
import { alertWatchOf } from "../../objects/alerts/alert-watch-stub.ts";
import { ApiError } from "../../platform/errors.ts";
import { within } from "../../platform/within.ts";
import { wireDate } from "../../wire/date.ts";
import { deploymentFigures } from "../metrics/deployment.ts";
import { endpoint } from "../serve/endpoint.ts";
import { requestFigures } from "../serve/figures.ts";
import { CHAPTER } from "./shapes.ts";

const seconds = () => z.number().meta({ description: "seconds" });

const recentShape = z.object({
  requests: z.number(),
  rejected: z.number().meta({ description: "responses with status 400 to 499" }),
  errors: z.number().meta({ description: "responses with status 500 and above" }),
  p50: seconds().optional(),
  p95: seconds().optional(),
});

const statusShape = z.object({
  version: z.string(),
  schema: z
    .string()
    .optional()
    .meta({ description: "the last database migration; absent: the database does not respond" }),
  since: z
    .string()
    .optional()
    .meta({ description: "first response of the isolate, to which requests and cache belong" }),
  requests: recentShape.extend({
    perSecond: z.number(),
    endpoints: z.array(recentShape.extend({ endpoint: z.string() })).meta({ description: "most requested first" }),
  }),
  queues: z
    .object({ waiting: z.number(), longest: z.number(), oldest: seconds(), unknown: z.number() })
    .optional()
    .meta({
      description: "messages waiting for webhook receivers, all projects; `unknown`: queues that could not be counted",
    }),
  outbox: z.object({ oldest: seconds(), trackers: z.number() }).optional().meta({
    description:
      "writes that have not reached the database or webhooks yet; `trackers`: those whose last attempt failed",
  }),
  deadLetters: z.number().optional(),
  activeUsers: z.object({ hour: z.number(), day: z.number() }).optional(),
  cache: z.object({
    bytes: z.number(),
    limit: z.number(),
    layers: z.array(z.object({ layer: z.string(), hits: z.number(), misses: z.number() })),
  }),
  geodata: z
    .array(
      z.object({
        name: z.string(),
        id: z.string(),
        liveSince: z.string().optional(),
        dataDate: z.string().optional(),
      }),
    )
    .optional(),
  machine: z
    .object({
      diskFreeBytes: z.number(),
      diskSizeBytes: z.number(),
      memoryBytes: z.number().optional(),
      backup: z
        .object({ at: z.string().optional(), isLate: z.boolean(), isFailing: z.boolean() })
        .optional()
        .meta({ description: "the last backup of this machine" }),
    })
    .optional()
    .meta({ description: "of `npm start`" }),
  storage: z
    .array(
      z.object({
        database: z.string(),
        bytes: z.number(),
        limit: z.number().optional().meta({ description: "bytes that D1 allows; absent with `npm start`" }),
        rows: z
          .object({
            users: z.number().optional(),
            events: z.number().optional(),
            trips: z.number().optional(),
            tripLocations: z.number().optional(),
          })
          .optional()
          .meta({ description: "approximate; counted again when a table has grown tenfold" }),
      }),
    )
    .optional()
    .meta({ description: "databases" }),
  archive: z
    .object({
      at: z.string(),
      failing: z.number(),
      objects: z.number().optional().meta({ description: "files of events in the bucket" }),
      events: z.number().optional(),
      bytes: z.number().optional(),
      oldestHot: z.string().optional().meta({ description: "the oldest event that is still in the database" }),
      waitingSince: z.string().optional().meta({ description: "the oldest event that should have been archived" }),
    })
    .optional()
    .meta({ description: "of events, as of the last scheduled run; absent: no run yet, or unknown" }),
  alerts: z
    .array(
      z.object({
        type: z.enum(ALERT_TYPES),
        subject: z.string().optional(),
        live: z.boolean(),
        project: z.string(),
        since: z.string(),
        message: z.string(),
      }),
    )
    .optional()
    .meta({ description: "alerts that a webhook subscribes to: those in progress" }),
});

export const getStatus = endpoint({
  name: "getStatus",
  method: "GET",
  path: "/dashboard/api/status",
  level: "member",
  role: "admin",
  chapter: CHAPTER,
  summary: "Returns the status of the deployment: requests of the last five minutes, queues, geodata, version.",
  description:
    "Covers all projects, so it requires a session from an operator-issued link (npm run project), not from a link created in the dashboard.",
  response: statusShape,
  async handle({ env, member, now }) {
    if (member && member.reach !== null)
      throw new ApiError(403, "Forbidden. The status covers all projects: sign in with an operator-issued link.");
    const [{ database, queues, storage, late, builds, machine, archive }, alerts] = await Promise.all([
      deploymentFigures(env, now),
      within(1_000, alertWatchOf(env).current()),
    ]);
    const age = (since: number | undefined) => (since === undefined ? 0 : Math.max(0, (now - since) / 1000));
    const { used, limit } = cacheBytes();
    return {
      version: VERSION,
      schema: database?.schema,
      since: requestFigures.since === undefined ? undefined : wireDate(requestFigures.since),
      requests: recentRequests(now),
      queues: queues && {
        waiting: queues.waiting,
        longest: queues.longest,
        unknown: queues.unknown,
        oldest: age(queues.since),
      },
      outbox: late && {
        oldest: Math.max(0, ...late.oldest.map(([, since]) => age(since))),
        trackers: late.trackers,
      },
      deadLetters: database?.deadLetters,
      activeUsers: database && { hour: database.usersThisHour, day: database.usersToday },
      cache: { bytes: used, limit, layers: cacheFigures().map(([layer, figures]) => ({ layer, ...figures })) },
      geodata: builds?.map((build) => {
        const of = dataTime(build);
        return {
          name: build.name,
          id: build.id,
          liveSince: dateOf(build.liveSince),
          dataDate: of === undefined ? undefined : wireDate(of),
        };
      }),
      machine: machine && wireMachine(machine),
      storage: storage?.map((one) => ({ ...one, ...(!machine && { limit: DATABASE_LIMIT_BYTES }) })),
      archive: archive && wireArchive(archive),
      alerts: alerts?.map((alert) => ({
        type: alert.type,
        subject: alert.subject,
        live: alert.scope % 2 === 1,
        project: String(Math.floor(alert.scope / 2)),
        since: wireDate(alert.since),
        message: sentenceOf(alert),
      })),
    };
  },
});

type Figures = Awaited<ReturnType<typeof deploymentFigures>>;

function wireMachine(machine: NonNullable<Figures["machine"]>): z.input<typeof statusShape>["machine"] {
  const { diskFreeBytes, diskSizeBytes, memoryBytes, backup } = machine;
  const shown = backup && { at: dated(backup.at), isLate: backup.isLate === true, isFailing: backup.isFailing };
  return { diskFreeBytes, diskSizeBytes, memoryBytes, backup: shown };
}

const wireArchive = (archive: NonNullable<Figures["archive"]>): z.input<typeof statusShape>["archive"] => ({
  at: wireDate(archive.at),
  failing: archive.failing,
  objects: archive.figures?.parts,
  events: archive.figures?.events,
  bytes: archive.figures?.bytes,
  oldestHot: dated(archive.figures?.oldestHot),
  waitingSince: dated(archive.figures?.waiting),
});

/** The last five minutes: the total, and each endpoint. */
function recentRequests(now: number) {
  const used = requestFigures.used().flatMap(([endpoint, figures]) => {
    const recent = figures.recent(now);
    return recent && recent.requests > 0 ? { endpoint, recent } : [];
  });
  const all = used.reduce<Recent>(
    (sum, { recent: { requests, rejected, errors, counts } }) => ({
      requests: sum.requests + requests,
      rejected: sum.rejected + rejected,
      errors: sum.errors + errors,
      counts: counts.map((count, i) => count + (sum.counts[i] ?? 0)),
    }),
    { requests: 0, rejected: 0, errors: 0, counts: [] },
  );
  const span = Math.min(WINDOW_MS, Math.max(1_000, now - (requestFigures.since ?? now)));
  return {
    ...wireRecent(all),
    perSecond: Math.round((all.requests * 1e5) / span) / 100,
    endpoints: used
      .map(({ endpoint, recent }) => ({ endpoint, ...wireRecent(recent) }))
      .sort((a, b) => b.requests - a.requests),
  };
}

function wireRecent({ requests, rejected, errors, counts }: Recent): z.input<typeof recentShape> {
  return { requests, rejected, errors, p50: rounded(quantile(counts, 0.5)), p95: rounded(quantile(counts, 0.95)) };
}

/** To a tenth of a millisecond [s]. */
const rounded = (value: number | undefined) => (value === undefined ? undefined : Math.round(value * 1e4) / 1e4);

const dated = (time: number | undefined) => (time === undefined ? undefined : wireDate(time));

function dateOf(text: string | undefined): string | undefined {
  const time = Date.parse(text ?? "");
  return Number.isFinite(time) ? wireDate(time) : undefined;
}
