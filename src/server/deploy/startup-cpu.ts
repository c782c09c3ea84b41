import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError } from "../base/command.ts";
import { runWrangler } from "../base/wrangler.ts";

/** Cloudflare rejects a Worker that takes longer to start [ms]. */
const LIMIT_MS = 1_000;

interface Profile {
  nodes: { id: number; callFrame: { functionName: string } }[];
  samples: number[];
  /** [µs] */
  timeDeltas: number[];
}

/**
 * CPU time of the Worker's start on this machine, from a profile that wrangler takes (`wrangler check startup`), for `--dry-run`.
 * @returns a line of text
 */
export function startupCpuText(which: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "graticule-startup-"));
  const outfile = join(folder, "startup.cpuprofile");
  try {
    runWrangler(["check", "startup", ...which, "--outfile", outfile], "The start of the Worker could not be measured.");
    const ms = Math.round(busyMs(JSON.parse(readFileSync(outfile, "utf8")) as Profile));
    return `${ms} ms on this machine (limit: ${LIMIT_MS} ms of Cloudflare's)`;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return `not measured: ${error.message.split("\n")[0]}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Time of the samples in which something ran. */
export function busyMs({ nodes, samples, timeDeltas }: Profile): number {
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id));
  return samples.reduce((sum, id, i) => sum + (idle.has(id) ? 0 : timeDeltas[i]), 0) / 1_000;
}
