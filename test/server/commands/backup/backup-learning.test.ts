import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import {
  contributionKey,
  RESIDUAL_KEY,
  reportKey,
  stateKey,
  summaryKey,
  tileKey,
} from "../../../../src/core/routing/learn/keys.ts";
import { openLocalBucket } from "../../../../src/importer/publish/local-bucket.ts";
import { packLearning } from "../../../../src/server/backup/learning.ts";
import { type BackupPlace, openPlace } from "../../../../src/server/backup/place.ts";
import { readBackup } from "../../../../src/server/backup/read-backup.ts";
import { restoreLocal } from "../../../../src/server/backup/restore-local.ts";
import { writeBackup } from "../../../../src/server/backup/write-backup.ts";
import { localDatabasePath, openLocalDatabase } from "../../../../src/server/data/local-database.ts";
import { scratchFolder } from "../scratch.ts";

const folder = scratchFolder();
const DATABASE = "00000000-0000-0000-0000-000000000001";
const placeOf = (state: string) => ({ state, worker: "graticule", databaseId: DATABASE, bucket: "graticule-geodata" });
const bytesOf = (key: string) => Buffer.from(`the object ${key}`);
const contributionOf = (user: number, week: number) => {
  const hash = String(user).padStart(12, "0");
  return contributionKey(3, week, { device: hash, user: hash });
};

async function backupOf(state: string, place: BackupPlace) {
  const bucket = openLocalBucket(state, "graticule-geodata");
  const work = mkdtempSync(join(folder, "work-"));
  try {
    const database = join(folder, "copy.sqlite");
    rmSync(database, { force: true });
    const rows = new DatabaseSync(localDatabasePath(state, DATABASE));
    rows.exec(`VACUUM INTO '${database}'`);
    rows.close();
    const learning = await packLearning(bucket, work);
    const geodata = { whole: false, objects: 0, builds: [] };
    const about = { from: "local" as const, madeAt: new Date(), worker: "graticule", uploads: [] };
    return await writeBackup({ ...about, database, geodata, learning }, place);
  } finally {
    bucket.close();
  }
}

it("a backup has what learning collected, reuses weeks that did not change, and a restore replaces what is there", async () => {
  const state = join(folder, "state");
  openLocalDatabase(state).close();
  const place = openPlace(join(folder, "backup"));
  expect((await backupOf(state, place)).learning).toBeUndefined();

  const weeks = [...Array(40).keys()].map((user) => contributionOf(user, 2960 + (user % 2)));
  const kept = [...weeks, stateKey(3), reportKey(3), summaryKey("town"), RESIDUAL_KEY];
  const bucket = openLocalBucket(state, "graticule-geodata");
  for (const key of [...kept, tileKey(2960, "123")]) await bucket.put(key, bytesOf(key));
  const first = (await backupOf(state, place)).learning!;
  expect(first.map(({ name, objects }) => [name, objects])).toEqual([
    ["current", 4],
    ["2960", 20],
    ["2961", 20],
  ]);

  // A user is deleted: only the packs that had the user are written again.
  const gone = weeks[1];
  await bucket.delete([gone]);
  bucket.close();
  const second = (await backupOf(state, place)).learning!;
  expect(second.slice(0, 2)).toEqual(first.slice(0, 2));
  expect(second[2]).not.toEqual(first[2]);

  const copy = join(folder, "restored");
  const target = openLocalBucket(copy, "graticule-geodata");
  for (const key of [contributionOf(99, 2961), tileKey(2961, "5"), "builds/a/manifest.json"]) {
    await target.put(key, bytesOf(key));
  }
  target.close();
  await restoreLocal(await readBackup(place, folder), place, { ...placeOf(copy), force: true, work: folder });
  const restored = openLocalBucket(copy, "graticule-geodata");
  const keys = [...(await restored.list("")).keys()].toSorted();
  expect(keys).toEqual([...kept.filter((key) => key !== gone), "builds/a/manifest.json"].toSorted());
  for (const key of keys) expect(Buffer.from((await restored.get(key))!.bytes)).toEqual(bytesOf(key));
  restored.close();
});
