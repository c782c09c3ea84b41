import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { CommandRequest } from "./command-runner.ts";
import { commandOptions } from "./dev-process.ts";

let child: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command like `runCli`, but in one process for all of them: half of a short command's time is its start.
 * For commands that end and start no process.
 */
export function runInOneProcess(script: string, args: string[]): Promise<{ code: number; output: string }> {
  const result = last.then(() => run({ script, args, env: commandOptions().env }));
  last = result.catch(() => undefined);
  return result;
}

async function run(request: CommandRequest): Promise<{ code: number; output: string }> {
  child ??= fork(join(import.meta.dirname, "command-runner.ts"), {
    ...commandOptions(),
    execArgv: ["--no-warnings"],
  });
  const own = child;
  return new Promise((done, failed) => {
    const onExit = (code: number | null) => {
      child = undefined;
      failed(new Error(`${request.script} ${request.args.join(" ")} ended its process with ${code}`));
    };
    own.once("exit", onExit);
    own.once("message", (message) => {
      own.off("exit", onExit);
      done(message as { code: number; output: string });
    });
    own.send(request);
  });
}
