import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ofFile } from "../base/file-trouble.ts";
import { type DamagedFile, damageOf, HOLDS, SQLITE_CORRUPT } from "../state/integrity.ts";
import { type Image, ImageReader } from "./committed-log.ts";
import { DatabaseMoment } from "./database-moment.ts";
import { PackedFiles, PIECE_BYTES } from "./packed-files.ts";

/** An object as it was at one moment: the database with what its log has committed, the files of both, or a transaction of a large one. */
interface Frozen {
  object: ObjectFile;
  /** Of its files; undefined if they were too recent to detect changes. */
  looks: string | undefined;
  read: Image | [database: Buffer, log: Buffer | undefined] | DatabaseMoment;
}

/**
 * Classes of Durable Objects whose state is not stored elsewhere: active alerts (without them, alerts would be sent
 * again, and their ends never); numbers of messages of campaigns with a total; positions, histories and undelivered events of devices; batch geocoding jobs; meetings of users that last; webhook
 * queues. GeofenceIndex is a copy of database rows and refills itself. RateLimiter and LiveFeed have counters and
 * leases that last minutes. Clients of DatabaseWriter reconnect by their own alarms.
 */
export const KEPT_CLASSES = [
  "AlertWatch",
  "CampaignIndex",
  "DeviceTracker",
  "GeocodeJobs",
  "MeetingCell",
  "WebhookSender",
] as const;

/** The file in which workerd stores the alarms of a class; packed like an object. */
const ALARMS = "metadata";

export const objectsFolder = (state: string, worker: string, name: string) => join(state, "v3/do", `${worker}-${name}`);

/** A file that was touched this shortly before it was looked at may have been touched again within one tick of the clock [ms]. */
const TICK = 50;

/** Of a larger database, a transaction keeps the moment, and it is read after the pause [bytes]. Its pages are not checked each time. */
const LARGE = 1 << 23;

/** A class and the id of one of its objects, or the alarms of the class. */
interface ObjectFile {
  name: string;
  id: string;
}

/** Packs the Durable Objects of a state into one file, because a hundred thousand small files are slow to send and count. */
export class ObjectsPack {
  readonly #files: PackedFiles;
  readonly #folders: ReadonlyMap<string, string>;
  readonly #changes: ReadonlyMap<string, ChangedObjects> | undefined;
  /** How the files of an object looked before they were read. */
  readonly #seen = new Map<string, string>();

  /** Objects that have changed since they were packed. */
  readonly #pending = new Map<string, ObjectFile>();
  /** Objects whose files cannot be read, and why: the pack has them as they were before, if it read them then. */
  readonly #damaged = new Map<string, string>();
  readonly #reader = new ImageReader();
  readonly #frozen = new Map<string, Frozen>();
  readonly #large = new Map<string, DatabaseMoment>();
  /** File in which what was frozen is checked. */
  readonly #scratch: string;

  /** @param changes of each class's folder, for packs that are kept up to date: then only changed objects are looked at */
  constructor(path: string, state: string, worker: string, changes?: (folder: string) => ChangedObjects) {
    this.#files = new PackedFiles(path, changes !== undefined);
    this.#scratch = `${path}.object`;
    this.#folders = new Map(KEPT_CLASSES.map((name) => [name, objectsFolder(state, worker, name)]));
    this.#changes = changes && new Map([...this.#folders].map(([name, folder]) => [name, changes(folder)]));
  }

