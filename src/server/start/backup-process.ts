import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseInterval } from "../backup/continuous/interval.ts";
import { hasStopped } from "../backup/freeze.ts";
import { isLate, lastBackup, noteBackup } from "../backup/last-backup.ts";
import { OF_SERVER } from "../state/lock.ts";
import type { Logged } from "./open-worker.ts";

/** Until a process that ended is started again [ms]. */
const RESTART_PAUSE = 5000;

/** How often the age of the newest backup is looked at, at most [ms]. */
const LOOK_EACH_MS = 15_000;

/**
 * Logs when continuous backups become late, and when they are made again: their own process may hang, or not start at all.
 * @returns what looks once
 */
export function lateWatch(state: string, log: Logged, now = Date.now): () => void {
  let wasLate = false;
  return () => {
    const last = lastBackup(state);
    const late = isLate(last, now());
    if (late === wasLate) return;
    wasLate = late;
    const { at = null, where } = last ?? {};
    const line = { what: "alert", type: "alert.backup", state: late ? "begun" : "over", at, where };
    log(late ? "error" : "info", JSON.stringify(line));
  };
}

/** Paused by a signal, a process would make no backup until another one comes: the next one does. */
function endStopped(child: ChildProcess, log: Logged): void {
  if (child.pid === undefined || !hasStopped(child.pid)) return;
  log("error", JSON.stringify({ what: "backup", error: "The backup process was stopped by a signal." }));
  child.kill("SIGKILL");
}

/** Notes from when on backups are made, also if their process never comes so far. */
function noteStart(target: string, everyMs: number, state: string): void {
  const where = target.startsWith("s3:") ? target : resolve(target);
  const last = lastBackup(state);
  try {
    noteBackup(state, { ...(last?.where === where && last), where, everyMs, since: new Date().toISOString() });
  } catch {
    // A full disk: the process of backups notes it later.
  }
}

/**
 * Backs a state up continuously in a process of its own, so that copying and compressing take no time of the server's. Its lines go
 * to the log.
 * @param every as the operator wrote it: "60s"
 */
export function startBackups(
  target: string,
  every: string,
  state: string,
  log: Logged,
  lookMs = Math.min(LOOK_EACH_MS, parseInterval(every)),
): { stop(): Promise<void> } {
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isEnding = false;
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
    // It ends when its input does, so that none survives a server that was killed.
    const compiled = getCompileCacheDir();
    const env = { ...process.env, [OF_SERVER]: "1", ...(compiled && { NODE_COMPILE_CACHE: dirname(compiled) }) };
    const own = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "pipe"], env });
    own.stdin.on("error", () => {});
    child = own;
    for (const [level, stream] of [["info", own.stdout] as const, ["error", own.stderr] as const])
      createInterface({ input: stream }).on("line", (line) => log(level, line));
    own.once("error", (error) => log("error", JSON.stringify({ what: "backup", error: error.message })));
    own.once("close", (code) => {
      child = undefined;
      if (isEnding) return;
      log(
        "error",
        JSON.stringify({ what: "backup", error: `The backup process ended with code ${code}. It restarts.` }),
      );
      timer = setTimeout(run, RESTART_PAUSE);
      timer.unref();
    });
  };
  noteStart(target, parseInterval(every), state);
  run();
  const isLate = lateWatch(state, log);
  const look = setInterval(() => {
    isLate();
    if (child) endStopped(child, log);
  }, lookMs);
  look.unref();
  return {
    /** Ends it, after a backup that is under way. */
    async stop() {
      isEnding = true;
      clearTimeout(timer);
      clearInterval(look);
      if (!child) return;
      child.kill("SIGTERM");
      await once(child, "close");
    },
  };
}
