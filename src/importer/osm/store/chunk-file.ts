import { type FileHandle, open } from "node:fs/promises";

/** Byte strings one after the other in a file; how long each is, is remembered next to it. */
export class ChunkWriter {
  readonly lengths: number[] = [];
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string): Promise<ChunkWriter> {
    return new ChunkWriter(await open(path, "w"));
  }

  async append(bytes: Uint8Array): Promise<void> {
    this.lengths.push(bytes.length);
    if (bytes.length > 0) await this.#file.writeFile(bytes);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** The byte strings in order, each in its own memory. */
export async function* readChunks(path: string, lengths: readonly number[]): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const file = await open(path);
  try {
    let offset = 0;
    for (const length of lengths) {
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length; ) {
        const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
        if (bytesRead === 0) throw new Error(`${path} is shorter than its index says`);
        done += bytesRead;
      }
      offset += length;
      yield bytes;
    }
  } finally {
    await file.close();
  }
}
