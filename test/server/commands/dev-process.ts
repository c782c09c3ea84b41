import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../../src/server/base/wrangler.ts";
import type { DevKeys } from "../../../src/server/project/dev-keys.ts";

/** `npm run dev` in a folder of its own, as its user would start it. */
export interface DevProcess {
  process: ChildProcess;
  /** Everything written so far, both streams. */
  output(): string;
  keys(): DevKeys;
  /** Exit code, once the process has left. */
  left: Promise<number | null>;
}

export function runCli(script: string, args: string[], variables: Record<string, string> = {}): DevProcess["process"] {
  return spawn(
    process.execPath,
    ["--no-warnings", join(ROOT, "src/server", script), ...args],
    commandOptions(variables),
  );
}

/** Folder and environment of a command. */
export const commandOptions = (variables: Record<string, string> = {}) => ({
  cwd: ROOT,
  env: {
    ...process.env,
    npm_lifecycle_event: undefined,
    // Half of a command that only says a sentence is reading its own source.
    NODE_COMPILE_CACHE: join(tmpdir(), "graticule-compile-cache"),
    ...variables,
  },
});

/** What a command wrote, and its exit code. */
export async function finished(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk));
  child.stderr?.on("data", (chunk: Buffer) => (output += chunk));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

/** Starts it and waits for the line that says it is ready. */
export async function startDev(folder: string, port: number, more: readonly string[] = []): Promise<DevProcess> {
  const keysFile = join(folder, "keys.json");
  const child = runCli("dev.ts", [
    "--port",
    String(port),
    "--persist-to",
    join(folder, "state"),
    "--keys-file",
    keysFile,
    ...more,
  ]);
  let output = "";
  const left = new Promise<number | null>((resolve) => child.once("exit", resolve));
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk;
      if (output.includes("Stop: Ctrl-C")) resolve();
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    void left.then((code) => reject(new Error(`dev left with ${code}:\n${output}`)));
  });
  return { process: child, output: () => output, keys: () => JSON.parse(readFileSync(keysFile, "utf8")), left };
}

/**
 * A port that was free a moment ago, below those that systems lend to outgoing connections: a server that is started again on it
 * must not find one of those there.
 */
export async function anyPort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
