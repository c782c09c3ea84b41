import { type ChildProcess, spawn } from "node:child_process";
import { totalmem } from "node:os";
import { join, resolve } from "node:path";
import { WORLD } from "../../core/geo/builds/manifest.ts";
import { divide, MIN_BUDGET_BYTES, nodeEnvironment } from "../../importer/frame/budget.ts";
import { readLiveList } from "../../importer/publish/live-list.ts";
import { isWorldCurrent } from "../../importer/run/world-formats.ts";
import { CommandError } from "../base/command.ts";
import { ROOT } from "../base/wrangler.ts";
import { GEODATA_CACHE, openGeodataBucket } from "../geodata/geodata-bucket.ts";
import { geodataS3, tryBucket } from "../geodata/geodata-s3.ts";

/**
 * The base is built with the least that an import takes, but its map needs a larger heap than that has: 190 MB of it are in use, of 335 MB that
 * the process has at most.
 */
const HEAP_MB = 384;
/** Below this, one thread [bytes]. */
const SMALL_MACHINE_BYTES = 2e9;
const MAX_THREADS = 2;

/** The world base of a bucket: one of this version, one of another that answers meanwhile, or none. */
type WorldBase = "current" | "other" | "none";

async function worldBaseOf(state: string): Promise<WorldBase> {
  const bucket = openGeodataBucket({ remote: false, state });
  try {
    if (geodataS3()) await tryBucket(bucket);
    const { list } = await readLiveList(bucket);
    if (isWorldCurrent(list)) return "current";
    return list.builds.some(({ name }) => name === WORLD) ? "other" : "none";
  } finally {
    bucket.close();
  }
}

/**
 * Builds the world base (countries, states, counties) if the bucket has none.
 * @returns whether one of another version answers: `buildWorld` builds this version's beside it
 */
export async function prepareWorld(state: string): Promise<boolean> {
  const found = await worldBaseOf(state);
  if (found !== "none") return found === "other";
  console.log("Building the base of the world: countries, states, counties. This happens once.");
  const code = await ended(startWorldBuild(state, "inherit"));
  if (code !== 0)
    throw new CommandError("The base of the world could not be built. See the error above, then start again.");
  return false;
}

/** Builds the world base if the bucket has none of this version, and waits for it. */
export async function prepareCurrentWorld(state: string): Promise<void> {
  if (!(await prepareWorld(state))) return;
  console.log("Building the base of the world of this version.");
  if ((await ended(startWorldBuild(state, "inherit"))) !== 0)
    throw new CommandError("The base of the world could not be built. See the error above, then start again.");
}

const ended = (child: ChildProcess) =>
  new Promise<number | null>((done, failed) => {
    child.once("error", failed);
    child.once("exit", done);
  });

/**
 * Builds the world base in a separate process, whose memory the server does not keep. It makes its build live when it is complete, and ends
 * with this process.
 */
export function startWorldBuild(state: string, output: "inherit" | "pipe"): ChildProcess {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const threads = memory < SMALL_MACHINE_BYTES ? 1 : MAX_THREADS;
  const budget = divide(MIN_BUDGET_BYTES, threads);
  const words = [
    ...["--world", "--persist-to", state, "--cache", resolve(ROOT, GEODATA_CACHE)],
    ...["--memory", `${MIN_BUDGET_BYTES / 1e6}MB`, "--threads", String(threads)],
  ];
  const script = join(ROOT, "src/server/import/import-run.ts");
  // It exits when the channel closes: with this process.
  const flags = [`--max-old-space-size=${HEAP_MB}`, "--max-semi-space-size=4"];
  return spawn(process.execPath, [...flags, script, ...words], {
    stdio: ["ignore", output, output, "ipc"],
    env: { ...process.env, ...nodeEnvironment(budget) },
  });
}
