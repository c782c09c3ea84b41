import { spawn } from "node:child_process";
import { join } from "node:path";
import { FRUGAL } from "../base/frugal.ts";
import { isDashboardBuilt } from "../make/build-dashboard.ts";
import { built } from "./build-child.ts";
import { workerBundle } from "./worker-bundle.ts";

const FLAGS = ["--no-warnings", "--max-semi-space-size=4"];

/** Builds the dashboard, its docs and the Worker unless they are built, one after the other in other processes. @returns the Worker's bundle */
export async function buildApart(): Promise<string> {
  await buildDashboardApart();
  return workerBundle({ log: console.log });
}

export async function buildDashboardApart(): Promise<void> {
  if (isDashboardBuilt()) return;
  const child = spawn(process.execPath, [...FLAGS, join(import.meta.dirname, "../make/dashboard-run.ts")], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...FRUGAL, ...process.env },
  });
  await built(child, "dashboard");
}
