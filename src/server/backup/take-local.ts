import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { LIVE_KEY } from "../../core/geo/builds/manifest.ts";
import { localBucketPath } from "../../importer/publish/local-bucket.ts";
import { CommandError } from "../base/command.ts";
import { localDatabasePath } from "../data/local-database.ts";
import {
  type DamagedFile,
  damageOf,
  damageOfBlob,
  damageOfLiveList,
  LIVE_HOLDS,
  refuseDamaged,
  SQLITE_CORRUPT,
} from "../state/integrity.ts";
import { lockState, OF_SERVER } from "../state/lock.ts";
import { runtimesOn, ServerChanging, whileStopped } from "./freeze.ts";
import { ObjectsPack } from "./objects-pack.ts";

/** The objects of a state are read again until so few have changed meanwhile, or so often. */
const FEW = 100;
const PASSES = 5;

/** An icon or style, as the bucket's database names it. */
export interface Upload {
  key: string;
  bytes: Uint8Array;
  uploadedAt: number;
}

/** A consistent snapshot of a local state. */
interface Taken {
  madeAt: Date;
  /** SQLite files in the work folder; further databases by their bindings. */
  database: string;
  further: Record<string, string>;
  objects: string;
  counts: Record<string, number>;
  uploads: Upload[];
  /** live.json of the bucket. */
  live?: Uint8Array;
  keys?: Uint8Array;
  /** What it lacks, because these files are damaged. */
  damaged: DamagedFile[];
  /** How long the server stood still for it [ms]; 0 where none ran. */
  stoodStill: number;
}

export interface LocalPlace {
  state: string;
  /** Of the Worker, the database and the bucket in wrangler.toml. */
  worker: string;
  databaseId: string;
  /** Ids of further databases by their bindings. */
  further?: Record<string, string>;
  bucket: string;
}

/**
 * Reads a state, whether a server runs on it or not. Durable Objects are read while it runs, again where they have changed, until few are left. Then
 * workerd stands still while these are read, and a reading transaction is begun on the other databases: they are copied
 * afterwards as they were in that moment.
 */
export async function takeLocal(
  { state, worker, databaseId, further = {}, bucket }: LocalPlace,
  work: string,
): Promise<Taken> {
  const path = localDatabasePath(state, databaseId);
  refuseDamaged(state, databasesOf({ databaseId, further }));
  if (!existsSync(path)) throw new CommandError(`${state} is empty. Specify another folder with --persist-to DIR`);
  const { pids, unlock } = serverOn(state, "npm run backup");
  const objects = join(work, "objects.sqlite");
  const pack = new ObjectsPack(objects, state, worker);
  const uploads = new Uploads(state, bucket);
  const files = Object.entries(further)
    .map(([binding, id]) => [binding, localDatabasePath(state, id)])
    .filter(([, file]) => existsSync(file));
  const opened = new Map(
    [["DB", path], ...files].map(([binding, file]) => [
      binding,
      new DatabaseSync(file, { readOnly: true, timeout: 50 }),
    ]),
  );
  try {
    for (let pass = 1; pack.catchUp() > FEW && pass < PASSES; pass++);
    uploads.catchUp();
    const { result, stoodStill } = await whileStopped(pids, () => {
      const madeAt = new Date();
      try {
        for (const database of opened.values()) {
          database.exec("BEGIN");
          // A transaction begins with its first reading.
          database.prepare("SELECT count(*) FROM sqlite_master").get();
        }
        pack.freeze();
        return { madeAt, live: uploads.catchUp() };
      } catch (error) {
        for (const database of opened.values()) if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      }
    });
    pack.thaw();
    const copies: Record<string, string> = {};
    for (const [binding, database] of opened) {
      copies[binding] = join(work, `${binding}.sqlite`);
      await backup(database, copies[binding]);
      // Copying a damaged page is no error; the backups before are still whole.
      if (damageOf(copies[binding], true) !== undefined)
        throw Object.assign(new Error(binding), { errcode: SQLITE_CORRUPT });
    }
    const { DB: copy, ...others } = copies;
    const keys = join(state, "keys.json");
    return {
      ...{
        madeAt: result.madeAt,
        database: copy,
        further: others,
        objects,
        counts: pack.counts(),
        uploads: uploads.all(),
        damaged: [...pack.damagedFiles(), ...uploads.damaged()],
        stoodStill,
      },
      ...(result.live && { live: result.live }),
      ...(existsSync(keys) && { keys: readFileSync(keys) }),
    };
  } finally {
    for (const database of opened.values()) database.close();
    pack.close();
    uploads.close();
    unlock();
  }
}

