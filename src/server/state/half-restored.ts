import { existsSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../base/command.ts";

/** The note in a state into which a backup is being written. */
export const halfRestored = (state: string) => join(state, "restoring");

/** @throws CommandError where a restore was interrupted: a server would answer with half of what there was */
export function refuseHalfRestored(state: string): void {
  if (existsSync(halfRestored(state)))
    throw new CommandError(
      `A restore into ${state} was interrupted. Rerun it: npm run restore -- … --persist-to ${state}`,
    );
}
