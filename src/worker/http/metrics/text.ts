import type { LiveBuild } from "../../../core/geo/builds/manifest.ts";
import { Exposition, type Sample } from "../../../core/metrics/exposition.ts";
import type { RequestFigures } from "../../../core/metrics/request-figures.ts";
import { VERSION } from "../../../core/metrics/version.ts";
import { MAX_COUNTED } from "../../db/projects/figures.ts";
import { cacheFigures } from "../../geodata/cache-figures.ts";
import { cacheBytes } from "../../geodata/isolate-cache.ts";
import { dataTime } from "../../geodata/live.ts";
import { r2Reads } from "../../geodata/r2-source.ts";
import type { ArchiveReport } from "../../objects/archive-report.ts";
import type { MachineFigures } from "../../objects/machine.ts";
import { deliveryFigures } from "../../objects/webhooks/delivery-figures.ts";
import { spanFigures } from "../serve/traces.ts";
import type { DeploymentFigures } from "./deployment.ts";

/** Note for metrics that differ per isolate on Cloudflare. */
const OF_ISOLATE = "Of the responding isolate: on one machine, of each process of the server since it started.";

/** All metrics in the Prometheus text format. */
export function metricsText(
  requests: RequestFigures,
  deployment: DeploymentFigures,
  helpers: Readonly<Record<string, string>>,
  now: number,
): string {
  const out = isolateMetrics(requests);
  for (const [process, text] of Object.entries(helpers)) out.add(text, "process", process);
  writeDeployment(out, deployment, now);
  return out.toString();
}

/** Those of this isolate alone, for the main process of a server. */
export const isolateText = (requests: RequestFigures): string => isolateMetrics(requests).toString();

function isolateMetrics(requests: RequestFigures): Exposition {
  const out = new Exposition();
  writeRequests(out, requests);
  writeCache(out);
  const attempts = Object.entries(deliveryFigures).map(([outcome, count]): Sample => [{ outcome }, count]);
  out.counter("graticule_webhook_attempts_total", `Attempts to deliver a message, by outcome. ${OF_ISOLATE}`, attempts);
  const spans = Object.entries(spanFigures).map(([outcome, count]): Sample => [{ outcome }, count]);
  out.counter("graticule_trace_spans_total", `Spans for the OpenTelemetry collector, by outcome. ${OF_ISOLATE}`, spans);
  return out;
}

function writeRequests(out: Exposition, requests: RequestFigures): void {
  const used = requests.used();
  out.counter(
    "graticule_http_requests_total",
    `Responses by endpoint and status. ${OF_ISOLATE}`,
    used.flatMap(([endpoint, { statuses }]) =>
      [...statuses].sort(([a], [b]) => a - b).map(([code, count]): Sample => [{ endpoint, code: String(code) }, count]),
    ),
  );
  out.counter(
    "graticule_http_requests_limited_total",
    `Requests over a limit (429). ${OF_ISOLATE}`,
    used.map(([endpoint, { statuses }]): Sample => [{ endpoint }, statuses.get(429) ?? 0]),
  );
  out.histogram(
    "graticule_http_request_duration_seconds",
    `From the arrival of a request until its response begins. ${OF_ISOLATE}`,
    used.map(([endpoint, { durations }]) => [{ endpoint }, durations] as const),
  );
  const since = requests.since;
  if (since !== undefined)
    out.gauge("graticule_isolate_start_timestamp_seconds", `The first response. ${OF_ISOLATE}`, [[{}, since / 1000]]);
}

function writeCache(out: Exposition): void {
  const layers = cacheFigures();
  const samples = (figure: "hits" | "misses") => layers.map(([layer, figures]): Sample => [{ layer }, figures[figure]]);
  const { used, limit } = cacheBytes();
  out.counter("graticule_geodata_cache_hits_total", `Geodata cache hits, by layer. ${OF_ISOLATE}`, samples("hits"));
  out.counter(
    "graticule_geodata_cache_misses_total",
    `Geodata cache misses, by layer. ${OF_ISOLATE}`,
    samples("misses"),
  );
  out.gauge("graticule_geodata_cache_bytes", `Geodata in the memory cache. ${OF_ISOLATE}`, [[{}, used]]);
  out.gauge("graticule_geodata_cache_limit_bytes", "Limit of the geodata memory cache.", [[{}, limit]]);
  out.counter("graticule_geodata_reads_total", `Reads from the bucket. ${OF_ISOLATE}`, [[{}, r2Reads.count]]);
  out.counter("graticule_geodata_read_bytes_total", `Bytes read from the bucket. ${OF_ISOLATE}`, [[{}, r2Reads.bytes]]);
}

