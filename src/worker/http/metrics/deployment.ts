import type { LiveBuild } from "../../../core/geo/builds/manifest.ts";
import { envOf } from "../../db/databases.ts";
import { type DatabaseFigures, databaseFigures } from "../../db/projects/figures.ts";
import { type StorageFigures, storageFigures } from "../../db/projects/storage.ts";
import { openGeodata } from "../../geodata/live.ts";
import { alertWatchOf } from "../../objects/alerts/alert-watch-stub.ts";
import type { ArchiveReport } from "../../objects/archive-report.ts";
import { type MachineFigures, machineFigures } from "../../objects/machine.ts";
import { webhookSenderOf } from "../../objects/webhooks/webhook-sender-stub.ts";
import { lateWrites } from "../../objects/writer/database-writers-stub.ts";
import type { LateFigures } from "../../objects/writer/late-writes.ts";
import type { Env } from "../../platform/env.ts";
import { within } from "../../platform/within.ts";

/** Maximum webhooks whose queues are requested: each is a separate object and needs a request. */
const MAX_QUEUES = 200;
/** Cache time of the metrics [ms]: two scrapers cost as much as one. */
const KEPT_MS = 5_000;
/** Timeout of a component, after which it is unknown [ms]. */
const PATIENCE_MS = 3_000;

/** Messages waiting for receivers. */
interface QueueFigures {
  waiting: number;
  /** In the longest queue. */
  longest: number;
  /** When the oldest was queued [ms]. */
  since: number | undefined;
  /** Webhooks that were not queried, or did not respond. */
  unknown: number;
}

/** Metrics of the complete deployment, the same from every isolate. Unknown values are absent. */
export interface DeploymentFigures {
  /** Time of collection [ms]. */
  at: number;
  database?: DatabaseFigures;
  queues?: QueueFigures;
  late?: LateFigures;
  builds?: readonly LiveBuild[];
  machine?: MachineFigures;
  storage?: readonly StorageFigures[];
  /** From the last scheduled run. */
  archive?: ArchiveReport;
}

let kept: DeploymentFigures | undefined;

/** Collects the metrics, or returns those of up to five seconds ago. Never fails: values of a failed component are absent. */
export async function deploymentFigures(env: Env, now: number): Promise<DeploymentFigures> {
  if (kept && Math.abs(now - kept.at) < KEPT_MS) return kept;
  const [data, storage, late, builds, machine, archive] = await Promise.all([
    within(PATIENCE_MS, databaseAndQueues(env, now)),
    within(PATIENCE_MS, storageFigures(env)),
    within(PATIENCE_MS, lateWrites(env)),
    within(PATIENCE_MS, liveBuilds(env, now)),
    env.MACHINE && within(PATIENCE_MS, machineFigures(env.MACHINE)),
    within(PATIENCE_MS, alertWatchOf(env).archive()),
  ]);
  kept = { at: now, ...data, storage, late, builds, machine, archive };
  return kept;
}

async function databaseAndQueues(env: Env, now: number): Promise<Pick<DeploymentFigures, "database" | "queues">> {
  const database = await databaseFigures(env, now, MAX_QUEUES);
  const asked = await Promise.all(
    database.asked.map(async ({ scope, id }) =>
      within(PATIENCE_MS / 3, webhookSenderOf(await envOf(env, scope), scope, id).figures()),
    ),
  );
  const reports = asked.filter((one) => one !== undefined);
  const queues: QueueFigures = {
    waiting: reports.reduce((sum, { waiting }) => sum + waiting, 0),
    longest: reports.reduce((most, { waiting }) => Math.max(most, waiting), 0),
    since: reports.reduce<number | undefined>((first, { since }) => earlier(first, since), undefined),
    unknown: database.webhooks - reports.length,
  };
  return { database, queues };
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

async function liveBuilds(env: Env, now: number): Promise<readonly LiveBuild[]> {
  const { builds } = await openGeodata(env.GEODATA, { now, waitUntil: undefined });
  return builds.map(({ build }) => build);
}
