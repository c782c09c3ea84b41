import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Bucket } from "../../../importer/publish/bucket.ts";
import { CommandError } from "../../base/command.ts";
import { explained } from "../../state/integrity.ts";
import { OF_SERVER } from "../../state/lock.ts";
import { ServerChanging } from "../freeze.ts";
import { type LastBackup, lastBackup, noteBackup } from "../last-backup.ts";
import { type BackupPlace, trouble } from "../place.ts";
import type { LocalPlace } from "../take-local.ts";
import { type BackedUp, ContinuousBackup, type Moments } from "./continuous-backup.ts";

/** What is backed up, and where to. */
export interface Rounds {
  /** Folder of D1, R2 and Durable Objects. */
  state: string;
  place: BackupPlace;
  everyMs: number;
  /** Folder for what is packed, which only this process uses. */
  work: string;
  /** The databases and the bucket of the state as wrangler.toml names them now. */
  local(): LocalPlace;
  openBucket(): Bucket;
  now?: () => number;
}

/**
 * One backup after the other. After an error everything is opened again, so that no step depends on how far the one before came; but not
 * if it had not begun to read, because the server had just ended.
 */
export class BackupRounds {
  readonly #options: Rounds;
  readonly #now: () => number;
  #open: { backup: ContinuousBackup; bucket: Bucket; local: string } | undefined;
  #known: Moments = new Map();
  #lock: DatabaseSync | undefined;
  #last: LastBackup;

  constructor(options: Rounds) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    const { place, everyMs, state } = options;
    const before = lastBackup(state);
    const known = before?.where === place.where ? before : undefined;
    // Of a server, if this is not its first process: one that ends again and again must not begin anew each time.
    const since = (process.env[OF_SERVER] && known?.since) || new Date(this.#now()).toISOString();
    const kept = { ...(known?.at && { at: known.at }), ...(known?.isOnOwnDisk && { isOnOwnDisk: true as const }) };
    this.#last = { ...kept, where: place.where, since, everyMs };
  }

  /** What is known of the last backup. */
  get last(): LastBackup {
    return this.#last;
  }

  /** Makes a backup, and notes it in the state. @returns undefined if it failed: `last` has the error */
  async round(): Promise<BackedUp | undefined> {
    let done: BackedUp | undefined;
    const { error: _, ...before } = this.#last;
    try {
      const isOnOwnDisk = this.#isOnOwnDisk();
      const backup = await this.#opened();
      done = await backup.run();
      const { madeAt, pausedMs, damaged } = done;
      const { where, since, everyMs } = before;
      this.#last = { at: madeAt.toISOString(), where, since, everyMs, pausedMs: Math.ceil(pausedMs) };
      if (isOnOwnDisk) this.#last.isOnOwnDisk = true;
      if (damaged.length > 0) this.#last.damaged = damaged;
      await backup.removeOld();
    } catch (error) {
      const { message } = trouble(explained(error, this.#options.state), before.where) as Error;
      this.#last = { ...(done ? this.#last : before), error: message };
      if (!(error instanceof ServerChanging)) this.#closeBackup();
    }
    try {
      noteBackup(this.#options.state, this.#last);
    } catch {
      // If the state's disk is full, the destination still has what it has; the doctor shows an older one.
    }
    return done;
  }

  /** @throws CommandError if the disk of the folder is not there any more: what is written then would be on the system's */
  #isOnOwnDisk(): boolean {
    const { place } = this.#options;
    const isOnOwnDisk = place.isOnSystemDisk?.() === false;
    if (this.#last.isOnOwnDisk && !isOnOwnDisk)
      throw new CommandError(
        `The disk of ${place.where} is not mounted: the folder is on the system's disk now. Mount it, or back up to another folder.`,
      );
    return isOnOwnDisk;
  }

  /** The backup of the state as it is now. */
  async #opened(): Promise<ContinuousBackup> {
    const { place, work, local, openBucket, everyMs } = this.#options;
    this.#lock ??= this.#locked();
    const now = local();
    const text = JSON.stringify(now);
    // A restore may have replaced the files, and a database may have been added.
    if (this.#open && (this.#open.local !== text || !this.#open.backup.isCurrent())) this.#closeBackup();
    if (!this.#open) {
      const bucket = openBucket();
      try {
        const opened = { place, bucket, work, everyMs, now: this.#now, known: this.#known };
        const backup = await ContinuousBackup.open(now, opened);
        this.#open = { backup, bucket, local: text };
      } catch (error) {
        bucket.close();
        throw error;
      }
      const newest = Math.max(...this.#open.backup.moments.keys());
      if (newest > 0) this.#last.at ??= new Date(newest).toISOString();
    }
    return this.#open.backup;
  }

  /** @throws CommandError if another process backs up the state into this place: two would delete each other's chunks */
  #locked(): DatabaseSync | undefined {
    const { state, place } = this.#options;
    if (!existsSync(state)) return undefined;
    const name = Buffer.from(place.where).toString("base64url").slice(-40);
    const lock = new DatabaseSync(join(state, `backup-${name}.lock`));
    try {
      lock.exec("BEGIN EXCLUSIVE");
      return lock;
    } catch {
      lock.close();
      throw new CommandError(`Another process already backs up ${state} into ${place.where}. End one of them.`);
    }
  }

  /** Its connections may be of a state that was replaced meanwhile. What cannot be closed is left to the end of the process. */
  #closeBackup(): void {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return;
    this.#known = new Map(open.backup.moments);
    for (const one of [open.backup, open.bucket]) {
      try {
        one.close();
      } catch {
        // The next one opens its own.
      }
    }
  }

  close(): void {
    this.#closeBackup();
    this.#lock?.close();
    this.#lock = undefined;
  }
}
