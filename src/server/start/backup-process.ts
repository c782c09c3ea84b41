import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Logged } from "./open-worker.ts";

/** Until a process that ended is started again [ms]. */
const RESTART_PAUSE = 5000;

/**
 * Backs a state up continuously in a process of its own, so that copying and compressing take no time of the server's. Its lines go
 * to the log.
 * @param every as the operator wrote it: "60s"
 */
export function startBackups(target: string, every: string, state: string, log: Logged): { stop(): Promise<void> } {
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hasStopped = false;
  const run = () => {
    const words = [
      join(import.meta.dirname, "../backup.ts"),
      target,
      "--every",
      every,
      "--persist-to",
      state,
      "--json",
    ];
    const own = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
    child = own;
    for (const [level, stream] of [["info", own.stdout] as const, ["error", own.stderr] as const])
      createInterface({ input: stream }).on("line", (line) => log(level, line));
    own.once("error", (error) => log("error", JSON.stringify({ what: "backup", error: error.message })));
    own.once("close", (code) => {
      child = undefined;
      if (hasStopped) return;
      log(
        "error",
        JSON.stringify({ what: "backup", error: `The backup process ended with code ${code}. It restarts.` }),
      );
      timer = setTimeout(run, RESTART_PAUSE);
      timer.unref();
    });
  };
  run();
  return {
    /** Ends it, after a backup that is under way. */
    async stop() {
      hasStopped = true;
      clearTimeout(timer);
      if (!child) return;
      child.kill("SIGTERM");
      await once(child, "close");
    },
  };
}
