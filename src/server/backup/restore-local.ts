import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { localBucketPath, openLocalBucket } from "../../importer/publish/local-bucket.ts";
import { openS3Bucket } from "../../importer/publish/s3-bucket.ts";
import { CommandError } from "../base/command.ts";
import { localDatabasePath, migrateFile } from "../data/local-database.ts";
import { geodataS3 } from "../geodata/geodata-s3.ts";
import { halfRestored } from "../state/half-restored.ts";
import { lockState } from "../state/lock.ts";
import { preparePlace } from "../state/place.ts";
import { bringArchive } from "./archive.ts";
import { refuseUnnamed, takeMovesBack } from "./further.ts";
import { bringLearning } from "./learning.ts";
import { KEPT_CLASSES, objectsFolder } from "./objects-pack.ts";
import { packedFiles } from "./packed-files.ts";
import type { BackupPlace } from "./place.ts";
import type { WholeBackup } from "./read-backup.ts";
import { bringGeodata, bringUploads } from "./restore-bucket.ts";
import type { LocalPlace } from "./take-local.ts";

/** Prefix of icons and styles. */
const UPLOADS = "custom/";

/**
 * Restores a backup into a state that no server uses. Meanwhile a marker file in the state prevents server starts. An
 * interrupted restore starts from the beginning.
 */
export async function restoreLocal(
  backup: WholeBackup,
  from: BackupPlace,
  to: LocalPlace & { force: boolean; work: string },
): Promise<void> {
  const { manifest, fileOf } = backup;
  const { state, worker, bucket: bucketName, force } = to;
  if (manifest.objects && manifest.worker !== worker)
    throw new CommandError(
      `The backup is of a Worker named ${manifest.worker}, but wrangler.toml has ${worker}. Devices are found only under the same name. Set name = "${manifest.worker}" in wrangler.toml, then restore again.`,
    );
  refuseUnnamed(manifest, Object.keys(to.further ?? {}));
  const settings = geodataS3();
  const s3 = settings && openS3Bucket(settings);
  preparePlace(state);
  const unlock = lockState(state, "npm run restore");
  const note = halfRestored(state);
  try {
    if (!existsSync(note) && !force) {
      refuseUsed(to);
      if (s3 && (await s3.list(UPLOADS)).size > 0)
        throw new CommandError(
          `${s3.where} is in use: it contains icons and styles. Use an empty bucket (GEODATA_BUCKET), or replace its data with --force.`,
        );
    }
    writeFileSync(note, `${manifest.madeAt}\n`);
    empty(to);
    const parts = { DB: manifest.database, ...manifest.further };
    for (const [binding, part] of Object.entries(parts)) {
      const database = localDatabasePath(state, binding === "DB" ? to.databaseId : String(to.further?.[binding]));
      mkdirSync(dirname(database), { recursive: true });
      copyFileSync(fileOf(part), database);
      migrateFile(database);
      if (binding === "DB") takeMovesBack(database);
    }
    if (manifest.objects) unpack(fileOf(manifest.objects), to);
    const bucket = s3 ?? openLocalBucket(state, bucketName);
    try {
      if (s3) await s3.delete([...(await s3.list(UPLOADS)).keys()]);
      await bringGeodata(backup, from, bucket, to.work);
      await bringUploads(backup, bucket);
      await bringArchive(manifest, from, bucket);
      await bringLearning(backup, bucket);
    } finally {
      bucket.close();
    }
    if (!s3) setUploadTimes(backup, localBucketPath(state, bucketName));
    const keys = join(state, "keys.json");
    if (manifest.keys) writeFileSync(keys, readFileSync(fileOf(manifest.keys)), { mode: 0o600 });
    rmSync(note);
  } finally {
    unlock();
  }
}

/** @throws CommandError if a state has projects or devices */
export function refuseUsed({ state, worker, databaseId }: LocalPlace): void {
  const path = localDatabasePath(state, databaseId);
  const hasObjects = KEPT_CLASSES.some((name) => objectFiles(objectsFolder(state, worker, name)).length > 0);
  if (!hasObjects && (!existsSync(path) || projectsIn(path) === 0)) return;
  throw new CommandError(
    `${state} is in use: it contains projects. Restore into an empty folder (--persist-to DIR), or replace its data with --force.`,
  );
}

const objectFiles = (folder: string) =>
  (existsSync(folder) ? readdirSync(folder) : []).filter((name) => /^[0-9a-f]{64}\./.test(name));

function projectsIn(path: string): number {
  const database = new DatabaseSync(path, { timeout: 5000 });
  try {
    return Number(database.prepare("SELECT count(*) AS n FROM project").get()?.n);
  } catch {
    return 0; // without tables yet
  } finally {
    database.close();
  }
}

/** Removes the data that a backup replaces, and data derived from it. Keeps imported builds. */
function empty({ state, worker, databaseId, further = {}, bucket }: LocalPlace): void {
  for (const id of [databaseId, ...Object.values(further)])
    for (const end of ["", "-wal", "-shm"]) rmSync(localDatabasePath(state, id) + end, { force: true });
  const objects = join(state, "v3/do");
  for (const name of existsSync(objects) ? readdirSync(objects) : [])
    if (name.startsWith(`${worker}-`)) rmSync(join(objects, name), { recursive: true });
  const rows = localBucketPath(state, bucket);
  if (!existsSync(rows)) return;
  const database = new DatabaseSync(rows, { timeout: 5000 });
  try {
    const gone = database
      .prepare("DELETE FROM _mf_objects WHERE key >= 'custom/' AND key < 'custom0' RETURNING blob_id")
      .all();
    for (const { blob_id: blob } of gone)
      if (typeof blob === "string") rmSync(join(state, "v3/r2", bucket, "blobs", blob), { force: true });
  } finally {
    database.close();
  }
}

function unpack(pack: string, { state, worker }: LocalPlace): void {
  for (const { class: name, file, bytes } of packedFiles(pack)) {
    const folder = objectsFolder(state, worker, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, file), bytes);
  }
}

/** Lists of icons and styles show when each was uploaded. */
function setUploadTimes({ manifest }: WholeBackup, path: string): void {
  const database = new DatabaseSync(path, { timeout: 5000 });
  try {
    const set = database.prepare("UPDATE _mf_objects SET uploaded = ? WHERE key = ?");
    for (const { key, uploadedAt } of manifest.uploads) if (uploadedAt !== undefined) set.run(uploadedAt, key);
  } finally {
    database.close();
  }
}
