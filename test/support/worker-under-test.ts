import { readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from "miniflare";
import { transformWithOxc } from "vite";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { openLocalDatabase } from "../../src/cli/local-database.ts";
import { ROOT } from "../../src/cli/wrangler.ts";
import { buildWorker, modulesIn } from "../bench/worker.ts";

/** Opens GET /metrics. */
export const METRICS_TOKEN = "token-of-tests";

const PLATFORM = "platform";
const CONTROL = "control";
const ASSETS = "assets";

interface Line {
  level: string;
  message: string;
}

/** The built Worker, answering on a socket of workerd itself, and what tests may do behind its back. */
export interface WorkerUnderTest {
  url: string;
  /** Of the Worker in control/, with the same database and bucket. */
  controlUrl: string;
  /** Throws a Durable Object out of memory; by its class, or the name of its binding. */
  evict(object: string, name: string): Promise<void>;
  /** One request as it comes from a country: the platform tells it, no header does. */
  fetchFrom(country: string, path: string, init: RequestInit): Promise<{ status: number; body: unknown }>;
  scheduled(at: Date): Promise<unknown>;
  logs(): Line[];
  stop(): Promise<void>;
}

/**
 * Starts it on a state. Without the two Workers that wrangler's harness puts in front of each request: a ping took 5.5 ms of workerd's CPU
 * with them and 0.5 ms without (2026-11-22, 400 pings, two busy cores), and a run of all tests sends tens of thousands of requests. For
 * the same reason the dashboard's files are a Worker beside this one, and not in front.
 */
export async function startWorkerUnderTest(state: string): Promise<WorkerUnderTest> {
  const config = join(ROOT, "wrangler.toml");
  const { folder } = buildWorker(config);
  openLocalDatabase(state).close();
  // its type loses every field to an index signature on the way through Omit
  const { assets, ...platform } = unstable_getMiniflareWorkerOptions(config).workerOptions as V4WorkerOptions;
  const { compatibilityDate, d1Databases, r2Buckets } = platform;
  const logs: Line[] = [];
  const unsafeDirectSockets = [{ host: "127.0.0.1", port: 0 }];
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: join(state, "v3"),
      host: "127.0.0.1",
      port: 0,
      cf: false,
      handleStructuredLogs: ({ level, message }) => logs.push({ level, message }),
      log: new Log(LogLevel.ERROR),
      workers: [
        {
          ...platform,
          name: PLATFORM,
          rootPath: folder,
          modulesRoot: folder,
          modules: modulesIn(folder),
          bindings: { ...platform.bindings, METRICS_TOKEN },
          serviceBindings: { ASSETS },
          unsafeDirectSockets,
        },
        {
          name: CONTROL,
          modules: [{ type: "ESModule", path: "control.js", contents: await controlScript() }],
          ...{ compatibilityDate, d1Databases, r2Buckets, unsafeDirectSockets },
        },
        {
          ...{ name: ASSETS, compatibilityDate },
          modules: [{ type: "ESModule", path: "assets.js", contents: "export default {}" }],
          // nothing runs first here: what is asked of it is a file, or is not there
          assets: assets && { directory: assets.directory, assetConfig: assets.assetConfig },
        },
      ],
    }),
  );
  await miniflare.ready;
  const urlOf = async (name: string) => String(await miniflare.unsafeGetDirectURL(name)).replace(/\/$/, "");
  const classes = platform.durableObjects as Record<string, { className: string }>;
  return {
    url: await urlOf(PLATFORM),
    controlUrl: await urlOf(CONTROL),
    evict: (object, name) =>
      miniflare.unsafeEvictDurableObject(PLATFORM, classes[object]?.className ?? object, { name }),
    async fetchFrom(country, path, { method, headers, body }) {
      const init = { method, headers, body, cf: { country } } as never;
      const response = await miniflare.dispatchFetch(`http://localhost${path}`, init);
      return { status: response.status, body: await response.json() };
    },
    async scheduled(scheduledTime) {
      const worker = await miniflare.getWorker(PLATFORM);
      return worker.scheduled({ cron: "7 * * * *", scheduledTime });
    },
    logs: () => logs,
    stop: () => miniflare.dispose(),
  };
}

async function controlScript(): Promise<string> {
  const path = join(import.meta.dirname, "control/worker.ts");
  return (await transformWithOxc(readFileSync(path, "utf8"), path)).code;
}
