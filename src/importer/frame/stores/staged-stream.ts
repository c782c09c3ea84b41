import { type FileHandle, open } from "node:fs/promises";
import { sealOf } from "../../../core/geo/builds/sealed.ts";
import { Digest } from "../../common/digest.ts";
import { writeFully } from "../../common/write-fully.ts";
import type { ObjectStream } from "../layer.ts";

/** Small pieces are gathered to this many bytes before they are written. */
const CHUNK = 1 << 20;
/** Length with the seal, and SHA-256 of all that. */
interface Sealed {
  length: number;
  sha256: string;
}

/** Called when a stream ends. */
interface StreamEnd {
  /** The object stayed below a megabyte, and no file was created for it. */
  small(content: Uint8Array): Promise<void>;
  /** The object fills its file. */
  file(sealed: Sealed): Promise<void>;
}

/**
 * An object that is written to its own file: checked and hashed as it comes, or once more from the file if something was
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

  /** @param path returns where the file is to be, once one is needed */
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