/** The databases of a state by their bindings. */
export function databasesOf({ databaseId, further = {} }: Pick<LocalPlace, "databaseId" | "further">) {
  return Object.entries({ DB: databaseId, ...further }).map(([binding, id]) => ({ binding, id }));
}

/** Returns the processes that use a state. If there are none, holds its lock until `unlock`. */
export function serverOn(state: string, command: string): { pids: number[]; unlock: () => void } {
  try {
    return { pids: [], unlock: lockState(state, command) };
  } catch {
    const pids = runtimesOn(state);
    if (pids.length > 0) return { pids, unlock: () => {} };
    if (process.env[OF_SERVER]) throw new ServerChanging("The server is just being started.");
    throw new CommandError(
      `A server is using ${state}, but its processes are not visible. Run the backup as the same user and in the same container, or stop the server first.`,
    );
  }
}

/** Uploaded icons and styles, and the list of live builds: read from the bucket's own database and folder, as workerd does. */
export class Uploads {
  readonly #path: string;
  #database: DatabaseSync | undefined;
  readonly #blobs: string;
  readonly #known = new Map<string, Upload & { blob: string }>();
  readonly #damaged = new Map<string, DamagedFile>();

  constructor(state: string, bucket: string) {
    this.#path = localBucketPath(state, bucket);
    this.#blobs = join(state, "v3/r2", bucket, "blobs");
  }

  /** Reads what is new since the last time. @returns live.json */
  catchUp(): Uint8Array | undefined {
    if (!this.#database && !existsSync(this.#path)) return undefined;
    this.#database ??= new DatabaseSync(this.#path, { readOnly: true, timeout: 50 });
    const rows = this.#database
      .prepare(
        "SELECT key, blob_id AS blob, uploaded, size FROM _mf_objects WHERE (key >= 'custom/' AND key < 'custom0') OR key = ?",
      )
      .all(LIVE_KEY);
    const there = new Set(rows.map(({ key }) => key));
    for (const key of this.#known.keys()) if (!there.has(key)) this.#known.delete(key);
    let live: Uint8Array | undefined;
    this.#damaged.clear();
    for (const { key, blob, uploaded, size } of rows as {
      key: string;
      blob: string;
      uploaded: number;
      size: number;
    }[]) {
      if (key !== LIVE_KEY && this.#known.get(key)?.blob === blob) continue;
      const bytes = this.#read(key, join(this.#blobs, blob), size);
      if (key === LIVE_KEY) live = bytes;
      else if (bytes) this.#known.set(key, { key, bytes, blob, uploadedAt: uploaded });
    }
    return live;
  }

  /** @returns undefined if the file of an object is damaged: the others are backed up all the same */
  #read(key: string, path: string, size: number): Uint8Array | undefined {
    const isLive = key === LIVE_KEY;
    const damage = isLive ? damageOfLiveList(path) : damageOfBlob(path, size);
    if (damage === undefined) return readFileSync(path);
    const holds = isLive ? LIVE_HOLDS : `the upload ${key}`;
    this.#damaged.set(key, { path, damage, holds });
    return undefined;
  }

  damaged(): DamagedFile[] {
    return [...this.#damaged.values()];
  }

  all(): Upload[] {
    return [...this.#known.values()].map(({ key, bytes, uploadedAt }) => ({ key, bytes, uploadedAt }));
  }

  close(): void {
    this.#database?.close();
  }
}

export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
