import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { amount } from "../../../importer/report/reporter.ts";
import { geodataBucketName, openGeodataBucket } from "../../geodata/geodata-bucket.ts";
import { onGoodbye } from "../../goodbye.ts";
import { databaseIds, workerName } from "../../wrangler.ts";
import { type BackupPlace, trouble } from "../place.ts";
import { type BackedUp, ContinuousBackup } from "./continuous-backup.ts";

/** In the state: when it was last backed up, and what went wrong since. */
export const BACKUP_STATUS = "backup-status.json";

export interface BackupStatus {
  where: string;
  /** The newest moment that can be restored [ISO 8601]; absent before the first. */
  madeAt?: string;
  /** Of that backup [ms]. */
  pausedMs?: number;
  /** Since then: a sentence. */
  error?: string;
}

/**
 * Backs up again and again until the process is told to end: an error is reported, and the next backup tries again. A backup
 * under way is completed.
 */
export async function backUpEvery(
  place: BackupPlace,
  { state, every, isJson }: { state: string; every: number; isJson: boolean },
): Promise<void> {
  const ending = new AbortController();
  onGoodbye(() => ending.abort());
  const work = mkdtempSync(join(tmpdir(), "graticule-backup-"));
  const bucket = openGeodataBucket({ remote: false, state });
  const local = { state, worker: workerName(), ...databaseIds(), bucket: geodataBucketName() };
  let backup: ContinuousBackup | undefined;
  let status: BackupStatus = { where: place.where };
  try {
    while (!ending.signal.aborted) {
      const began = Date.now();
      try {
        backup ??= await ContinuousBackup.open(local, { place, bucket, work });
        const done = await backup.run();
        status = { where: place.where, madeAt: done.madeAt.toISOString(), pausedMs: Math.ceil(done.pausedMs) };
        if (isJson) console.log(JSON.stringify({ what: "backup", ...status, chunks: done.chunks, bytes: done.bytes }));
        else console.log(lineOf(done));
      } catch (error) {
        status = { ...status, error: (trouble(error, place.where) as Error).message };
        if (isJson) console.error(JSON.stringify({ what: "backup", ...status }));
        else console.error(`Backup failed: ${status.error}`);
        // Its connections may be of a state that was replaced meanwhile.
        backup?.close();
        backup = undefined;
      }
      note(state, status);
      await sleep(Math.max(0, began + every - Date.now()), undefined, { signal: ending.signal }).catch(() => {});
    }
  } finally {
    backup?.close();
    bucket.close();
    rmSync(work, { recursive: true, force: true });
  }
}

function lineOf({ madeAt, chunks, bytes, pausedMs }: BackedUp): string {
  const written = chunks === 0 ? "no changes" : `${chunks.toLocaleString("en-US")} chunks, ${amount(bytes, "B")}`;
  const paused = pausedMs > 0 ? `, paused for ${Math.ceil(pausedMs)} ms` : "";
  return `${madeAt.toISOString()}  ${written}${paused}`;
}

/** Where the state's disk is full, the destination still has what it has. */
function note(state: string, status: BackupStatus): void {
  const path = join(state, BACKUP_STATUS);
  try {
    writeFileSync(`${path}.part`, `${JSON.stringify(status)}\n`, { mode: 0o600 });
    renameSync(`${path}.part`, path);
  } catch {
    rmSync(`${path}.part`, { force: true });
  }
}
