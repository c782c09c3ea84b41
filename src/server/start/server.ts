import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../base/command.ts";
import { isWatchable, runtimeGone, runtimeOf, watchRuntime } from "../state/runtime.ts";
import { startCronRuns } from "./cron-runs.ts";
import { type Logged, type OpenOptions, openWorker } from "./open-worker.ts";
import { departedService } from "./socket/departed.ts";
import { drain, stoppingService } from "./socket/drain.ts";
import { openListener } from "./socket/listener.ts";
import { watchForStuck } from "./stuck-watch.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Maximum time of a stop until open requests are cut [ms]; and how much of it they have at least after a front has stopped. */
export const GRACE = 8000;
const MIN_GRACE = 1000;

/**
 * Batching delays of log lines and of updates to the database [ms], see src/worker/platform/env.ts. Each write of workerd wakes this
 * process, which under load costs both a tenth of a small request. Each call of a Durable Object costs a quarter of
 * one.
 */
export const GATHERED = { LOG_GATHER_MS: "100", WRITE_GATHER_MS: "150" };

/** How long what a failed workerd wrote may take to be logged [ms]. */
const LAST_WORDS_MS = 500;

interface ServerOptions {
  host: string;
  port: number;
  /** Folder of D1, R2 and Durable Objects. */
  state: string;
  /** The bundled Worker. */
  bundle: string;
  /** Environment variables of the Worker in addition to wrangler.toml. */
  variables: Record<string, string>;
  /** Services of this process that it may ask, by the names of their bindings. */
  services?: Record<string, (request: Request) => Promise<Response>>;
  /** Another Worker in the same process. */
  beside?: OpenOptions["beside"];
  /** Called when workerd was stuck for so many seconds and was killed; Miniflare starts it again. */
  onStuck?: (seconds: number) => void;
  /** Called when workerd ended and could not be started again. */
  onGone?: () => void;
  /** Every line that the Worker logs. */
  log: Logged;
}

export interface Server {
  /** Returns the URL of a Worker of this process by its name. */
  urlOf(name: string): Promise<string>;
  /** Finishes open requests, rejects new ones, then stops; after `graceMs` in any case. */
  stop(graceMs?: number): Promise<void>;
}

/**
 * Runs the Worker on one machine, with its cron jobs, which nothing else runs outside Cloudflare.
 * @throws CommandError if workerd does not start; the process then has threads and sockets that keep it alive
 */
export async function startServer({
  log,
  onStuck = () => {},
  onGone = () => {},
  ...options
}: ServerOptions): Promise<Server> {
  const listener = isWatchable() ? await openListener(options.host, options.port) : undefined;
  const unwatch = watchRuntime(options.state, listener?.fd ?? -1);
  const stopping = stoppingService();
  const departed = departedService();
  const earlier = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  const {
    name,
    miniflare,
    options: setup,
    urlOf,
    runCron,
  } = await openWorker({
    ...options,
    variables: { ...GATHERED, ...options.variables },
    services: { ...options.services, STOPPING: stopping.service, CONNECTIONS: departed.service },
    files: true,
    log,
  });
  // Miniflare exits immediately on a signal, which would cut off open requests.
  for (const [signal, known] of earlier)
    for (const listener of process.listeners(signal))
      if (!known.includes(listener)) process.removeListener(signal, listener);
  await miniflare.ready.catch(async (error: unknown) => {
    await sleep(LAST_WORDS_MS);
    throw new CommandError(
      `workerd did not start. Its messages are above, if it wrote any. (${error instanceof Error ? error.message : error})`,
    );
  });
  const crons = setup.cronTriggers ?? [];
  const cronRuns = startCronRuns(crons as string[], log, runCron);
  const url = await urlOf(name);
  departed.listensOn(Number(new URL(url).port));
  const pingUrl = `${url.replace("//0.0.0.0", "//127.0.0.1").replace("//[::]", "//[::1]")}/v1/ping`;
  const endWatch = watchForStuck({ pingUrl, pid: () => runtimeOf(options.state), onKilled: onStuck, onGone });
  return {
    urlOf,
    async stop(graceMs = GRACE) {
      const until = Date.now() + Math.max(graceMs, MIN_GRACE);
      endWatch();
      cronRuns.stop();
      await drain({ state: options.state, port: Number(new URL(url).port), listener, stopping, runCron });
      await runtimeGone(options.state, until - Date.now());
      await miniflare.dispose();
      await listener?.close();
      unwatch();
    },
  };
}
