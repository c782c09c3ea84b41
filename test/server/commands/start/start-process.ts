import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runCli } from "../dev-process.ts";

/** `npm start`, as its operator would start it. */
export interface Running {
  process: ChildProcess;
  said: () => string;
  left: Promise<number | null>;
}

/** Starts it and waits until it says that it is ready. */
export async function startProcess(
  state: string,
  port: number,
  options: readonly string[] = [],
  variables: Record<string, string> = {},
): Promise<Running> {
  const words = ["--port", String(port), "--persist-to", state, ...options];
  const child = runCli("start.ts", words, { ...npmVariables(), ...variables });
  let said = "";
  const left = new Promise<number | null>((resolve) => child.once("exit", resolve));
  await new Promise<void>((ready, failed) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (text) => {
        said += text;
        if (said.includes("is ready at")) ready();
      });
    void left.then((code) => failed(new Error(`start left with ${code}:\n${said}`)));
  });
  return { process: child, said: () => said, left };
}

/** What `npm start` sets before it starts the program: how much freed memory its allocator keeps. */
function npmVariables(): Record<string, string> {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, "../../../../package.json"), "utf8"));
  const assigned = (scripts.start as string).split(" ").filter((word) => /^[A-Z_]+=/.test(word));
  return Object.fromEntries(assigned.map((word) => word.split("=", 2)));
}
