import { nextRun } from "./cron.ts";
import type { Logged } from "./open-worker.ts";

async function inTime(run: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not end within ${ms / 1000} s.`)), ms);
    timer.unref();
  });
  try {
    await Promise.race([run, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A run that takes longer is not waited for: its workerd may be gone, and with it the answer [ms]. As long as Cloudflare gives a run. */
const CRON_PATIENCE_MS = 15 * 60_000;

/** Runs each cron at its minutes, one run of each at a time. */
export function startCronRuns(
  crons: string[],
  log: Logged,
  run: (cron: string, at: number) => Promise<void>,
  patienceMs = CRON_PATIENCE_MS,
) {
  const timers = new Map<string, NodeJS.Timeout>();
  const wait = (cron: string) => {
    const at = nextRun(cron, Date.now());
    const timer = setTimeout(async () => {
      try {
        await inTime(run(cron, at), patienceMs);
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
