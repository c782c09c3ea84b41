import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** Header of a write-ahead log and of each of its frames [bytes] (sqlite.org/fileformat2.html, "WAL file format"). */
const [LOG_HEADER, FRAME_HEADER] = [32, 24];
/** First word of a log; with the last bit set, its checksums are of big-endian words. */
const MAGIC = 0x377f0682;

/**
 * A database in WAL mode as it is at one moment, read from its files without a copy. A read transaction keeps the moment: until
 * it ends, SQLite writes no later page into the file and does not reuse the log. So a page is in the log as it was at `begin`,
 * else in the file.
 */
export class DatabaseMoment {
  readonly #database: DatabaseSync;
  /** Shows that no writer is paused in the midst of a commit: its frames would be in the log, but not in the transaction. */
  readonly #lock: DatabaseSync;
  readonly #path: string;
  /**
   * Closed after the connection: POSIX drops the locks that a process has on a file when it closes any descriptor of it.
   */
  readonly #file: number;
  #log: Uint8Array = new Uint8Array();

  /** @param path an SQLite file @throws an error of SQLite if it cannot be read */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "r");
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(path, { readOnly: true, timeout: 50 });
      this.#lock = new DatabaseSync(path, { timeout: 0 });
    } catch (error) {
      database?.close();
      closeSync(this.#file);
      throw error;
    }
    this.#database = database;
  }

  /** Begins the moment. Writers of the database must be paused. @throws SQLITE_BUSY if one holds a lock */
  begin(): void {
    this.end();
    this.#lock.exec("BEGIN IMMEDIATE");
    try {
      this.#database.exec("BEGIN");
      // A transaction begins with its first reading.
      this.#database.prepare("SELECT count(*) FROM sqlite_master").get();
      this.#log = readFileSync(`${this.#path}-wal`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    } finally {
      this.#lock.exec("ROLLBACK");
    }
  }

  end(): void {
    this.#log = new Uint8Array();
    if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
  }

  /** The connection, whose reads see the moment too. */
  get database(): DatabaseSync {
    return this.#database;
  }

  /** Whether the file is still the one that was opened: a restore replaces it. */
  isThere(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false })?.ino === fstatSync(this.#file).ino;
  }

  /** The bytes of the database at the moment, in pieces of `size` bytes, which is a multiple of the size of a page. */
  *pieces(size: number): Generator<Uint8Array> {
    const pageBytes = this.#pragma("page_size");
    const bytes = this.#pragma("page_count") * pageBytes;
    const changed = committedPages(this.#log, pageBytes);
    const fileBytes = fstatSync(this.#file).size;
    for (let at = 0; at < bytes; at += size) {
      const piece = new Uint8Array(Math.min(size, bytes - at));
      if (at < fileBytes) readSync(this.#file, piece, 0, piece.length, at);
      for (let offset = 0; offset < piece.length; offset += pageBytes) {
        const frame = changed.get((at + offset) / pageBytes + 1);
        if (frame !== undefined) piece.set(this.#log.subarray(frame, frame + pageBytes), offset);
      }
      yield piece;
    }
  }

  #pragma(name: string): number {
    return Number(this.#database.prepare(`PRAGMA ${name}`).get()?.[name]);
  }

  close(): void {
    // Ends a transaction.
    this.#database.close();
    this.#lock.close();
    closeSync(this.#file);
  }
}

/**
 * Pages of a write-ahead log as its last commit left them: page number → offset of its bytes in the log. A frame counts if its
 * salts are the log's and its checksum continues that of all frames before it; frames after the last commit do not count.
 */
function committedPages(log: Uint8Array, pageBytes: number): Map<number, number> {
  const committed = new Map<number, number>();
  if (log.length < LOG_HEADER) return committed;
  const view = new DataView(log.buffer, log.byteOffset, log.length);
  const magic = view.getUint32(0);
  if ((magic & ~1) >>> 0 !== MAGIC || view.getUint32(8) !== pageBytes) return committed;
  const isBigEndian = (magic & 1) === 1;
  let [a, b] = [0, 0];
  const add = (from: number, to: number) => {
    for (let at = from; at < to; at += 8) {
      a = (a + view.getUint32(at, !isBigEndian) + b) >>> 0;
      b = (b + view.getUint32(at + 4, !isBigEndian) + a) >>> 0;
    }
  };
  add(0, 24);
  if (a !== view.getUint32(24) || b !== view.getUint32(28)) return committed;
  let pending = new Map<number, number>();
  for (let at = LOG_HEADER; at + FRAME_HEADER + pageBytes <= log.length; at += FRAME_HEADER + pageBytes) {
    if (view.getUint32(at + 8) !== view.getUint32(16) || view.getUint32(at + 12) !== view.getUint32(20)) break;
    add(at, at + 8);
    add(at + FRAME_HEADER, at + FRAME_HEADER + pageBytes);
    if (a !== view.getUint32(at + 16) || b !== view.getUint32(at + 20)) break;
    pending.set(view.getUint32(at), at + FRAME_HEADER);
    if (view.getUint32(at + 4) === 0) continue;
    for (const [page, offset] of pending) committed.set(page, offset);
    pending = new Map();
  }
  return committed;
}
