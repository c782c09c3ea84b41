import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type Committed, CommittedLog, committedIn } from "./committed-log.ts";

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
   * These are closed after the connections: POSIX drops the locks that a process has on a file when it closes any descriptor of it.
   */
  readonly #file: number;
  #index: number | undefined;
  readonly #log = new CommittedLog();
  #committed: Committed | undefined;

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
      const index = `${this.#path}-shm`;
      // The connections keep it, also if the server that made it ends.
      if (this.#index === undefined && existsSync(index)) this.#index = openSync(index, "r");
      this.#committed = this.#index === undefined ? undefined : committedIn(this.#index);
    } finally {
      this.#lock.exec("ROLLBACK");
    }
  }

  end(): void {
    this.#committed = undefined;
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
    const pageBytes = Number(this.#pragma("page_size"));
    const bytes = Number(this.#pragma("page_count")) * pageBytes;
    this.#readLog(pageBytes);
    const fileBytes = fstatSync(this.#file).size;
    for (let at = 0; at < bytes; at += size) {
      const piece = new Uint8Array(Math.min(size, bytes - at));
      if (at < fileBytes) readSync(this.#file, piece, 0, piece.length, at);
      for (let offset = 0; offset < piece.length; offset += pageBytes) {
        const frame = this.#log.pages.get((at + offset) / pageBytes + 1);
        if (frame !== undefined) piece.set(this.#log.bytes.subarray(frame, frame + pageBytes), offset);
      }
      yield piece;
    }
  }

  /** What was committed at the moment is still in the log. @throws Error if there is no index of it */
  #readLog(pageSize: number): void {
    const hasLog = this.#pragma("journal_mode") === "wal";
    const none = { pageSize, frames: 0, isWrittenBack: true, pages: 0, salt: Buffer.alloc(0) };
    const committed = hasLog ? this.#committed : none;
    if (!committed || !this.#log.read(this.#path, committed))
      throw new Error(`${this.#path}-wal is not the log of this moment`);
  }

  #pragma(name: string) {
    return this.#database.prepare(`PRAGMA ${name}`).get()?.[name];
  }

  close(): void {
    // Ends a transaction.
    this.#database.close();
    this.#lock.close();
    closeSync(this.#file);
    if (this.#index !== undefined) closeSync(this.#index);
  }
}
