import { createHash } from "node:crypto";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { buildKey, LIVE_KEY } from "../../core/geo/builds/manifest.ts";
import type { Bucket } from "../../importer/publish/bucket.ts";
import { damaged } from "./damaged.ts";
import { geodataKey, inParallel } from "./geodata.ts";
import { type BackupPlace, fetchTo } from "./place.ts";
import type { WholeBackup } from "./read-backup.ts";

/** Objects up to this size are held in memory [bytes]. */
const SMALL = 8_000_000;

/** Icons and styles into a bucket. */
export async function bringUploads({ manifest, fileOf }: WholeBackup, bucket: Bucket): Promise<void> {
  const objects = async function* () {
    for (const upload of manifest.uploads) yield { key: upload.key, bytes: readFileSync(fileOf(upload)) };
  };
  await bucket.putMany(objects(), () => {});
}

/** Restores the builds of a backup into a bucket. Skips existing objects, and writes the list of live builds last. */
export async function bringGeodata(
  { live, builds }: WholeBackup,
  from: BackupPlace,
  bucket: Bucket,
  work: string,
): Promise<void> {
  if (!live) return;
  for (const [id, list] of builds) {
    const there = await bucket.list(buildKey(id, ""));
    const missing = Object.entries(list).filter(([key, [bytes]]) => there.get(buildKey(id, key)) !== bytes);
    const small = missing.filter(([, [bytes]]) => bytes <= SMALL);
    await bucket.putMany(wholeObjects(id, small, from), () => {});
    await inParallel(
      missing.filter(([, [bytes]]) => bytes > SMALL),
      async ([key, [, sha256]]) => {
        const file = join(work, sha256);
        const at = geodataKey(buildKey(id, key));
        if ((await fetchTo(from, at, file)) !== sha256) throw damaged(from, at, true);
        await bucket.putFile(buildKey(id, key), { path: file, offset: 0, length: statSync(file).size }, () => {});
        rmSync(file);
      },
    );
    for (const name of ["objects.json", "manifest.json"]) {
      const bytes = await from.get(geodataKey(buildKey(id, name)));
      if (!bytes) throw damaged(from, geodataKey(buildKey(id, name)), false);
      await bucket.put(buildKey(id, name), bytes);
    }
  }
  await bucket.put(LIVE_KEY, live);
}

async function* wholeObjects(id: string, list: [key: string, [bytes: number, sha256: string]][], from: BackupPlace) {
  for (const [key, [, sha256]] of list) {
    const at = geodataKey(buildKey(id, key));
    const bytes = await from.get(at);
    if (!bytes || createHash("sha256").update(bytes).digest("hex") !== sha256)
      throw damaged(from, at, bytes !== undefined);
    yield { key: buildKey(id, key), bytes };
  }
}
