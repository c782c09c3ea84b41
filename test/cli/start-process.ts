import type { ChildProcess } from "node:child_process";
import { runCli } from "./dev-process.ts";

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
  const child = runCli("start.ts", ["--port", String(port), "--persist-to", state, ...options], variables);
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
