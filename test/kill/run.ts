import { CommandError, readArguments, runCommand } from "../../src/cli/command.ts";
import { auditText, isFlawless } from "./audit.ts";
import { killRun } from "./kill-run.ts";

/**
 * `npm run test:kill -- [--kills 20] [--seconds 2] [--seed N]`: kills a server under load and counts what is left. Ctrl-C makes
 * the next kill the last one.
 */
async function kill(): Promise<void> {
  const { values } = readArguments({
    options: {
      kills: { type: "string", default: "20" },
      seconds: { type: "string", default: "2" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
    },
  });
  const [kills, seconds, seed] = [values.kills, values.seconds, values.seed].map(Number);
  if (!(Number.isInteger(kills) && kills > 0)) throw new CommandError("--kills is a whole number above 0.");
  if (!(seconds > 0)) throw new CommandError("--seconds is a number above 0: the mean time a server lives.");
  console.log(`${kills} kills, a server lives ${seconds} s on average, seed ${seed}`);
  let interrupted = false;
  process.on("SIGINT", () => {
    interrupted = true;
  });
  const totals = await killRun({ kills, seconds, seed, enough: () => interrupted, report: console.log });
  const { updates, repeated, events, users, messages, refusals, toldAgain, drained, audit } = totals;
  console.log(
    `${totals.kills} kills, ${updates} updates acknowledged (${repeated} sent again), ${events} events of ${users} users, ${messages} messages taken by the webhook's receiver (${refusals} refused before), ${toldAgain} events told more than once, drained in ${drained} s: ${auditText(audit)}`,
  );
  if (!isFlawless(audit)) process.exitCode = 1;
}

await runCommand(kill);
