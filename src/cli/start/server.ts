import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { ROOT } from "../wrangler.ts";
import { nextRun } from "./cron.ts";
import { modulesIn } from "./worker-bundle.ts";

const PLATFORM = "platform";
const ASSETS = "assets";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** How long requests under way may take to end when the server stops [ms]. */
const GRACE = 8000;

export type Logged = (level: string, message: string) => void;

export interface ServerOptions {
  host: string;
  port: number;
  /** Folder of D1, R2 and Durable Objects. */
  state: string;
  /** The bundled Worker. */
  bundle: string;
  /** What the Worker finds in its environment beside wrangler.toml's. */
  variables: Record<string, string>;
  /** Every line that the Worker logs. */
  log: Logged;
}

export interface Server {
  /** Refuses new requests, lets those under way end, and ends. */
  stop(): Promise<void>;
}

/**
 * workerd on one machine, as Miniflare sets it up: it alone serves D1 and R2 without Cloudflare. Requests reach workerd's own socket; the
 * dashboard's files are a Worker beside ours, as in front of it Miniflare would put two that cost more than ours. No inspector, no reload, no
 * fetch of anything from the network. A workerd that dies is started again by Miniflare.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { host, port, state, bundle, variables, log } = options;
  const config = join(ROOT, "wrangler.toml");
  // its type loses every field to an index signature on the way through Omit
  const { assets, ...platform } = unstable_getMiniflareWorkerOptions(config).workerOptions as V4WorkerOptions;
  const earlier = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: join(state, "v3"),
      // Miniflare's own door, for the rounds of the cron: nobody outside reaches it.
      host: "127.0.0.1",
      port: 0,
      cf: false,
      handleStructuredLogs: ({ level, message }) => log(level, message),
      log: new Log(LogLevel.ERROR),
      workers: [
        {
          ...platform,
          name: PLATFORM,
          rootPath: bundle,
          modulesRoot: bundle,
          modules: modulesIn(bundle),
          bindings: { ...platform.bindings, ...variables },
          serviceBindings: { ASSETS },
          unsafeDirectSockets: [{ host, port }],
        },
        {
          name: ASSETS,
          compatibilityDate: platform.compatibilityDate,
          modules: [{ type: "ESModule", path: "assets.js", contents: "export default {}" }],
          // nothing runs first here: what is asked of it is a file, or is not there
          assets: assets && { directory: assets.directory, assetConfig: assets.assetConfig },
        },
      ],
    }),
  );
  // Miniflare ends the process at once on a signal; requests under way would be cut.
  for (const [signal, known] of earlier)
    for (const listener of process.listeners(signal))
      if (!known.includes(listener)) process.removeListener(signal, listener);
  await miniflare.ready;
  const crons = platform.cronTriggers ?? [];
  const rounds = startRounds(crons as string[], log, async (cron, at) => {
    const worker = await miniflare.getWorker(PLATFORM);
    await worker.scheduled({ cron, scheduledTime: new Date(at) });
  });
  return {
    async stop() {
      rounds.stop();
      // workerd drains on SIGTERM: it listens no more, and leaves when the last answer is sent.
      const runtimes = childrenNamed("workerd");
      for (const pid of runtimes) process.kill(pid, "SIGTERM");
      for (const until = Date.now() + GRACE; Date.now() < until && runtimes.some(isRunning); ) await sleep(20);
      await miniflare.dispose();
    },
  };
}

/** Runs each cron at its minutes, one run of each at a time. */
function startRounds(crons: string[], log: Logged, run: (cron: string, at: number) => Promise<void>) {
  const timers = new Map<string, NodeJS.Timeout>();
  const wait = (cron: string) => {
    const at = nextRun(cron, Date.now());
    const timer = setTimeout(async () => {
      try {
        await run(cron, at);
      } catch (error) {
        log("error", JSON.stringify({ what: "cron", cron, error: String(error).slice(0, 300) }));
      }
      if (timers.has(cron)) wait(cron);
    }, at - Date.now());
    timers.set(cron, timer);
  };
  for (const cron of crons) wait(cron);
  return {
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** Children of this process by the name of their program; none where the system has no /proc, and then nothing drains. */
function childrenNamed(name: string): number[] {
  try {
    return readdirSync("/proc")
      .filter((pid) => /^\d+$/.test(pid) && isChildNamed(pid, name))
      .map(Number);
  } catch {
    return [];
  }
}

function isChildNamed(pid: string, name: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const end = stat.lastIndexOf(")");
    return stat.slice(stat.indexOf("(") + 1, end) === name && Number(stat.slice(end + 4).split(" ")[0]) === process.pid;
  } catch {
    // it has ended meanwhile
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