  /**
   * Takes what has changed since it was last read, but for objects that change just now: those stay for the next time. Called again and
   * again, it has less to do each time. SQLite opens copies only: with the databases themselves, it would hinder the server.
   * @returns how many
   */
  catchUp(): number {
    this.#look();
    let taken = 0;
    for (const [key, object] of this.#pending) {
      const looks = looksOf(this.#pathOf(object));
      if (looks === undefined || this.#isLarge(key, object)) continue;
      this.#reader.reset();
      const frozen = this.#read(key, object);
      if (!frozen || looksOf(this.#pathOf(object)) !== looks) continue;
      this.#put(key, frozen);
      taken++;
    }
    return taken;
  }

  /** Adds the objects that may have changed since the last call to `#pending`. */
  #look(): void {
    const add = (name: string, id: string) => this.#pending.set(`${name}/${id}`, { name, id });
    for (const [name, folder] of this.#folders) {
      const changed = this.#changes?.get(name)?.take();
      for (const id of changed ?? objectsIn(folder)) add(name, id);
      if (changed) continue;
      for (const key of this.#seen.keys()) {
        const [of, id] = key.split("/");
        if (of === name) add(name, id);
      }
    }
  }

  /**
   * The same while the server is paused, in a fraction of the time: it only reads the files of changed objects, and `thaw` packs them. A copy
   * of a database and its log is what a power failure would have left at that moment.
   */
  freeze(): void {
    this.#look();
    this.#frozen.clear();
    this.#reader.reset();
    for (const [key, object] of this.#pending) {
      const frozen = this.#read(key, object);
      if (frozen) this.#frozen.set(key, frozen);
    }
  }

  #isLarge(key: string, object: ObjectFile): boolean {
    const { size = 0 } = statSync(this.#pathOf(object), { throwIfNoEntry: false }) ?? {};
    // Once it was, its files are not read otherwise: closing them would drop the locks of its transactions.
    return this.#large.has(key) || size > LARGE;
  }

  /** The moment of a large object. @throws SQLITE_BUSY if a commit is under way */
  #begun(key: string, path: string): DatabaseMoment {
    const known = this.#large.get(key);
    const moment = known?.isThere() ? known : new DatabaseMoment(path);
    if (moment !== known) known?.close();
    this.#large.set(key, moment);
    moment.begin();
    return moment;
  }

  #forget(key: string): void {
    this.#large.get(key)?.close();
    this.#large.delete(key);
  }

  /** Reads the files of a pending object. @returns undefined if they have not changed or are gone or damaged */
  #read(key: string, object: ObjectFile): Frozen | undefined {
    const path = this.#pathOf(object);
    const looks = looksOf(path);
    try {
      if (!existsSync(path)) this.#drop(key, object);
      else if (looks === undefined || this.#seen.get(key) !== looks) {
        const read = this.#isLarge(key, object) ? this.#begun(key, path) : this.#reader.read(path);
        return { object, looks, read: read ?? [readFileSync(path), readIfThere(`${path}-wal`)] };
      }
    } catch (error) {
      this.#setDamaged(key, path, error);
    }
    this.#pending.delete(key);
    return undefined;
  }

