import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { ORDERS } from "../../core/archive/orders.ts";
import { ARCHIVE, type MonthPart, monthKey, objectKey, type Part } from "../../core/archive/part.ts";
import type { Bucket } from "../../importer/publish/bucket.ts";
import { CommandError } from "../base/command.ts";
import { damaged } from "./damaged.ts";
import { inParallel } from "./geodata.ts";
import { type BackupManifest, MANIFEST_KEY, parseManifest } from "./manifest.ts";
import type { BackupPlace } from "./place.ts";

/** Archived events. A backup stores their objects under their keys in the bucket. */
type ArchiveList = NonNullable<BackupManifest["archive"]>;

/**
 * Copies the objects of archive parts, as listed in copies of the databases. They are immutable, so objects in the
 * previous backup are not read again. An object is kept for an hour after its part was rewritten, which is longer than
 * the age of the copied database.
 */
export async function copyArchive(bucket: Bucket, keys: readonly string[], place: BackupPlace): Promise<ArchiveList> {
  if (keys.length === 0) return [];
  const [held, known] = [await place.sizes(ARCHIVE), await listOfBefore(place)];
  const list: ArchiveList = [];
  await inParallel(keys, async (key) => {
    const before = known.get(key);
    if (before && held.get(key) === before.bytes) {
      list.push(before);
      return;
    }
    const object = await bucket.get(key);
    if (!object)
      throw new CommandError(
        `${key} is not in ${bucket.where}: its events were rewritten during the backup, or it is lost. Rerun the command.`,
      );
    await place.put(key, object.bytes);
    list.push({ key, bytes: object.bytes.length, sha256: sha256(object.bytes) });
  });
  return list.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Keys of the archive's objects, as copies of the databases list them. */
export function archiveKeysOf(paths: readonly string[]): string[] {
  const keys = paths.flatMap((path) => {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      return archiveKeys(database);
    } finally {
      database.close();
    }
  });
  return [...new Set(keys)];
}

export function archiveKeys(database: DatabaseSync): string[] {
  const isThere = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'archive_part'").get();
  if (!isThere) return [];
  const parts = database.prepare("SELECT scope, id, day, users = '[]' AS isMerged FROM archive_part").all();
  const days = (parts as unknown as (Part & { isMerged: number })[]).flatMap((part) =>
    (part.isMerged ? (["types"] as const) : ORDERS).map((order) => objectKey(part, order)),
  );
  const hasMonths = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'archive_month'").get();
  if (!hasMonths) return days;
  const months = database.prepare("SELECT scope, id, month FROM archive_month").all();
  return [...days, ...(months as unknown as MonthPart[]).map(monthKey)];
}

/** Archive objects of the existing backup; empty if there is none or it is unreadable. */
async function listOfBefore(place: BackupPlace): Promise<Map<string, ArchiveList[number]>> {
  const text = await place.get(MANIFEST_KEY);
  try {
    const { archive = [] } = text ? parseManifest(Buffer.from(text).toString("utf8"), place.where) : {};
    return new Map(archive.map((object) => [object.key, object]));
  } catch {
    return new Map();
  }
}

/** Removes objects that no manifest names any more. */
export async function dropOldArchive(manifests: readonly BackupManifest[], place: BackupPlace): Promise<void> {
  const named = new Set(manifests.flatMap(({ archive = [] }) => archive.map(({ key }) => key)));
  const gone = [...(await place.sizes(ARCHIVE)).keys()].filter((key) => !named.has(key));
  if (gone.length > 0) await place.delete(gone);
}

/**
 * Checks that all objects exist with the right size. Contents are verified when they are copied. @throws CommandError
 */
export async function checkArchive({ archive = [] }: BackupManifest, place: BackupPlace): Promise<void> {
  if (archive.length === 0) return;
  const sizes = await place.sizes(ARCHIVE);
  for (const { key, bytes } of archive) if (sizes.get(key) !== bytes) throw damaged(place, key, sizes.has(key));
}

/** Restores the archive into a bucket, and replaces its contents. */
export async function bringArchive({ archive = [] }: BackupManifest, from: BackupPlace, bucket: Bucket): Promise<void> {
  const there = [...(await bucket.list(ARCHIVE)).keys()];
  if (there.length > 0) await bucket.delete(there);
  const objects = async function* () {
    for (const { key, sha256: expected } of archive) {
      const bytes = await from.get(key);
      if (!bytes || sha256(bytes) !== expected) throw damaged(from, key, bytes !== undefined);
      yield { key, bytes };
    }
  };
  await bucket.putMany(objects(), () => {});
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
