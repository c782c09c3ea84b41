import { chmodSync } from "node:fs";

/** Mode of folders that hold customers' data: their user's alone. Files in them get 0600 by the same mask. */
const PRIVATE_FOLDER = 0o700;

/**
 * Makes all files that this process and its children create readable only by their user, regardless of the umask:
 * states and backups contain positions, keys and secrets. Fixes the mode of an existing folder, which also protects
 * its contents.
 */
export function keepPrivate(folder?: string): void {
  process.umask(0o077);
  if (folder === undefined) return;
  try {
    chmodSync(folder, PRIVATE_FOLDER);
  } catch {
    // The folder is missing or has another owner. Creating or using it reports the error.
  }
}
