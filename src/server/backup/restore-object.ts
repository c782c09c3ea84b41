import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CommandError, UsageError } from "../base/command.ts";
import { localDatabasePath, migrateFile } from "../data/local-database.ts";
import { HOLDS } from "../state/integrity.ts";
import { lockState } from "../state/lock.ts";
import { moveAside } from "../state/set-aside.ts";
import { takeMovesBack } from "./further.ts";
import { KEPT_CLASSES, objectsFolder } from "./objects-pack.ts";
import { packedFiles } from "./packed-files.ts";
import type { WholeBackup } from "./read-backup.ts";
import type { LocalPlace } from "./take-local.ts";

/**
 * Restores one file of a state that no server uses, and leaves all others as they are: a database, or a Durable Object. What was there is set
 * aside.
 * @param name "DB", "DB_2", or "DeviceTracker/" and the object's id, as the doctor says it
 * @returns the path of the file
 * @throws CommandError if the backup does not have it
 */
export function restoreObject(backup: WholeBackup, name: string, to: LocalPlace): string {
  const [className, id] = name.split("/");
  const isObject = KEPT_CLASSES.some((one) => one === className) && /^[0-9a-f]{64}$/.test(id ?? "");
  if (className in HOLDS && !KEPT_CLASSES.some((one) => one === className))
    throw new UsageError(`No backup has ${name}: npm start sets a damaged one aside, and it fills itself again.`);
  if (!isObject && !/^DB(_\w+)?$/.test(name))
    throw new UsageError(`--object must be DB, or a class and an id (${KEPT_CLASSES.join(", ")}), not "${name}".`);
  const unlock = lockState(to.state, "npm run restore");
  try {
    return isObject ? restoreDurable(backup, className, id, to) : restoreDatabase(backup, name, to);
  } finally {
    unlock();
  }
}

function restoreDatabase({ manifest, fileOf }: WholeBackup, binding: string, to: LocalPlace): string {
  const part = binding === "DB" ? manifest.database : manifest.further?.[binding];
  const id = binding === "DB" ? to.databaseId : to.further?.[binding];
  if (!part || id === undefined) throw new CommandError(`The backup, or wrangler.toml, has no database ${binding}.`);
  const path = localDatabasePath(to.state, id);
  moveAside(to.state, path, binding, Date.now());
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(fileOf(part), path);
  migrateFile(path);
  if (binding === "DB") takeMovesBack(path);
  return path;
}

function restoreDurable(backup: WholeBackup, className: string, id: string, to: LocalPlace): string {
  const { objects } = backup.manifest;
  const pack = objects && backup.fileOf(objects);
  const found = pack && [...packedFiles(pack, className, id)][0];
  if (!found) throw new CommandError(`The backup has no ${className}/${id}. Another moment may: --list, --at.`);
  const path = join(objectsFolder(to.state, to.worker, className), found.file);
  moveAside(to.state, path, `${className}-${id}`, Date.now());
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, found.bytes, { mode: 0o600 });
  if (className === "DeviceTracker") comeAfter(path, to);
  return path;
}

/** The databases take a version of a user only after an older one: the tracker's is now the newest, and all of it is to be written. */
function comeAfter(path: string, { state, databaseId, further = {} }: LocalPlace): void {
  const tracker = new DatabaseSync(path);
  try {
    const newest = tracker.prepare("UPDATE state SET version = ?, stored = 0 WHERE id = ? AND version < ?");
    for (const one of [databaseId, ...Object.values(further)]) {
      const database = new DatabaseSync(localDatabasePath(state, one), { timeout: 5000 });
      const known = database.prepare("SELECT version FROM user WHERE id = ?");
      for (const { id } of tracker.prepare("SELECT id FROM state").all() as { id: string }[])
        for (const { version } of known.all(id) as { version: number }[]) newest.run(version + 1, id, version + 1);
      database.close();
    }
  } finally {
    tracker.close();
  }
}
