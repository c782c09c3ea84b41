import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { runtimeOf } from "../../src/server/state/runtime.ts";
import { type BuiltWorker, buildWorker } from "../bench/worker.ts";
import { anyPort } from "../server/commands/dev-process.ts";
import { startProcess } from "../server/commands/start/start-process.ts";
import { publishWorlds } from "../support/worlds/kept-worlds.ts";

/** A server that may die at any moment. */
export interface Victim {
  url: string;
  /** SIGKILL: no handler runs, no buffer is flushed. Resolves when nothing of it answers any more. */
  kill(): Promise<void>;
}

/** Starts servers on one state, one after the other. */
export interface Victims {
  /** @param random a value from 0 to 1 that decides how it will die, where there is more than one way */
  start(random: number): Promise<Victim>;
  /** When no more is wanted. */
  discard(): Promise<void>;
}

/**
 * Starts the Worker in a workerd as benches open it: both it and its parent are killed. @param roundMs how often the hourly round
 * comes; absent: never
 */
export async function startVictim(
  { folder }: BuiltWorker,
  state: string,
  bindings: Record<string, string> = {},
  roundMs?: number,
): Promise<Victim> {
  const serve = [join(import.meta.dirname, "serve.ts"), folder, state, JSON.stringify(bindings)];
  if (roundMs !== undefined) serve.push(String(roundMs));
  const parent = spawn(process.execPath, ["--no-warnings", ...serve], { stdio: ["ignore", "pipe", "pipe"] });
  const left = new Promise<void>((resolve) => parent.once("exit", () => resolve()));
  if (parent.stderr) createInterface(parent.stderr).on("line", (line) => isNews(line) && console.error(line));
  const { url, pid } = await firstLine(parent);
  return {
    url,
    async kill() {
      process.kill(pid, "SIGKILL");
      parent.kill("SIGKILL");
      await left;
      while (isRunning(pid)) await sleep(10);
    },
  };
}

export async function bareVictims(state: string, bindings: Record<string, string>, roundMs?: number): Promise<Victims> {
  const built = await buildWorker();
  return { start: () => startVictim(built, state, bindings, roundMs), discard: async () => built.discard() };
}

/**
 * `npm start`, which dies in three ways: its machine loses its power (all of it is killed), its process is killed and takes workerd along, or
 * workerd alone dies and is started again by the process that watches it.
 */
export async function npmStartVictims(
  state: string,
  variables: Record<string, string>,
  options: readonly string[] = [],
): Promise<Victims> {
  // What a first start builds.
  await publishWorlds(["world"], state);
  const port = await anyPort();
  let running: Awaited<ReturnType<typeof startProcess>> | undefined;
  let runtime: number | undefined;
  const start = async () => {
    running = await startProcess(state, port, ["--quiet", ...options], variables);
    for (const stream of [running.process.stdout, running.process.stderr])
      if (stream) createInterface(stream).on("line", (line) => isNews(line) && console.error(line));
  };
  return {
    async start(random) {
      if (running === undefined) await start();
      else {
        const before = runtime;
        await until(() => runtimeOf(state) !== undefined && runtimeOf(state) !== before, "workerd is started again");
      }
      const { process: parent, left } = running as NonNullable<typeof running>;
      const pid = runtimeOf(state) as number;
      runtime = pid;
      const url = `http://127.0.0.1:${port}`;
      return {
        url,
        async kill() {
          const parentLives = random >= 2 / 3;
          if (random < 1 / 3 || parentLives) process.kill(pid, "SIGKILL");
          if (!parentLives) {
            parent.kill("SIGKILL");
            await left;
            running = undefined;
          }
          await until(() => !isRunning(pid), "workerd ends");
        },
      };
    },
    async discard() {
      running?.process.kill("SIGTERM");
      await running?.left;
    },
  };
}

async function until(is: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 20_000; !is(); await sleep(10))
    if (Date.now() > end) throw new Error(`It did not come to this in 20 s: ${what}.`);
}

function firstLine(child: ChildProcess): Promise<{ url: string; pid: number }> {
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the server left with ${code} before it was ready`)));
    if (child.stdout) createInterface(child.stdout).once("line", (line) => resolve(JSON.parse(line)));
  });
}

/** workerd notes alarms that were moved while they were due, which is no trouble: they come all the same. */
function isNews(line: string): boolean {
  return line.trim() !== "" && !line.includes("NOSENTRY SQLite alarm");
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
