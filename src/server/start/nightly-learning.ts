import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { nextRun } from "./cron.ts";
import type { Logged } from "./open-worker.ts";

/** Whether any project collects what its devices see of roads. */
async function isWanted(state: string): Promise<boolean> {
  // Loaded once a day, not by each start.
  const { STATES_PREFIX } = await import("../../core/routing/learn/keys.ts");
  const { openGeodataBucket } = await import("../geodata/geodata-bucket.ts");
  const bucket = openGeodataBucket({ remote: false, state });
  try {
    return (await bucket.list(STATES_PREFIX)).size > 0;
  } finally {
    bucket.close();
  }
}

interface LearnOnce {
  state: string;
  /** Where imports keep their files, if not in their usual folder. */
  cache?: string;
  log: Logged;
  /** Called with the process, which can be killed at any time. */
  onStart?: (child: ChildProcess) => void;
}

/**
 * Learns road speeds (`npm run learn -- --all`) in a separate process, if a project enabled it; its output goes to the log.
 * Returns its exit code; undefined if no project did.
 */
export async function learnOnce({ state, cache, log, onStart }: LearnOnce): Promise<number | null | undefined> {
  if (!(await isWanted(state))) return undefined;
  const words = [
    join(import.meta.dirname, "../learn.ts"),
    "--all",
    "--persist-to",
    state,
    ...(cache === undefined ? [] : ["--cache", cache]),
  ];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
  onStart?.(child);
  for (const [level, stream] of [["info", child.stdout] as const, ["error", child.stderr] as const]) {
    createInterface({ input: stream }).on("line", (line) => log(level, JSON.stringify({ what: "learn", line })));
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
}

/**
 * Learns road speeds once a day, one run at a time.
 * @param cron of the runs, from `learnAt`
 */
export function startNightlyLearning(
  state: string,
  log: Logged,
  cron: string,
  learn: typeof learnOnce = learnOnce,
): { stop(): void } {
  let child: ChildProcess | undefined;
  let isRunning = false;
  let timer: NodeJS.Timeout;
  const wait = () => {
    timer = setTimeout(run, nextRun(cron, Date.now()) - Date.now());
    timer.unref();
  };
  const run = async () => {
    wait();
    if (isRunning) return;
    isRunning = true;
    try {
      await learn({
        state,
        log,
        onStart: (started) => {
          child = started;
        },
      });
    } catch (error) {
      log("error", JSON.stringify({ what: "learn", error: String(error).slice(0, 300) }));
    }
    child = undefined;
    isRunning = false;
  };
  wait();
  return {
    stop() {
      clearTimeout(timer);
      child?.kill("SIGTERM");
    },
  };
}
