import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { endianness } from "node:os";

/** The header of a write-ahead log and that of each frame (sqlite.org/fileformat2, 4.1, 4.2) [bytes]. */
const [LOG_HEADER, FRAME_HEADER] = [32, 24];
const [SALT_AT, FRAME_SALT_AT] = [16, 8];
const SALT_BYTES = 8;

/** The header of a log's index, in the byte order of the machine, twice, and what follows it (sqlite.org/walformat, 2.1). */
const INDEX = { bytes: 48, version: 3_007_000, initialized: 12, pageSize: 14, frames: 16, pages: 20, salt: 32 };
const BACKFILLED = { at: 2 * INDEX.bytes, bytes: 4 };

/** What a database and its log have committed, as those who have it open share it. */
export interface Committed {
  pageSize: number;
  /** In the log. */
  frames: number;
  /** Whether all of them are in the database too. Then the log may be overwritten, even during a transaction that reads. */
  isWrittenBack: boolean;
  /** Of the database. */
  pages: number;
  /** Of the log. */
  salt: Buffer;
}

/**
 * What is committed of a database that a process has open; undefined while its index is being written. The index of a process that has ended
 * may be older than the log.
 * @param index its file, open: closing it would drop the locks that this process has on the database
 */
export function committedIn(index: number): Committed | undefined {
  const header = Buffer.alloc(BACKFILLED.at + BACKFILLED.bytes);
  if (readFile(index, header) < header.length) return undefined;
  const [first, second] = [header.subarray(0, INDEX.bytes), header.subarray(INDEX.bytes, BACKFILLED.at)];
  const [u32, u16] =
    endianness() === "LE"
      ? [header.readUInt32LE.bind(header), header.readUInt16LE.bind(header)]
      : [header.readUInt32BE.bind(header), header.readUInt16BE.bind(header)];
  // They differ while one is being written.
  if (!first.equals(second) || u32(0) !== INDEX.version || first[INDEX.initialized] !== 1) return undefined;
  const pageSize = u16(INDEX.pageSize) === 1 ? 1 << 16 : u16(INDEX.pageSize);
  const salt = first.subarray(INDEX.salt, INDEX.salt + SALT_BYTES);
  const frames = u32(INDEX.frames);
  return { pageSize, frames, isWrittenBack: u32(BACKFILLED.at) === frames, pages: u32(INDEX.pages), salt };
}

/** A log, read into memory that is used again: the system takes far longer to provide it than to fill it. */
export class CommittedLog {
  #buffer = Buffer.alloc(0);
  #pages = new Map<number, number>();
  #hasMore = false;

  /** Reads what is committed and not in the database. @returns whether the log belongs to the index */
  read(path: string, committed: Committed): boolean {
    this.#pages = new Map();
    this.#hasMore = false;
    return withFile(`${path}-wal`, (file) => this.#read(file, committed)) ?? committed.isWrittenBack;
  }

  #read(file: number, { pageSize, frames, isWrittenBack, salt }: Committed): boolean {
    const header = Buffer.alloc(LOG_HEADER);
    const next = Buffer.alloc(FRAME_HEADER);
    const bytes = LOG_HEADER + frames * (FRAME_HEADER + pageSize);
    const isEmpty = readFile(file, header) < LOG_HEADER;
    const ofLog = header.subarray(SALT_AT, SALT_AT + SALT_BYTES);
    // The index of a log that is not begun has none.
    const ofIndex = frames === 0 && salt.every((byte) => byte === 0) ? ofLog : salt;
    const ofNext = next.subarray(FRAME_SALT_AT, FRAME_SALT_AT + SALT_BYTES);
    this.#hasMore = readFile(file, next, bytes) === FRAME_HEADER && ofNext.equals(ofIndex);
    if (isWrittenBack) return true;
    if (this.#buffer.length < bytes) this.#buffer = Buffer.allocUnsafeSlow(bytes);
    const log = this.#buffer.subarray(0, bytes);
    if (isEmpty || readFile(file, log) < bytes) return false;
    for (let at = LOG_HEADER; at < bytes; at += FRAME_HEADER + pageSize)
      this.#pages.set(log.readUInt32BE(at), at + FRAME_HEADER);
    return ofLog.equals(salt);
  }

  /** Whether the log goes on after what is committed: a process that is paused between writing a commit and the index adds no byte to it. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** The last version of each page: its number, and where its bytes begin in `bytes`. */
  get pages(): ReadonlyMap<number, number> {
    return this.#pages;
  }

  get bytes(): Buffer {
    return this.#buffer;
  }
}

/** A database with what its log has committed, and whether a commit may be under way, of which no file will tell. */
export interface Image {
  bytes: Buffer;
  isChanging: boolean;
}

/**
 * Reads databases with what their logs have committed while the process that has them open is paused: SQLite would wait for its
 * locks. A log of 4 MB repeats a dozen pages. This process must have none of the databases open: it would lose its locks.
 */
export class ImageReader {
  readonly #log = new CommittedLog();
  #images = Buffer.alloc(0);
  #used = 0;

  /** Gives the memory of all images back that were read until now. */
  reset(): void {
    // What did not fit was allocated for itself.
    if (this.#used > this.#images.length || this.#used < this.#images.length / 4)
      this.#images = Buffer.allocUnsafeSlow(this.#used);
    this.#used = 0;
  }

  /** @param path of a database in use @returns undefined if its log has no index that says what is committed: SQLite recovers such a log */
  read(path: string): Image | undefined {
    const committed = withFile(`${path}-shm`, committedIn);
    if (!committed) return undefined;
    const { pageSize, pages, frames } = committed;
    if (pages === 0 || pages * pageSize > statSync(path).size + frames * pageSize) return undefined;
    if (!this.#log.read(path, committed)) return undefined;
    const image = this.#allocate(pages * pageSize);
    const inFile = Math.floor((withFile(path, (file) => readFile(file, image)) ?? 0) / pageSize);
    for (let page = 1; page <= pages; page++) {
      const at = this.#log.pages.get(page);
      if (at !== undefined) this.#log.bytes.copy(image, (page - 1) * pageSize, at, at + pageSize);
      // A page that is in neither is not of this index.
      else if (page > inFile) return undefined;
    }
    return { bytes: image, isChanging: this.#log.hasMore };
  }

  #allocate(bytes: number): Buffer {
    const from = this.#used;
    this.#used += bytes;
    return this.#used <= this.#images.length ? this.#images.subarray(from, this.#used) : Buffer.allocUnsafeSlow(bytes);
  }
}

/** @returns what `use` returns; undefined if there is no file */
function withFile<T>(path: string, use: (file: number) => T): T | undefined {
  if (!existsSync(path)) return undefined;
  const file = openSync(path, "r");
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

/** Reads a file from its beginning or another place. @returns bytes read */
function readFile(file: number, into: Buffer, from = 0): number {
  const size = Math.min(into.length, fstatSync(file).size - from);
  let read = 0;
  while (read < size) {
    const more = readSync(file, into, read, size - read, from + read);
    if (more === 0) break;
    read += more;
  }
  return read;
}
