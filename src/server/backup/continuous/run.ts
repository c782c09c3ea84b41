import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { amount } from "../../../importer/report/reporter.ts";
import { onGoodbye } from "../../base/goodbye.ts";
import { databaseIds, workerName } from "../../base/wrangler.ts";
import { geodataBucketName, openGeodataBucket } from "../../geodata/geodata-bucket.ts";
import { type LastBackup, noteBackup } from "../last-backup.ts";
import { type BackupPlace, trouble } from "../place.ts";
import { type BackedUp, ContinuousBackup } from "./continuous-backup.ts";

/**
 * Backs up again and again until the process gets a signal to end: an error is reported, and the next backup tries again. A backup
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
  let last: LastBackup = { where: place.where, everyMs: every };
  try {
    while (!ending.signal.aborted) {
      const began = Date.now();
      try {
        backup ??= await ContinuousBackup.open(local, { place, bucket, work });
        const done = await backup.run();
        const { madeAt, chunks, bytes, pausedMs } = done;
        last = { at: madeAt.toISOString(), where: place.where, everyMs: every, pausedMs: Math.ceil(pausedMs) };
        if (isJson) console.log(JSON.stringify({ what: "backup", ...last, chunks, bytes }));
        else console.log(lineOf(done));
      } catch (error) {
        last = { ...last, error: (trouble(error, place.where) as Error).message };
        if (isJson) console.error(JSON.stringify({ what: "backup", ...last }));
        else console.error(`Backup failed: ${last.error}`);
        // Its connections may be of a state that was replaced meanwhile.
        backup?.close();
        backup = undefined;
      }
      note(state, last);
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

/** If the state's disk is full, the destination still has what it has. */
function note(state: string, last: LastBackup): void {
  try {
    noteBackup(state, last);
  } catch {
    // The doctor shows an older one.
  }
}
