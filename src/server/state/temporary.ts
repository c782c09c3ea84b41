import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Temporary files of a server are in its state folder, not in that of the system: so the next start finds what a killed server left. */
const folderOf = (state: string) => join(state, "tmp");

/** Removes what earlier servers left, and returns the folder. The caller must hold the lock of the state folder. */
export function emptyTemporary(state: string): string {
  const folder = folderOf(state);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Runs `work`, which makes Miniflare: it chooses a folder in the system's temporary one, and has no option for it. */
export function inTemporary<T>(state: string, work: () => T): T {
  const folder = folderOf(state);
  mkdirSync(folder, { recursive: true });
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    return work();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}
