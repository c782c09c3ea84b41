import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LEARNED_PREFIX, LEARNING_PREFIX, parseContributionKey } from "../../core/routing/learn/keys.ts";
import type { Bucket } from "../../importer/publish/bucket.ts";
import type { BackupManifest } from "./manifest.ts";
import type { WholeBackup } from "./read-backup.ts";
import type { LearningPack } from "./write-backup.ts";

/** What is not of one week: states, reports, the residual model, summaries of builds. */
const CURRENT = "current";
const PARALLEL = 16;

/**
 * Packs what learning collected. Contributions of a week that is over do not change, so the next backup reuses their pack.
 * Merged weeks are omitted: the next `npm run learn` merges the contributions again.
 */
export async function packLearning(bucket: Bucket, work: string): Promise<LearningPack[]> {
  const packs: LearningPack[] = [];
  const pack = async (name: string, keys: readonly string[]) => {
    const path = join(work, `learning-${name}.sqlite`);
    const objects = await writePack(path, bucket, keys);
    if (objects > 0) packs.push({ name, path, objects });
  };
  // States first: a day that a state does not have yet is collected again, and the contributions that have it stay as they are.
  const all = [...(await bucket.list(LEARNING_PREFIX)).keys(), ...(await bucket.list(LEARNED_PREFIX)).keys()];
  await pack(
    CURRENT,
    all.filter((key) => !parseContributionKey(key) && !isMergedWeek(key)),
  );
  const weeks = new Map<number, string[]>();
  for (const key of (await bucket.list(LEARNING_PREFIX)).keys()) {
    const week = parseContributionKey(key)?.week;
    if (week === undefined) continue;
    const keys = weeks.get(week) ?? [];
    weeks.set(week, keys);
    keys.push(key);
  }
  for (const [week, keys] of [...weeks].sort(([a], [b]) => a - b)) await pack(String(week), keys);
  return packs;
}

const isMergedWeek = (key: string) => /^learned\/\d+\//.test(key);

/** Writes the objects in the order of their keys, so that the same objects give the same file. Returns how many there are. */
async function writePack(path: string, bucket: Bucket, keys: readonly string[]): Promise<number> {
  // Left by a backup that failed, or whose pack was empty.
  for (const more of ["", "-journal"]) rmSync(path + more, { force: true });
  const database = new DatabaseSync(path);
  try {
    // No other process reads the file before it is complete.
    database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
    database.exec("CREATE TABLE object (key TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID");
    const insert = database.prepare("INSERT INTO object VALUES (?, ?)");
    const sorted = [...keys].sort();
    let count = 0;
    for (let i = 0; i < sorted.length; i += PARALLEL) {
      const some = sorted.slice(i, i + PARALLEL);
      const stored = await Promise.all(some.map((key) => bucket.get(key)));
      for (const [k, object] of stored.entries()) {
        // Deleted since it was listed: with its user.
        if (!object) continue;
        insert.run(some[k], object.bytes);
        count++;
      }
    }
    database.exec("COMMIT");
    return count;
  } finally {
    database.close();
  }
}

/** Restores what learning collected, and replaces what the bucket has: it is of projects that the restore replaces. */
export async function bringLearning({ manifest, fileOf }: WholeBackup, bucket: Bucket): Promise<void> {
  for (const prefix of [LEARNING_PREFIX, LEARNED_PREFIX]) {
    const there = [...(await bucket.list(prefix)).keys()];
    if (there.length > 0) await bucket.delete(there);
  }
  const objects = async function* () {
    for (const part of manifest.learning ?? []) yield* packedObjects(fileOf(part));
  };
  await bucket.putMany(objects(), () => {});
}

function* packedObjects(path: string): Generator<{ key: string; bytes: Uint8Array }> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    for (const row of database.prepare("SELECT key, bytes FROM object ORDER BY key").iterate()) {
      yield { key: String(row.key), bytes: row.bytes as Uint8Array };
    }
  } finally {
    database.close();
  }
}

/** Number of objects. */
export const learningObjects = ({ learning = [] }: BackupManifest): number =>
  learning.reduce((sum, { objects }) => sum + objects, 0);
