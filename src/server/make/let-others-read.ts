import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Lets every user read what is built, whoever built it under which umask: the server may run as another user than the one who installed
 * it. States stay private (base/private-files.ts). Links and what another user owns stay as they are.
 */
export function letOthersRead(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink()) return;
  const mode = found.mode | (found.isDirectory() ? 0o755 : 0o644);
  try {
    if (mode !== found.mode) chmodSync(path, mode & 0o7777);
    if (found.isDirectory()) for (const name of readdirSync(path)) letOthersRead(join(path, name));
  } catch {
    // Of another owner, or deleted meanwhile. Reading it reports the error.
  }
}
