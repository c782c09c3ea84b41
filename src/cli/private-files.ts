import { chmodSync } from "node:fs";

/** Mode of folders that hold customers' data: their user's alone. Files in them get 0600 by the same mask. */
const PRIVATE_FOLDER = 0o700;

/**
 * Makes all files that this process and its children create from now on readable by their user only, whatever the umask was: states and
 * backups hold positions, keys and secrets. A folder that is there already is corrected; what lies in it cannot be reached by others then.
 */
export function keepPrivate(folder?: string): void {
  process.umask(0o077);
  if (folder === undefined) return;
  try {
    chmodSync(folder, PRIVATE_FOLDER);
  } catch {
    // Not there yet, or somebody else's: making or using it says what is wrong.
  }
}
