import { parseArgs } from "node:util";
import { CommandError, runCommand } from "../../src/server/base/command.ts";
import { fuzz } from "./fuzz.ts";
import { MAX_CPU } from "./judge.ts";
import { startFuzzPlatform } from "./platform.ts";

/** `npm run test:fuzz -- [--runs 2000] [--seed N] [--only track,directions]`: drawn requests to every endpoint of a Worker of its own. */
async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: "string", default: "2000" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      only: { type: "string" },
    },
  });
  const [runs, seed] = [values.runs, values.seed].map(Number);
  if (!(Number.isInteger(runs) && runs > 0)) throw new CommandError("--runs is a whole number above 0.");
  if (!Number.isInteger(seed)) throw new CommandError("--seed is a whole number.");
  console.log(`${runs} requests to each endpoint, seed ${seed}`);
  const platform = await startFuzzPlatform();
  try {
    const only = values.only?.split(",");
    const { endpoints, requests, statuses, faults, dearest, memoryMb } = await fuzz(platform, {
      runs,
      seed,
      only,
      report: console.log,
    });
    console.log(`\n${requests} requests to ${endpoints} endpoints, seed ${seed}: ${JSON.stringify(statuses)}`);
    console.log(`most CPU of one request: ${dearest.cpu.toFixed(2)} s (at most ${MAX_CPU})\n  ${dearest.curl}`);
    console.log(`memory after each quarter: ${memoryMb.join(", ")} MB`);
    console.log(`${faults.length} faults`);
    if (faults.length > 0) process.exitCode = 1;
  } finally {
    await platform.stop();
  }
}

await runCommand(run);
