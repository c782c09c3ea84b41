import { type FileHandle, open } from "node:fs/promises";
import { writeFully } from "../../../common/write-fully.ts";

const CHUNK = 1 << 20;

/** A file of tiles, one after the other, that grows by what is appended, a megabyte at a time. */
export class TileFile {
  readonly #file: FileHandle;
  #bytes: Uint8Array = new Uint8Array(CHUNK);
  #used = 0;
  #length: number;

  private constructor(file: FileHandle, length: number) {
    this.#file = file;
    this.#length = length;
  }

  /** Goes on behind so many bytes; what else an interruption left there goes. */
  static async after(path: string, length: number): Promise<TileFile> {
    const file = await open(path, length > 0 ? "r+" : "w");
    await file.truncate(length);
    return new TileFile(file, length);
  }

  async append(bytes: Uint8Array): Promise<void> {
    if (this.#used + bytes.length > CHUNK) await this.#flush();
    if (bytes.length > CHUNK) {
      await writeFully(this.#file, [bytes], this.#length);
      this.#length += bytes.length;
      return;
    }
    this.#bytes.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  async close(): Promise<void> {
    try {
      await this.#flush();
    } finally {
      await this.#file.close();
    }
  }

  async #flush(): Promise<void> {
    const used = this.#used;
    this.#used = 0;
    await writeFully(this.#file, [this.#bytes.subarray(0, used)], this.#length);
    this.#length += used;
  }
}
