import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../base/command.ts";
import { runtimeOf } from "../state/runtime.ts";

/** How often a moment is tried at which no database is in the midst of a change. */
const TRIES = 60;
/** How long a process may take to pause: one that waits for its disk does afterwards [ms]. */
const STOP_WITHIN = 10_000;

/** The server is starting or has just ended: the next backup finds it, or none. */
export class ServerChanging extends CommandError {}

/**
 * The processes of workerd that have databases of a state open: that of `npm start` or `npm run dev`. Looked for among the open files of all
 * processes where the system shows them (Linux), else in the note of `npm start`.
 */
export function runtimesOn(state: string): number[] {
  const noted = runtimeOf(state);
  if (process.platform !== "linux") return noted === undefined ? [] : [noted];
  const folder = realPath(join(state, "v3"));
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && isWorkerd(pid) && hasOpen(pid, `${folder}/`))
    .map(Number);
}

/** The system lists open files without the links on the way to them. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isWorkerd(pid: string): boolean {
  try {
    return /^\d+ \(workerd\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

function hasOpen(pid: string, folder: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`).startsWith(folder));
  } catch {
    return false; // ended meanwhile, or another user's
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/**
 * Pauses processes (SIGSTOP), runs `work`, and resumes them, so that `work` reads a consistent snapshot of all
 * databases, as after a power failure, which the state survives (`npm run test:kill`). If a database was in the middle
 * of a change (SQLITE_BUSY), resumes them briefly and retries. A shell that reads from our pipe resumes them if this
 * process is killed.
 * @returns the result of `work`, and the duration of the pause [ms]
 */
export async function whileStopped<T>(
  pids: readonly number[],
  work: () => T,
): Promise<{ result: T; stoodStill: number }> {
  if (pids.length === 0) {
    await eventsDelivered();
    return { result: work(), stoodStill: 0 };
  }
  const guard = spawn("/bin/sh", ["-c", 'read -r _; kill -CONT "$@"', "guard", ...pids.map(String)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // It may be killed, too.
  guard.stdin.on("error", () => {});
  await once(guard, "spawn");
  const left = once(guard, "exit");
  let stoodStill = 0;
  try {
    for (let tries = 1; ; tries++) {
      const began = performance.now();
      try {
        for (const pid of pids) pause(pid);
        for (const pid of pids) await stopped(pid);
        await eventsDelivered();
        return { result: work(), stoodStill: stoodStill + performance.now() - began };
      } catch (error) {
        if (!isBusy(error) || tries === TRIES) throw error;
      } finally {
        goOn(pids);
        stoodStill += performance.now() - began;
      }
      await sleep(25);
    }
  } finally {
    guard.stdin.end();
    // It resumes the processes once more as it leaves, which must not happen in the midst of the next pause.
    await left;
  }
}

/** Node delivers events of watched folders once in each turn of its loop; a second one, as the first may be under way. */
export async function eventsDelivered(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await nextTurn();
}

/** @throws CommandError if it has ended */
function pause(pid: number): void {
  try {
    process.kill(pid, "SIGSTOP");
  } catch (error) {
    throw new ServerChanging("The server ended when it was to be paused.", { cause: error });
  }
}

function goOn(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGCONT");
    } catch {
      // it has ended: its parent starts another
    }
  }
}

/** @throws Error if a process does not stop, because another one resumes it */
async function stopped(pid: number): Promise<void> {
  for (const end = performance.now() + STOP_WITHIN; !hasStopped(pid); await sleep(1))
    if (performance.now() > end)
      throw new Error(`The process ${pid} did not pause. Do two backups of this server run?`);
}

/** Stopped by a signal, or gone. Where the system shows no state, it is believed. */
export function hasStopped(pid: number): boolean {
  if (process.platform !== "linux") return true;
  try {
    return / [TZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/s, ")"));
  } catch {
    return true;
  }
}

/** 5 SQLITE_BUSY, 15 SQLITE_PROTOCOL: a paused process holds a lock. */
function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && [5, 15].includes(errcode & 0xff);
}