  /** One object must not stop the backup of the others. @throws the error, if it does not come from a damaged file */
  #setDamaged(key: string, path: string, error: unknown): void {
    const damage = damageOf(path, false) ?? (isDamaged(error) ? "its pages are damaged" : undefined);
    if (damage === undefined) throw error;
    const [name, id] = key.split("/");
    if (damage === "it is missing") this.#drop(key, { name, id });
    else this.#damaged.set(key, damage);
    // Its rights may be changed without a change of its looks.
    this.#seen.delete(key);
    this.#forget(key);
  }

  /** Packs what `freeze` has read. What it does not reach is still pending. */
  thaw(): void {
    for (const [key, frozen] of this.#frozen) this.#put(key, frozen);
    this.#frozen.clear();
  }

  /** Packs an object. It stays pending if it is being changed. */
  #put(key: string, { object, looks, read }: Frozen): void {
    const { name, id } = object;
    const isChanging = "isChanging" in read && read.isChanging;
    if (!isChanging) this.#pending.delete(key);
    try {
      if (read instanceof DatabaseMoment) {
        this.#files.putInPieces(name, id, read.pieces(PIECE_BYTES));
        read.end();
      } else {
        const bytes = ofFile(this.#scratch, () => this.#checked(read));
        // As SQLite reads it, a new object. Of one that is being made there is more, or it is younger.
        if (looks && bytes.length === 0) throw new Error("It is empty.");
        this.#files.put(name, id, bytes);
      }
      this.#seen.set(key, isChanging ? "" : (looks ?? ""));
      this.#damaged.delete(key);
    } catch (error) {
      this.#setDamaged(key, read instanceof DatabaseMoment ? this.#pathOf(object) : this.#scratch, error);
    }
  }

  /** @returns the database with what its log has committed @throws Error of SQLite, also if one of its pages is damaged */
  #checked(read: Exclude<Frozen["read"], DatabaseMoment>): Uint8Array {
    const path = this.#scratch;
    for (const more of ["-wal", "-shm"]) rmSync(path + more, { force: true });
    if ("bytes" in read) {
      writeInPlace(path, read.bytes, NO_LOG);
      return withChecked(path, () => read.bytes);
    }
    const [database, log] = read;
    writeInPlace(path, database);
    if (log) writeFileSync(`${path}-wal`, log, { mode: 0o600 });
    return withChecked(path, (file) => file.serialize());
  }

  #pathOf({ name, id }: ObjectFile): string {
    return join(this.#folders.get(name) as string, `${id}.sqlite`);
  }

  #drop(key: string, { name, id }: ObjectFile): void {
    this.#seen.delete(key);
    this.#pending.delete(key);
    this.#damaged.delete(key);
    this.#forget(key);
    this.#files.delete(name, id);
  }

  /** Objects that are damaged, such as "DeviceTracker/0123…". */
  damaged(): string[] {
    return [...this.#damaged.keys()];
  }

  damagedFiles(): DamagedFile[] {
    return [...this.#damaged].map(([key, damage]) => {
      const [name, id] = key.split("/");
      const holds = id === ALARMS ? "when the objects beside it are to be woken" : HOLDS[name];
      return { path: this.#pathOf({ name, id }), damage, holds };
    });
  }

  /** How many objects of each class there are. */
  counts(): Record<string, number> {
    return this.#files.counts(ALARMS);
  }

  close(): void {
    for (const key of this.#large.keys()) this.#forget(key);
    this.#files.close();
  }
}

/** Objects of a folder whose files have changed since the last call; undefined if that is not known, so that all are looked at. */
export interface ChangedObjects {
  take(): Iterable<string> | undefined;
}

/** The id of the object that a file belongs to: its database, or the log of it. */
export const objectOf = (file: string): string | undefined =>
  /^([0-9a-f]{64}|metadata)\.sqlite(?:-wal|-shm|-journal)?$/.exec(file)?.[1];

/** Ids of the objects in a folder. */
function objectsIn(folder: string): string[] {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.flatMap((file) => (file.endsWith(".sqlite") ? (objectOf(file) ?? []) : []));
}

/** Copying a damaged page is no error: its pages are checked before. */
function withChecked<T>(path: string, use: (file: DatabaseSync) => T): T {
  const file = new DatabaseSync(path, { readOnly: true, timeout: 50 });
  try {
    const found = file.prepare("PRAGMA quick_check(1)").get()?.quick_check;
    if (found !== "ok") throw Object.assign(new Error(String(found)), { errcode: SQLITE_CORRUPT });
    return use(file);
  } finally {
    file.close();
  }
}

/** Versions in the header of a database: with these, SQLite makes neither a log nor its index (sqlite.org/fileformat2, 1.3.3). */
const NO_LOG = { at: 18, bytes: new Uint8Array([1, 1]) };

/** Reuses the pages that the file has: some systems take long to provide new ones. @param but bytes that replace some of these */
function writeInPlace(path: string, bytes: Uint8Array, but?: typeof NO_LOG): void {
  const file = openSync(path, existsSync(path) ? "r+" : "w", 0o600);
  try {
    writeSync(file, bytes, 0, bytes.length, 0);
    if (but) writeSync(file, but.bytes, 0, but.bytes.length, but.at);
    ftruncateSync(file, bytes.length);
  } finally {
    closeSync(file);
  }
}

/** 11 SQLITE_CORRUPT, 26 SQLITE_NOTADB. */
function isDamaged(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && [11, 26].includes(errcode & 0xff);
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

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
