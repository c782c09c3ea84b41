import { CommandError, readArguments, runCommand } from "../../src/server/base/command.ts";
import { percentile } from "../bench/support/percentile.ts";
import { judgeMemory } from "./memory.ts";
import { soak } from "./soak.ts";

const TOLD_EVERY_S = 60;

/**
 * `npm run test:soak -- [--minutes 120] [--rate 50] [--devices 1000] [--growth 0.1] [--seed 5]`: `npm start` under a steady load. Fails when
 * a request fails, when messages are left, or when the memory of its processes ends higher than it began. Ctrl-C ends it early, with what
 * was seen until then.
 */
async function run(): Promise<void> {
  const { values } = readArguments({
    options: {
      minutes: { type: "string", default: "120" },
      rate: { type: "string", default: "50" },
      devices: { type: "string", default: "1000" },
      growth: { type: "string", default: "0.1" },
      seed: { type: "string", default: "5" },
    },
  });
  const [minutes, rate, growth, seed] = [values.minutes, values.rate, values.growth, values.seed].map(Number);
  const devices = Number(values.devices);
  if (!(minutes > 0 && rate > 0)) throw new CommandError("--minutes and --rate are numbers above 0.");
  if (!(Number.isInteger(devices) && devices > 0)) throw new CommandError("--devices is a whole number above 0.");
  if (!(growth >= 0)) throw new CommandError("--growth is a share, such as 0.1.");
  let interrupted = false;
  process.once("SIGINT", () => {
    interrupted = true;
  });
  let told = 0;
  const { updates, reads, reset, messages, waiting, memory } = await soak(
    { minutes, rate, devices, seed },
    {
      goesOn: () => !interrupted,
      tell({ second, megabytes }, sent) {
        if (second - told < TOLD_EVERY_S) return;
        told = second;
        const left = minutes - second / 60;
        console.error(`${Math.round(megabytes)} MB after ${sent} updates, ${left.toFixed(0)} minutes left`);
      },
    },
  );
  const errors = updates.errors + reads.errors;
  for (const { firstError } of [updates, reads]) if (firstError) console.error(firstError);
  const timesOf = (times: number[]) =>
    times.length === 0
      ? "none"
      : `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;
  console.log(`${updates.sent} updates (${timesOf(updates.times)}), ${reads.sent} reads (${timesOf(reads.times)})`);
  console.log(`${errors} errors, ${reset} requests sent again; ${messages} messages of the webhook, ${waiting} left`);
  const { first, last, grew } = judgeMemory(memory, growth);
  const most = Math.max(...memory.map(({ megabytes }) => megabytes));
  console.log(`memory ${first.toFixed(0)} MB, at the end ${last.toFixed(0)} MB, most ${most.toFixed(0)} MB`);
  if (grew) console.log(`It grew by more than ${(100 * growth).toFixed(0)} %.`);
  if (grew || errors > 0 || waiting > 0) process.exitCode = 1;
}

await runCommand(run);
