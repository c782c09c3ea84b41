import { createHash, createHmac, randomBytes } from "node:crypto";
import { createReadStream, mkdirSync } from "node:fs";
import { copyFile, link, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type FileRange, piecesOf } from "../common/file-range.ts";
import { ImportError } from "../common/import-error.ts";
import { writeFully } from "../common/write-fully.ts";
import type { Bucket, BucketObject, ObjectCopy } from "./bucket.ts";

/**
 * R2 as Miniflare 5 keeps it on disk for `wrangler dev`, written next to a workerd that may be running:
 *
 *     v3/r2/miniflare-R2BucketObject/<id>.sqlite   a row per object, in WAL mode
 *     v3/r2/<bucket>/blobs/<blob id>               its bytes
 *
 * Safe because a blob is complete before a row names it, a row is never changed but replaced, and SQLite's write-ahead log
 * is designed for several processes: readers see the rows of the last commit, and workerd reads R2 rows afresh for every
 * call. Only while a batch of rows goes in (some milliseconds) a write by workerd itself is rejected: it does not wait
 * for locks. Miniflare's own binding in a second process has the same limits and takes 1.0 to 1.4 ms per object of 5
 * kB, this way 0.1 to 0.7 ms (two cores, a busy disk).
 */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS _mf_objects (
    key TEXT PRIMARY KEY,
    blob_id TEXT,
    version TEXT NOT NULL,
    size INTEGER NOT NULL,
    etag TEXT NOT NULL,
    uploaded INTEGER NOT NULL,
    checksums TEXT NOT NULL,
    http_metadata TEXT NOT NULL,
    custom_metadata TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS _mf_multipart_uploads (
    upload_id TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    http_metadata TEXT NOT NULL,
    custom_metadata TEXT NOT NULL,
    state TINYINT DEFAULT 0 NOT NULL
);
CREATE TABLE IF NOT EXISTS _mf_multipart_parts (
    upload_id TEXT NOT NULL REFERENCES _mf_multipart_uploads(upload_id),
    part_number INTEGER NOT NULL,
    blob_id TEXT NOT NULL,
    size INTEGER NOT NULL,
    etag TEXT NOT NULL,
    checksum_md5 TEXT NOT NULL,
    object_key TEXT REFERENCES _mf_objects(key) DEFERRABLE INITIALLY DEFERRED,
    PRIMARY KEY (upload_id, part_number)
);`;
const FIND = "SELECT key, blob_id, size, etag, uploaded FROM _mf_objects WHERE key = ?";
const COLUMNS = "key blob_id version size etag uploaded checksums http_metadata custom_metadata";

/** Rows in one transaction, and bytes held for it: the lock is short, so that a Worker's own write waits little. */
const BATCH = 200;
const BATCH_BYTES = 16_000_000;
/** How long a reader waits for a file that another process has to itself, as while it repairs its log [ms]. */
const READER_PATIENCE_MS = 5000;

type Row = {
  blob_id: string | null;
  etag: string;
  size: number;
  uploaded: number;
  key: string;
};

/** Where the bytes of an object are. */
export interface LocalObject {
  path: string;
  etag: string;
  size: number;
  /** [ms since 1970] */
  uploaded: number;
}

/** Finds objects of a bucket that exists, for a process that only reads. */
export function openLocalReader(state: string, name: string): (key: string) => LocalObject | undefined {
  const database = new DatabaseSync(localBucketPath(state, name), { readOnly: true, timeout: READER_PATIENCE_MS });
  const find = database.prepare(FIND);
  return (key) => {
    const row = find.get(key) as Row | undefined;
    if (row?.blob_id === null) throw new Error(`${key} was uploaded in parts.`);
    return row && { ...row, path: join(state, "v3/r2", name, "blobs", row.blob_id) };
  };
}

export function openLocalBucket(state: string, name: string): Bucket {
  return new LocalBucket(state, name);
}

class LocalBucket implements Bucket {
  readonly where: string;
  readonly #bucket: string;
  readonly #blobs: string;
  readonly #database: DatabaseSync;

  constructor(state: string, name: string) {
    this.where = `the local bucket below ${state}`;
    this.#bucket = name;
    this.#blobs = join(state, "v3/r2", name, "blobs");
    const path = localBucketPath(state, name);
    mkdirSync(dirname(path), { recursive: true });
    mkdirSync(this.#blobs, { recursive: true });
    this.#database = new DatabaseSync(path, { timeout: 10_000 });
    this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA case_sensitive_like = TRUE");
    this.#database.exec(SCHEMA);
    const columns = this.#database.prepare("SELECT name FROM pragma_table_info('_mf_objects')").all();
    if (columns.map((column) => column.name).join(" ") !== COLUMNS) {
      this.#database.close();
      throw new ImportError(
        `${path} was made by a version of Miniflare whose layout is not known here. Install the versions of package-lock.json (npm ci) and try again.`,
      );
    }
  }

  async get(key: string): Promise<{ bytes: Uint8Array; etag: string } | undefined> {
    const row = this.#row(key);
    return row && { bytes: await readFile(this.#blobOf(row)), etag: row.etag };
  }

  async read(key: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const row = this.#row(key);
    return row && createReadStream(this.#blobOf(row), { highWaterMark: 1 << 20 });
  }

  #blobOf({ key, blob_id }: Row): string {
    if (blob_id === null) throw new ImportError(`${key} was uploaded in parts, which ${this.where} cannot read.`);
    return join(this.#blobs, blob_id);
  }

  async list(prefix: string): Promise<Map<string, number>> {
    const rows = this.#database
      .prepare("SELECT key, size FROM _mf_objects WHERE key >= ? AND key < ? ORDER BY key")
      .all(prefix, `${prefix}\u{10ffff}`) as Row[];
    return new Map(rows.map(({ key, size }) => [key, size]));
  }

  async folders(prefix: string): Promise<string[]> {
    const next = this.#database.prepare("SELECT key FROM _mf_objects WHERE key >= ? AND key < ? ORDER BY key LIMIT 1");
    const found: string[] = [];
    const end = `${prefix}\u{10ffff}`;
    // From each folder the search jumps to after it, so that the objects inside are never walked.
    for (let from = prefix; ; ) {
      const row = next.get(from, end) as { key: string } | undefined;
      if (!row) return found;
      const slash = row.key.indexOf("/", prefix.length);
      if (slash >= 0) found.push(row.key.slice(prefix.length, slash));
      from = `${slash >= 0 ? row.key.slice(0, slash + 1) : row.key}\u{10ffff}`;
    }
  }

  async put(key: string, bytes: Uint8Array, onlyIf?: string | null): Promise<boolean> {
    const blob = await this.#writeBlob({ key, bytes }, randomBytes(4));
    const old = this.#transaction(() => {
      const before = this.#row(key);
      if (onlyIf !== undefined && (before?.etag ?? null) !== onlyIf) return { written: false, blob: blob.blobId };
      this.#insert([blob]);
      return { written: true, blob: before?.blob_id ?? undefined };
    });
    if (old.blob && (old.blob !== blob.blobId || !old.written)) await rm(join(this.#blobs, old.blob), { force: true });
    return old.written;
  }

  async putMany(objects: AsyncIterable<BucketObject>, done: (bytes: number) => void): Promise<void> {
    let batch: Promise<NewRow>[] = [];
    let bytes = 0;
    const flush = async () => {
      const rows = await Promise.all(batch);
      this.#transaction(() => this.#insert(rows));
      for (const { size } of rows) done(size);
      batch = [];
      bytes = 0;
    };
    for await (const object of objects) {
      // A build's objects never change, so the same name serves when an interrupted import comes again.
      const write = this.#writeBlob(object, Buffer.alloc(0));
      write.catch(() => undefined);
      batch.push(write);
      bytes += object.bytes.length;
      if (batch.length >= BATCH || bytes >= BATCH_BYTES) await flush();
    }
    await flush();
  }

  async putFile(key: string, range: FileRange, done: (bytes: number) => void): Promise<void> {
    // Under its own name until it is complete, always the same one, so that what an interrupted attempt left is used up.
    const part = join(this.#blobs, `${this.#blobId(key, "part")}.part`);
    const file = await open(part, "w");
    const hash = createHash("md5");
    let size = 0;
    try {
      for await (const piece of piecesOf(range)) {
        hash.update(piece);
        await writeFully(file, [piece], size);
        size += piece.length;
        done(piece.length);
      }
    } catch (error) {
      await file.close();
      // A full disk is full of this.
      await rm(part, { force: true });
      throw error;
    }
    await file.close();
    const etag = hash.digest("hex");
    const blobId = this.#blobId(key, etag);
    await rename(part, join(this.#blobs, blobId));
    this.#transaction(() => this.#insert([{ key, blobId, size, etag }]));
  }

  /** The blob gets a second name: no byte is copied, and either object may go without the other. */
  async copyMany(copies: AsyncIterable<ObjectCopy>, done: (copy: ObjectCopy) => void): Promise<void> {
    let batch: { row: NewRow; copy: ObjectCopy }[] = [];
    const flush = () => {
      this.#transaction(() => this.#insert(batch.map(({ row }) => row)));
      for (const { copy } of batch) done(copy);
      batch = [];
    };
    for await (const copy of copies) {
      const from = this.#row(copy.from);
      if (!from?.blob_id) continue;
      const blobId = this.#blobId(copy.to, from.etag);
      if (!(await linked(join(this.#blobs, from.blob_id), join(this.#blobs, blobId)))) continue;
      batch.push({ row: { key: copy.to, blobId, size: from.size, etag: from.etag }, copy });
      if (batch.length >= BATCH) flush();
    }
    flush();
  }

  async delete(keys: readonly string[]): Promise<void> {
    const remove = this.#database.prepare("DELETE FROM _mf_objects WHERE key = ? RETURNING blob_id");
    for (let i = 0; i < keys.length; i += BATCH) {
      const blobs = this.#transaction(() => keys.slice(i, i + BATCH).map((key) => remove.get(key)?.blob_id));
      await Promise.all(blobs.map((blob) => typeof blob === "string" && rm(join(this.#blobs, blob), { force: true })));
    }
  }

  close(): void {
    this.#database.close();
  }

  #row(key: string): Row | undefined {
    return this.#database.prepare(FIND).get(key) as Row | undefined;
  }

  async #writeBlob({ key, bytes }: BucketObject, salt: Uint8Array): Promise<NewRow> {
    const etag = createHash("md5").update(bytes).digest("hex");
    const blobId = this.#blobId(key, etag, salt);
    // A name that is there may be a second one of another object's blob, which must not be written over.
    await rm(join(this.#blobs, blobId), { force: true });
    await writeFile(join(this.#blobs, blobId), bytes);
    return { key, blobId, size: bytes.length, etag };
  }

  #blobId(key: string, etag: string, salt: Uint8Array = Buffer.alloc(0)): string {
    const content = createHash("sha256").update(this.#bucket).update("\0").update(key).update("\0").update(etag);
    return `${content.update(salt).digest("hex")}${"0".repeat(16)}`;
  }

  #insert(rows: readonly NewRow[]): void {
    const insert = this.#database.prepare(
      "INSERT OR REPLACE INTO _mf_objects (key, blob_id, version, size, etag, uploaded, checksums, http_metadata, custom_metadata) VALUES (?, ?, ?, ?, ?, ?, '{}', '{}', '{}')",
    );
    const now = Date.now();
    for (const { key, blobId, size, etag } of rows) {
      insert.run(key, blobId, randomBytes(16).toString("hex"), size, etag, now);
    }
  }

  #transaction<T>(work: () => T): T {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }
}

/** Gives a file a second name, or, where the disk has no such thing, a copy; false when it does not exist. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await rm(to, { force: true });
    await link(from, to);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return false;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EMLINK" && code !== "EXDEV") throw error;
    await copyFile(from, to);
    return true;
  }
}

interface NewRow {
  key: string;
  blobId: string;
  size: number;
  etag: string;
}

/**
 * The file is named after the Durable Object that Miniflare runs the bucket in: the first half of HMAC(name), and an
 * HMAC of that half, both under the hash of the class name.
 */
export function localBucketPath(state: string, bucket: string): string {
  const key = createHash("sha256").update("miniflare-R2BucketObject").digest();
  const half = (bytes: string | Buffer) => createHmac("sha256", key).update(bytes).digest().subarray(0, 16);
  const name = half(bucket);
  return join(state, "v3/r2/miniflare-R2BucketObject", `${Buffer.concat([name, half(name)]).toString("hex")}.sqlite`);
}
