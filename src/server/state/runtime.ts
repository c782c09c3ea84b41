import childProcess, { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { accessSync, constants, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** How long a killed process may take to be gone, and to give its port back [ms]. */
const GONE_WITHIN = 5000;

const SCRIPT = join(import.meta.dirname, "workerd.sh");

/** Of the main process and of each helper, which have the numbers from 2 (start/processes.ts). */
const pidFile = (state: string, process = MAIN) =>
  join(state, process === MAIN ? "workerd.pid" : `workerd-${process}.pid`);

/** The number of the process that has the database and the Durable Objects: the only one, or the main one. */
export const MAIN = 1;

/** The environment of a process: by it, its workerd notes its id (workerd.sh). */
export const runtimeEnv = (state: string, process: number) => ({ GRATICULE_WORKERD_PID: pidFile(state, process) });

/** Descriptors of sockets that already listen, which workerd inherits. */
interface Sockets {
  /** For clients, of each process in turn. */
  clients: readonly number[];
  /** For calls of helpers, of the main process. */
  calls?: number | undefined;
}

/**
 * Makes Miniflare start workerd through a shell script that writes its process id to the state folder, and starts a
 * watchdog. A parent that is killed with SIGKILL cannot stop its child, so workerd would keep the port and the
 * databases. The watchdog reads from a pipe that only the parent holds open; when the pipe closes, it kills workerd.
 * No data is lost, because acknowledged data is on disk.
 * @param sockets for the first Worker; undefined: workerd opens them
 * @param processes how many, from `MAIN` on
 * @returns a function that stops both in order
 */
export function watchRuntime(state: string, sockets: Sockets | undefined, processes: number): () => void {
  if (!isWatchable()) return () => {};
  const files = Array.from({ length: processes }, (_, i) => pidFile(state, MAIN + i));
  process.env.GRATICULE_WORKERD ??= createRequire(createRequire(import.meta.url).resolve("miniflare"))(
    "workerd",
  ).default;
  process.env.MINIFLARE_WORKERD_PATH = SCRIPT;
  const disown = sockets ? inheritSockets(sockets, files) : () => {};
  // Use a separate session, so that signals to this process group (Ctrl-C, kill -9) don't kill the watchdog before it
  // has finished.
  const watchdog = spawn("/bin/sh", ["-c", 'read -r _ || kill -9 $(cat "$@")', "watchdog", ...files], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watchdog.unref();
  return () => {
    disown();
    watchdog.stdin?.end("over\n");
    for (const file of files) rmSync(file, { force: true });
  };
}

/** Where there is no shell, or its script lost its mode, Miniflare starts workerd alone. */
export function isWatchable(): boolean {
  if (process.platform === "win32") return false;
  try {
    accessSync(SCRIPT, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** workerd's numbers of inherited sockets: Miniflare gives it 0 to 3. Their names are Miniflare's for entrypoints of the first Worker. */
const [CLIENTS_FD, CLIENTS_NAME] = [4, "direct:0:default"];
const [CALLS_FD, CALLS_NAME] = [5, "direct:0:Processes"];

/** Makes each workerd that Miniflare starts inherit sockets. Miniflare has no option for it. @returns a function that ends this */
function inheritSockets({ clients, calls }: Sockets, files: readonly string[]): () => void {
  const { spawn } = childProcess;
  const spawnWith = (command: string, words: readonly string[], options: SpawnOptions) => {
    if (command !== SCRIPT) return spawn(command, words, options);
    const process = files.indexOf(options.env?.GRATICULE_WORKERD_PID ?? "");
    const hasCalls = calls !== undefined && process === 0;
    const names = [`${CLIENTS_NAME}=${CLIENTS_FD}`, ...(hasCalls ? [`${CALLS_NAME}=${CALLS_FD}`] : [])];
    // The last word is the place of the configuration.
    const all = words.toSpliced(-1, 0, ...names.map((name) => `--socket-fd=${name}`));
    const pipes = (options.stdio as "pipe"[]).slice(0, CLIENTS_FD);
    const child = spawn(command, all, {
      ...options,
      detached: true,
      stdio: [...pipes, clients[process], ...(hasCalls ? [calls] : [])],
    });
    forgetConfiguration(child);
    return child;
  };
  childProcess.spawn = spawnWith as typeof spawn;
  return () => {
    childProcess.spawn = spawn;
  };
}

/** Frees what Miniflare writes to workerd, 8 MB that a closure of Miniflare keeps. For another workerd it makes them again. */
function forgetConfiguration({ stdin }: ChildProcess): void {
  if (!stdin) return;
  const write = stdin.write.bind(stdin);
  stdin.write = (bytes: Buffer) => {
    const { buffer } = bytes;
    // Not Node's pool of small buffers; Node 20 cannot.
    if (buffer.byteLength === bytes.byteLength)
      stdin.once("finish", () => void (buffer as { transfer?(length: number): unknown }).transfer?.(0));
    return write(bytes);
  };
}

/** Waits until workerd has finished its requests and exited. */
export async function runtimeGone(pid: number | undefined, graceMs: number): Promise<void> {
  if (pid === undefined) return;
  for (const until = Date.now() + graceMs; isRuntime(pid) && Date.now() < until; ) await sleep(20);
}

/** The workerd that serves a state, or did when its parent died; undefined where none runs. */
export function runtimeOf(state: string, process = MAIN): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile(state, process), "utf8"));
    return pid > 0 && isRuntime(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Stops each workerd that was left by a dead parent. The caller must hold the lock of the state folder. */
export async function endOrphan(state: string): Promise<void> {
  const numbers = readdirSync(state).flatMap((name) => /^workerd(?:-(\d+))?\.pid$/.exec(name)?.slice(1) ?? []);
  for (const number of numbers) {
    const pid = runtimeOf(state, number === undefined ? MAIN : Number(number));
    if (pid === undefined) continue;
    process.kill(pid, "SIGKILL");
    for (const until = Date.now() + GONE_WITHIN; isRuntime(pid) && Date.now() < until; ) await sleep(20);
  }
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
