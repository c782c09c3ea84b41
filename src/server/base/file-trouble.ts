import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { systemReason } from "../../importer/common/system-reason.ts";

const RIGHTS = "this user may not read and write it. Change its owner (chown) and its rights (chmod u+rw)";
const READ_ONLY = "it is on a read-only file system. Mount it writable";
const FULL = "its disk is full. Free some space";

const SYSTEM: Readonly<Record<string, string>> = {
  EACCES: RIGHTS,
  EPERM: RIGHTS,
  EROFS: READ_ONLY,
  ENOSPC: FULL,
  EDQUOT: FULL,
};

/** SQLite's codes of errors (sqlite.org/rescode.html). */
const SQLITE: Readonly<Record<number, string>> = {
  5: "another process has locked it. Try again",
  10: "its disk does not return or take what is in it",
  11: "it is damaged",
  13: FULL,
  26: "it is no SQLite database any more",
};
/** Of a file that may not be written or opened, SQLite does not say which of its files, or their folder, is meant. */
const NOT_ALLOWED = new Set([3, 8, 14]);
const DOCTOR = "What is in it, and what brings it back: npm run doctor -- --persist-to DIR";

/** An error of the system or of SQLite about a file as a sentence for the operator; undefined for other errors. */
export function fileTrouble(error: unknown): string | undefined {
  const { code, errcode, path } = error as { code?: string; errcode?: number; path?: string };
  if (code === undefined || typeof path !== "string") return undefined;
  if (errcode === undefined) return `${path}: ${SYSTEM[codeOfFolder(error, path) ?? code] ?? systemReason(error)}.`;
  if (!NOT_ALLOWED.has(errcode & 0xff)) {
    const reason = SQLITE[errcode & 0xff];
    return reason && `${path}: ${reason}. ${DOCTOR}`;
  }
  for (const file of [path, `${path}-wal`, `${path}-shm`, dirname(path)]) {
    try {
      accessSync(file, constants.R_OK | constants.W_OK);
    } catch (denied) {
      const reason = SYSTEM[(denied as NodeJS.ErrnoException).code ?? ""];
      if (reason) return `${file}: ${reason}.`;
    }
  }
  return `${path}: SQLite cannot open it. ${DOCTOR}`;
}

/** Of a folder that cannot be made on a read-only file system, Node.js says that it does not exist: the code of what is really so. */
export function codeOfFolder(error: unknown, folder: string): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "ENOENT") return code;
  let at = folder;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  try {
    accessSync(at, constants.W_OK);
    return code;
  } catch (denied) {
    return (denied as NodeJS.ErrnoException).code;
  }
}

/** SQLite's errors do not say which file they are about: `fileTrouble` needs it. */
export function ofFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && "errcode" in error) Object.assign(error, { path });
    throw error;
  }
}
