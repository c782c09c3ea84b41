import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../base/command.ts";
import { codeOfFolder, fileTrouble } from "../base/file-trouble.ts";
import { keepPrivate } from "../base/private-files.ts";

/** Free space for the growth of the databases until an operator reacts [bytes]. */
const MIN_FREE_BYTES = 64e6;
const LOW_FREE_BYTES = 1e9;

/**
 * Creates the state folder, and checks that it is writable.
 * @returns a note if disk space is low
 * @throws CommandError with a fix if the server could not store data
 */
export function preparePlace(state: string): string | undefined {
  try {
    mkdirSync(state, { recursive: true });
    keepPrivate(state);
    const probe = join(state, `.probe-${process.pid}`);
    writeFileSync(probe, "x");
    rmSync(probe);
  } catch (error) {
    throw new CommandError(placeTrouble(codeOfFolder(error, state), state) ?? fileTrouble(error) ?? String(error));
  }
  const { bavail, bsize } = statfsSync(state);
  return roomIn(state, bavail * bsize);
}

/** Describes a problem with a folder by the system's error code; undefined for other errors. */
export function placeTrouble(code: string | undefined, state: string): string | undefined {
  if (code === "EACCES" || code === "EPERM")
    return `This user cannot write to ${state}. Change its owner (chown), or use another folder: npm start -- --persist-to DIR`;
  if (code === "EROFS")
    return `${state} is on a read-only file system. Mount it writable, or use another folder: npm start -- --persist-to DIR`;
  if (code === "ENOSPC" || code === "EDQUOT")
    return `The disk of ${state} is full. Free some space and restart. No acknowledged data is lost.`;
  if (code === "ENOTDIR" || code === "EEXIST")
    return `${state} is a file, not a folder. Use another: npm start -- --persist-to DIR`;
  return undefined;
}

/** @param free bytes that this user may still write there */
export function roomIn(state: string, free: number): string | undefined {
  const megabytes = Math.floor(free / 1e6);
  if (free < MIN_FREE_BYTES)
    throw new CommandError(
      `Only ${megabytes} MB are free on the disk of ${state}; a server needs ${MIN_FREE_BYTES / 1e6} MB. Free some space and restart. No acknowledged data is lost.`,
    );
  return free < LOW_FREE_BYTES ? `Only ${megabytes} MB are free on the disk of ${state}.` : undefined;
}
