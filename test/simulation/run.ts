import { availableParallelism } from "node:os";
import { CommandError, readArguments, runCommand } from "../../src/server/base/command.ts";
import type { DeviceReport } from "./day.ts";
import { simulateInShards } from "./sharded-day.ts";

const SHOWN = 20;

/**
 * `npm run test:day -- [--devices 1000] [--seed 9] [--shards N]`: a simulated day, checked against a plain account of it, in as many
 * processes as there are cores. The day is the same for any number of them, as its digest tells.
 */
async function day(): Promise<void> {
  const { values } = readArguments({
    options: {
      devices: { type: "string", default: "1000" },
      seed: { type: "string", default: "9" },
      shards: { type: "string", default: String(availableParallelism()) },
    },
  });
  const [devices, seed, shards] = [values.devices, values.seed, values.shards].map(Number);
  if (!(Number.isInteger(shards) && shards > 0)) throw new CommandError("--shards is a whole number above 0.");
  if (!(Number.isInteger(devices) && devices > 0)) throw new CommandError("--devices is a whole number above 0.");
  const began = performance.now();
  let interrupted = false;
  process.once("SIGINT", () => {
    interrupted = true;
  });
  let told = began;
  const goesOn = (soFar: DeviceReport[]) => {
    const now = performance.now();
    if (now - told > 10_000) {
      told = now;
      const left = (((now - began) / soFar.length) * (devices - soFar.length)) / 60_000;
      const differences = soFar.reduce((sum, one) => sum + one.differences.length, 0);
      console.error(
        `${soFar.length} of ${devices} devices, ${differences} differences, ${left.toFixed(0)} minutes left`,
      );
    }
    return !interrupted;
  };
  const day = await simulateInShards(devices, seed, Math.min(shards, devices), goesOn);
  const { devices: seen, updates, events, byType, differences, digest } = day;
  for (const [type, count] of Object.entries(byType).sort()) console.log(`${String(count).padStart(9)} ${type}`);
  for (const difference of differences.slice(0, SHOWN)) console.log(difference);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `${seen} devices, ${updates} updates, ${events} events in ${seconds} s: ${differences.length} differences; digest ${digest.slice(0, 16)}`,
  );
  if (differences.length > 0) process.exitCode = 1;
}

await runCommand(day);
