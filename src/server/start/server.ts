import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../base/command.ts";
import { isWatchable, MAIN, runtimeGone, watchRuntime } from "../state/runtime.ts";
import { startCronRuns } from "./cron-runs.ts";
import type { Logged, OpenOptions } from "./open-worker.ts";
import { openProcesses, type ServerProcess } from "./processes.ts";
import { departedService } from "./socket/departed.ts";
import { drain, stoppingService } from "./socket/drain.ts";
import { openListener } from "./socket/listener.ts";
import { HELPER_HALTED_AFTER_MS, watchForStuck } from "./stuck-watch.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Maximum time of a stop until open requests are cut [ms]; and how much they have at least after the signal to workerd, which on a busy machine comes late. */
export const GRACE = 8000;
const MIN_FINISH = 3000;

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
  /** How many answer requests (processes.ts); absent: one. */
  processes?: number;
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
  /** Called when workerd was stuck, or stopped by a signal, for so many seconds and was killed; Miniflare starts it again. */
  onStuck?: (seconds: number, isHalted: boolean) => void;
  /** Called when a workerd ended by itself, with the number of its process; Miniflare starts it again. */
  onCrashed?: (process: number) => void;
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
  processes: wanted = 1,
  onStuck = () => {},
  onCrashed = () => {},
  onGone = () => {},
  ...options
}: ServerOptions): Promise<Server> {
  const { state } = options;
  const count = isWatchable() ? wanted : 1;
  const listener = isWatchable() ? await openListener(options.host, options.port, count) : undefined;
  const unwatch = watchRuntime(state, listener && { clients: listener.fds, calls: listener.calls?.fd }, count);
  const stopping = stoppingService(count);
  const departed = departedService();
  const earlier = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  const processes = await openProcesses({
    ...options,
    count,
    callsPort: listener?.calls?.port,
    variables: { ...GATHERED, ...options.variables },
    services: { ...options.services, STOPPING: stopping.service, CONNECTIONS: departed.service },
    files: true,
    log,
  });
  keepSignals(earlier);
  await allReady(processes);
  const [main] = processes;
  const cronRuns = startCronRuns((main.options.cronTriggers ?? []) as string[], log, main.runCron);
  const port = Number(new URL(await main.urlOf(main.name)).port);
  departed.listensOn(port);
  const endWatches = await watchAll(processes, { onKilled: onStuck, onCrashed, onGone });
  return {
    urlOf: main.urlOf,
    async stop(graceMs = GRACE) {
      const until = Date.now() + graceMs;
      endWatches();
      cronRuns.stop();
      const running = processes.flatMap(({ pid, runCron }) => {
        const id = pid();
        return id === undefined ? [] : [{ pid: id, runCron }];
      });
      await drain({ processes: running, port, listener, stopping });
      const left = Math.max(until - Date.now(), MIN_FINISH);
      await Promise.all(running.map(({ pid }) => runtimeGone(pid, left)));
      await Promise.all(processes.map(({ miniflare }) => miniflare.dispose()));
      await listener?.close();
      unwatch();
    },
  };
}

/** Miniflare exits immediately on a signal, which would cut off open requests. @param earlier listeners before it began */
function keepSignals(earlier: ReadonlyMap<NodeJS.Signals, readonly unknown[]>): void {
  for (const [signal, known] of earlier)
    for (const listener of process.listeners(signal))
      if (!known.includes(listener)) process.removeListener(signal, listener);
}

/** @throws CommandError if workerd does not start */
async function allReady(processes: readonly ServerProcess[]): Promise<void> {
  try {
    await Promise.all(processes.map(({ miniflare }) => miniflare.ready));
  } catch (error) {
    await sleep(LAST_WORDS_MS);
    throw new CommandError(
      `workerd did not start. Its messages are above, if it wrote any. (${error instanceof Error ? error.message : error})`,
    );
  }
}

/** Kills a process that is stuck, and reports one that crashed. @returns a function that ends this */
async function watchAll(
  processes: readonly ServerProcess[],
  {
    onCrashed,
    ...watch
  }: { onKilled(seconds: number, isHalted: boolean): void; onCrashed(process: number): void; onGone(): void },
): Promise<() => void> {
  const ends: (() => void)[] = [];
  for (const [i, { pid, ownUrl }] of processes.entries()) {
    const haltedAfterMs = i > 0 ? HELPER_HALTED_AFTER_MS : undefined;
    ends.push(
      watchForStuck({
        pingUrl: pingUrlOf(await ownUrl()),
        pid,
        haltedAfterMs,
        onCrashed: () => onCrashed(MAIN + i),
        ...watch,
      }),
    );
  }
  return () => {
    for (const end of ends) end();
  };
}

const pingUrlOf = (url: string): string =>
  `${url.replace("//0.0.0.0", "//127.0.0.1").replace("//[::]", "//[::1]")}/v1/ping`;
