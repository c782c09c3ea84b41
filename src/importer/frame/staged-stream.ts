import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { crc32c } from "../../geo/crc32c.ts";
import { sealOf } from "../../geo/sealed.ts";
import type { ObjectStream } from "./layer.ts";

/** Small pieces are gathered to this many bytes before they are written. */
const CHUNK = 1 << 20;
/** Hashes take less than 2 GiB at a time. */
const MOST_TO_HASH = 1 << 30;

/** Length with the seal, and SHA-256 of all that. */
export interface Sealed {
  length: number;
  sha256: string;
}

/** What a stage does with a stream that ends. */
export interface StreamEnd {
  /** The object stayed below a megabyte, and no file was made for it. */
  small(content: Uint8Array): Promise<void>;
  /** The object fills its file. */
  file(sealed: Sealed): Promise<void>;
}

/**
 * An object on its way into a file of its own: checked and hashed as it comes, or once more from the file if something was
 * patched. Below a megabyte there is no file.
 */
export class StagedStream implements ObjectStream {
  length = 0;
  readonly #path: () => string;
  readonly #end: StreamEnd;
  #file: FileHandle | undefined;
  #digest = new Digest();
  #buffer: Uint8Array<ArrayBuffer> = new Uint8Array(CHUNK);
  #used = 0;
  #written = 0;
  #patched = false;
  #ended = false;
  #writing: Promise<void> = Promise.resolve();

  /** @param path answers where the file is to be, once one is needed */
  constructor(path: () => string, end: StreamEnd) {
    this.#path = path;
    this.#end = end;
  }

  async append(bytes: Uint8Array): Promise<void> {
    if (this.#ended) throw new Error("nothing can be appended to an object that has ended");
    const full = this.#used + bytes.length > CHUNK ? this.#flush() : undefined;
    this.length += bytes.length;
    if (bytes.length > CHUNK) {
      this.#digest.add(bytes);
      await this.#put(bytes);
      return;
    }
    this.#buffer.set(bytes, this.#used);
    this.#used += bytes.length;
    await full;
  }

  async patch(offset: number, bytes: Uint8Array): Promise<void> {
    if (this.#ended || offset < 0 || offset + bytes.length > this.length) {
      throw new RangeError(
        `bytes ${offset} … ${offset + bytes.length} of an object of ${this.length} cannot be patched`,
      );
    }
    if (offset >= this.#written) {
      this.#buffer.set(bytes, offset - this.#written);
      return;
    }
    this.#patched = true;
    await this.#flush();
    await this.#queue((file) => writeFully(file, [bytes], offset));
  }

  async end(): Promise<void> {
    if (this.#ended) throw new Error("an object ends once");
    this.#ended = true;
    if (this.#written === 0) {
      await this.#end.small(this.#buffer.subarray(0, this.#used));
      return;
    }
    await this.#flush();
    await this.#writing;
    const file = this.#file as FileHandle;
    if (this.#patched) this.#digest = await Digest.of(this.#path());
    const seal = sealOf(this.#digest.checksum);
    await writeFully(file, [seal], this.#written);
    await file.datasync();
    await this.#close();
    const sealed = { length: this.length + seal.length, sha256: this.#digest.sha256(seal) };
    await this.#end.file(sealed);
  }

  /** The layer failed, or has forgotten it: lets go of the file. */
  async abandon(): Promise<void> {
    this.#ended = true;
    await this.#writing.catch(() => undefined);
    await this.#close();
  }

  async #close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  #flush(): Promise<void> {
    if (this.#used === 0) return Promise.resolve();
    const bytes = this.#buffer.subarray(0, this.#used);
    this.#buffer = new Uint8Array(CHUNK);
    this.#used = 0;
    this.#digest.add(bytes);
    return this.#put(bytes);
  }

  #put(bytes: Uint8Array): Promise<void> {
    const offset = this.#written;
    this.#written += bytes.length;
    return this.#queue((file) => writeFully(file, [bytes], offset));
  }

  /** One write after the other. The caller gets the error first, and `end` throws it again. */
  #queue(write: (file: FileHandle) => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      this.#file ??= await open(this.#path(), "w");
      await write(this.#file);
    });
    this.#writing.catch(() => undefined);
    return this.#writing;
  }
}

/** CRC-32C and SHA-256 of bytes that come piece by piece. */
export class Digest {
  checksum = 0;
  readonly #hash: Hash = createHash("sha256");

  static async of(path: string): Promise<Digest> {
    const digest = new Digest();
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK })) digest.add(chunk as Buffer);
    return digest;
  }

  add(bytes: Uint8Array): void {
    this.checksum = crc32c(bytes, this.checksum);
    for (let at = 0; at < bytes.length; at += MOST_TO_HASH) this.#hash.update(bytes.subarray(at, at + MOST_TO_HASH));
  }

  /** The hash with the seal behind the bytes; nothing may be added afterwards. */
  sha256(seal: Uint8Array): string {
    return this.#hash.update(seal).digest("hex");
  }
}

/** Writes all of it, whatever the system takes at a time (Linux: 2 GiB). */
export async function writeFully(file: FileHandle, parts: Uint8Array[], position: number): Promise<void> {
  let left = parts;
  for (let at = position; ; ) {
    const { bytesWritten } = await file.writev(left, at);
    at += bytesWritten;
    let skip = bytesWritten;
    while (left.length > 0 && skip >= left[0].length) {
      skip -= left[0].length;
      left = left.slice(1);
    }
    if (left.length === 0) return;
    if (bytesWritten === 0) throw new Error("the system writes nothing");
    left = [left[0].subarray(skip), ...left.slice(1)];
  }
}
