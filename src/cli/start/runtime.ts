import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** How long a killed process may take to be gone, and to give its port back [ms]. */
const GONE_WITHIN = 5000;

const pidFile = (state: string) => join(state, "workerd.pid");

/**
 * Makes Miniflare start workerd through a shell script that writes its process id to the state folder, and starts a
 * watchdog. A parent that is killed with SIGKILL cannot stop its child, so workerd would keep the port and the
 * databases. The watchdog reads from a pipe that only the parent holds open; when the pipe closes, it kills workerd.
 * No data is lost, because acknowledged data is on disk.
 * @returns a function that stops both in order
 */
export function watchRuntime(state: string): () => void {
  const file = pidFile(state);
  const script = join(import.meta.dirname, "workerd.sh");
  if (process.platform === "win32" || !isExecutable(script)) return () => {};
  process.env.GRATICULE_WORKERD ??= createRequire(createRequire(import.meta.url).resolve("miniflare"))(
    "workerd",
  ).default;
  process.env.GRATICULE_WORKERD_PID = file;
  process.env.MINIFLARE_WORKERD_PATH = script;
  // Use a separate session, so that signals to this process group (Ctrl-C, kill -9) don't kill the watchdog before it
  // has finished.
  const watchdog = spawn("/bin/sh", ["-c", 'read -r _ || kill -9 "$(cat "$0")"', file], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watchdog.unref();
  return () => {
    watchdog.stdin?.end("over\n");
    rmSync(file, { force: true });
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Stops workerd gracefully: it stops accepting connections, finishes open requests, and exits. */
export async function drainRuntime(state: string, graceMs: number): Promise<void> {
  const pid = runtimeOf(state);
  if (pid === undefined) return;
  process.kill(pid, "SIGTERM");
  for (const until = Date.now() + graceMs; isRuntime(pid) && Date.now() < until; ) await sleep(20);
}

/** The workerd that serves a state, or did when its parent died; undefined where none runs. */
export function runtimeOf(state: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile(state), "utf8"));
    return pid > 0 && isRuntime(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Stops a workerd that was left by a dead parent. The caller must hold the lock of the state folder. */
export async function endOrphan(state: string): Promise<void> {
  const pid = runtimeOf(state);
  if (pid === undefined) return;
  process.kill(pid, "SIGKILL");
  for (const until = Date.now() + GONE_WITHIN; isRuntime(pid) && Date.now() < until; ) await sleep(20);
}

/** Is this process a workerd that has not wholly ended? On Linux a killed one is a zombie while threads of it still hold its port and files. */
function isRuntime(pid: number): boolean {
  try {
    if (process.platform === "linux") {
      const [, state] = /^\d+ \(workerd\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      if (state === undefined) return false;
      return !"ZX".includes(state) || readdirSync(`/proc/${pid}/task`).length > 1;
    }
    const { stdout } = spawnSync("ps", ["-o", "state=,comm=", "-p", String(pid)], { encoding: "utf8" });
    return /^[^Z]\S*\s.*workerd\s*$/.test(stdout);
  } catch {
    return false;
  }
}
