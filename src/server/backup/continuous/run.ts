import { mkdtempSync, rmSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { amount } from "../../../importer/report/reporter.ts";
import { onGoodbye } from "../../base/goodbye.ts";
import { databaseIds, workerName } from "../../base/wrangler.ts";
import { geodataBucketName, openGeodataBucket } from "../../geodata/geodata-bucket.ts";
import { OF_SERVER } from "../../state/lock.ts";
import type { BackupPlace } from "../place.ts";
import type { BackedUp } from "./continuous-backup.ts";
import { untilNext } from "./interval.ts";
import { BackupRounds } from "./rounds.ts";

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
  if (process.env[OF_SERVER]) process.stdin.on("close", () => ending.abort()).resume();
  const work = mkdtempSync(join(tmpdir(), "graticule-backup-"));
  const rounds = new BackupRounds({
    ...{ state, place, everyMs: every, work },
    local: () => ({ state, worker: workerName(), ...databaseIds(), bucket: geodataBucketName() }),
    openBucket: () => openGeodataBucket({ remote: false, state }),
  });
  let failures = 0;
  let isFirst = true;
  try {
    while (!ending.signal.aborted) {
      const began = performance.now();
      const done = await rounds.round();
      const { last } = rounds;
      const { since: _, ...noted } = last;
      if (isJson) {
        const line = JSON.stringify({
          what: "backup",
          ...noted,
          ...(done && { chunks: done.chunks, bytes: done.bytes }),
        });
        if (last.error === undefined) console.log(line);
        else console.error(line);
      } else {
        if (done) console.log(lineOf(done));
        if (last.error !== undefined) console.error(`Backup failed: ${last.error}`);
      }
      failures = done ? 0 : failures + 1;
      // For the next start: a process that is killed writes nothing at its end.
      if (isFirst) flushCompileCache();
      isFirst = false;
      const left = Math.max(0, began + untilNext(every, failures) - performance.now());
      await sleep(left, undefined, { signal: ending.signal }).catch(() => {});
    }
  } finally {
    rounds.close();
    rmSync(work, { recursive: true, force: true });
    if (process.env[OF_SERVER]) process.stdin.destroy();
  }
}

function lineOf({ madeAt, chunks, bytes, pausedMs, damaged }: BackedUp): string {
  const written = chunks === 0 ? "no changes" : `${chunks.toLocaleString("en-US")} chunks, ${amount(bytes, "B")}`;
  const paused = pausedMs > 0 ? `, paused for ${Math.ceil(pausedMs)} ms` : "";
  const broken = damaged.length > 0 ? `, damaged: ${damaged.join(", ")}` : "";
  return `${madeAt.toISOString()}  ${written}${paused}${broken}`;
}
