import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transformWithOxc } from "vite";
import { databaseConfig } from "../../src/server/base/wrangler.ts";
import { openLocalDatabase } from "../../src/server/data/local-database.ts";
import { openWorker } from "../../src/server/start/open-worker.ts";
import { GATHERED } from "../../src/server/start/server.ts";
import { buildWorker } from "../bench/worker.ts";

/** Opens GET /metrics. */
export const METRICS_TOKEN = "token-of-tests";

const CONTROL = "control";

/** Further databases, one of them in a jurisdiction, for tests whose projects live there: their files. All others are in the first. */
export const FURTHER = {
  DB_2: "00000000-0000-0000-0000-0000000000f2",
  DB_EU: "00000000-0000-0000-0000-0000000000e1",
};
/** The bucket of the jurisdiction. */
const BUCKETS = { BUCKET_EU: "graticule-eu" };

/** Opens POST /v1/recovery. */
export const RECOVERY_TOKEN = "token-of-recovery";

interface Line {
  level: string;
  message: string;
}

/** The built Worker, answering on a socket of workerd itself, and what tests may do behind its back. */
export interface WorkerUnderTest {
  url: string;
  /** Of the Worker in control/, with the same database and bucket. */
  controlUrl: string;
  /** Throws a Durable Object out of memory, by the name of its binding. Rejects if it is not in memory. */
  evict(object: string, name: string): Promise<void>;
  /** One request as it comes from a country: the platform tells it, no header does. */
  fetchFrom(country: string, path: string, init: RequestInit): Promise<{ status: number; body: unknown }>;
  /** Rejects if the run fails. */
  scheduled(at: Date, cron?: string): Promise<void>;
  logs(): Line[];
  stop(): Promise<void>;
}

/** Starts it on a state, with the dashboard's files; `collector`: where traces are sent. */
export async function startWorkerUnderTest(state: string, collector?: string): Promise<WorkerUnderTest> {
  const { folder } = await buildWorker();
  openLocalDatabase(state).close();
  for (const [binding, id] of Object.entries(FURTHER))
    openLocalDatabase(state, { ...databaseConfig(), binding, id }).close();
  const logs: Line[] = [];
  const { name, miniflare, urlOf, runCron } = await openWorker({
    bundle: folder,
    state,
    files: true,
    databases: FURTHER,
    buckets: BUCKETS,
    // Tests are proxies of many clients, whose addresses they tell by X-Forwarded-For.
    variables: {
      METRICS_TOKEN,
      RECOVERY_TOKEN,
      SEPARATE_BUCKETS: "true",
      WRITE_GATHER_MS: GATHERED.WRITE_GATHER_MS,
      TRUSTED_PROXIES: "loopback",
      // Only requests that ask for it by their traceparent are traced.
      ...(collector && {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector,
        OTEL_EXPORTER_OTLP_HEADERS: "x-token=of%20tests",
        OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0",
      }),
    },
    beside: { name: CONTROL, script: await controlScript() },
    log: (level, message) => logs.push({ level, message }),
  });
  await miniflare.ready;
  return {
    url: await urlOf(name),
    controlUrl: await urlOf(CONTROL),
    evict: async (object, id) => evictBy(await urlOf(CONTROL), object, id),
    async fetchFrom(country, path, init) {
      const asked = `${await urlOf(CONTROL)}/from?${new URLSearchParams({ country, path })}`;
      const response = await fetch(asked, init);
      return { status: response.status, body: await response.json() };
    },
    scheduled: (at, cron = "7 * * * *") => runCron(cron, at.getTime()),
    logs: () => logs,
    stop: () => miniflare.dispose(),
  };
}

/**
 * Throws a Durable Object out of memory, by the name of its binding. Not by Miniflare's method, whose first call holds this thread until
 * workerd answers, while workerd may wait for this thread to read its log.
 * @param controlUrl of a Worker in control/
 */
export async function evictBy(controlUrl: string, object: string, name: string): Promise<void> {
  const response = await fetch(`${controlUrl}/evict?${new URLSearchParams({ object, name })}`, { method: "POST" });
  if (!response.ok) throw new Error(await response.text());
}

/** The Worker in control/. */
export async function controlScript(): Promise<string> {
  const path = join(import.meta.dirname, "control/worker.ts");
  return (await transformWithOxc(readFileSync(path, "utf8"), path)).code;
}
