import { CommandError, readArguments, runCommand } from "../../src/server/base/command.ts";
import { fitGeocoding } from "./geocoding.ts";

/** `npm run fit -- geocoding`: fits weights to questions with known answers, and writes them. */
async function fit(): Promise<void> {
  const { values, positionals } = readArguments({
    allowPositionals: true,
    options: { seed: { type: "string", default: "1" }, "dry-run": { type: "boolean", default: false } },
  });
  if (positionals[0] !== "geocoding") throw new CommandError("npm run fit -- geocoding [--seed N] [--dry-run]");
  console.log(await fitGeocoding({ seed: Number(values.seed), write: !values["dry-run"] }));
}

await runCommand(fit);
