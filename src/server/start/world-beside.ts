import { createInterface } from "node:readline";
import type { Logged } from "./open-worker.ts";

/**
 * Builds the world base of this version beside a server that answers with another one's; its output goes to the log. If it fails, the next
 * start tries again.
 * @returns what ends it: imports can be interrupted at any time
 */
export async function buildWorldBeside(state: string, log: Logged): Promise<{ stop(): void }> {
  const { startWorldBuild } = await import("../state/prepare-world.ts");
  const note = (line: object) => JSON.stringify({ time: new Date().toISOString(), what: "world", ...line });
  const child = startWorldBuild(state, "pipe");
  log("info", note({ state: "begun" }));
  let last = "";
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface({ input: stream }).on("line", (line) => (last = line || last));
  child.once("error", (error) => log("error", note({ state: "failed", error: error.message })));
  child.once("close", (code) => {
    if (code === 0) log("info", note({ state: "live" }));
    else if (!child.killed) log("error", note({ state: "failed", error: last }));
  });
  return { stop: () => void child.kill("SIGTERM") };
}
