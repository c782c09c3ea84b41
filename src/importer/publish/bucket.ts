import type { FileRange } from "../common/file-range.ts";

/** A bucket of objects to publish into: R2 on this machine, R2 at Cloudflare. */
export interface Bucket {
  /** For sentences: "the local bucket in .wrangler/state". */
  readonly where: string;
  get(key: string): Promise<{ bytes: Uint8Array; etag: string } | undefined>;
  /** Keys that begin with the prefix, with their sizes [bytes]. */
  list(prefix: string): Promise<Map<string, number>>;
  /** The next part of the keys under a prefix that ends with a slash, up to the next slash, once each. */
  folders(prefix: string): Promise<string[]>;
  /**
   * Writes one small object. `onlyIf` is an ETag, or null for "only if there is none": false when that no longer holds
   * and nothing was written.
   */
  put(key: string, bytes: Uint8Array, onlyIf?: string | null): Promise<boolean>;
  /** Writes many objects as fast as it can; `done` is called with the size of each. */
  putMany(objects: AsyncIterable<BucketObject>, done: (bytes: number) => void): Promise<void>;
  /**
   * Writes one object of any size from a file, piece by piece; `done` is called with the bytes of each. What an interrupted
   * attempt has brought there is not sent again where the service can take it up.
   */
  putFile(key: string, range: FileRange, done: (bytes: number) => void): Promise<void>;
  /**
   * Copies objects within the bucket, without sending their bytes, as fast as it can; `done` is called with each that was copied.
   * One that cannot be copied, because it is gone or too large for it, is left to the caller. Absent where a bucket copies nothing.
   */
  copyMany?(copies: AsyncIterable<ObjectCopy>, done: (copy: ObjectCopy) => void): Promise<void>;
  /** An object piece by piece; undefined when there is none. @param first no more bytes than these are likely to be read */
  read(key: string, first?: number): Promise<AsyncIterable<Uint8Array> | undefined>;
  delete(keys: readonly string[]): Promise<void>;
  close(): void;
}

export interface ObjectCopy {
  from: string;
  to: string;
}

export interface BucketObject {
  key: string;
  bytes: Uint8Array;
}
