import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../../base/command.ts";
import { localDatabasePath } from "../../data/local-database.ts";
import { refuseDamaged } from "../../state/integrity.ts";
import { CHUNK_BYTES } from "../chunks.ts";
import { DatabaseMoment } from "../database-moment.ts";
import { eventsDelivered, whileStopped } from "../freeze.ts";
import { ObjectsPack } from "../objects-pack.ts";
import { databasesOf, type LocalPlace, serverOn, type Upload, Uploads } from "../take-local.ts";
import { ChangedFiles } from "./changed-files.ts";

/** Changed objects are read again before the pause until so few are left, or so often. */
const FEW = 100;
const MAX_PASSES = 3;

/** A state at one moment, to be read before the next one is begun. */
export interface Moment {
  madeAt: Date;
  /** Connections that see the moment, and its bytes in chunks; the first database is DB. */
  databases: { binding: string; at: DatabaseMoment }[];
  objects: { pieces(): Iterable<Uint8Array>; counts: Record<string, number>; damaged: string[] };
  uploads: Upload[];
  live?: Uint8Array;
  keys?: Uint8Array;
  /** How long the server was paused [ms]; 0 if none runs. */
  pausedMs: number;
}

/**
 * Reads a local state again and again, whether a server runs on it or not. It keeps what it has read, so that a moment costs what
 * has changed since the last one.
 */
export class StateReader {
  readonly #place: LocalPlace;
  readonly #packPath: string;
  readonly #pack: ObjectsPack;
  readonly #watches: ChangedFiles[] = [];
  readonly #uploads: Uploads;
  readonly #databases = new Map<string, DatabaseMoment>();
  readonly #now: () => number;

  /** @param work folder for the packed objects, which only this process uses */
  constructor(place: LocalPlace, work: string, now: () => number) {
    this.#place = place;
    this.#now = now;
    const { state, worker, bucket } = place;
    this.#packPath = join(work, "objects.sqlite");
    this.#pack = new ObjectsPack(this.#packPath, state, worker, (folder) => {
      const watched = new ChangedFiles(folder);
      this.#watches.push(watched);
      return watched;
    });
    this.#uploads = new Uploads(state, bucket);
  }

  /** Calls `use` with the state as it is now. @throws CommandError if there is no state, or a server's processes are not visible */
  async read<T>(use: (moment: Moment) => Promise<T>): Promise<T> {
    const { state } = this.#place;
    refuseDamaged(state, databasesOf(this.#place));
    this.#open();
    const { pids, unlock } = serverOn(state, "npm run backup");
    try {
      for (let pass = 1; pass <= MAX_PASSES; pass++) {
        // Without it, a pass would not see what was reported during the one before, and the pause would be for all of it.
        await eventsDelivered();
        if (this.#pack.catchUp() <= FEW) break;
      }
      this.#uploads.catchUp();
      const { result, stoodStill } = await whileStopped(pids, () => {
        const madeAt = new Date(this.#now());
        try {
          for (const at of this.#databases.values()) at.begin();
          this.#pack.freeze();
          return { madeAt, live: this.#uploads.catchUp() };
        } catch (error) {
          for (const at of this.#databases.values()) at.end();
          throw error;
        }
      });
      this.#pack.thaw();
      const keys = join(state, "keys.json");
      return await use({
        madeAt: result.madeAt,
        databases: [...this.#databases].map(([binding, at]) => ({ binding, at })),
        objects: {
          pieces: () => piecesOfFile(this.#packPath),
          counts: this.#pack.counts(),
          damaged: this.#pack.damaged(),
        },
        uploads: this.#uploads.all(),
        ...(result.live && { live: result.live }),
        ...(existsSync(keys) && { keys: readFileSync(keys) }),
        pausedMs: stoodStill,
      });
    } finally {
      // First: no error may keep the lock, without which no server starts and no backup is made.
      unlock();
      for (const at of this.#databases.values()) at.end();
    }
  }

  /** Whether what it reads is still the state: not if a restore replaced its files. */
  isCurrent(): boolean {
    return [...this.#databases.values()].every((at) => at.isThere());
  }

  /** Opens databases that are new since the last time. */
  #open(): void {
    const { state, databaseId, further = {} } = this.#place;
    const first = localDatabasePath(state, databaseId);
    if (!existsSync(first)) throw new CommandError(`${state} is empty. Specify another folder with --persist-to DIR`);
    for (const [binding, id] of [["DB", databaseId], ...Object.entries(further)]) {
      const path = localDatabasePath(state, id);
      if (!this.#databases.has(binding) && existsSync(path)) this.#databases.set(binding, new DatabaseMoment(path));
    }
  }

  close(): void {
    const all = [...this.#databases.values(), ...this.#watches, this.#pack, this.#uploads];
    const failed = all.flatMap((one) => {
      try {
        one.close();
        return [];
      } catch (error) {
        return [error];
      }
    });
    if (failed.length > 0) throw failed[0];
  }
}

export function* piecesOfFile(path: string): Generator<Uint8Array> {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    for (let at = 0; at < size; at += CHUNK_BYTES) {
      const piece = new Uint8Array(Math.min(CHUNK_BYTES, size - at));
      readSync(file, piece, 0, piece.length, at);
      yield piece;
    }
  } finally {
    closeSync(file);
  }
}
