import { spawn } from "node:child_process";
import { join } from "node:path";
import { FRUGAL } from "../base/frugal.ts";
import { isDashboardBuilt } from "../make/build-dashboard.ts";
import { built } from "./build-child.ts";
import { isWorkerBuilt } from "./worker-bundle.ts";

const FLAGS = ["--no-warnings", "--max-semi-space-size=4"];

/** Builds the dashboard, its docs and the Worker unless they are built: one after the other, each in its own process. */
export async function buildApart(): Promise<void> {
  await buildDashboardApart();
  if (!isWorkerBuilt()) await build("worker");
}

export async function buildDashboardApart(): Promise<void> {
  if (!isDashboardBuilt()) await build("dashboard");
}

async function build(what: "dashboard" | "worker"): Promise<void> {
  const script = join(import.meta.dirname, "build-run.ts");
  const child = spawn(process.execPath, [...FLAGS, script, what], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...FRUGAL, ...process.env },
  });
  await built(child, what);
}
