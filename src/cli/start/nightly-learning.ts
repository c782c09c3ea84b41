import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { STATES_PREFIX } from "../../routing/learn/keys.ts";
import { openGeodataBucket } from "../geodata/geodata-bucket.ts";
import { nextRun } from "./cron.ts";
import type { Logged } from "./open-worker.ts";

/** After the hourly run has collected the last updates of the day, UTC. */
const NIGHTLY = "41 7 * * *";

/** Whether any project collects what its devices see of roads. */
async function isWanted(state: string): Promise<boolean> {
  const bucket = openGeodataBucket({ remote: false, state });
  try {
    return (await bucket.list(STATES_PREFIX)).size > 0;
  } finally {
    bucket.close();
  }
}

/** Learns road speeds once a day in a process of its own, if a project enabled it; its output goes to the log. */
export function startNightlyLearning(state: string, log: Logged): { stop(): void } {
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout;
  const wait = () => {
    timer = setTimeout(run, nextRun(NIGHTLY, Date.now()) - Date.now());
    timer.unref();
  };
  const run = async () => {
    wait();
    try {
      if (child || !(await isWanted(state))) return;
      const words = [join(import.meta.dirname, "../learn.ts"), "--all", "--persist-to", state];
      const own = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
      child = own;
      own.once("close", () => {
        child = undefined;
      });
      own.once("error", (error) => log("error", JSON.stringify({ what: "learn", error: error.message })));
      for (const [level, stream] of [["info", own.stdout] as const, ["error", own.stderr] as const]) {
        createInterface({ input: stream }).on("line", (line) => log(level, JSON.stringify({ what: "learn", line })));
      }
    } catch (error) {
      log("error", JSON.stringify({ what: "learn", error: String(error).slice(0, 300) }));
    }
  };
  wait();
  return {
    stop() {
      clearTimeout(timer);
      child?.kill("SIGTERM");
    },
  };
}
