import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { BuiltWorker } from "../bench/worker.ts";

/** A server that may die at any moment. */
export interface Victim {
  url: string;
  /** SIGKILL for workerd and its parent: no handler runs, no buffer is flushed. Resolves when both are gone. */
  kill(): Promise<void>;
}

export async function startVictim(
  { folder }: BuiltWorker,
  state: string,
  bindings: Record<string, string> = {},
): Promise<Victim> {
  const serve = [join(import.meta.dirname, "serve.ts"), folder, state, JSON.stringify(bindings)];
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
      while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
    },
  };
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
