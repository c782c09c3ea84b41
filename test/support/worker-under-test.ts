import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transformWithOxc } from "vite";
import { openLocalDatabase } from "../../src/cli/local-database.ts";
import { openWorker } from "../../src/cli/start/open-worker.ts";
import { buildWorker } from "../bench/worker.ts";

/** Opens GET /metrics. */
export const METRICS_TOKEN = "token-of-tests";

const CONTROL = "control";

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

/** Starts it on a state, with the dashboard's files. */
export async function startWorkerUnderTest(state: string): Promise<WorkerUnderTest> {
  const { folder } = await buildWorker();
  openLocalDatabase(state).close();
  const logs: Line[] = [];
  const { name, miniflare, options, urlOf } = await openWorker({
    ...{ bundle: folder, state, files: true, variables: { METRICS_TOKEN } },
    beside: { name: CONTROL, script: await controlScript() },
    log: (level, message) => logs.push({ level, message }),
  });
  await miniflare.ready;
  const classes = options.durableObjects as Record<string, { className: string }>;
  return {
    url: await urlOf(name),
    controlUrl: await urlOf(CONTROL),
    evict: (object, id) => miniflare.unsafeEvictDurableObject(name, classes[object]?.className ?? object, { name: id }),
    async fetchFrom(country, path, { method, headers, body }) {
      const init = { method, headers, body, cf: { country } } as never;
      const response = await miniflare.dispatchFetch(`http://localhost${path}`, init);
      return { status: response.status, body: await response.json() };
    },
    async scheduled(scheduledTime) {
      const worker = await miniflare.getWorker(name);
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
