import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../base/command.ts";
import { FRUGAL } from "../base/frugal.ts";
import { ROOT } from "../base/wrangler.ts";
import { isDashboardBuilt } from "../make/build-dashboard.ts";
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
  const end = () => child.kill();
  process.once("exit", end);
  const code = await new Promise<number | null>((ended, failed) => {
    child.once("error", failed);
    child.once("exit", ended);
  });
  process.off("exit", end);
  if (code === 0) return;
  const owner = isWritable(ROOT) ? "" : ` The owner of ${ROOT} can build it: npm start -- --build`;
  throw new CommandError(`The ${what} could not be built. See the error above, then start again.${owner}`);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
