import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../base/command.ts";
import { ChunkStore, copyPart, heldChunks } from "../chunks.ts";
import { type BackupManifest, isContinuous, MANIFEST_KEY, parseManifest } from "../manifest.ts";
import { type BackupPlace, openPlace } from "../place.ts";
import { readBackup } from "../read-backup.ts";
import { refuseUsed, restoreLocal } from "../restore-local.ts";
import type { LocalPlace } from "../take-local.ts";
import { partsOf } from "../write-backup.ts";
import { type Followed, isBehind, noteFollowed, STANDBY, tookOverFile } from "./followed.ts";
import { tookOver } from "./owner.ts";

/** How often the backup is looked at, and the command [ms]. */
const POLL_INTERVAL = 5000;
const COMMAND_INTERVAL = 200;
/** After so many new backups, chunks that the newest does not name are removed. */
const CLEAN_AFTER = 20;

const takeOverFile = (state: string) => join(state, STANDBY, "take-over");

interface Following {
  log: (line: string) => void;
  signal: AbortSignal;
  prepared?: Promise<unknown>;
  /** How often the backup is looked at [ms]. */
  pollMs?: number;
}

/**
 * Keeps a copy of the newest continuous backup until `npm start -- --take-over` is run for this state, and then restores it into the state.
 * A state that took over earlier is left as it is: it is the server's now.
 * @param prepared what else is written into the state, and must have ended before the restore
 * @throws CommandError if the state has projects that came from elsewhere
 */
export async function follow(
  place: BackupPlace,
  to: LocalPlace,
  { log, signal, prepared, pollMs = POLL_INTERVAL }: Following,
): Promise<void> {
  const { state } = to;
  if (existsSync(tookOverFile(state))) {
    log(`${state} took over earlier, so it does not follow ${place.where}. To follow again, use an empty folder.`);
    return;
  }
  refuseUsed(to);
  const folder = join(state, STANDBY);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const copy = openPlace(folder);
  const held = await heldChunks(copy);
  let seen = "";
  let [copies, trouble] = [0, ""];
  const watch = new Watch(state, place.where, log, pollMs);
  while (!signal.aborted && !existsSync(takeOverFile(state))) {
    watch.begins();
    try {
      const text = Buffer.from((await place.get(MANIFEST_KEY)) ?? []).toString("utf8");
      if (text === "") throw new CommandError(`${place.where} contains no backup yet.`);
      if (text !== seen) {
        const manifest = parseManifest(text, place.where);
        await copyBackup(manifest, text, place, copy, held);
        if (++copies % CLEAN_AFTER === 0) {
          await (await ChunkStore.open(copy)).retain(partsOf(manifest));
          held.clear();
          for (const key of await heldChunks(copy)) held.add(key);
        }
        log(`Standby: has the state of ${manifest.madeAt}`);
        seen = text;
        watch.got(manifest);
      }
      trouble = "";
      watch.looked();
    } catch (error) {
      // The server that is followed may have lost its network, or replaced what was being read: the copy stays as it is.
      const { message } = error as Error;
      if (message !== trouble) log(`Standby: ${message}`);
      trouble = message;
      watch.looked(message);
    }
    for (
      const end = performance.now() + pollMs;
      performance.now() < end && !signal.aborted;
      await sleep(Math.min(COMMAND_INTERVAL, pollMs))
    )
      if (existsSync(takeOverFile(state))) break;
  }
  watch.stop();
  if (signal.aborted) return;
  await prepared;
  const work = join(folder, "work");
  mkdirSync(work, { recursive: true });
  try {
    const backup = await readBackup(copy, work);
    await restoreLocal(backup, copy, { ...to, force: true, work });
    tookOver(state, place.where);
    writeFileSync(tookOverFile(state), `${backup.manifest.madeAt}\n`);
    log(`Standby: took over with the state of ${backup.manifest.madeAt}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
    rmSync(takeOverFile(state), { force: true });
  }
}

/** Says in the log, for the doctor and as metrics how new the copy of a standby is, also while a look does not end. */
class Watch {
  readonly #state: string;
  readonly #log: (line: string) => void;
  readonly #timer: NodeJS.Timeout;
  #followed: Followed;
  #isBehind = false;
  /** When the look that has not ended began. */
  #begun: string | undefined;

  constructor(state: string, where: string, log: (line: string) => void, pollMs: number) {
    const now = new Date().toISOString();
    this.#state = state;
    this.#log = log;
    this.#followed = { where, newAt: now, lookedAt: now };
    this.#timer = setInterval(() => {
      if (this.#begun) this.#note(`The look that began at ${this.#begun} has not ended: does ${where} answer?`);
    }, pollMs);
  }

  begins(): void {
    this.#begun = new Date().toISOString();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  got({ madeAt, everyMs }: BackupManifest): void {
    // The first one may be old. Later, only the clock of this machine counts.
    const newAt = this.#followed.at === undefined ? madeAt : new Date().toISOString();
    this.#followed = { ...this.#followed, at: madeAt, newAt, everyMs };
  }

  looked(error?: string): void {
    this.#begun = undefined;
    this.#note(error);
  }

  #note(error?: string): void {
    const now = new Date();
    this.#followed = { ...this.#followed, lookedAt: now.toISOString(), error };
    const { where, newAt } = this.#followed;
    const wasBehind = this.#isBehind;
    this.#isBehind = isBehind(this.#followed, now.getTime());
    if (this.#isBehind && !wasBehind)
      this.#log(
        `Standby: nothing new in ${where} since ${newAt}, for more than three intervals. Check the backups of the server.`,
      );
    if (wasBehind && !this.#isBehind) this.#log("Standby: backups are made again.");
    try {
      noteFollowed(this.#state, this.#followed);
    } catch {
      // A full disk must not end the standby: the doctor sees that it does not look.
    }
  }
}

/** Copies what is missing, the manifest last. */
async function copyBackup(
  manifest: BackupManifest,
  text: string,
  place: BackupPlace,
  copy: BackupPlace,
  held: Set<string>,
): Promise<void> {
  if (!isContinuous(manifest))
    throw new CommandError(
      `${place.where} contains a single backup. A standby follows a continuous one (--backup-to).`,
    );
  for (const part of partsOf(manifest)) await copyPart(place, copy, part, held);
  const archived = await copy.sizes("archive/");
  for (const { key, bytes } of manifest.archive ?? []) {
    if (archived.get(key) === bytes) continue;
    const object = await place.get(key);
    if (object) await copy.put(key, object);
  }
  await copy.put(MANIFEST_KEY, Buffer.from(text));
}

/** Tells the standby of a state to take over. @throws CommandError if none follows there, or it does not take over in time */
export async function takeOver(state: string, timeoutMs = 30_000): Promise<void> {
  const file = takeOverFile(state);
  if (!existsSync(dirname(file)) || existsSync(tookOverFile(state)))
    throw new CommandError(
      `No standby follows a backup in ${state}. Start one: npm start -- --follow DIR|s3://BUCKET/PREFIX`,
    );
  writeFileSync(file, "");
  for (const end = Date.now() + timeoutMs; existsSync(file); await sleep(50)) {
    if (Date.now() < end) continue;
    rmSync(file, { force: true });
    throw new CommandError(`The standby of ${state} did not take over within ${timeoutMs / 1000} s. Is it running?`);
  }
}
