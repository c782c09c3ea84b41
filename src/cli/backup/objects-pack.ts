import { existsSync, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { deflateRawSync, inflateRawSync } from "node:zlib";

/**
 * Classes of Durable Objects whose state is not stored elsewhere: active alerts (without them, alerts would be sent
 * again, and their ends never); numbers of messages of campaigns with a total; positions, histories and undelivered events of devices; batch geocoding jobs; webhook
 * queues. GeofenceIndex is a copy of database rows and refills itself. RateLimiter and LiveFeed have counters and
 * leases that last minutes. Clients of DatabaseWriter reconnect by their own alarms.
 */
export const KEPT_CLASSES = ["AlertWatch", "CampaignIndex", "DeviceTracker", "GeocodeJobs", "WebhookSender"] as const;

/** The file in which workerd stores the alarms of a class; packed like an object. */
const ALARMS = "metadata";

export const objectsFolder = (state: string, worker: string, name: string) => join(state, "v3/do", `${worker}-${name}`);

/** A file that was touched this shortly before it was looked at may have been touched again within one tick of the clock [ms]. */
const TICK = 50;

const SCHEMA = `CREATE TABLE object (class TEXT NOT NULL, id TEXT NOT NULL, file BLOB NOT NULL, PRIMARY KEY (class, id)) WITHOUT ROWID;`;
/** An object that was read again without having changed leaves the file as it is. */
const KEEP = `INSERT INTO object VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET file = excluded.file WHERE file <> excluded.file`;

/**
 * Packs the Durable Objects of a state into one SQLite file, because a hundred thousand small files are slow to send
 * and count. Each object, a small database, is a row of the table `object` (the file, deflated).
 */
export class ObjectsPack {
  readonly #database: DatabaseSync;
  readonly #folders: ReadonlyMap<string, string>;
  readonly #changes: ReadonlyMap<string, ChangedObjects> | undefined;
  /** How the files of an object looked before they were read. */
  readonly #seen = new Map<string, string>();

  /** @param changes of each class's folder, for packs that are kept up to date: then only changed objects are looked at */
  constructor(path: string, state: string, worker: string, changes?: (folder: string) => ChangedObjects) {
    this.#database = new DatabaseSync(path);
    // No other process reads the file before it is complete.
    this.#database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${SCHEMA}`);
    this.#folders = new Map(KEPT_CLASSES.map((name) => [name, objectsFolder(state, worker, name)]));
    this.#changes = changes && new Map([...this.#folders].map(([name, folder]) => [name, changes(folder)]));
  }

  /** Takes what has changed since it was last read. Called again and again, it has less to do each time. @returns how many */
  catchUp(): number {
    let taken = 0;
    for (const [name, folder] of this.#folders) {
      const changed = this.#changes?.get(name)?.take();
      if (changed) {
        for (const id of changed) {
          const path = join(folder, `${id}.sqlite`);
          if (!existsSync(path)) this.#drop(name, id);
          else if (this.#take(name, id, path)) taken++;
        }
        continue;
      }
      const there = new Set<string>();
      for (const file of existsSync(folder) ? readdirSync(folder) : []) {
        if (!file.endsWith(".sqlite")) continue;
        const id = objectOf(file);
        if (!id) continue;
        there.add(id);
        if (this.#take(name, id, join(folder, file))) taken++;
      }
      for (const key of this.#seen.keys()) {
        const [of, id] = key.split("/");
        if (of === name && !there.has(id)) this.#drop(name, id);
      }
    }
    return taken;
  }

  #drop(name: string, id: string): void {
    this.#seen.delete(`${name}/${id}`);
    this.#database.prepare("DELETE FROM object WHERE class = ? AND id = ?").run(name, id);
  }

  #take(name: string, id: string, path: string): boolean {
    const looks = looksOf(path);
    const key = `${name}/${id}`;
    if (looks !== undefined && this.#seen.get(key) === looks) return false;
    const file = new DatabaseSync(path, { readOnly: true, timeout: 50 });
    try {
      const bytes = deflateRawSync(file.serialize(), { level: 3 });
      this.#database.prepare(KEEP).run(name, id, bytes);
    } finally {
      file.close();
    }
    this.#seen.set(key, looks ?? "");
    return true;
  }

  /** How many objects of each class there are. */
  counts(): Record<string, number> {
    const counts = this.#database
      .prepare("SELECT class, count(*) AS n FROM object WHERE id <> ? GROUP BY class")
      .all(ALARMS);
    return Object.fromEntries(counts.map((row) => [String(row.class), Number(row.n)]));
  }

  close(): void {
    this.#database.close();
  }
}

/** Objects of a folder whose files have changed since the last call; undefined if that is not known, so that all are looked at. */
export interface ChangedObjects {
  take(): Iterable<string> | undefined;
}

/** The id of the object that a file belongs to: its database, or the log of it. */
export const objectOf = (file: string): string | undefined =>
  /^([0-9a-f]{64}|metadata)\.sqlite(?:-wal|-shm|-journal)?$/.exec(file)?.[1];

/** Sizes and times of a database and its log; undefined if they are too recent to detect changes. */
function looksOf(path: string): string | undefined {
  const now = Date.now();
  const files = [path, `${path}-wal`].map((one) => statSync(one, { throwIfNoEntry: false }));
  if (files.some((file) => file && now - file.mtimeMs < TICK)) return undefined;
  return files.map((file) => file && `${file.size} ${(file as Stats).mtimeMs}`).join();
}

/** Paths of the objects of a class in a state. */
export function restoredObjects(state: string, worker: string, name: string): string[] {
  const folder = objectsFolder(state, worker, name);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.filter((file) => /^[0-9a-f]{64}\.sqlite$/.test(file)).map((file) => join(folder, file));
}

/** The files of a pack, one after the other. */
export function* packedFiles(path: string): Generator<{ class: string; file: string; bytes: Uint8Array }> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    for (const row of database.prepare("SELECT class, id, file FROM object").iterate())
      yield { class: String(row.class), file: `${row.id}.sqlite`, bytes: inflateRawSync(row.file as Uint8Array) };
  } finally {
    database.close();
  }
}
