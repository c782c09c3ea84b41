import { type DatabaseFigures, databaseFigures } from "../../db/projects/figures.ts";
import type { Env } from "../../env.ts";
import type { LiveBuild } from "../../geo/builds/manifest.ts";
import { openGeodata } from "../../geodata/live.ts";
import { type MachineFigures, machineFigures } from "../../objects/machine.ts";
import type { ArchiveReport } from "../../objects/rounds/archive-report.ts";
import { alertWatchOf } from "../../objects/stubs/alert-watch.ts";
import { lateWrites } from "../../objects/stubs/database-writers.ts";
import { webhookSenderOf } from "../../objects/stubs/webhook-sender.ts";
import { within } from "../../objects/within.ts";
import type { LateFigures } from "../../objects/writer/late-writes.ts";

/** Most webhooks whose queues are asked for: each is an object of its own, and a request to it. */
const MAX_QUEUES = 200;
/** How long what was gathered is told again [ms]: two who scrape cost as much as one. */
const KEPT_MS = 5_000;
/** How long a part may take before it counts as unknown [ms]. */
const PATIENCE_MS = 3_000;

/** Messages that wait for receivers. */
export interface QueueFigures {
  waiting: number;
  /** In the longest queue. */
  longest: number;
  /** Since when the oldest waits [ms]. */
  since: number | undefined;
  /** Webhooks that were not asked, or did not answer. */
  unknown: number;
}

/** What holds for the whole deployment, whichever isolate tells it. What could not be found out is absent. */
export interface DeploymentFigures {
  /** When it was gathered [ms]. */
  at: number;
  database?: DatabaseFigures;
  queues?: QueueFigures;
  late?: LateFigures;
  builds?: readonly LiveBuild[];
  machine?: MachineFigures;
  /** Of the last round. */
  archive?: ArchiveReport;
}

let kept: DeploymentFigures | undefined;

/** Gathers the figures, or tells those of up to five seconds ago. Never fails: a part that does is absent. */
export async function deploymentFigures(env: Env, now: number): Promise<DeploymentFigures> {
  if (kept && Math.abs(now - kept.at) < KEPT_MS) return kept;
  const [data, late, builds, machine, archive] = await Promise.all([
    within(PATIENCE_MS, databaseAndQueues(env, now)),
    within(PATIENCE_MS, lateWrites(env)),
    within(PATIENCE_MS, liveBuilds(env, now)),
    env.MACHINE && within(PATIENCE_MS, machineFigures(env.MACHINE)),
    within(PATIENCE_MS, alertWatchOf(env).archive()),
  ]);
  kept = { at: now, ...data, late, builds, machine, archive };
  return kept;
}

async function databaseAndQueues(env: Env, now: number): Promise<Pick<DeploymentFigures, "database" | "queues">> {
  const database = await databaseFigures(env, now, MAX_QUEUES);
  const asked = await Promise.all(
    database.asked.map(({ scope, id }) => within(PATIENCE_MS / 3, webhookSenderOf(env, scope, id).figures())),
  );
  const told = asked.filter((one) => one !== undefined);
  const queues: QueueFigures = {
    waiting: told.reduce((sum, { waiting }) => sum + waiting, 0),
    longest: told.reduce((most, { waiting }) => Math.max(most, waiting), 0),
    since: told.reduce<number | undefined>((first, { since }) => earlier(first, since), undefined),
    unknown: database.webhooks - told.length,
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
