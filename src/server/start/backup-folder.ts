import { realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { parseInterval } from "../backup/continuous/interval.ts";
import { openPlace } from "../backup/place.ts";
import { UsageError } from "../base/command.ts";
import type { Serving } from "./serve.ts";

/** The folder without links; of one that does not exist yet, of the part that does. */
function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realFolder(dirname(path)), basename(path));
  }
}

/** Backups in the state would be lost with it, and be part of it. @throws UsageError */
export function refuseInState(option: string, place: string, state: string): void {
  // A bucket, or what openPlace rejects.
  if (/^(s3:|[\w+.-]+:\/\/)/.test(place)) return;
  const way = relative(realFolder(resolve(state)), realFolder(resolve(place)));
  if (way === ".." || way.startsWith(`..${sep}`) || resolve(way) === way) return;
  throw new UsageError(
    `${option} ${place} is in the state folder ${state}. Backups there would be lost with it. Use another folder, on another disk if possible.`,
  );
}

/** @throws UsageError, also for an interval without a place, with which nothing would be backed up */
export function wantedBackups(to: string | undefined, every: string | undefined, state: string): Serving["backups"] {
  if (every !== undefined) parseInterval(every);
  if (to === undefined) {
    if (every !== undefined)
      throw new UsageError("--every requires --backup-to PLACE: without it, nothing is backed up.");
    return undefined;
  }
  refuseInState("--backup-to", to, state);
  openPlace(to);
  return { to, every: every ?? "60s" };
}
