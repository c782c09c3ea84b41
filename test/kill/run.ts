import { CommandError, readArguments, runCommand } from "../../src/server/base/command.ts";
import { auditText, isFlawless } from "./audit.ts";
import { killRun } from "./kill-run.ts";

/**
 * `npm run test:kill -- [--kills 20] [--seconds 2] [--seed N] [--start] [--backups SECONDS]`: kills a server under load and counts what is left,
 * with `--start` all of `npm start`, with `--backups 5` one that backs up every five seconds, with a standby. Ctrl-C makes the next kill the last one.
 */
async function kill(): Promise<void> {
  const { values } = readArguments({
    options: {
      kills: { type: "string", default: "20" },
      seconds: { type: "string", default: "2" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      start: { type: "boolean", default: false },
      backups: { type: "string" },
    },
  });
  const [kills, seconds, seed] = [values.kills, values.seconds, values.seed].map(Number);
  if (!(Number.isInteger(kills) && kills > 0)) throw new CommandError("--kills is a whole number above 0.");
  if (!(seconds > 0)) throw new CommandError("--seconds is a number above 0: the mean time a server lives.");
  const backupEvery = values.backups === undefined ? undefined : Number(values.backups);
  if (backupEvery !== undefined && !(backupEvery > 0))
    throw new CommandError("--backups is a number of seconds above 0.");
  const server = values.start || backupEvery ? "npm start" : "worker";
  console.log(`${kills} kills of ${server}, a server lives ${seconds} s on average, seed ${seed}`);
  let interrupted = false;
  process.on("SIGINT", () => {
    interrupted = true;
  });
  const totals = await killRun({
    ...{ kills, seconds, seed, server, backupEvery },
    enough: () => interrupted,
    report: console.log,
  });
  const { updates, repeated, events, users, messages, refusals, toldAgain, drained, audit, bucket } = totals;
  const { broker, published, archive, parts, hot, lists, complaints } = totals;
  const { lines, ...gathered } = bucket;
  console.log(
    `${totals.kills} kills, ${updates} updates acknowledged (${repeated} sent again), ${events} events of ${users} users, drained in ${drained} s: ${auditText(audit)}
webhook: ${messages} messages taken (${refusals} refused before), ${toldAgain} events told more than once
bucket: ${lines} lines: ${auditText(gathered)}
MQTT broker: ${published} messages: ${auditText(broker)}
archive: ${parts} parts, ${hot} events still in the database: ${auditText(archive)}
lists compared while this went on: ${lists}, ${complaints.length} complaints ${complaints.slice(0, 5).join(", ")}`,
  );
  const { backups } = totals;
  if (backups) console.log(`backups: ${JSON.stringify(backups)}`);
  if (backups && backups.lost.length + backups.lostByStandby.length > 0) process.exitCode = 1;
  // What `npm start` has not moved yet is in no object.
  const isWhole = isFlawless({ ...archive, missing: hot > 0 ? [] : archive.missing, complaints });
  if (![audit, gathered, broker].every(isFlawless) || !isWhole) process.exitCode = 1;
}

await runCommand(kill);
