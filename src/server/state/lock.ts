import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../base/command.ts";

/** Set by `npm start`, which holds the other end of the standard input: a process of backups ends with its server. */
export const OF_SERVER = "GRATICULE_BACKUPS_OF_SERVER";

/**
 * Two servers on one state would each believe they were alone with its Durable Objects. So there is a lock in a file of
 * its own, which the system releases when the process ends, however it ends.
 * @returns a function that releases the lock
 */
export function lockState(state: string, command = "npm run dev"): () => void {
  const lock = new DatabaseSync(`${state}/dev.lock`);
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch {
    throw new CommandError(`A server is already using ${state}. Use another folder: ${command} -- --persist-to DIR`);
  }
  try {
    writeFileSync(`${state}/${HOLDER}`, JSON.stringify({ pid: process.pid, command }));
  } catch {
    // A full disk: only who holds the lock is not known.
  }
  return () => lock.close();
}

/** Who locked a state last; it need not hold the lock any more. */
const HOLDER = "dev.lock.json";

function lockHolder(state: string): { pid: number; command: string } | undefined {
  try {
    return JSON.parse(readFileSync(`${state}/${HOLDER}`, "utf8"));
  } catch {
    return undefined;
  }
}

/** How long a killed process may take to release the lock [ms]. */
const GONE_WITHIN = 5000;

/**
 * Locks a state for a server. A backup process of a server that was killed may still read the state: it is ended, as the new server starts
 * its own. @returns what releases the lock
 */
export async function lockForServer(state: string): Promise<() => void> {
  for (const until = Date.now() + GONE_WITHIN; ; await sleep(50)) {
    try {
      return lockState(state, "npm start");
    } catch (error) {
      const holder = lockHolder(state);
      if (!holder || Date.now() > until) throw error;
      if (isEnding(holder.pid)) continue;
      if (holder.command !== "npm run backup" || !isBackup(holder.pid)) throw error;
      if (!isOfServer(holder.pid))
        throw new CommandError(
          `A backup is reading ${state} (process ${holder.pid}). Start again when it has ended, or stop it.`,
        );
      process.kill(holder.pid, "SIGKILL");
    }
  }
}

const textOf = (pid: number, file: string) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
};

/** A process that is ending gives its memory back, and with it its command line, before its files and their locks. */
const isEnding = (pid: number) => process.platform === "linux" && textOf(pid, "cmdline") === "";

/** The number may be another process's by now. */
const isBackup = (pid: number) => textOf(pid, "cmdline").includes("backup.ts");
const isOfServer = (pid: number) => textOf(pid, "environ").split("\0").includes(`${OF_SERVER}=1`);