function writeDeployment(out: Exposition, figures: DeploymentFigures, now: number): void {
  const { database, queues, late, builds, machine } = figures;
  const one = (name: string, help: string, value: number | undefined) =>
    out.gauge(`graticule_${name}`, help, value === undefined ? [] : [[{}, value]]);
  const age = (since: number | undefined) => (since === undefined ? 0 : Math.max(0, now - since) / 1000);
  out.gauge("graticule_build_info", "Always 1; the version, and the last migration of the database.", [
    [{ version: VERSION, schema: database?.schema ?? "" }, 1],
  ]);
  one("database_up", "1: the database responded; 0: it did not, or not in time.", database ? 1 : 0);
  one("webhooks", "Enabled webhooks of all projects.", database?.webhooks);
  one("webhook_queue_messages", "Messages waiting for receivers, in all queues.", queues?.waiting);
  one("webhook_queue_longest_messages", "Messages in the longest queue.", queues?.longest);
  one(
    "webhook_queue_oldest_seconds",
    "How long the oldest message has waited; 0: none waits.",
    queues && age(queues.since),
  );
  one("webhook_queues_unknown", "Queues that are not included in these metrics.", queues?.unknown);
  one("dead_letters", `Dead letters, counted up to ${MAX_COUNTED}.`, database?.deadLetters);
  one(
    "outbox_oldest_seconds",
    "How long the oldest pending write of a tracker to the database or webhooks has waited; 0: nothing waits.",
    late &&
      age(late.oldest.reduce<number | undefined>((least, [, since]) => Math.min(since, least ?? since), undefined)),
  );
  one("outbox_late_trackers", "Trackers whose last write failed.", late?.trackers);
  const users: Sample[] = database
    ? [
        [{ since: "hour" }, database.usersThisHour],
        [{ since: "day" }, database.usersToday],
      ]
    : [];
  out.gauge("graticule_active_users", "Distinct users in the current hour and day (UTC), all projects.", users);
  if (builds) writeGeodata(out, builds);
  writeArchive(out, figures.archive, now);
  one("disk_free_bytes", "Free space on the disk with the state.", machine?.diskFreeBytes);
  one("disk_size_bytes", "Size of that disk.", machine?.diskSizeBytes);
  one(
    "disk_full",
    "1 while writes are rejected because the disk is nearly full.",
    machine && Number(machine.isDiskFull),
  );
  const restarts: Sample[] = [
    [{ reason: "stuck" }, machine?.stuckRestarts ?? 0],
    [{ reason: "crashed" }, machine?.crashRestarts ?? 0],
  ];
  out.counter(
    "graticule_runtime_restarts_total",
    "Restarts of workerd because it was stuck, or had crashed.",
    machine?.stuckRestarts === undefined ? [] : restarts,
  );
  one("process_resident_memory_bytes", "Memory of the server's processes.", machine?.memoryBytes);
  writeBackup(out, machine);
}

/** Of backups from this machine; absent if none is known. */
function writeBackup(out: Exposition, machine: MachineFigures | undefined): void {
  const { at, everyMs, pausedMs, isFailing, isLate } = machine?.backup ?? {};
  const one = (name: string, help: string, value: number | undefined) =>
    out.gauge(`graticule_backup_${name}`, help, value === undefined ? [] : [[{}, value]]);
  const seconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000);
  one("timestamp_seconds", "The moment that the newest backup from this machine shows.", seconds(at));
  one("interval_seconds", "Time between continuous backups.", seconds(everyMs));
  one("pause_seconds", "How long the last continuous backup paused the server.", seconds(pausedMs));
  one("failing", "1: the last backup failed.", isFailing === undefined ? undefined : Number(isFailing));
  one("late", "1: no new continuous backup for three intervals.", isLate === undefined ? undefined : Number(isLate));
}

function writeArchive(out: Exposition, archive: ArchiveReport | undefined, now: number): void {
  const { at, failing, failed, figures } = archive ?? {};
  const one = (name: string, help: string, value: number | undefined) =>
    out.gauge(`graticule_archive_${name}`, help, value === undefined ? [] : [[{}, value]]);
  const age = (time: number | undefined) => (time === undefined ? 0 : Math.max(0, now - time) / 1000);
  one(
    "round_timestamp_seconds",
    "Time of the last archive run; the following metrics are as of then.",
    at && at / 1000,
  );
  one("rounds_failing", "Consecutive archive runs with a failure; 0: the last one succeeded.", failing);
  out.counter(
    "graticule_archive_rounds_failed_total",
    "Archive runs with a failure.",
    failed === undefined ? [] : [[{}, failed]],
  );
  one("events", "Archived events.", figures?.events);
  one("parts", "Parts of the archive, two objects each.", figures?.parts);
  one("bytes", "Size of all archive objects.", figures?.bytes);
  one(
    "oldest_hot_event_seconds",
    "Age of the oldest event that is still in the database; 0: there is none.",
    figures && age(figures.oldestHot),
  );
  one(
    "waiting_event_seconds",
    "Age of the oldest event that should have been archived; 0: none waits.",
    figures && age(figures.waiting),
  );
}

function writeGeodata(out: Exposition, builds: readonly LiveBuild[]): void {
  const timed = (time: (build: LiveBuild) => number | undefined) =>
    builds.flatMap((build): Sample[] => {
      const at = time(build);
      return at === undefined ? [] : [[{ name: build.name, build: build.id }, at / 1000]];
    });
  out.gauge("graticule_geodata_builds", "Live builds of geodata.", [[{}, builds.length]]);
  out.gauge(
    "graticule_geodata_live_timestamp_seconds",
    "When a build went live.",
    timed(({ liveSince }) => timeOf(liveSince)),
  );
  out.gauge(
    "graticule_geodata_data_timestamp_seconds",
    "Timestamp of a build's data, if its sources have one: the oldest of several. Its age: time() minus this.",
    timed(dataTime),
  );
}

function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? "");
  return Number.isFinite(time) ? time : undefined;
}
