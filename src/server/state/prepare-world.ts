import { spawn } from "node:child_process";
import { totalmem } from "node:os";
import { join, resolve } from "node:path";
import { divide, MIN_BUDGET_BYTES, nodeEnvironment, nodeFlags } from "../../importer/frame/budget.ts";
import { readLiveList } from "../../importer/publish/live-list.ts";
import { isWorldCurrent } from "../../importer/run/world-formats.ts";
import { CommandError } from "../base/command.ts";
import { ROOT } from "../base/wrangler.ts";
import { GEODATA_CACHE, openGeodataBucket } from "../geodata/geodata-bucket.ts";
import { geodataS3, tryBucket } from "../geodata/geodata-s3.ts";

/** With less memory, the base is built with the least that an import takes, by one thread [bytes]. */
const SMALL_MACHINE_BYTES = 2e9;
const SMALL_HEAP_MB = 330;

/**
 * Builds the world base (countries, states, counties) if the bucket has none of this version: in a separate process, whose memory the
 * server does not keep.
 */
export async function prepareWorld(state: string): Promise<void> {
  const bucket = openGeodataBucket({ remote: false, state });
  try {
    if (geodataS3()) await tryBucket(bucket);
    if (isWorldCurrent((await readLiveList(bucket)).list)) return;
  } finally {
    bucket.close();
  }
  console.log("Building the base of the world: countries, states, counties. This happens once.");
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const isSmall = memory < SMALL_MACHINE_BYTES;
  const budget = isSmall ? divide(MIN_BUDGET_BYTES, 1) : divide();
  const words = [
    ...["--world", "--persist-to", state, "--cache", resolve(ROOT, GEODATA_CACHE)],
    ...(isSmall ? ["--memory", "512MB", "--threads", "1"] : []),
  ];
  const script = join(ROOT, "src/server/import/import-run.ts");
  // It exits when the channel closes: with this process.
  // The base needs more heap than the smallest import has: 244 MB did not suffice.
  const flags = isSmall ? [`--max-old-space-size=${SMALL_HEAP_MB}`, "--max-semi-space-size=4"] : nodeFlags(budget);
  const child = spawn(process.execPath, [...flags, script, ...words], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, ...nodeEnvironment(budget) },
  });
  const code = await new Promise<number | null>((ended, failed) => {
    child.once("error", failed);
    child.once("exit", ended);
  });
  if (code !== 0)
    throw new CommandError("The base of the world could not be built. See the error above, then start again.");
}
