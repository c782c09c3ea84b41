import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openLocalBucket } from "../../src/importer/publish/local-bucket.ts";
import { geodataBucketName } from "../../src/server/geodata/geodata-bucket.ts";
import { runtimeOf } from "../../src/server/state/runtime.ts";
import { anyPort } from "../server/commands/dev-process.ts";
import { type Running, startProcess } from "../server/commands/start/start-process.ts";
import { publishWorld } from "../support/worlds/kept-worlds.ts";
import type { Report } from "./bench.ts";
import { percentile } from "./support/percentile.ts";
import { cpuSeconds } from "./support/process-cpu.ts";

export const name = "restart";
export const summary =
  "npm start on a state that is there, to the first answer: after a stop, after a kill. The goal is 3 s.";

const ROUNDS = 7;
const GOAL = 3;

export async function run(report: Report): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "graticule-restart-"));
  const bucket = openLocalBucket(state, geodataBucketName());
  await publishWorld("world", bucket).finally(() => bucket.close());
  const port = await anyPort();
  let server: Running | undefined;
  try {
    // The first builds what later ones find.
    server = await startProcess(state, port, ["--quiet"]);
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const seconds: number[] = [];
      const cpu: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        server.process.kill(signal);
        await server.left;
        const began = performance.now();
        server = await startProcess(state, port, ["--quiet"]);
        while (!(await fetch(`http://127.0.0.1:${port}/v1/ping`).catch(() => undefined))?.ok) await sleep(5);
        seconds.push((performance.now() - began) / 1000);
        cpu.push(cpuSeconds(server.process.pid as number) + cpuSeconds(runtimeOf(state) as number));
      }
      const after = signal === "SIGTERM" ? "stopped" : "killed";
      report({ case: after, metric: "median", value: percentile(seconds, 0.5), unit: "s", baseline: GOAL });
      report({ case: after, metric: "slowest", value: Math.max(...seconds), unit: "s", baseline: GOAL });
      report({ case: after, metric: "CPU, median", value: percentile(cpu, 0.5), unit: "s" });
    }
  } finally {
    server?.process.kill("SIGTERM");
    await server?.left;
    rmSync(state, { recursive: true, force: true });
  }
}
