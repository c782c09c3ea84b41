import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** When and where a state was last backed up from this machine. */
export interface LastBackup {
  /** The moment that the newest backup shows [ISO 8601]; absent before the first. */
  at?: string;
  where: string;
  /** Continuous backups: the time between two of them [ms]. */
  everyMs?: number;
  /** How long the server was paused [ms]. */
  pausedMs?: number;
  /** What went wrong since then, as a sentence. */
  error?: string;
}

/** In the state. */
const LAST_BACKUP = "last-backup.json";

/** Notes it for `npm run doctor`. @throws errors of the file system */
export function noteBackup(state: string, last: LastBackup): void {
  const path = join(state, LAST_BACKUP);
  writeFileSync(`${path}.part`, `${JSON.stringify(last)}\n`, { mode: 0o600 });
  renameSync(`${path}.part`, path);
}

/** @returns undefined if no backup of the state is known */
export function lastBackup(state: string): LastBackup | undefined {
  try {
    return JSON.parse(readFileSync(join(state, LAST_BACKUP), "utf8"));
  } catch {
    return undefined;
  }
}
