import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { endianness } from "node:os";

/** The log's header and that of each frame (sqlite.org/fileformat2, 4.1, 4.2) [bytes]. */
const [LOG_HEADER, FRAME_HEADER] = [32, 24];
const SALT_AT = 16;
const SALT_BYTES = 8;

/** The header of the index, in the byte order of the machine, twice (sqlite.org/walformat, 2.1). */
const INDEX = { bytes: 48, version: 3_007_000, initialized: 12, pageSize: 14, frames: 16, pages: 20, salt: 32 };

/** Of an index. */
interface Committed {
  pageSize: number;
  /** In the log. */
  frames: number;
  /** Of the database. */
  pages: number;
  salt: Buffer;
}

/**
 * Reads databases with what their logs (WAL) have committed while the process that has them open is paused: SQLite would wait for its
 * locks. A log of 4 MB repeats a dozen pages; only the last version of each is kept. Memory is used again by the next reading, as the
 * system takes far longer to provide it than to fill it.
 */
export class ImageReader {
  #log = Buffer.alloc(0);
  #images = Buffer.alloc(0);
  #used = 0;

  /** Gives the images back that were read until now. */
  reset(): void {
    // What did not fit was allocated for itself.
    if (this.#used > this.#images.length || this.#used < this.#images.length / 4)
      this.#images = Buffer.allocUnsafeSlow(this.#used);
    this.#used = 0;
  }

  /** @param path of a database in use @returns undefined if its log has no index that says what is committed: SQLite recovers such a log */
  read(path: string): Buffer | undefined {
    const committed = committedIn(`${path}-shm`);
    if (!committed) return undefined;
    const { pageSize, pages, frames } = committed;
    const mayHave = statSync(path).size + frames * pageSize;
    if (pages === 0 || pages * pageSize > mayHave) return undefined;
    const image = this.#allocate(pages * pageSize);
    const read = readFrom(path, image);
    const known = frames === 0 ? new Set<number>() : this.#overlay(`${path}-wal`, committed, image);
    // Pages that are neither in the file nor in the log are not those of this index.
    if (!known) return undefined;
    for (let page = Math.floor(read / pageSize) + 1; page <= pages; page++) if (!known.has(page)) return undefined;
    return image;
  }

  #allocate(bytes: number): Buffer {
    const from = this.#used;
    this.#used += bytes;
    return this.#used <= this.#images.length ? this.#images.subarray(from, this.#used) : Buffer.allocUnsafeSlow(bytes);
  }

  /** Puts the pages of the log into an image. @returns their numbers; undefined if the log is not that of the index */
  #overlay(path: string, { pageSize, frames, pages, salt }: Committed, image: Buffer): Set<number> | undefined {
    const frameBytes = FRAME_HEADER + pageSize;
    const bytes = LOG_HEADER + frames * frameBytes;
    if (this.#log.length < bytes) this.#log = Buffer.allocUnsafeSlow(bytes);
    const log = this.#log.subarray(0, bytes);
    if (readFrom(path, log) < bytes || !log.subarray(SALT_AT, SALT_AT + SALT_BYTES).equals(salt)) return undefined;
    const known = new Set<number>();
    for (let at = LOG_HEADER + (frames - 1) * frameBytes; at >= LOG_HEADER; at -= frameBytes) {
      const page = log.readUInt32BE(at);
      if (known.has(page)) continue;
      known.add(page);
      // It may have been larger before.
      if (page <= pages) log.copy(image, (page - 1) * pageSize, at + FRAME_HEADER, at + frameBytes);
    }
    return known;
  }
}

function committedIn(path: string): Committed | undefined {
  const index = Buffer.alloc(2 * INDEX.bytes);
  if (!existsSync(path) || readFrom(path, index) < index.length) return undefined;
  const [first, second] = [index.subarray(0, INDEX.bytes), index.subarray(INDEX.bytes)];
  const [u32, u16] =
    endianness() === "LE"
      ? [first.readUInt32LE.bind(first), first.readUInt16LE.bind(first)]
      : [first.readUInt32BE.bind(first), first.readUInt16BE.bind(first)];
  // They differ while one is being written.
  if (!first.equals(second) || u32(0) !== INDEX.version || first[INDEX.initialized] !== 1) return undefined;
  const pageSize = u16(INDEX.pageSize) === 1 ? 1 << 16 : u16(INDEX.pageSize);
  const salt = first.subarray(INDEX.salt, INDEX.salt + SALT_BYTES);
  return { pageSize, frames: u32(INDEX.frames), pages: u32(INDEX.pages), salt };
}

/** @returns bytes read */
function readFrom(path: string, into: Buffer): number {
  const file = openSync(path, "r");
  try {
    const size = Math.min(into.length, fstatSync(file).size);
    let read = 0;
    while (read < size) {
      const more = readSync(file, into, read, size - read, read);
      if (more === 0) break;
      read += more;
    }
    return read;
  } finally {
    closeSync(file);
  }
}
