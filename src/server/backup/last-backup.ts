import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LATE_INTERVALS } from "../../core/webhooks/alerts.ts";

/** When and where a state was last backed up from this machine. */
export interface LastBackup {
  /** The moment that the newest backup shows [ISO 8601]; absent before the first. */
  at?: string;
  where: string;
  /** Since when this process or its server makes backups [ISO 8601]. */
  since?: string;
  /** Continuous backups: the time between two of them [ms]. */
  everyMs?: number;
  /** How long the server was paused [ms]. */
  pausedMs?: number;
  /** The folder was on another disk than the system's. */
  isOnOwnDisk?: true;
  /** What went wrong since then, as a sentence. */
  error?: string;
  /** Durable Objects whose files are damaged, so that the backup has them as they were before, or not at all. */
  damaged?: string[];
}

/** How old the newest moment of continuous backups is [ms]; Infinity if none is known, undefined for single backups. */
export function ageOf({ at, since, everyMs }: LastBackup, now: number): number | undefined {
  if (everyMs === undefined) return undefined;
  const from = Date.parse(at ?? since ?? "");
  return Number.isNaN(from) ? Number.POSITIVE_INFINITY : now - from;
}

/**
 * Whether continuous backups have made nothing new for three intervals, counted from when they began: after a start, the newest one may
 * be as old as the server was stopped.
 */
export function isLate(last: LastBackup | undefined, now: number): boolean {
  const age = last && ageOf(last, now);
  if (age === undefined) return false;
  const began = Date.parse(last?.since ?? "");
  return Math.min(age, Number.isNaN(began) ? age : now - began) > LATE_INTERVALS * Number(last?.everyMs);
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
